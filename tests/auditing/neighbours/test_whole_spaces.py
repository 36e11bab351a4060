"""Spaces that have few neighbouring pairs are tried whole: no jump of a function is stepped over."""

import math
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest

from refdp import work
from refdp.auditing.judges.stability import UNREACHED, Stability
from refdp.auditing.neighbours import Choice, Real, Record, Settings, Table, Vector, Whole
from refdp.auditing.neighbours.distances import apart
from refdp.auditing.neighbours.families import problem
from refdp.auditing.neighbours.judging import scope
from refdp.auditing.neighbours.searching import furthest
from refdp.auditing.neighbours.spaces import measured, neighbours
from refdp.auditing.neighbours.whole_spaces import MOST, every, listed
from refdp.auditing.targets import Claim, function
from tests.auditing.neighbours.test_search import runner
from tests.examples import few

HERE = str(Path(__file__).parent)
METRICS = (
    "symmetric", "change_one", "hamming", "opendp:InsertDeleteDistance", "absolute", "l1", "l2", "linf", "discrete",
)  # fmt: skip
ROWS = (
    Whole(0, 3), Whole(-2, 1), Choice((0.0, -0.0, 1, 2.5)), Choice(("a", "b")), Choice((1, None, 1)),
    Record((Whole(0, 1), Choice(("a", "b")))), Real(2.0, 2.0),
)  # fmt: skip


def jump(x):
    """Moves by 1, but between 9 and 10."""
    return x + 5 if x >= 10 else x


def test_a_jump_between_two_numbers_is_found():
    run = runner(jump, Vector(Whole(0, 99)), "absolute", 1, "absolute", 1)
    best = furthest(run)
    assert run.exceeds(best)
    assert {rows[0] for rows in best.pair} == {9, 10}


def test_a_right_function_is_tried_on_all_pairs_and_the_scope_says_so():
    run = runner(lambda x: 2 * x, Vector(Whole(0, 99)), "absolute", 1, "absolute", 2)
    assert not run.exceeds(furthest(run))
    assert run.is_whole
    assert dict(run.pairs) == {"every": 99}
    assert scope(run) == "all 99 pairs within 1 under absolute: every pair of the space was tried"


@pytest.mark.parametrize("metric", METRICS)
def test_every_neighbouring_pair_is_listed_once_and_no_other_nearest_first(metric):
    random, tried = Random(99), 0
    for _ in range(few(60)):
        row, size = random.choice(ROWS), random.choice((0, 1, 1, 2, 3))
        shape = random.choice((Table(row, size=size), Vector(row, size), Vector(row)))
        p = problem(shape, metric, random.choice((Fraction(0), Fraction(1), Fraction(3, 2), Fraction(2))))
        inputs = list(product(listed(row), repeat=shape.sizes[0]))
        near = [pair for pair in combinations(inputs, 2) if neighbours(shape, metric, p.d_in, *pair)]
        found = every(p, MOST)
        assert sorted(map(repr, found)) == sorted(map(repr, near))
        far = [apart(metric, *(measured(metric, side) for side in pair)).amount for pair in found]
        assert far == sorted(far)
        tried += len(found)
    assert tried > 0


@pytest.mark.parametrize(
    ("space", "metric", "d_in", "pairs"),
    [
        (Vector(Whole(0, 5000)), "absolute", 1, 5000),
        (Vector(Whole(0, 9), 3), "l1", 1, 2700),
        (Vector(Whole(0, 20), 2), "l2", 1, 840),
        (Table(Choice(("a", "b", "c")), size=4), "hamming", 1, 324),
        (Table(Whole(0, 2), size=3), "symmetric", 0, 33),
    ],
)
def test_how_many_pairs_there_are(space, metric, d_in, pairs):
    p = problem(space, metric, Fraction(d_in))
    assert len(every(p, MOST)) == pairs
    assert len(every(p, pairs)) == pairs
    assert every(p, pairs - 1) is None


@pytest.mark.parametrize(
    "space",
    [
        Vector(Whole()), Vector(Whole(0, 1000), 4), Vector(Whole(0, 1), 10**6), Vector(Real(0.0, 1.0)),
        Table(Whole(0, 1)), Table(Record((Whole(), Choice((1,)))), size=2), Table(Record((Real(),)), size=1),
    ],
)  # fmt: skip
def test_spaces_that_are_large_or_not_finite_are_not_tried_whole(space):
    for metric in ("l1", "symmetric"):
        assert every(problem(space, metric, Fraction(0)), MOST) is None


def test_a_search_keeps_to_its_pairs_and_then_does_not_claim_to_be_whole():
    run = runner(lambda x: x, Vector(Whole(0, 99)), "absolute", 1, "absolute", 1, pairs=98)
    furthest(run)
    assert not run.is_whole
    assert run.pairs["every"] == 0
    assert "every pair" not in scope(run)
    exact = runner(lambda x: x, Vector(Whole(0, 99)), "absolute", 1, "absolute", 1, pairs=99)
    furthest(exact)
    assert exact.is_whole


def test_a_search_keeps_to_its_work_and_then_does_not_claim_to_be_whole():
    run = runner(lambda x: x, Vector(Whole(0, 5000)), "absolute", 1, "absolute", 1, pairs=10_000, seconds=1e-6)
    furthest(run)
    assert not run.is_whole
    assert run.pairs.total() < 5000


def test_a_search_that_passes_over_exceptions_does_not_claim_to_be_whole():
    def raises(x):
        return 1 // (x - 9)

    for counted in (True, False):
        run = runner(raises, Vector(Whole(0, 99)), "absolute", 1, "absolute", 200, exceptions=counted)
        furthest(run)
        assert (run.passed_over > 0) is not counted
        assert run.is_whole is counted
        assert ("every pair" in scope(run)) is counted


def judged(name, space, claim, pairs=20_000):
    """The record and the result of the judge, the function run by a worker."""
    judge = Stability(function(f"wrong:{name}", search=(HERE,)), space, claim, Settings(seconds=5.0, pairs=pairs))
    opening = judge.opening()
    return opening, judge.result(opening, ())


@pytest.mark.once
def test_the_report_says_that_every_pair_was_tried():
    claim = Claim("hamming", Fraction(1), "absolute", (Fraction(3),))
    _, whole = judged("total", Table(Whole(0, 3), size=2), claim)
    assert whole.verdict == "NOT_REFUTED"
    assert whole.power == "all 48 pairs were tried, their outputs at most 3 apart"
    assert "all 48 pairs within 1 under hamming: every pair of the space was tried" in whole.sentence
    assert UNREACHED not in whole.not_tested
    opening, some = judged("total", Table(Whole(0, 3), size=2), claim, pairs=40)
    assert some.power.startswith(f"{sum(opening['searched'].values())} pairs were tried")
    assert UNREACHED in some.not_tested
    assert not opening["is_whole"]


@pytest.mark.once
def test_records_of_before_spaces_were_tried_whole_keep_their_words():
    claim = Claim("hamming", Fraction(1), "absolute", (Fraction(3),))
    judge = Stability(function("wrong:total", search=(HERE,)), Table(Whole(0, 3), size=2), claim, Settings())
    opening, _ = judged("total", Table(Whole(0, 3), size=2), claim)
    del opening["is_whole"]
    assert judge.result(opening, ()).power == "48 pairs were tried, their outputs at most 3 apart"


def test_a_search_that_the_clock_stops_says_so():
    run = runner(lambda x: x, Vector(Whole(0, 5000)), "absolute", 1, "absolute", 1, pairs=10_000)
    with work.patient(0.0):  # which puts back what it found
        work.COUNT.until = 0.0
        furthest(run)
    assert work.COUNT.until == math.inf
    assert not run.is_whole
    assert run.pairs.total() < 5000
    assert "the time was over: the clock stops a search that takes 20 times as long as it should" in scope(run)
