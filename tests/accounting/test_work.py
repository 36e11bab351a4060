"""Accounts count work: how busy the machine is decides nothing, and an answer says where the clock stopped the work."""

import time
from fractions import Fraction as F

import pytest

from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.events import DiscreteGaussian, Event, FixedSize, Gaussian, Laplace, Poisson
from refdp.provers import work

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


@pytest.mark.parametrize("name", ACCOUNTS)
def test_answers_are_the_same_however_slow_the_clock_says_that_the_machine_is(monkeypatch, name):
    before = answers(name)
    for clock in (Clock(0.0), Clock(1e-3)):
        monkeypatch.setattr(work.time, "monotonic", clock)
        assert answers(name) == before
        assert clock.looks > 2


@pytest.mark.parametrize("before", [0, 12_345_677, 10**12 + 1])
def test_answers_are_the_same_whatever_the_thread_has_counted_before(before):
    name = "grids, with work for few of them"
    first = answers(name)
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
