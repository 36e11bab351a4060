"""Conditions on draws, taken apart into cases that exclude each other: finite outcomes, and linear inequalities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from refdp.programs.execution import Drawn
from refdp.programs.probabilities.evaluation import Evaluation, Known, Unknown
from refdp.programs.probabilities.linear import Inequality
from refdp.programs.probabilities.numbers import UNIT, ZERO, Number, number
from refdp.programs.probabilities.signs import sign
from refdp.programs.probabilities.sums import NotComputed
from refdp.programs.syntax import REAL_FAMILIES
from refdp.terms.leaves import TRUE, variables
from refdp.terms.operations import negation
from refdp.terms.term import Term
from refdp.work import step

MOST_CASES = 20_000
"""More cases than these are not looked at."""
MOST_OUTCOMES = 64
"""A uniform draw of more outcomes than these is not taken apart by outcome."""
Alternative = tuple[tuple[Term, ...], tuple[Inequality, ...]]
"""Conditions and inequalities that say together what a condition says, where no other alternative does."""
YES: list[Alternative] = [((), ())]
STEPS_OF_A_CASE = 12
"""What looking at a case counts as, by the time that it takes."""


@dataclass(frozen=True, slots=True)
class Case:
    """The finite outcomes are `known`, with that probability, and the inequalities hold."""

    known: Known
    weight: Number
    inequalities: tuple[Inequality, ...] = ()

    def having(self, term: Term, value: Fraction | bool, weight: Number = UNIT) -> Case:
        """The case where that is known, too."""
        return replace(self, known={**self.known, term: value}, weight=self.weight * weight)


class Cases:
    """Takes conditions on those draws apart."""

    def __init__(self, drawn: tuple[Drawn, ...]) -> None:
        self.drawn = {one.variable: one for one in drawn}
        self.continuous = frozenset(v for v, one in self.drawn.items() if one.family in REAL_FAMILIES)
        self.finite = frozenset(v for v, one in self.drawn.items() if self._is_finite(one))
        self.dependent = frozenset(v for v, one in self.drawn.items() if variables(*one.parameters))
        self.seen = 0

    def of(self, conditions: tuple[Term, ...], case: Case) -> Iterator[Case]:
        """Every case, within the one given, in which all of the conditions hold."""
        self.seen += 1
        step(STEPS_OF_A_CASE)
        if self.seen > MOST_CASES:
            raise NotComputed(f"there are more than {MOST_CASES} cases")
        try:
            alternatives = self._next(conditions, case)
        except Unknown as unknown:
            yield from self._split(unknown.term, conditions, case)
            return
        if not conditions:
            yield case
            return
        for more, inequalities in alternatives:
            within = replace(case, inequalities=case.inequalities + inequalities) if inequalities else case
            yield from self.of((*more, *conditions[1:]), within)

    def _next(self, conditions: tuple[Term, ...], case: Case) -> list[Alternative]:
        """What the first condition says; after the last one the laws of all draws that are compared must be known."""
        if conditions:
            return self._alternatives(conditions[0], Evaluation(case.known, self.finite))
        for draw in {v for one in case.inequalities for v in one.form.coefficients} & self.dependent:
            for parameter in self.drawn[draw].parameters:
                Evaluation(case.known, self.finite).number(parameter)
        return YES

    def _split(self, term: Term, conditions: tuple[Term, ...], case: Case) -> Iterator[Case]:
        """The cases by the outcome of a draw, or by whether a condition holds."""
        if term not in self.finite:
            for holds, condition in ((True, term), (False, negation(term))):
                yield from self.of((condition, *conditions), case.having(term, holds))
            return
        try:
            outcomes = self.outcomes(self.drawn[term], case.known)
        except Unknown as unknown:
            yield from self._split(unknown.term, conditions, case)
            return
        for outcome, weight in outcomes:
            yield from self.of(conditions, case.having(term, outcome, weight))

    def outcomes(self, draw: Drawn, known: Known) -> list[tuple[Fraction | bool, Number]]:
        """The outcomes of a finite draw that have a probability > 0, with it."""
        evaluation = Evaluation(known, self.finite)
        parameters = [evaluation.number(p) for p in draw.parameters]
        found: list[tuple[Fraction | bool, Number]] = []
        if draw.family == "bernoulli":
            found = [(True, parameters[0]), (False, UNIT - parameters[0])]
        elif draw.family == "uniform":
            low, high = whole_ends(*parameters)
            found = [(Fraction(k), number(Fraction(1, high - low + 1))) for k in range(low, high + 1)]
        else:
            total = sum(parameters, ZERO)
            if sign(total) <= 0:
                raise NotComputed("the weights of a choice must have a sum > 0")
            found = [(Fraction(k), weight / total) for k, weight in enumerate(parameters)]
        if any(sign(weight) < 0 for _, weight in found):
            raise NotComputed(f"a probability of {draw.family} is below 0")
        return [(outcome, weight) for outcome, weight in found if weight.top]

    def _is_finite(self, draw: Drawn) -> bool:
        """Whether a draw is taken apart by outcome."""
        if draw.family != "uniform":
            return draw.family in ("bernoulli", "choice")
        try:
            low, high = whole_ends(*map(Evaluation({}, frozenset()).number, draw.parameters))
        except NotComputed:  # its ends depend on another draw
            return True
        return high - low < MOST_OUTCOMES

    def _alternatives(self, condition: Term, evaluation: Evaluation) -> list[Alternative]:
        """What the condition says, each alternative excluding the others."""
        inner = condition.arguments
        match condition.operator:
            case "truth":
                return YES if condition is TRUE else []
            case "all_of":
                return [(inner, ())]
            case "any_of":
                return [((*map(negation, inner[:k]), one), ()) for k, one in enumerate(inner)]
            case "not":
                return self._negated(inner[0], evaluation)
            case "ite":
                return [((inner[0], inner[1]), ()), ((negation(inner[0]), inner[2]), ())]
            case "==" if inner[0].sort == "Bool":
                return [(inner, ()), ((negation(inner[0]), negation(inner[1])), ())]
            case "<" | "<=" | "==":
                return self._compared(condition, evaluation, True)
        return YES if evaluation.holds(condition) else []

    def _negated(self, condition: Term, evaluation: Evaluation) -> list[Alternative]:
        """What the negation of the condition says."""
        inner = condition.arguments
        match condition.operator:
            case "all_of":
                return [((*inner[:k], negation(one)), ()) for k, one in enumerate(inner)]
            case "any_of":
                return [(tuple(map(negation, inner)), ())]
            case "ite":
                return [((inner[0], negation(inner[1])), ()), ((negation(inner[0]), negation(inner[2])), ())]
            case "==" if inner[0].sort == "Bool":
                return [((inner[0], negation(inner[1])), ()), ((negation(inner[0]), inner[1]), ())]
            case "<" | "<=" | "==":
                return self._compared(condition, evaluation, False)
        return [] if evaluation.holds(condition) else YES

    def _compared(self, comparison: Term, evaluation: Evaluation, holds: bool) -> list[Alternative]:
        """What it says that the comparison holds, or that it does not."""
        form = evaluation.compared(comparison)
        if isinstance(form, int):
            return YES if evaluation.holds(comparison) == holds else []
        reverse, operator = form.times(Fraction(-1)), comparison.operator
        if operator != "==":
            strict = (operator == "<") == holds
            return [((), (Inequality(form if holds else reverse, strict),))]
        if form.coefficients.keys() & self.continuous:
            return [] if holds else YES  # equal with probability 0
        if holds:
            return [((), (Inequality(form, False), Inequality(reverse, False)))]
        return [((), (Inequality(form, True),)), ((), (Inequality(reverse, True),))]


def whole_ends(low: Number, high: Number) -> tuple[int, int]:
    """The least and the greatest outcome of a uniform draw."""
    ends = low.rational, high.rational
    if ends[0] is None or ends[1] is None or ends[0] > ends[1] or any(e.denominator != 1 for e in ends if e):
        raise NotComputed("the ends of a uniform draw must be integers in order")
    return int(ends[0]), int(ends[1])
