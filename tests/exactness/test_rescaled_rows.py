"""Sums of rescaled vectors, against their definition: random tables, 20,000 vectors, and factors that are not ours."""

from dataclasses import replace
from fractions import Fraction as F
from math import isqrt

import pytest

import refdp.derivations  # noqa: F401  (it registers the transformations)
from refdp.kernel import rules
from refdp.proofs.lemmas import rescaled_sum_is_stable
from refdp.provers.lemmas import NotProved
from refdp.spec.distances import METRICS, l2_distance_squared
from refdp.spec.domains import contains
from refdp.spec.registry import lookup
from refdp.spec.rescaled import RescaledSum
from refdp.spec.semantics import value
from refdp.terms.reading import read
from refdp.transformations.clipped_vector_sum import CLIPPED_VECTOR_SUM
from tests.exactness.entering import entered, written
from tests.exactness.laws import chances, share

LESS = F(1, 1000)
EXTRA = {
    "clipped_vector_sum": (), "nearest_clipped_sum": (), "clipped_total": (), "clipped_mean_by_count": (),
    "layered_clipped_sum": ("layers",), "guarded_clipped_sum": ("guard",), "automatic_clipped_sum": ("guard",),
    "clipped_vector_mean": ("lot",), "clipped_mean_of_sized": ("size",), "second_moments": (),
}  # fmt: skip
"""What each sum has for parameters besides norm, dimension and granularity."""
IRRATIONAL = ("layered_clipped_sum", "nearest_clipped_sum", "second_moments")
"""The sums whose bounds have square roots in them."""
CASES = [
    (s, n) for s in EXTRA for n in ("add_remove", "change_one") if (s, n) != ("clipped_mean_of_sized", "add_remove")
]


def vector(chance, dimension, norm):
    """Zero, on the sphere, huge, tiny, negative, or any: a vector of that dimension."""
    kind = chance.choice(["zero", "axis", "triple", "huge", "tiny", "any", "any"])
    if kind == "zero":
        return (F(0),) * dimension
    if kind == "axis":
        place, sign = chance.randrange(dimension), chance.choice([-1, 1])
        return tuple(sign * norm if j == place else F(0) for j in range(dimension))
    if kind == "triple" and dimension > 1:
        on = [norm * F(3, 5), norm * F(-4, 5)] + [F(0)] * (dimension - 2)
        chance.shuffle(on)
        return tuple(on)
    scale = {"huge": F(10**9), "tiny": F(1, 10**9)}.get(kind, F(1))
    return tuple(scale * F(chance.randint(-12, 12), chance.randint(1, 5)) for _ in range(dimension))


def neighbour(chance, table, metric, d_in, new):
    """The table after at most d_in edits."""
    rows = list(table)
    for _ in range(chance.randint(0, d_in) if chance.random() < 0.2 else d_in):
        if metric == "change_one":
            if rows:
                rows[chance.randrange(len(rows))] = new()
        elif rows and chance.random() < 0.5:
            rows.pop(chance.randrange(len(rows)))
        else:
            rows.append(new())
    chance.shuffle(rows)
    return tuple(rows)


def is_at_most(square, rational, factor=F(0), dimension=1):
    """Whether sqrt(square) <= rational + factor sqrt(dimension), both >= 0, in rationals."""
    left = square - rational**2 - factor**2 * dimension
    return left <= 0 or left**2 <= 4 * rational**2 * factor**2 * dimension


def farthest(stem, known, neighbours, d_in):
    """How far the sum may move by the ledger: rational + factor sqrt(count)."""
    if stem == "second_moments":
        return F(0), d_in * known["norm"] ** 2, 2 if neighbours == "change_one" else 1
    norm, times = known["norm"], d_in * (2 if neighbours == "change_one" or stem == "clipped_total" else 1)
    match stem:
        case "layered_clipped_sum":
            return F(0), times * norm, known["layers"]
        case "nearest_clipped_sum":
            return times * norm, times * known["granularity"] / 2, known["dimension"]
        case "clipped_vector_mean":
            return times * norm / known["lot"], F(0), 1
        case "clipped_mean_of_sized":
            return times * norm / known["size"], F(0), 1
    return times * norm, F(0), 1


@pytest.mark.parametrize(("stem", "neighbours"), CASES)
def test_rescaled_rows_are_never_exceeded(stem, neighbours):
    """Random parameters and tables of up to 4 rows, the empty one among them; the bound is reached, or nearly so."""
    family, nearly = rescaled_sum_is_stable(stem, neighbours), 0
    for chance in chances(f"rescaled {stem} {neighbours}"):
        layers, d_in = chance.randint(1, 2), chance.randint(1, 2)
        dimension = chance.randint(1, 4) if stem != "layered_clipped_sum" else layers * chance.randint(1, 2)
        step = F(1, chance.choice([1, 2, 100]))
        known = {
            "norm": F(chance.randint(1, 10), chance.choice([1, 2])), "dimension": dimension, "granularity": step,
            "layers": layers, "guard": F(1, chance.choice([1, 10**6])), "lot": F(chance.randint(1, 9), 2),
            "size": chance.randint(1, 3),
        }  # fmt: skip
        values = {p: str(known[p]) for p in ("norm", "dimension", "granularity", *EXTRA[stem])} | {"d_in": str(d_in)}
        above = {"d_out": [str(10**6)]} if stem in IRRATIONAL else {}
        claim = rules.instantiate(family, values=values, **above).claim

        def new(chance=chance, dimension=dimension, norm=known["norm"]):
            return vector(chance, dimension, norm)

        size = known["size"] if stem == "clipped_mean_of_sized" else chance.randint(0, 3)
        first = tuple(new() for _ in range(size))
        second = neighbour(chance, first, claim.metric, d_in, new)
        assert contains(claim.domain, first)
        assert contains(claim.domain, second)
        assert METRICS[claim.metric].within(first, second, F(d_in))
        images = [value(claim.subject, t) for t in (first, second)]
        assert all(contains(claim.output_domain, y) for y in images)
        moved, (rational, factor, count) = F(l2_distance_squared(*images)), farthest(stem, known, neighbours, d_in)
        assert is_at_most(moved, rational, factor, count)
        if factor == 0:
            assert claim.d_out[0].rational == rational
        nearly += not is_at_most(moved, rational * F(9, 10), factor * F(9, 10), count)
    assert nearly >= share(5)


@pytest.mark.parametrize("rounding", ["towards_zero", "nearest"])
def test_20000_clipped_vectors_are_what_they_are_by_definition(rounding):
    """Never above the norm, by exact squares; each coordinate is that of the exact square root, by whole numbers."""
    stem = "clipped_vector_sum" if rounding == "towards_zero" else "nearest_clipped_sum"
    kind, tried, clipped, longer = lookup(stem, RescaledSum), 0, 0, 0
    for chance in chances(f"clip {rounding}", 20_000):
        norm, step = F(chance.randint(1, 9), chance.randint(1, 4)), F(1, chance.choice([1, 3, 1024]))
        v = vector(chance, chance.randint(1, 6), norm)
        found = kind.rescaled(v, {"norm": norm, "granularity": step, "dimension": F(len(v))})
        square = sum((c * c for c in v), F(0))
        by = min(F(1), norm**2 / square) if square else F(1)
        for c, image in zip(v, found, strict=True):
            exact = by * (c / step) ** 2  # the square of what is rounded, in steps
            whole = isqrt(exact.numerator // exact.denominator)
            if rounding == "towards_zero":
                assert image == (whole if c >= 0 else -whole) * step
            else:
                halves = isqrt(4 * exact.numerator // exact.denominator)
                up = (halves + 1) // 2 if c >= 0 or halves**2 != 4 * exact else halves // 2
                assert image == (up if c >= 0 else -up) * step
        length = sum((c * c for c in found), F(0))
        if rounding == "towards_zero":
            assert length <= norm**2
        assert is_at_most(length, norm, step / 2 if rounding == "nearest" else F(0), len(v))
        tried, clipped, longer = tried + 1, clipped + (square > norm**2), longer + (length > norm**2)
    assert clipped > tried / 4
    assert (longer > 0) == (rounding == "nearest")


def test_factors_are_proved_just_where_they_keep_the_reach():
    """a norm / (b norm + c root) stretches up to a / c norm, so proofs must stop there."""
    proved = 0
    for chance in chances("factors", 120, slow=2):
        a, b, c = chance.randint(1, 4), chance.randint(1, 3), chance.randint(0, 3)
        short = chance.random() < 0.4
        reach = F(a, c) - LESS * short if c else F(chance.randint(1, 99))
        kind = replace(
            CLIPPED_VECTOR_SUM, stem="t", keeps_root=True,
            factor=written("factor", "root norm", f"{a} * norm / ({b} * norm + {c} * root)"),
            reach=written("reach", "norm", f"{reach.numerator} * norm / {reach.denominator}"),
        )  # fmt: skip
        with entered(kind):
            try:
                claim = rescaled_sum_is_stable("t", "add_remove").claim
            except NotProved:
                assert short or c == 0
                long = (F(10**9),)
                image = value(read("t(1, 1, 1/1000000000)"), (long,))
                assert abs(image[0]) > reach
                continue
            assert not short
            assert c > 0
            values = {"norm": "3", "dimension": "2", "granularity": "1/100", "d_in": "1"}
            closed = rules.instantiate(rescaled_sum_is_stable("t", "add_remove"), values=values).claim
            for _ in range(20):
                moved = l2_distance_squared(value(closed.subject, (vector(chance, 2, F(3)),)), (F(0), F(0)))
                assert moved <= closed.d_out[0].rational ** 2
        assert str(claim.domain) == "table(vector(reals(), dimension))"
        proved += 1
    assert proved >= share(20, slow=2)
