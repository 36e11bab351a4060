"""The search against exhaustive truth on small spaces, and the shrinker against Hypothesis."""

import math
from fractions import Fraction
from itertools import combinations, islice, product
from random import Random

import pytest
from hypothesis import find, settings
from hypothesis import strategies as st

from refdp.auditing.neighbours import Choice, Real, Record, Settings, Table, Vector, Whole
from refdp.auditing.neighbours.families import FAMILIES, grids, problem, random_pairs
from refdp.auditing.neighbours.running import Question, Runner
from refdp.auditing.neighbours.searching import furthest
from refdp.auditing.neighbours.shrinking import shrunk
from refdp.auditing.neighbours.spaces import neighbours
from refdp.auditing.targets import Outcome
from refdp.spec.distances import METRICS
from tests.examples import few

METRICS_OF_TABLES = ("symmetric", "change_one", "hamming")


class Here:
    """A session that runs the function in this process."""

    def __init__(self, function):
        self.function = function

    def each(self, operation, inputs):
        return [self.outcome(x) for x in inputs]

    def outcome(self, x):
        try:
            return Outcome("value", self.function(x))
        except ZeroDivisionError as error:
            return Outcome("raised", type(error).__name__, str(error))


def runner(function, space, metric, d_in, output, bound, **budget):
    question = Question(problem(space, metric, Fraction(d_in)), "call", output, Fraction(bound))
    return Runner(Here(function), question, Settings(**{"seconds": 5.0, "pairs": 2000, **budget}))


def tables(values, sizes):
    return [table for n in sizes for table in product(values, repeat=n)]


def true_bound(function, space_tables, metric, d_in):
    """The greatest distance of outputs over all neighbouring pairs, by the registered metric; None without pairs."""
    near = ((u, v) for u, v in combinations(space_tables, 2) if METRICS[metric].within(u, v, Fraction(d_in)))
    return max((abs(Fraction(function(u)) - Fraction(function(v))) for u, v in near), default=None)


def random_case(random):
    """A random function on all tables of a small space, as a table of its values."""
    size, values = random.choice(((1, 2), (1, 3), (2, 2), (2, 3), (3, 2)))
    space = Table(Choice(tuple(range(values))), size=size)
    outputs = {t: random.choice((0, 1, 2.5, -3, 1e300, 7, 0.1)) for t in tables(range(values), (size,))}
    metric, d_in = random.choice(METRICS_OF_TABLES), random.choice((0, 1, 2, 3))
    return space, {t: float(y) for t, y in outputs.items()}, metric, d_in


def test_search_never_refutes_a_tight_map_and_always_refutes_a_smaller_one():
    random = Random(2923)
    refuted = 0
    for _ in range(few(1000)):
        space, outputs, metric, d_in = random_case(random)
        function = lambda x, outputs=outputs: outputs[tuple(x)]  # noqa: E731
        bound = true_bound(lambda t, outputs=outputs: outputs[t], list(outputs), metric, d_in)
        if bound is None:
            continue
        right = runner(function, space, metric, d_in, "absolute", bound)
        best = furthest(right)
        assert best is None or not right.exceeds(best)
        assert (best.distance.amount if best else 0) == bound
        if bound > 0:
            wrong = runner(function, space, metric, d_in, "absolute", bound * Fraction(999, 1000))
            found = furthest(wrong)
            assert found is not None
            assert wrong.exceeds(found)
            refuted += 1
    assert refuted > few(1000) / 4


@pytest.mark.parametrize("metric", [*METRICS_OF_TABLES, "opendp:InsertDeleteDistance"])
@pytest.mark.parametrize("space", [Table(Real(0.0, 1.0), size=5), Table(Whole(), size=3), Table(Whole(0, 1), least=1)])
def test_pairs_that_count_belong_to_the_space_and_are_neighbours(space, metric):
    run = runner(len, space, metric, 2, "absolute", 5)
    for name, family in FAMILIES.items():
        for scored in run.scored(islice(family(run.question.problem), 200), name):
            u, v = scored.pair
            assert repr(u) != repr(v)
            assert neighbours(space, metric, Fraction(2), u, v)
            if metric in METRICS and not any(isinstance(row, float) for row in u + v):
                assert METRICS[metric].within(u, v, Fraction(2))


def test_small_tables_are_all_tried_where_they_are_few():
    whole = problem(Table(Whole(0, 1), size=2), "change_one", Fraction(1))
    assert [grid.tables(whole) for grid in grids(whole)] == [tables((0, 1), (2,))]
    free = problem(Table(Whole()), "symmetric", Fraction(1))
    assert {len(t) for grid in grids(free) for t in grid.tables(free)} == set(range(8))
    assert max(grid.values for grid in grids(free)) > 30


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        (Real(2.0**50, 2.0**50 + 1), [2.0**50, 2.0**50 + 0.25, 2.0**50 + 0.5, 2.0**50 + 1]),
        (Real(nan=True), [0.0, -0.0, math.inf, -math.inf, 2.0**31, 2.0**53, 2.0**53 + 2, 5e-324, 1e300]),
        (Real(-1.0, 3.0), [-1.0, 3.0, math.nextafter(3.0, 0), math.nextafter(-1.0, 0), -0.0]),
        (Whole(-(2**63), 2**63 - 1), [2**31, 2**31 - 1, -(2**31), 2**53 + 1, -(2**63), 2**63 - 1, 0, -1]),
        (Record((Choice(("a", "b")), Whole(0, 1))), [("a", 0), ("a", 1), ("b", 0), ("b", 1)]),
    ],
)
def test_interesting_rows_hold_the_edges_and_belong_to_the_space(row, wanted):
    found = row.interesting()
    assert {repr(r) for r in wanted} <= {repr(r) for r in found}
    assert all(row.has(r) for r in found)
    assert len({repr(r) for r in found}) == len(found)
    assert not isinstance(row, Real) or any(map(math.isnan, found)) == row.nan


def test_random_pairs_are_the_same_for_the_same_seed():
    p = problem(Table(Whole()), "symmetric", Fraction(2))
    assert list(islice(random_pairs(p, 3), 50)) == list(islice(random_pairs(p, 3), 50))


def wide(rows):
    """Moves by more than 1 once there are three rows of which one is at least 5."""
    return sum(rows) if len(rows) >= 3 and max(rows, default=0) >= 5 else 0


def test_shrinking_ends_where_hypothesis_does():
    rows = st.lists(st.integers(0, 9), max_size=6)
    pairs = rows.flatmap(lambda u: st.tuples(st.just(u), st.integers(0, 9).map(lambda r: [*u, r])))
    by_hypothesis = find(
        pairs, lambda p: abs(wide(p[0]) - wide(p[1])) > 1, settings=settings(max_examples=2000, derandomize=True)
    )
    run = runner(wide, Table(Whole(0, 9)), "symmetric", 1, "absolute", 1, pairs=20_000)
    start = next(s for s in run.scored([((9, 8, 7, 6, 5, 4), (9, 8, 7, 6, 5))], "start"))
    small = shrunk(run, start)
    assert run.exceeds(small)
    assert sum(map(len, small.pair)) == sum(map(len, by_hypothesis))


def test_shrinking_keeps_half_of_what_is_beyond_the_claim():
    run = runner(sum, Table(Whole(0, 100)), "symmetric", 1, "absolute", 1, pairs=20_000)
    start = next(s for s in run.scored([((100, 3, 5), (3, 5))], "start"))
    small = shrunk(run, start)
    assert sorted(map(len, small.pair)) == [0, 1]
    assert 50 < small.distance.amount <= 100


def test_vectors_are_moved_as_far_as_they_may_be():
    run = runner(list, Vector(Real(), 4), "l2", 2, "l2", Fraction(199, 100))
    assert run.exceeds(furthest(run))
    right = runner(list, Vector(Real(), 4), "l2", 2, "l2", 2, pairs=500)
    assert not right.exceeds(furthest(right))
