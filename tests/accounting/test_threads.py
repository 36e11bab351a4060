"""Accounts of several threads at once are those of one thread, to the last digit: flint has one precision for all."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction as F

import pytest
from flint import ctx

from refdp.accounting.accounts import Account, Limits, Question
from refdp.commands.account import account_of
from refdp.numerics.intervals import Interval


def event(mechanism: str, count: int, **fields: object) -> dict[str, object]:
    return {"mechanism": mechanism, "count": count, "sensitivity": "1", **fields}


ACCOUNTS: dict[str, Account] = {
    name: account_of({"neighbours": "add_remove", "events": events})
    for name, events in {
        "a closed form": [event("gaussian", 100, sigma="10")],
        "a lattice": [event("discrete_gaussian", 7, sigma="3")],
        "another lattice": [event("discrete_laplace", 7, scale="22/7")],
        "a contour": [event("gaussian", 10, sigma="10"), event("laplace", 5, scale="3")],
        "samples": [event("gaussian", 20, sigma="2", sampling={"scheme": "poisson", "rate": "1/100"})],
    }.items()
}
QUESTIONS = (Question(delta=F(1, 10**5)), Question(delta=F(1, 10**9)), Question(epsilon=F(1, 2)))


def bounds(name: str) -> list[Interval]:
    """All digits that were worked out, not only those that are printed."""
    return [answer.bounds for answer in ACCOUNTS[name].answers(QUESTIONS, Limits(F(1, 10**4)), lambda *_: None)]


@pytest.mark.usefixtures("frequent_switches")
def test_threads_find_the_bounds_that_one_thread_finds() -> None:
    before, tasks = ctx.prec, list(ACCOUNTS) * 2
    alone = {name: bounds(name) for name in ACCOUNTS}
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(bounds, tasks))
    assert [name for name, found in zip(tasks, together, strict=True) if found != alone[name]] == []
    assert ctx.prec == before
