"""The exact probability that what is drawn satisfies conditions."""

from __future__ import annotations

from refdp import work
from refdp.programs.execution import Drawn
from refdp.programs.probabilities.cases import Case, Cases
from refdp.programs.probabilities.components import of_component
from refdp.programs.probabilities.evaluation import Evaluation
from refdp.programs.probabilities.numbers import UNIT, ZERO, Number
from refdp.programs.probabilities.sums import NotComputed
from refdp.programs.probabilities.systems import components
from refdp.terms.leaves import variables
from refdp.terms.term import Term

TOO_LONG = "the time for a probability is spent"
SECONDS = 60.0
"""How long one probability may take, unless said."""


def probability(conditions: tuple[Term, ...], drawn: tuple[Drawn, ...], seconds: float = SECONDS) -> Number:
    """The probability that all of the conditions hold, which speak of the draws alone.

    NotComputed where the method does not reach it, or not within so many seconds.
    """
    deadline = work.spent() + seconds
    result = UNIT
    try:
        for group in independent(conditions, drawn):
            result = result * _of_group(group, drawn, deadline)
            if not result.top:
                break
    except RecursionError:
        raise NotComputed("the conditions are nested too deeply") from None
    return result


def independent(conditions: tuple[Term, ...], drawn: tuple[Drawn, ...]) -> list[tuple[Term, ...]]:
    """The conditions in groups that speak of different draws."""
    behind: dict[Term, frozenset[Term]] = {}  # the draws on which the law of a draw depends, itself included
    for one in drawn:
        others = (behind.get(v, frozenset()) for v in variables(*one.parameters))
        behind[one.variable] = frozenset({one.variable}).union(*others)
    groups: list[tuple[frozenset[Term], tuple[Term, ...]]] = []
    for condition in conditions:
        mine = frozenset[Term]().union(*(behind.get(v, frozenset()) for v in variables(condition)))
        touched = [group for group in groups if group[0] & mine]
        groups = [group for group in groups if not group[0] & mine]
        merged = tuple(c for _, theirs in touched for c in theirs)
        groups.append((mine.union(*(names for names, _ in touched)), (*merged, condition)))
    return [group for _, group in groups]


def _of_group(conditions: tuple[Term, ...], drawn: tuple[Drawn, ...], deadline: float) -> Number:
    """The probability of conditions whose draws may depend on each other."""
    cases = Cases(drawn)
    total = ZERO
    for case in cases.of(conditions, Case({}, UNIT)):
        if work.spent() > deadline:
            raise NotComputed(TOO_LONG)
        total = total + case.weight * _of_case(case, cases, deadline)
    return total


def _of_case(case: Case, cases: Cases, deadline: float) -> Number:
    """The probability of the inequalities of a case."""
    stray = {v for one in case.inequalities for v in one.form.coefficients} - cases.drawn.keys()
    if stray:
        raise NotComputed(f"{min(str(v.value) for v in stray)} has no value")
    result = UNIT
    for draws, inequalities in components(cases.drawn, case.inequalities):
        result = result * of_component(
            [cases.drawn[v] for v in draws], inequalities, Evaluation(case.known, cases.finite), deadline
        )
        if not result.top:
            break
    return result
