"""Sums in cells, against their definition: random tables, placings, sums whose bounds are not ours."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

import refdp.derivations  # noqa: F401  (it registers the transformations)
from refdp.kernel import rules
from refdp.proofs.lemmas import cells_are_stable
from refdp.provers.lemmas import NotProved
from refdp.spec.cells import CellEdit
from refdp.spec.distances import METRICS, l1_distance, l2_distance_squared
from refdp.spec.domains import contains
from refdp.spec.semantics import value
from refdp.terms.term import apply, number
from refdp.transformations.class_counts import CLASS_COUNTS
from refdp.transformations.cluster_sums import CLUSTER_SUMS
from tests.exactness.entering import entered, written
from tests.exactness.laws import chances, share

EDITS = [(n, norm) for n in ("add_remove", "change_one") for norm in ("l1", "l2")]


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


def clustered(table, centres, cap, dimension):
    """The sizes and sums of the clusters, as the page of the kernel says."""
    found = [[F(0)] * (dimension + 1) for _ in centres]
    for row in table:
        clamped = [max(-cap, min(cap, x)) for x in row]
        far = [sum((a - (c[j] if j < len(c) else 0)) ** 2 for j, a in enumerate(clamped)) for c in centres]
        place = min(range(len(centres)), key=lambda i: (far[i], i))
        found[place] = [s + a for s, a in zip(found[place], (1, *clamped), strict=True)]
    return tuple(one for cell in found for one in cell)


def counted(table, classes, values, dimension):
    """The counts of classes and of their values."""
    found = [F(sum(row[0] == c for row in table)) for c in range(classes)]
    for j in range(1, dimension):
        for c in range(classes):
            found += [F(sum(row[0] == c and row[j] == v for row in table)) for v in range(values)]
    return tuple(found)


def moved(norm, images):
    return l1_distance(*images) if norm == "l1" else l2_distance_squared(*images)


def compared(claim, norm, bound, d_in, tables):
    """How far two tables move the sum, as a share of the bound; AssertionError where that is exceeded."""
    first, second = tables
    assert contains(claim.domain, first)
    assert contains(claim.domain, second)
    assert METRICS[claim.metric].within(first, second, F(d_in))
    images = [value(claim.subject, t) for t in tables]
    assert all(contains(claim.output_domain, y) for y in images)
    allowed = d_in * bound if norm == "l1" else d_in**2 * bound
    far = moved(norm, images)
    assert far <= allowed
    return far / allowed


def far_of(cap, dimension, neighbours, norm):
    """How far one edit may move the sizes and sums, squared in L2, by the ledger."""
    size = 1 + dimension * (cap if norm == "l1" else cap**2)
    if neighbours == "add_remove":
        return size
    return 2 * size if norm == "l1" else max(2 * size, 4 * dimension * cap**2)


@pytest.mark.parametrize(("neighbours", "norm"), EDITS)
def test_cluster_sums_are_what_they_are_by_definition_and_never_exceed_the_bound(neighbours, norm):
    """Random centres, too short and too long ones among them; corners, far rows and empty tables."""
    family, nearly = cells_are_stable("cluster_sums", neighbours, norm), 0
    for chance in chances(f"cluster_sums {neighbours} {norm}"):
        dimension, clusters, d_in = chance.randint(1, 3), chance.randint(1, 3), chance.randint(1, 2)
        step, cap = F(1, chance.choice([1, 2, 5])), F(chance.randint(0, 4))
        lengths = [dimension if chance.random() < 0.8 else chance.randint(1, 4)] * clusters
        centres = [tuple(F(chance.randint(-4, 4), chance.randint(1, 3)) for _ in range(n)) for n in lengths]
        written_centres = apply("tuple_of", *(apply("tuple_of", *map(number, c)) for c in centres))
        values = {"centres": str(written_centres), "clusters": str(clusters), "cap": str(cap), "d_in": str(d_in)}
        values |= {"dimension": str(dimension), "granularity": str(step)}
        bound = far_of(cap, dimension, neighbours, norm)
        above = {"d_out": [str(10**6)]} if norm == "l2" else {}
        claim = rules.instantiate(family, values=values, **above).claim
        if norm == "l1":
            assert claim.d_out[0].rational == d_in * bound

        def new(chance=chance, dimension=dimension, cap=cap, step=step):
            if chance.random() < 0.5:
                return tuple(chance.choice([-1, 1]) * cap for _ in range(dimension))
            return tuple(chance.randint(-30, 30) * step for _ in range(dimension))

        first = tuple(new() for _ in range(chance.randint(0, 4)))
        second = neighbour(chance, first, claim.metric, d_in, new)
        assert value(claim.subject, first) == clustered(first, centres, cap, dimension)
        nearly += compared(claim, norm, bound, d_in, (first, second)) == 1
    assert nearly >= share(20)


@pytest.mark.parametrize(("neighbours", "norm"), EDITS)
def test_class_counts_are_what_they_are_by_definition_and_never_exceed_the_bound(neighbours, norm):
    """Classes and values that are none among them: below 0, and too great."""
    family, attained = cells_are_stable("class_counts", neighbours, norm), 0
    for chance in chances(f"class_counts {neighbours} {norm}"):
        classes, kinds, dimension = chance.randint(1, 3), chance.randint(1, 3), chance.randint(1, 4)
        d_in = chance.randint(1, 2)
        values = {"classes": str(classes), "values": str(kinds), "dimension": str(dimension), "d_in": str(d_in)}
        above = {"d_out": [str(10**6)]} if norm == "l2" else {}
        claim = rules.instantiate(family, values=values, **above).claim

        def new(chance=chance, classes=classes, kinds=kinds, dimension=dimension):
            none = chance.choice([0, 0, 1, 7])
            label = F(chance.randint(-none, classes - 1 + none))
            return (label, *(F(chance.randint(-none, kinds - 1 + none)) for _ in range(dimension - 1)))

        first = tuple(new() for _ in range(chance.randint(0, 4)))
        second = neighbour(chance, first, claim.metric, d_in, new)
        assert value(claim.subject, first) == counted(first, classes, kinds, dimension)
        bound = dimension if neighbours == "add_remove" else 2 * dimension
        attained += compared(claim, norm, F(bound), d_in, (first, second)) == 1
    assert attained >= share(20)


LESS = F(1, 1000)


def scaled(times, said, neighbours, norm):
    """The sizes, and sums of `times` the clamped coordinates, said to move as if `said` times were added."""
    power, rows = (1, 1) if norm == "l1" else (2, 1)
    rows = 2 if neighbours == "change_one" else rows
    size = f"({said.numerator} * cap / {said.denominator})" + (f" ** {power}" if power == 2 else "")
    apart = f"(2 * ({said.numerator} * cap / {said.denominator}))" + (f" ** {power}" if power == 2 else "")
    whole = f"max({rows} * (1 + dimension * {size}), dimension * {apart})"
    bound = f"1 + dimension * {size}" if rows == 1 else whole
    edit = CellEdit(
        written("bound", "dimension cap", bound),
        written("alone", "coordinate cap", f"1 + coordinate * {size}"),
        written("together", "coordinate cap", f"coordinate * {apart}"),
    )
    body = written("contribution", "row cap", f"{times} * max(-cap, min(cap, row))")
    return replace(CLUSTER_SUMS, stem="t", contribution=body, units=body, edits={(neighbours, norm): edit})


@pytest.mark.parametrize(("neighbours", "norm"), EDITS)
def test_sums_in_cells_are_proved_just_where_their_bound_is_kept(neighbours, norm):
    """Sums of a times the coordinates, with a bound for b times: proofs stop where b < a, by a thousandth, too."""
    proved = 0
    for chance in chances(f"bounds of cells {neighbours} {norm}", 120, slow=2):
        times = chance.randint(1, 3)
        said = times + chance.choice([0, 1, -LESS, -1 if times > 1 else -LESS])
        with entered(scaled(times, F(said), neighbours, norm)):
            try:
                cells_are_stable("t", neighbours, norm)
            except NotProved:
                assert said < times
                continue
            assert said >= times
        proved += 1
    assert proved >= share(20, slow=2)


@pytest.mark.parametrize(("neighbours", "norm"), EDITS)
def test_counts_in_cells_are_proved_just_where_every_cell_of_a_row_is_counted(neighbours, norm):
    least = 1 if neighbours == "add_remove" else 2
    for times in (least - 1, least - LESS, least, least + 1):
        bound = written("bound", "dimension", f"{F(times).numerator} * dimension / {F(times).denominator}")
        edits = {(neighbours, norm): replace(CLASS_COUNTS.edits[neighbours, norm], bound=bound)}
        with entered(replace(CLASS_COUNTS, stem="t", edits=edits)):
            if times >= least:
                cells_are_stable("t", neighbours, norm)
            else:
                with pytest.raises(NotProved):
                    cells_are_stable("t", neighbours, norm)
