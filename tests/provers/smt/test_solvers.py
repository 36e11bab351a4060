"""Plans and engines: each of them is right on its own, and they are tried until one decides."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refdp import work
from refdp.provers.processes import WORKERS, WorkerLost
from refdp.provers.serving import OVER
from refdp.provers.smt import solvers
from refdp.provers.smt.solvers import PLANS, Finding, ask, attempt, counterexample, decide, order
from tests.provers.random_statements import grid, holds_at, statements
from tests.provers.statements import FALSE, TRUE, statement

TRIVIAL = statement([], "x == x")
CASES = (("sharp", "whole"),)


@pytest.mark.parametrize(("solver", "engine"), [("z3", "default"), ("z3", "nlsat"), ("cvc5", "coverings")])
@pytest.mark.parametrize("plan", ["as one text", "case by case"])
def test_every_engine_and_plan_agrees_with_enumeration(solver, engine, plan):
    decided = 0
    for s in statements(3, 60):
        found = attempt(solver, s, PLANS[plan](s), engine, work.spent() + 2)
        decided += found.verdict != "unknown"
        assert "xception" not in found.reason, "the solver does not accept the text"
        assert "rror" not in found.reason
        if found.verdict == "proved":
            assert all(holds_at(s, point) for point in grid(s)), s
        if found.model is not None:
            assert not holds_at(s, dict(found.model)), s
    assert decided > 40


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_every_text_is_accepted(solver):
    """An answer is an answer about the text, not a complaint about its sorts, its logic or its grammar."""
    for s in [*statements(37, 40), *TRUE.values(), *FALSE.values()]:
        for text in {t for plan in PLANS.values() for case in plan(s)[:3] for t in case}:
            reply = ask(solver, text, "default", 0.05)
            assert ":" not in reply.get("reason", ""), (reply, text)


@pytest.mark.parametrize("case", TRUE)
def test_z3_proves_every_obligation_case_by_case_too(case):
    plan = PLANS["case by case"](TRUE[case])
    assert attempt("z3", TRUE[case], plan, "default", work.spent() + 10).verdict == "proved"


@pytest.mark.parametrize("case", FALSE)
def test_z3_refutes_every_near_miss_case_by_case_too(case):
    plan = PLANS["case by case"](FALSE[case])
    assert attempt("z3", FALSE[case], plan, "default", work.spent() + 10).verdict == "refuted"


def replying(monkeypatch, **answers):
    """Make z3 answer each text as told."""

    def ask(solver, text, engine, seconds):
        reply = answers[text]
        if callable(reply):
            return reply()
        return {"answer": reply, "reason": f"{text} is {reply}", "models": []}

    monkeypatch.setattr(solvers, "ask", ask)
    return lambda plan: attempt("z3", TRIVIAL, plan, "default", work.spent() + 5)


@pytest.mark.parametrize(
    ("sharp", "whole", "verdict"),
    [
        ("unsat", "sat", "proved"),
        ("sat", "unsat", "proved"),
        ("unknown", "unsat", "proved"),
        ("sat", "unknown", "unknown"),
        ("unknown", "unknown", "unknown"),
        ("sat", "sat", "refuted"),
        ("unknown", "sat", "refuted"),
    ],
)
def test_a_sharper_text_proves_but_never_refutes(monkeypatch, sharp, whole, verdict):
    found = replying(monkeypatch, sharp=sharp, whole=whole)(CASES)
    assert (found.verdict, found.model) == (verdict, None)


def test_a_plan_proves_only_if_each_case_is_proved(monkeypatch):
    verdict = replying(monkeypatch, a="unsat", b="unsat", c="unknown")
    assert verdict((("a",), ("b",))).verdict == "proved"
    assert verdict((("a",), ("c",))) == Finding("unknown", "c is unknown")
    assert verdict((("c",), ("a",))) == Finding("unknown", "c is unknown")


def test_a_plan_without_cases_proves_nothing():
    assert attempt("z3", TRIVIAL, (), "default", work.spent() + 5).verdict == "unknown"


def test_cvc5_goes_case_by_case_first_where_names_are_multiplied():
    one, other = PLANS
    assert order("z3", TRUE["gaussian renyi"]) == (one, other)
    assert order("cvc5", TRUE["gaussian renyi"]) == (other, one)
    assert order("cvc5", TRUE["integers are apart"]) == (one, other)


def test_an_attempt_without_work_left_proves_nothing(monkeypatch):
    replying(monkeypatch, whole="unsat")
    assert attempt("z3", TRIVIAL, (("whole",),), "default", work.spent() - 1) == Finding("unknown", OVER)


def test_a_lost_worker_does_not_know(monkeypatch):
    def ask(*_):
        raise WorkerLost("killed after 1.0 s")

    monkeypatch.setattr(WORKERS["z3"].__class__, "ask", ask)
    assert decide("z3", TRIVIAL, 1) == Finding("unknown", "killed after 1.0 s")


def test_a_round_is_not_repeated_when_time_was_not_what_was_missing(monkeypatch):
    asked = []
    monkeypatch.setattr(solvers, "ask", lambda *a: asked.append(a) or {"answer": "unknown", "reason": "incomplete"})
    assert decide("z3", TRIVIAL, 60) == Finding("unknown", "incomplete")
    assert len(asked) == 4, "two engines, two plans of one text each"


def test_rounds_get_longer_until_the_work_is_done(monkeypatch):
    limits = []

    def ask(solver, text, engine, seconds):
        limits.append(seconds)
        work.charge(solver, work.units(solver, seconds))
        return {"answer": "unknown", "reason": OVER}

    monkeypatch.setattr(solvers, "ask", ask)
    monkeypatch.setattr(solvers, "FIRST_SLICE", 0.05)
    start = work.spent()
    assert decide("z3", TRIVIAL, 1.2) == Finding("unknown", OVER)
    assert 1.1 < work.spent() - start < 1.3, "all of the work that there was, and no more"
    assert limits[0] <= 0.05
    assert max(limits) > 0.15


def test_counterexample_is_the_first_candidate_that_violates_the_statement():
    s = statement(["0 < x"], "x * x <= 2")
    candidates = [{"$x": "-2"}, {"$x": "7/5"}, {"$x": "71/50"}, {"$x": "3"}]
    assert counterexample(s, candidates) == {"x": Fraction(71, 50)}
    assert counterexample(s, candidates[:2]) is None


def test_counterexample_gives_a_value_to_every_name():
    assert counterexample(statement([], "x + y <= 0"), [{"$y": "1"}]) == {"x": 0, "y": 1}
