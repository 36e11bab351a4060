"""A solver's verdict on a statement, by trying plans and engines in ever longer slices of work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from refdp import work
from refdp.provers.counterexamples import violates
from refdp.provers.processes import WORKERS, WorkerLost
from refdp.provers.serving import OVER
from refdp.provers.smt.encode import logic, symbol
from refdp.provers.smt.plans import Case, cases, whole
from refdp.spec.goals import goal
from refdp.spec.statements import Statement

ENGINES: Mapping[str, tuple[str, ...]] = {"z3": ("default", "nlsat"), "cvc5": ("default", "coverings")}
"""The ways in which each solver is asked."""
PLANS: Mapping[str, Callable[[Statement], tuple[Case, ...]]] = {"as one text": whole, "case by case": cases}
"""The texts in which a statement is put to a solver."""
FIRST_SLICE = 1.0
"""Work for each plan and engine in the first round, in seconds; a round gives four times as much as the one before."""
TOO_MANY = "there are too many cases, or too large numbers in them"

Model = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a solver found; "refuted" without a model means that its model did not survive exact evaluation."""

    verdict: Literal["proved", "refuted", "unknown"]
    reason: str
    model: Model | None = None


def decide(solver: str, statement: Statement, seconds: float) -> Finding:
    """The solver's verdict on `statement` after work of about `seconds` at most; NotEncodable if it cannot be asked."""
    deadline, length = work.spent() + seconds, FIRST_SLICE
    while True:
        found, hurried = one_round(solver, statement, deadline, length)
        if found.verdict != "unknown" or not hurried or work.spent() >= deadline:
            return found
        length *= 4


def order(solver: str, statement: Statement) -> tuple[str, ...]:
    """The plans, the likelier one first: cvc5 is far quicker case by case where names are multiplied."""
    cases_first = solver == "cvc5" and logic(goal(statement)).startswith("QF_N")
    return tuple(PLANS)[:: -1 if cases_first else 1]


def one_round(solver: str, statement: Statement, deadline: float, length: float) -> tuple[Finding, bool]:
    """What every engine finds on every plan by work of `length` seconds each, and whether more could change it."""
    found, hurried = Finding("unknown", OVER), False
    for engine in ENGINES[solver]:
        for name in order(solver, statement):
            until = min(deadline, work.spent() + length)
            latest = attempt(solver, statement, PLANS[name](statement), engine, until)
            if latest.verdict == "proved":
                return Finding("proved", f"{name}, engine {engine}"), False
            if latest.model is not None:
                return latest, False
            hurried |= work.spent() > until - length / 10
            found = latest if found.verdict == "unknown" and latest.reason != TOO_MANY else found
    return found, hurried


def attempt(solver: str, statement: Statement, plan: tuple[Case, ...], engine: str, until: float) -> Finding:
    """The verdict of one engine on one plan: proved if each case has an unsatisfiable text."""
    if not plan:
        return Finding("unknown", TOO_MANY)
    for case in plan:
        found = settle(solver, statement, case, engine, until)
        if found.verdict != "proved":
            return found
    return Finding("proved", "")


def settle(solver: str, statement: Statement, case: Case, engine: str, until: float) -> Finding:
    """The verdict of one engine on one case; only the last text, the case itself, can refute."""
    reply: dict[str, Any] = {"answer": "unknown", "reason": OVER}
    for text in case:
        left = until - work.spent()
        if left <= 0:
            return Finding("unknown", OVER)
        reply = ask(solver, text, engine, left if text is case[-1] else left / 2)
        if reply["answer"] == "unsat":
            return Finding("proved", "")
    if reply["answer"] != "sat":
        return Finding("unknown", str(reply["reason"]))
    model = counterexample(statement, reply["models"])
    return Finding("refuted", "" if model else "its counterexample could not be made rational", model)


def ask(solver: str, text: str, engine: str, seconds: float) -> dict[str, Any]:
    """The worker's reply on one text; a lost worker does not know."""
    try:
        return WORKERS[solver].ask({"text": text, "engine": engine}, seconds)
    except WorkerLost as lost:
        return {"answer": "unknown", "reason": str(lost)}


def counterexample(statement: Statement, candidates: list[dict[str, str]]) -> Model | None:
    """The first candidate that violates the statement by exact evaluation; names it leaves out are 0."""
    for candidate in candidates:
        values = {v: Fraction(candidate.get(symbol(v), "0")) for v in statement.variables}
        if violates(statement, values):
            return values
    return None
