"""Whether proposed invariants prove a question: every condition is asked of z3 and cvc5."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, product

from refdp import work
from refdp.logic.asking import Answer, valid
from refdp.provers.processes import WORKERS, SolverMissing
from refdp.sensitivities.checking.clauses import Condition, conditions
from refdp.sensitivities.checking.edits import single_edit
from refdp.sensitivities.checking.invariants import Invariants, equality
from refdp.sensitivities.checking.wellformed import Refused, insist
from refdp.sensitivities.question import Question
from refdp.terms.leaves import integer, variable, variables
from refdp.terms.operations import disjunction, equal, substitute
from refdp.terms.scripts import symbol
from refdp.terms.term import Term
from refdp.verdicts import Verdict

SOLVERS = ("z3", "cvc5")
READING = "refdp's reading of Python"
LONGEST = 20.0
"""Longest time for one obligation in one solver, in seconds."""
SECOND, SHARE = 3.0, 0.25
"""Longest time of a solver before the other is asked, and what share of the time left either may take."""
MOST_OBLIGATIONS = 20_000


@dataclass(frozen=True, slots=True)
class Judged(Verdict):
    """What became of a proposal: proved for tables of every length, or why not.

    Of two solvers that proved everything one has to be believed, whichever.
    """

    obligations: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What was proved, and by which solvers."""


def verify(
    question: Question,
    invariants: Invariants,
    solvers: Sequence[str] = SOLVERS,
    seconds: float = 60.0,
    order: Invariants | None = None,
) -> Judged:
    """PROVED where every condition is proved by a solver and refuted by none, within `seconds`.

    For multisets `order` relates two runs that read the same rows in another order; None: they reach the same state.
    """
    return judged(demanded(question, invariants, order), solvers, seconds)


def judged(wanted: Iterable[Condition], solvers: Sequence[str] = SOLVERS, seconds: float = 60.0) -> Judged:
    """PROVED where every condition is proved by a solver and refuted by none, within `seconds`."""
    end = work.spent() + seconds
    proved: list[tuple[str, tuple[str, ...]]] = []
    try:
        for one in wanted:
            believed, reason = discharged(one, solvers, end)
            if not believed:
                return Judged("UNKNOWN", reason=f"{one.name}: {reason}", obligations=tuple(proved))
            proved.append((one.name, believed))
    except ValueError as refused:
        return Judged("UNKNOWN", reason=str(refused))
    if not proved:
        return Judged("UNKNOWN", reason="nothing was there to be proved")
    return Judged("PROVED", trusts=believed_in(proved), obligations=tuple(proved))


def demanded(question: Question, invariants: Invariants, order: Invariants | None = None) -> Iterator[Condition]:
    """Everything that is to be proved for the question.  Refused where the proposal has no chance."""
    one = single_edit(question)
    insist(one, invariants)
    yield from obligations(conditions(one, one.neighbours, invariants), invariants, "")
    if question.tables == "multisets":
        yield from demanded_of_order(question, order or equality(question.program))


def demanded_of_order(question: Question, order: Invariants) -> Iterator[Condition]:
    """Everything that is to be proved so that the order of the rows plays no part."""
    one = replace(single_edit(question), claim=integer(0), norm="Linf")
    insist(one, order)
    yield from obligations(conditions(one, "swap", order), order, "order: ")


def obligations(wanted: Iterable[Condition], proposed: Invariants, prefix: str) -> Iterator[Condition]:
    """The conditions case by case, each after its hints.  Refused where there are too many or a hint is for none."""
    found, number = list(wanted), 0
    if stray := {h.condition for h in proposed.hints} - {c.name for c in found}:
        raise Refused(f"a hint must be for a condition, got {', '.join(sorted(stray))[:100]}")
    for one in (case for condition in found for case in cases(condition, proposed)):
        if (number := number + 1) > MOST_OBLIGATIONS:
            raise Refused(f"there must be at most {MOST_OBLIGATIONS} obligations")
        yield replace(one, name=prefix + one.name)


def cases(condition: Condition, proposed: Invariants) -> Iterator[Condition]:
    """That the variables that are split have no other values; then the condition after its hints, for each value."""
    present = set(variables(*condition.hypotheses, condition.conclusion))
    splits = [(v, values) for v, values in proposed.splits if v in present]
    for v, values in splits:
        covered = disjunction(*(equal(v, value) for value in values))
        yield Condition(f"{condition.name}, all values of {v}", condition.hypotheses, covered)
    wanted = list(hinted(condition, proposed))
    for values in product(*(values for _, values in splits)):
        chosen = dict(zip((v for v, _ in splits), values, strict=True))
        for one in wanted:
            facts = tuple(substitute(h, chosen) for h in one.hypotheses)
            yield Condition(one.name, facts, substitute(one.conclusion, chosen))


def hinted(condition: Condition, proposed: Invariants) -> Iterator[Condition]:
    """The hints of a condition, each to be proved from what it is given, then the condition with all of them."""
    facts = list(condition.hypotheses)
    for hint in (h for h in proposed.hints if h.condition == condition.name):
        if not set(hint.given) <= set(facts):
            raise Refused(f"a hint for {condition.name} must be given hypotheses of it")
        yield generalised(Condition(f"{condition.name}, hint", hint.given, hint.statement), hint.whatever)
        facts.append(hint.statement)
    yield replace(condition, hypotheses=tuple(facts))


def generalised(condition: Condition, whatever: Sequence[Term]) -> Condition:
    """The condition with a variable of its own in place of each of these terms: if it holds, so does the condition."""
    taken = {symbol(v) for v in variables(*condition.hypotheses, condition.conclusion)}
    names = (name for k in count() if symbol(variable(name := f"whatever!{k}", "Real")) not in taken)
    new = {one: variable(name, one.sort) for one, name in zip(dict.fromkeys(whatever), names, strict=False)}
    hypotheses = tuple(substitute(h, new) for h in condition.hypotheses)
    return Condition(condition.name, hypotheses, substitute(condition.conclusion, new))


def discharged(one: Condition, solvers: Sequence[str], end: float) -> tuple[tuple[str, ...], str]:
    """Which solvers prove the condition; nobody, and why, where none does or one refutes it."""
    believed: list[str] = []
    reason = "the time is over"
    for longest in (SECOND, LONGEST):
        for solver in solvers if longest == SECOND or not believed else ():
            left = (end - work.spent()) * SHARE
            if left <= 0:
                break
            answer = asked(solver, one, min(left, longest))
            if answer.verdict == "sat":
                return (), f"{solver} finds a case where it does not hold"
            if answer.verdict == "unsat":
                believed.append(solver)
            else:
                reason = f"{solver} does not know ({answer.reason})"
    return tuple(believed), reason


def asked(solver: str, one: Condition, seconds: float) -> Answer:
    """The solver's answer; unknown where it is not installed."""
    try:
        return valid(solver, one.hypotheses, one.conclusion, seconds)
    except SolverMissing as missing:
        return Answer("unknown", str(missing))


def believed_in(proved: Iterable[tuple[str, tuple[str, ...]]]) -> frozenset[str]:
    """Whom one has to believe: the reading, and a solver for each obligation; "A and B": one of the two, whichever."""
    groups = {solvers for _, solvers in proved}
    alone = {solvers for solvers in groups if len(solvers) == 1}
    needed = alone | {solvers for solvers in groups if not any(set(one) <= set(solvers) for one in alone)}
    return frozenset({READING, *(" and ".join(WORKERS[s].start() for s in solvers) for solvers in needed)})
