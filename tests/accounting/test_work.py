"""Accounts count work: how busy the machine is decides nothing, and an answer says where the clock stopped the work."""

import sys
import time
from fractions import Fraction as F
from functools import cache

import pytest

from refdp import work
from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.at_zero import greatest_of
from refdp.accounting.events import (
    Approximate,
    BallsInBins,
    BoundedRange,
    Concentrated,
    CyclicPoisson,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Exponential,
    Finite,
    FixedSize,
    FixedSizeOfAtLeast,
    Gaussian,
    Laplace,
    PermuteAndFlip,
    Poisson,
    RepeatAndSelect,
    TruncatedPoisson,
    WithReplacement,
)
from refdp.accounting.grids import measures
from refdp.accounting.inversion import LEAST_TOLD
from refdp.accounting.lattice import engine as lattice
from refdp.accounting.products import engine as products
from refdp.accounting.quadrature import build
from refdp.accounting.searching import Search
from refdp.numerics.elementary import ln_bounds
from refdp.numerics.exact import Ln

QUESTIONS = [Question(delta=F(1, 10**6)), Question(epsilon=F(1, 2))]
ACCOUNTS = {
    "closed forms": ("add_remove", [Event(Laplace(F(20)), 40)]),
    "lattice": ("add_remove", [Event(DiscreteGaussian(F(10)), 20), Event(DiscreteGaussian(F(20)), 3)]),
    "contour": ("add_remove", [Event(Gaussian(F(2)), 60, Poisson(F(1, 50))), Event(Laplace(F(9)), 2)]),
    "grids, with work for few of them": ("change_one", [Event(Gaussian(F(2)), 5, FixedSize(1000, 10))]),
    "no work left": ("add_remove", [Event(DiscreteGaussian(F(3)), 30, Poisson(F(1, 7)))]),
}
LIMITS = Limits(F(1, 10**7), timeout=0.4)


class Clock:
    """A clock on which every look takes a while: a machine on which others work, too."""

    def __init__(self, pace: float) -> None:
        self.pace, self.now, self.looks = pace, time.monotonic(), 0

    def __call__(self) -> float:
        self.now, self.looks = self.now + self.pace, self.looks + 1
        return self.now


def answers(name: str) -> list[tuple[object, ...]]:
    """All that is said, but for the seconds."""
    neighbours, events = ACCOUNTS[name]
    found = Account(neighbours, events).answers(QUESTIONS, LIMITS)
    return [(one.bounds, one.engine, one.trusts, one.direction, one.reason) for one in found]


@cache
def usual(name: str) -> list[tuple[object, ...]]:
    """The answers as they are for who asks first."""
    return answers(name)


@pytest.mark.parametrize("name", ACCOUNTS)
def test_answers_are_the_same_however_slow_the_clock_says_that_the_machine_is(monkeypatch, name):
    before = usual(name)
    for clock in (Clock(0.0), Clock(1e-3)):
        monkeypatch.setattr(work.time, "monotonic", clock)
        assert answers(name) == before
        assert clock.looks > 2


@pytest.mark.parametrize("before", [0, 12_345_677, 10**12 + 1])
def test_answers_are_the_same_whatever_the_thread_has_counted_before(before):
    name = "grids, with work for few of them"
    first = usual(name)
    work.step(before)
    assert answers(name) == first


def test_where_the_clock_stops_the_work_the_answer_says_so(monkeypatch):
    monkeypatch.setattr(work.time, "monotonic", Clock(30.0))
    for name in ("contour", "grids, with work for few of them", "no work left"):
        for *_, reason in answers(name):
            assert "the time was over: the clock stops work that takes 20 times as long as --timeout" in reason
            assert "too much work" not in reason
            assert "need too many" not in reason


def test_where_the_work_is_done_that_is_allowed_the_answer_does_not_blame_the_clock():
    for *_, reason in answers("no work left"):
        assert "no narrower bounds are affordable" in reason
        assert "the time was over" not in reason


def test_each_thread_counts_its_own_work():
    from concurrent.futures import ThreadPoolExecutor

    def counted(steps: int) -> float:
        before = work.spent()
        for _ in range(steps):
            work.step(1000)
        return round(work.spent() - before, 6)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(counted, [5, 50, 500, 5000]))
    assert found == [round((1000 * n + work.LOOK) / work.STEPS, 6) for n in (5, 50, 500, 5000)]


def best_of_runs(gamma: F, scale: int, count: int) -> Event:
    return Event(RepeatAndSelect((Event(Laplace(F(scale))),), shape=F(1), gamma=gamma), count)


RISING = tuple((F(i, 1225), F(50 - i, 1225)) for i in range(1, 50))
DEAR = {
    "masses that sum to far more than 1": ("add_remove", [best_of_runs(F(1, 62), 31, 5000)], Question(epsilon=F(3))),
    "moments of long finite laws": (
        "add_remove", [Event(Gaussian(F(10)), 5000, BallsInBins(5))], Question(epsilon=F(3)),
    ),
    "tails of a hundred samples": (
        "change_one", [Event(Gaussian(F(12)), 1, WithReplacement(1000, 100)), best_of_runs(F(1, 70), 32, 10)],
        Question(delta=F(1, 10**6)),
    ),
    "moments of mixtures": (
        "add_remove", [Event(BoundedRange(F(3, 10)), 10, TruncatedPoisson(F(1, 1000), 100, 1000)),
                       Event(Concentrated(F(1, 90)))],
        Question(epsilon=F(17, 20)),
    ),
    "losses that shift a grid": (
        "add_remove", [Event(Finite(RISING), 2, Poisson(F(1, 100))), best_of_runs(F(1, 90), 9, 1)],
        Question(delta=F(1, 1000)),
    ),
    "atoms of thirty samples": (
        "change_one", [Event(DiscreteLaplace(F(11)), 10),
                       Event(DiscreteGaussian(F(194), F(23)), 1, WithReplacement(10**6, 30))],
        Question(epsilon=F(5, 2)),
    ),
    "integrals with many digits": (
        "change_one", [Event(Gaussian(F(19, 2)), 2, Poisson(F(1, 2)))], Question(delta=F(1, 10**200)),
    ),
    "samples of a fixed size, on a contour": (
        "change_one", [Event(Gaussian(F(56, 5)), 50, Poisson(F(1, 1000))),
                       Event(PermuteAndFlip(F(25, 4)), 5000, FixedSize(100, 1))],
        Question(delta=F(1, 10**6)),
    ),
    "rates with long denominators": (
        "add_remove", [Event(BoundedRange(F(2, 5)), 5000),
                       Event(DiscreteLaplace(F(27, 2)), 300, CyclicPoisson(F(123_457, 10**7), 10, 10))],
        Question(delta=F(1, 1000)),
    ),
    "bounds and samples": (
        "add_remove", [Event(Concentrated(F(1, 1485)), 10), Event(Approximate(F(3, 10), F(0)), 5000, Poisson(F(1, 7))),
                       Event(DiscreteGaussian(F(181, 10), F(2)), 1000, FixedSizeOfAtLeast(100, 1))],
        Question(delta=F(1, 1000)),
    ),
}  # fmt: skip
"""The dearest of some 3,000 random mixtures of events, most of which took 3 to 30 times as long as their limit once."""
LIMIT = 0.3
OVER = 2.5
"""How many times its limit an account may take: a computation that was begun within it is ended."""
CALLS = 30
"""Most calls of functions for each step of work that is counted; there are about 5, and were up to 120."""


def counted(name: str) -> tuple[int, int]:
    """(the steps of work that are counted, the calls of functions, Python's and others') of an account."""
    neighbours, events, question = DEAR[name]
    account, calls, before = Account(neighbours, events), 0, work.COUNT.steps

    def called(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    outer = sys.getprofile()
    sys.setprofile(called)
    try:
        (answer,) = account.answers([question], Limits(F(1, 10**9), timeout=LIMIT))
    finally:
        sys.setprofile(outer)
    assert "the time was over" not in (answer.reason or "")
    return work.COUNT.steps - before, calls


@pytest.mark.parametrize("name", DEAR)
def test_what_is_done_is_counted_and_ends_near_its_limit(name):
    steps, calls = counted(name)
    assert steps <= OVER * LIMIT * work.STEPS * (1 + (DEAR[name][0] == "change_one"))
    assert calls <= CALLS * steps + 200_000


def test_long_masses_are_counted_by_their_digits(monkeypatch):
    """Products of masses of thousands of digits, of which a sum of bounds may have as many."""
    made, product = [], measures.product

    def noted(a, b):
        found = product(a, b)
        made.append(found.masses.length() * max(a.digits, b.digits))
        return found

    monkeypatch.setattr(measures, "product", noted)
    neighbours, events, question = DEAR["masses that sum to far more than 1"]
    (answer,) = Account(neighbours, events).answers([question], Limits(timeout=LIMIT))
    assert sum(made) * measures.SECONDS_PER_BIT <= LIMIT
    assert answer.reason.endswith("the grid needs more work than is allowed")


def test_a_delta_of_a_thousand_digits_is_looked_for_within_the_limit(monkeypatch):
    """Of the smallest delta at an epsilon just below the greatest loss more and more digits are asked for."""
    events = [Event(Exponential(F(31)), 1, Poisson(F(1, 20))), Event(Approximate(F(3, 4), F(0)), 3, Poisson(F(1, 50)))]
    account, digits = Account("add_remove", events), []
    ends = [greatest_of(product, F(1, 10**1000)).bounds.lower for product in account.compositions.values()]
    for engine in (lattice, products):
        curve = engine.curve

        def noted(*given, curve=curve):
            found = curve(*given)
            digits.append(found.precision)
            return found

        monkeypatch.setattr(engine, "curve", noted)
    before = work.COUNT.steps
    (answer,) = account.answers([Question(epsilon=max(ends))], Limits(timeout=LIMIT))
    assert work.COUNT.steps - before <= OVER * LIMIT * work.STEPS
    assert answer.bounds.lower == 0 <= answer.bounds.upper < F(1, 10**900)
    assert 3000 < max(digits) < 60_000
    assert "the time was over" not in answer.reason


@pytest.mark.parametrize("beside", [F(-1, 10**6), F(0), F(1, 10**6)])
def test_no_delta_is_looked_for_beyond_the_greatest_loss_and_one_is_found_below_it(beside):
    """ln(1 + q (e^epsilon - 1)) is the greatest loss of a sample of what is epsilon-DP, and here it is 2 ln(3/2)."""
    account = Account("add_remove", [Event(Approximate(Ln(F(2)), F(0)), 2, Poisson(F(1, 2)))])
    least, most = ln_bounds(F(9, 4), 200)
    (answer,) = account.answers([Question(epsilon=(most if beside >= 0 else least) + beside)], Limits(timeout=1))
    if beside < 0:
        assert answer.bounds.lower > 0
    elif beside > 0:
        assert (answer.bounds.upper, answer.engine) == (0, "greatest losses")
    else:
        assert answer.bounds.lower == 0


def test_what_is_left_of_the_work_does_not_depend_on_what_was_done_before():
    for before in (0, 7, 12_345_677, 10**13 + 1):
        work.step(before)
        end = work.until(0.3)
        left = end - work.COUNT.steps / work.STEPS
        assert left == int(0.3 * work.STEPS) / work.STEPS
    assert work.until(float("inf")) >= work.EVER


@pytest.mark.parametrize("deviation", [F(10**9), F(10**100), F(1000)])
def test_a_delta_that_is_next_to_nothing_asks_for_no_more_digits_than_are_told(monkeypatch, deviation):
    """Its upper end has up to 600,000 zeros; an integral to so many digits was one evaluation of a minute."""
    asked, digits, effort, built = [], [], Search._effort, build.built

    def noted(search, least):
        asked.append(least)
        return effort(search, least)

    def counted_digits(*words):
        digits.append(words[5])
        return built(*words)

    monkeypatch.setattr(Search, "_effort", noted)
    monkeypatch.setattr(build, "built", counted_digits)
    before = work.COUNT.steps
    (answer,) = Account("add_remove", [Event(Gaussian(deviation))]).answers([Question(epsilon=F(7))], LIMITS)
    assert (answer.bounds.lower, answer.bounds.upper) == (0, LEAST_TOLD)
    assert len(asked) > 5
    assert min(asked) >= LEAST_TOLD / 1000
    assert digits
    assert max(digits) < 5000
    assert work.COUNT.steps - before <= OVER * LIMITS.timeout * work.STEPS


def test_a_delta_that_is_enclosed_is_told_however_small_it_is():
    (answer,) = Account("add_remove", [Event(Gaussian(F(1)))]).answers([Question(epsilon=F(100))], LIMITS)
    assert answer.reason is None
    assert 0 < answer.bounds.lower <= answer.bounds.upper < LEAST_TOLD
