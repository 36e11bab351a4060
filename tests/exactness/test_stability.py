"""Rules that make claims about transformations, against their definition: random tables, contributions and rows."""

from fractions import Fraction as F
from itertools import product
from random import Random

import pytest

import refdp.derivations  # noqa: F401  (it registers the transformations)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.provers.lemmas import NotProved, lemmas
from refdp.spec.distances import METRICS, NEIGHBOURS, l2_distance_squared
from refdp.spec.domains import contains
from refdp.spec.obligations import unbounded
from refdp.spec.rows import Edit, RowSum, sum_obligations
from refdp.spec.semantics import value
from refdp.terms.reading import read
from refdp.terms.term import Term, equal, indicator, name, number
from tests.claimed import attribute_means, clamp, clamped_sum, count, histogram, mean, point_count, threshold_count
from tests.exactness.definition import near
from tests.exactness.entering import entered, exactly, row_map, written
from tests.exactness.enumeration import holds_everywhere, lemma
from tests.exactness.laws import chances, share, tables

ROWS = (-1, 0, 1)
TABLES = tables(ROWS, 2)
LESS = F(1, 1000)
FINISHES = {"-abs(total)": lambda v: -abs(v), "max(total, 0)": lambda v: max(v, F(0)), "-total": lambda v: -v}
"""What sums may become, none moving farther than the sum."""
TWO = tuple(map(read, ("integer(dimension)", "1 <= dimension", "2 <= dimension", "dimension <= 2")))


def looked_up(values: dict[tuple[str, int], F] | dict) -> Term:
    """The sum of value * indicators, one for each (name, number) of its key."""
    found = number(0)
    for key, v in values.items():
        part = number(v)
        for variable, at in key:
            part = part * indicator(equal(name(variable), at))
        found = found + part
    return found


def norm_of(norm: str, u, v) -> F:
    """The distance of two images; squared in L2."""
    if norm == "l2":
        return F(l2_distance_squared(u, v))
    if norm == "absolute":
        return F(abs(u - v))
    moves = [abs(a - b) for a, b in zip(u, v, strict=True)]
    return F(sum(moves) if norm == "l1" else max(moves))


class Contributions:
    """Random whole contributions of the rows -1, 0, 1, numbers or vectors of two, and the kind that sums them."""

    def __init__(self, chance: Random, norm: str, neighbours: str) -> None:
        self.norm, self.neighbours, self.is_vector = norm, neighbours, norm != "absolute"
        self.step = F(1, chance.randint(1, 3))
        many = 2 if self.is_vector else 1
        self.units = {r: tuple(chance.randint(-2, 2) for _ in range(many)) for r in ROWS}
        self.worth = {r: tuple(self.step * u for u in us) for r, us in self.units.items()}
        self.finish = chance.choice([None, *FINISHES])

    @property
    def edits(self) -> list[tuple[F, ...]]:
        """What one edit adds, for each row, or taken out and put in."""
        if self.neighbours == "add_remove":
            return list(self.worth.values())
        pairs = product(self.worth.values(), repeat=2)
        return [tuple(a - b for a, b in zip(u, v, strict=True)) for u, v in pairs]

    @property
    def least(self) -> F:
        """The least bound that the obligations can show: coordinates add up each at its worst in L1 and L2."""
        worst = [max(abs(e[j]) for e in self.edits) for j in range(len(self.edits[0]))]
        return {"l1": sum(worst, F(0)), "l2": sum((w * w for w in worst), F(0))}.get(self.norm, max(worst))

    def total(self, table) -> F | tuple[F, ...]:
        """The sum over the rows."""
        found = tuple(sum((self.worth[r][j] for r in table), F(0)) for j in range(len(self.worth[0])))
        found = found if self.finish is None else tuple(map(FINISHES[self.finish], found))
        return found if self.is_vector else found[0]

    def kind(self, bound: F) -> RowSum:
        """The transformation with that bound of one edit; its prefix is the part of each coordinate's worst."""
        power = 2 if self.norm == "l2" else 1
        worst = [max(abs(e[j]) for e in self.edits) ** power for j in range(len(self.edits[0]))]
        parts = {(("coordinate", j),): sum(worst[:j], F(0)) for j in range(len(worst) + 1)}
        prefix = written("prefix", "coordinate", looked_up(parts)) if self.norm in ("l1", "l2") else None
        edit = Edit(written("bound", "", number(bound)), prefix)
        return RowSum(
            "t", ("dimension",), TWO, {"dimension": number(2)}, read("category(dimension)"),
            contribution=self._formula("contribution", self.worth), units=self._formula("units", self.units),
            output_step=written("output_step", "", number(self.step)), edits={(self.neighbours, self.norm): edit},
            is_vector=self.is_vector, finish=None if self.finish is None else written("finish", "total", self.finish),
        )  # fmt: skip

    def _formula(self, called: str, values) -> object:
        """The contribution of `row`, for vectors in `coordinate`."""
        if self.is_vector:
            found = {(("row", r), ("coordinate", j)): v for r, vs in values.items() for j, v in enumerate(vs)}
            return written(called, "row coordinate", looked_up(found))
        return written(called, "row", looked_up({(("row", r),): v for r, (v,) in values.items()}))


@pytest.mark.parametrize(("norm", "neighbours"), list(product(["absolute", "l1", "l2", "linf"], NEIGHBOURS)))
def test_sum_of_rows_is_never_exceeded_and_a_little_less_is_not_shown(norm, neighbours):
    """Arbitrary contributions; every second bound is 1/1000 below what the obligations can show."""
    reached, axes = 0, {"dimension": [2], "coordinate": range(-1, 3), "row": range(-2, 3), "other": range(-2, 3)}
    axes |= {"total": range(-4, 5), "other_total": range(-4, 5)}
    for chance in chances(f"sum_of_rows {norm} {neighbours}", 250):
        found = Contributions(chance, norm, neighbours)
        short = chance.random() < 0.3
        kind = found.kind(found.least - LESS * short + chance.choice([0, 0, 1]) * (not short))
        with entered(kind):
            needed = sum_obligations(kind, neighbours, norm)
            shown = all(holds_everywhere(s, (), axes) for s in needed.values())
            assert shown != short
            if short:
                continue
            premises = (lemma("t", key, s) for key, s in needed.items())
            claim = rules.sum_of_rows(*premises, stem="t", neighbours=neighbours, norm=norm).claim
            assert value(read("t(2)"), exactly(TABLES[-1])) == found.total(TABLES[-1])
        bound = kind.edits[neighbours, norm].bound()
        assert str(claim.d_out[0]) == (f"d_in * sqrt({number(bound)})" if norm == "l2" else str(name("d_in") * bound))
        totals = {t: found.total(t) for t in TABLES}
        for d_in in (1, 2):
            moved = max(norm_of(norm, totals[a], totals[b]) for a, b in near(TABLES, NEIGHBOURS[neighbours], d_in))
            assert moved <= (d_in**2 if norm == "l2" else d_in) * bound
            reached += moved == d_in * bound > 0 and d_in == 1
    assert reached > share(25)


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
def test_row_by_row_is_never_exceeded(neighbours):
    """Arbitrary functions of rows, filters among them, on tables of private and of public size, all neighbours."""
    dropped = 0
    for chance in chances(f"row_by_row {neighbours}"):
        images = {r: chance.choice([0, 1, 2, None]) for r in range(3)}
        sized = neighbours == "change_one" and chance.random() < 0.5
        with entered(row_map("t", "finite(3)", "finite(3)", images)):
            words = {"stem": "t", "neighbours": neighbours, "sized": "yes" if sized else "no"}
            family = rules.row_by_row(**words)
            values = {"d_in": str(d_in := chance.randint(0, 2))} | ({"size": "2"} if sized else {})
            claim = rules.instantiate(family, values=values).claim
            inputs = tables(range(3), 2, 2 if sized else 0)
            outputs = {t: value(claim.subject, t) for t in inputs}
        filters = None in images.values()
        assert all(outputs[t] == tuple(images[r] for r in t if images[r] is not None) for t in inputs)
        assert all(contains(claim.output_domain, exactly(out)) for out in outputs.values())
        assert claim.output_domain == read("sized_table(finite(3), 2)" if sized and not filters else "table(finite(3))")
        within, d_out = METRICS[claim.output_metric].within, claim.d_out[0].rational
        assert all(within(outputs[a], outputs[b], d_out) for a, b in near(inputs, claim.metric, d_in))
        dropped += filters and neighbours == "change_one" and any(
            not within(outputs[a], outputs[b], d_out - 1) for a, b in near(inputs, claim.metric, d_in)
        )  # fmt: skip
    assert (dropped > share(100)) == (neighbours == "change_one")


def test_row_by_row_of_sized_tables_under_add_remove_is_refused():
    """No two tables of one size are one row apart: the claim would say nothing."""
    kind = row_map("t", "finite(3)", "finite(3)", {0: 0, 1: 0, 2: 0})
    with entered(kind), pytest.raises(KernelError, match="the claim would be empty"):
        rules.row_by_row(stem="t", neighbours="add_remove", sized="yes")


@pytest.mark.parametrize("family", [clamp.add_remove, clamp.change_one])
def test_row_by_row_with_a_formula_stays_inside_its_domain(family):
    """Clamping on random grids: every row lands on the grid between the bounds, and edits stay edits."""
    theorem = family()
    for chance in chances(family.__qualname__):
        step, lower = F(chance.randint(1, 4), chance.randint(1, 4)), chance.randint(-3, 2)
        bounds = {"lower": lower * step, "upper": (lower + chance.randint(0, 3)) * step, "granularity": step}
        d_in = chance.randint(0, 3)
        values = {key: str(v) for key, v in (bounds | {"d_in": d_in}).items()}
        claim = rules.instantiate(theorem, values=values).claim
        first = tuple(step * chance.randint(-6, 6) for _ in range(chance.randint(0, 3)))
        second = edited(chance, first, d_in, claim.metric, step)
        images = [value(claim.subject, t) for t in (first, second)]
        assert images[0] == tuple(min(max(r, bounds["lower"]), bounds["upper"]) for r in first)
        assert all(contains(claim.output_domain, t) for t in images)
        assert METRICS[claim.output_metric].within(*images, F(d_in))


def edited(chance, table, edits, metric, step):
    """The table after some of so many random edits."""
    rows = list(table)
    for _ in range(chance.randint(0, edits)):
        new = step * chance.randint(-6, 6)
        if metric == "change_one" and rows:
            rows[chance.randrange(len(rows))] = new
        elif metric == "symmetric":
            rows = rows[1:] if rows and chance.random() < 0.4 else [*rows, new]
    chance.shuffle(rows)
    return tuple(rows)


NUMBERS = {
    "count": (count, "rows"),
    "threshold_count": (threshold_count, "threshold granularity"),
    "point_count": (point_count, "point granularity"),
    "clamped_sum": (clamped_sum, "lower upper granularity"),
    "mean": (mean, "lower upper size granularity"),
}


@pytest.mark.parametrize("stem", NUMBERS)
def test_sum_of_rows_of_the_package_is_never_exceeded_on_random_tables(stem):
    """Random parameters and neighbouring tables; at d_in = 1 the bound is reached."""
    module, parameters = NUMBERS[stem]
    families = [getattr(module, n)() for n in NEIGHBOURS if hasattr(module, n)]
    worst = F(0)
    for chance in chances(f"sums {stem}"):
        theorem, d_in = chance.choice(families), chance.randint(1, 3)
        step, size, lower = F(1, chance.randint(1, 3)), chance.randint(1, 4), chance.randint(-3, 2)
        known = {
            "rows": f"grid({step})", "threshold": F(chance.randint(-4, 4), 4), "point": step * chance.randint(-2, 2),
            "granularity": step, "lower": lower * step, "upper": (lower + chance.randint(0, 4)) * step, "size": size,
        }  # fmt: skip
        values = {p: str(known[p]) for p in parameters.split()} | {"d_in": str(d_in)}
        claim = rules.instantiate(theorem, values=values).claim
        first = tuple(step * chance.randint(-5, 5) for _ in range(size))
        second = edited(chance, first, d_in, claim.metric, step)
        moved = abs(value(claim.subject, first) - value(claim.subject, second))
        assert contains(claim.output_domain, value(claim.subject, first))
        assert moved <= claim.d_out[0].rational
        worst = max(worst, moved / claim.d_out[0].rational if claim.d_out[0].rational else F(0))
    assert worst == 1


VECTORS = [
    (module, f"{neighbours}_{norm}")
    for module in (histogram, attribute_means)
    for neighbours, norm in product(NEIGHBOURS, ["l1", "l2", "linf"])
    if hasattr(module, f"{neighbours}_{norm}")
]


@pytest.mark.parametrize(("module", "notion"), VECTORS)
def test_sum_of_rows_of_vectors_of_the_package_is_never_exceeded(module, notion):
    """Random tables of categories or attributes; at d_in = 1 the bound is reached."""
    theorem, norm, worst = getattr(module, notion)(), notion.split("_")[-1], F(0)
    for chance in chances(f"{module.__name__} {notion}", 250):
        dimension, size, d_in = chance.randint(1, 3), chance.randint(1, 4), chance.randint(1, 2)
        attributes = module is attribute_means
        values = {"dimension": dimension, "d_in": d_in} | ({"size": size} if attributes else {})
        square = (F(dimension, size**2) if attributes else F(2 if "change" in notion else 1)) * d_in**2
        bounds = {"d_out": [str(square + 1)]} if norm == "l2" else {}
        claim = rules.instantiate(theorem, values={key: str(v) for key, v in values.items()}, **bounds).claim
        bits = list(product((0, 1), repeat=dimension))
        rows = [chance.choice(bits) if attributes else chance.randint(-1, dimension - 1) for _ in range(size + d_in)]
        first, second = rows[:size], rows
        if claim.metric == "change_one":
            second = [*rows[d_in:size], *rows[size : size + min(d_in, size)]]
        images = [value(claim.subject, exactly(tuple(t))) for t in (first, second)]
        moved, limit = norm_of(norm, *images), square if norm == "l2" else claim.d_out[0].rational
        assert moved <= limit
        assert contains(claim.output_domain, images[0])
        worst = max(worst, moved / limit if d_in == 1 else F(0))
    assert worst == 1


def test_row_exceeds_every_bound_where_it_is_proved():
    """Random linear contributions and rows: those proved exceed random bounds, by exact evaluation; others do not."""
    proved = tried = 0
    for chance in chances("row_exceeds_every_bound", 60):
        slope, step = F(chance.choice([-2, -1, 0, 1, 3])), F(1, chance.randint(1, 2))
        times, more = chance.randint(0, 3), chance.choice([-1, 0, 1, 2])
        beyond = name("bound") * times + more
        kind = RowSum(
            "t", (), (), {}, read(f"grid({step})"),
            contribution=written("contribution", "row", name("row") * slope),
            units=written("units", "row", name("row") * int(slope)),
            output_step=written("output_step", "", number(step)), edits={},
            unbounded_row=written("unbounded_row", "bound", beyond * step),
            unbounded_units=written("unbounded_units", "bound", beyond),
        )  # fmt: skip
        bounds = [F(b, 3) for b in range(40)]  # the obligation speaks of every real bound
        exceeds = [b * step < abs(slope * step * (b * times + more)) for b in bounds]
        with entered(kind):
            try:
                theorem = rules.row_exceeds_every_bound(*lemmas("t", unbounded("t")), stem="t")
            except NotProved:
                assert not all(exceeds)
                continue
        assert str(theorem.claim.term) == "refuted(finite_sensitivity(t()))"
        assert all(exceeds)
        proved, tried = proved + 1, tried + len(exceeds)
    assert proved >= share(15)
    assert tried + 40 * (60 - proved) >= share(1000)
