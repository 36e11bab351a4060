"""Between which bounds a term lies, whatever the row: found by intervals, and believed by nobody (untrusted)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from refdp.logic.asking import satisfiable
from refdp.sensitivities.program import ROW, Program
from refdp.sensitivities.records import Category, Fields, Kind, Missing, Number
from refdp.terms.leaves import FALSE, TRUE, integer, variables
from refdp.terms.operations import (
    add,
    at_most,
    conjunction,
    divide,
    floor,
    larger,
    less,
    multiply,
    negation,
    root,
    smaller,
)
from refdp.terms.term import Term

ZERO = integer(0)
Range = tuple[Term | None, Term | None]
"""Lower and upper bound in public terms; None is no bound."""
UNBOUNDED: Range = (None, None)
SECONDS = 0.5
"""Longest question about the order of two bounds."""


@dataclass(slots=True)
class Ranges:
    """Bounds of terms in the record ROW of a program."""

    program: Program
    known: dict[Term, Range] = field(default_factory=dict)
    orders: dict[Term, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.known |= dict(slot_ranges(self.program.record, ROW))

    def of(self, term: Term) -> Range:
        """The bounds of a term; terms without a row variable bound themselves."""
        if term not in self.known:
            self.known[term] = self._found(term)
        return self.known[term]

    def _found(self, term: Term) -> Range:
        """The bounds by the operator."""
        if not any(v in self.known for v in variables(term)):
            return term, term
        arguments = term.arguments
        if term.operator == "+":
            (a, b), (c, d) = map(self.of, arguments)
            return _both(add, a, c), _both(add, b, d)
        if term.operator == "*":
            return self._product(*arguments)
        if term.operator == "ite":
            return self._choice(*arguments)
        if term.operator == "/" and self.knows(less(ZERO, arguments[1])):
            low, high = self.of(arguments[0])
            return _both(divide, low, arguments[1]), _both(divide, high, arguments[1])
        if term.operator == "real":
            return self.of(arguments[0])
        if term.operator == "floor":
            low, high = self.of(arguments[0])
            return None if low is None else floor(low), None if high is None else floor(high)
        if term.operator == "sqrt":
            return ZERO, None if (top := self.of(arguments[0])[1]) is None else root(top)
        return UNBOUNDED

    def _product(self, a: Term, b: Term) -> Range:
        """The bounds of a * b."""
        (low, high), (bottom, top) = self.of(a), self.of(b)
        if a is b:
            if low is None or high is None:
                return ZERO, None
            if self.knows(at_most(ZERO, low)):
                return multiply(low, low), multiply(high, high)
            if self.knows(at_most(high, ZERO)):
                return multiply(high, high), multiply(low, low)
            return ZERO, self.most([multiply(low, low), multiply(high, high)])
        if low is None or high is None or bottom is None or top is None:
            is_positive = low is not None and bottom is not None
            if low is None or bottom is None or not is_positive:
                return UNBOUNDED
            return (ZERO, None) if self.knows(at_most(ZERO, low)) and self.knows(at_most(ZERO, bottom)) else UNBOUNDED
        corners = [multiply(x, y) for x, y in product((low, high), (bottom, top))]
        return self.least(corners), self.most(corners)

    def _choice(self, condition: Term, yes: Term, no: Term) -> Range:
        """The bounds of a choice, each branch within what its condition says of it."""
        (low, high), (bottom, top) = self.within(condition, yes), self.within(negation(condition), no)
        least = None if low is None or bottom is None else self.least([low, bottom])
        return least, None if high is None or top is None else self.most([high, top])

    def within(self, condition: Term, branch: Term) -> Range:
        """The bounds of a branch that is itself compared with something in the condition."""
        low, high = self.of(branch)
        for smaller_one, larger_one in _comparisons(condition):
            if larger_one is branch:
                low = self._better(low, self.of(smaller_one)[0], self.most)
            if smaller_one is branch:
                high = self._better(high, self.of(larger_one)[1], self.least)
        return low, high

    def _better(self, one: Term | None, other: Term | None, best: object) -> Term | None:
        """The sharper of two bounds, either of which may be missing."""
        if one is None or other is None:
            return other if one is None else one
        return self.most([one, other]) if best == self.most else self.least([one, other])

    def least(self, ends: list[Term]) -> Term:
        """The smallest of some public terms, without a min where their order is known."""
        found = ends[0]
        for one in ends[1:]:
            if not self.knows(at_most(found, one)):
                found = one if self.knows(at_most(one, found)) else smaller(found, one)
        return found

    def most(self, ends: list[Term]) -> Term:
        """The largest of some public terms."""
        found = ends[0]
        for one in ends[1:]:
            if not self.knows(at_most(one, found)):
                found = one if self.knows(at_most(found, one)) else larger(found, one)
        return found

    def knows(self, statement: Term) -> bool:
        """Whether the statement holds wherever there is a row."""
        if statement in (TRUE, FALSE):
            return statement is TRUE
        if statement not in self.orders:
            facts = conjunction(self.program.assumption, self.program.record.constraint(ROW))
            answer = satisfiable("z3", [facts, negation(statement)], SECONDS)
            self.orders[statement] = answer.verdict == "unsat"
        return self.orders[statement]


def slot_ranges(kind: Kind, name: str) -> Iterator[tuple[Term, Range]]:
    """The bounds of each variable of a record that has any, or none."""
    if isinstance(kind, Number):
        yield kind.slots(name)[0], (kind.lower, kind.upper)
    elif isinstance(kind, Category):
        yield kind.slots(name)[0], (ZERO, integer(len(kind.labels) - 1))
    elif isinstance(kind, Missing):
        yield kind.slots(name)[0], UNBOUNDED
        yield from slot_ranges(kind.kind, name)
    elif isinstance(kind, Fields):
        for _, inner, inner_name in kind.inner(name):
            yield from slot_ranges(inner, inner_name)


def _comparisons(condition: Term) -> Iterator[tuple[Term, Term]]:
    """The pairs (smaller, larger) that the condition speaks of."""
    if condition.operator == "all_of":
        for part in condition.arguments:
            yield from _comparisons(part)
    elif condition.operator in ("<", "<="):
        yield condition.arguments[0], condition.arguments[1]
    elif condition.operator == "not" and condition.arguments[0].operator in ("<", "<="):
        yield condition.arguments[0].arguments[1], condition.arguments[0].arguments[0]
    elif condition.operator == "not" and condition.arguments[0].operator == "any_of":
        for part in condition.arguments[0].arguments:
            yield from _comparisons(negation(part))


def _both(operator: object, a: Term | None, b: Term | None) -> Term | None:
    """The operator of two bounds, if both are there."""
    return None if a is None or b is None or not callable(operator) else operator(a, b)
