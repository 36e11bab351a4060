"""Questions to a solver about terms: can these assertions hold together?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from refdp.provers.processes import WORKERS, WorkerLost
from refdp.terms.leaves import variables
from refdp.terms.operations import negation
from refdp.terms.relaxing import is_polynomial, relaxed
from refdp.terms.scripts import script
from refdp.terms.term import Term, Value

ENGINES: Mapping[str, str] = {"z3": "nlsat", "cvc5": "polynomials"}
"""The engine of each solver that decides polynomials over the reals."""


SLICES = (0.02, 0.08, 0.4)
"""The share of the work that each engine gets, round by round."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a solver says; a model is only a suggestion until it is evaluated exactly."""

    verdict: Literal["unsat", "sat", "unknown"]
    reason: str = ""
    models: tuple[Mapping[Term, Value], ...] = field(default=())
    is_lost: bool = False
    """Whether the solver was stopped by the clock, or crashed."""


def satisfiable(solver: str, assertions: Iterable[Term], seconds: float, engine: str = "default") -> Answer:
    """Whether the assertions can hold together, by work of so many seconds; SolverMissing without it."""
    wanted = tuple(assertions)
    try:
        reply = WORKERS[solver].ask({"text": script(wanted), "engine": engine}, seconds)
    except WorkerLost as lost:
        return Answer("unknown", str(lost), is_lost=True)
    models = tuple(_model(m, variables(*wanted)) for m in reply.get("models", ()))
    return Answer(reply["answer"], reply.get("reason", ""), models)


def valid(solver: str, hypotheses: Iterable[Term], goal: Term, seconds: float) -> Answer:
    """Whether the hypotheses imply the goal: "unsat" is yes.  Every engine is tried, in ever longer slices.

    Polynomials are asked about as reals first, which may find that there is no model, but not that there is one.
    """
    assertions, answer = (*hypotheses, negation(goal)), Answer("unknown", "timeout")
    names = [v.value for v in variables(*assertions)]
    if len(set(names)) < len(names):  # as reals they would be one variable
        return Answer("unknown", "two variables of different sorts have one name")
    eased = relaxed(assertions) if is_polynomial(assertions) else ()
    for share in SLICES:
        if eased:
            found = satisfiable(solver, eased, seconds * share, ENGINES[solver])
            if found.verdict == "unsat":
                return Answer("unsat")
            # An engine amid a computation in which it counts nothing is not asked for a longer one.
            eased = () if found.is_lost else eased
        answer = satisfiable(solver, assertions, seconds * share)
        if answer.verdict != "unknown":
            return answer
    return answer


def _model(values: Mapping[str, str], wanted: tuple[Term, ...]) -> Mapping[Term, Value]:
    """The values of the wanted variables; those that the solver left out are 0 or false."""
    found: dict[Term, Value] = {}
    for one in wanted:
        text = values.get(str(one.value), "0")
        found[one] = text in ("true", "True") if one.sort == "Bool" else Fraction(text)
    return found
