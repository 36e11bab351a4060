"""The greatest value of a term where some hypotheses hold: a bound that solvers prove, and where it is attained.

Models lead upward, doubled steps and halvings close in, and simple fractions are tried as the greatest value itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from refdp import work
from refdp.logic.asking import Answer, satisfiable, valid
from refdp.provers.processes import SolverMissing
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import rational, variables
from refdp.terms.operations import at_most, conjunction, less
from refdp.terms.term import Term, Value

LARGEST = 2**64
"""A term that exceeds this is taken for unbounded; that is said, and nothing is claimed."""
ROUNDS = 60
"""Most halvings: a greatest value whose denominator is not very large is then found exactly."""
LONGEST = 5.0
"""Longest time for one question, in seconds."""
Values = Mapping[Term, Value]


@dataclass(slots=True)
class Climb:
    """What is known so far of the greatest value: `best` is attained, `above` is a bound where there is one."""

    deadline: float
    best: Fraction = Fraction(-1)
    at: tuple[int, Values] | None = None
    """Which of several terms attains it, and where."""
    reason: str = ""
    """Why the search had to give up."""
    bounds: list[Fraction] = field(default_factory=list)

    def seen(self, index: int, term: Term, hypotheses: Term, values: Values) -> Fraction | None:
        """The value of the term there; None where a hypothesis does not hold or there is no exact value."""
        filled = {v: values.get(v, False if v.sort == "Bool" else Fraction(0)) for v in variables(term, hypotheses)}
        try:
            if not evaluate(hypotheses, filled):
                return None
            value = Fraction(evaluate(term, filled))
        except ArithmeticError:
            return None
        if value > self.best:
            self.best, self.at = value, (index, {**values, **filled})
        return value

    def slice(self) -> float:
        """Seconds for the next question; 0 where time is over."""
        return max(0.0, min(LONGEST, self.deadline - work.spent()))


def climb(state: Climb, index: int, term: Term, hypotheses: Term) -> None:
    """Raise `state.best` to the greatest value of the term, or to just below it, and add a bound of it."""
    if _exceeded(state, index, term, hypotheses, state.best) is False:
        state.bounds.append(state.best)
        return
    high, tried = _gallop(state, index, term, hypotheses), None
    for _ in range(ROUNDS):
        if high is None or state.best == high:
            break
        guess = simplest(state.best, high)
        if guess < high:
            found = _exceeded(state, index, term, hypotheses, guess)
            if found is None:
                high = None
                break
            high = high if found else guess
        if state.best < high and high == guess != tried and _attained(state, index, term, hypotheses, high):
            break
        tried, middle = high, (state.best + high) / 2
        found = _exceeded(state, index, term, hypotheses, middle)
        if found is None:
            high = None
        elif not found:
            high = middle
    if high is not None:
        state.bounds.append(high)


def proved(solver: str, term: Term, hypotheses: Term, bound: Fraction, seconds: float) -> bool:
    """Whether the solver proves that the term is at most the bound where the hypotheses hold."""
    try:
        return valid(solver, (hypotheses,), at_most(term, rational(bound)), seconds).verdict == "unsat"
    except SolverMissing:
        return False


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of the least denominator, and then the least size, from low to high >= low."""
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest(-high, -low)
    whole = -(-low // 1)
    if whole <= high:
        return Fraction(whole)
    below = low // 1
    return below + 1 / simplest(1 / (high - below), 1 / (low - below))


def _gallop(state: Climb, index: int, term: Term, hypotheses: Term) -> Fraction | None:
    """A value that the term does not exceed, by steps that double; None where none is found."""
    step = Fraction(1)
    while state.best < LARGEST:
        ahead = max(state.best, Fraction(0)) + step
        found = _exceeded(state, index, term, hypotheses, ahead)
        if found is None:
            return None
        if not found:
            return ahead
        step *= 2
    state.reason = f"the answer moves by more than {LARGEST}, and perhaps without bound"
    return None


def _exceeded(state: Climb, index: int, term: Term, hypotheses: Term, value: Fraction) -> bool | None:
    """Whether the term can exceed the value; where it can, `best` learns by how much.  None: not decided."""
    answer = _ask(state, conjunction(hypotheses, less(rational(value), term)))
    if answer.verdict == "unsat":
        return False
    for model in answer.models:
        found = state.seen(index, term, hypotheses, model)
        if found is not None and found > value:
            return True
    state.reason = state.reason or answer.reason or "no solver decides how far the answer moves"
    return None


def _attained(state: Climb, index: int, term: Term, hypotheses: Term, value: Fraction) -> bool:
    """Whether the term has at least the value somewhere."""
    answer = _ask(state, conjunction(hypotheses, at_most(rational(value), term)))
    return any((state.seen(index, term, hypotheses, m) or -1) >= value for m in answer.models)


def _ask(state: Climb, assertion: Term) -> Answer:
    """z3's answer, by its engine for nonlinear arithmetic where the other does not know."""
    answer = Answer("unknown", "the time is over")
    for engine in ("default", "nlsat"):
        seconds = state.slice()
        if seconds <= 0:
            break
        answer = satisfiable("z3", (assertion,), seconds, engine)
        if answer.verdict != "unknown":
            break
    return answer
