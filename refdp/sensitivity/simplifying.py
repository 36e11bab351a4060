"""A program in fewer terms that mean the same: what a condition says is used within its branches.

`counts[i] += 1` on a list is read as a choice among all elements for each element; where i == 2 it is counts[2] alone.
Every rule is an equivalence of terms, whatever x / 0 is: a part is replaced only under conditions that hold there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor

from refdp.sensitivity.graphs import REBUILD
from refdp.sensitivity.program import ROW, Program
from refdp.sensitivity.terms import (
    ZERO,
    Term,
    at_most,
    choice,
    conjunction,
    disjunction,
    equal,
    is_number,
    less,
    number,
    truth,
)

Range = tuple[Fraction | None, Fraction | None]
"""Bounds of a number, both included; None is no bound."""
EVERYWHERE: Range = (None, None)
MOST_STEPS = 20_000
"""Most terms that are looked at in one step of a program; a longer one stays as it is."""


class TooLong(Exception):
    """The term is too large to be simplified."""


@dataclass(slots=True)
class Budget:
    """How many terms may still be looked at."""

    left: int = MOST_STEPS

    def spend(self) -> None:
        """One term; TooLong where none is left."""
        self.left -= 1
        if self.left < 0:
            raise TooLong


@dataclass(frozen=True, slots=True)
class Context:
    """What holds where a term stands."""

    truths: Mapping[Term, bool]
    """Statements that are known to hold, or not to."""
    ranges: Mapping[Term, Range]
    """Bounds of terms that are no sums and no multiples."""
    budget: Budget
    done: dict[Term, Term] = field(default_factory=dict)
    """What terms are simplified to here."""

    def assuming(self, statement: Term, holds: bool = True) -> Context:
        """The context in which the statement holds, too, or does not."""
        if statement.operator == "not":
            return self.assuming(statement.arguments[0], not holds)
        if statement.operator == ("and" if holds else "or"):
            found = self
            for part in statement.arguments:
                found = found.assuming(part, holds)
            return found
        here = replace(self, truths={**self.truths, statement: holds}, done={})
        return here.bounded(statement, holds) if statement.operator in ("<", "<=", "=") else here

    def bounded(self, statement: Term, holds: bool) -> Context:
        """The context with the bounds that a comparison with a constant gives."""
        left, right = statement.arguments
        for one, other, is_left in ((left, right, True), (right, left, False)):
            if is_number(other) and not is_number(one) and one.sort != "Bool":
                base, factor, offset = linear(one)
                limit = (number(other) - offset) / factor
                below, above = sides(statement.operator, holds, is_left == (factor > 0))
                strict = (statement.operator == "<") == holds
                low, high = tightened(self.ranges.get(base, EVERYWHERE), base, limit, (below, above), strict)
                if statement.operator == "=" and not holds:
                    low, high = without(self.range(base), base, limit)
                return replace(self, ranges={**self.ranges, base: (low, high)}, done={})
        return self

    def range(self, term: Term) -> Range:
        """Bounds of a number here."""
        self.budget.spend()
        if is_number(term):
            return number(term), number(term)
        if term.operator == "ite":
            return joined(*(self.assuming(term.arguments[0], side).range(term.arguments[1 if side else 2])
                            for side in (True, False) if self.known(term.arguments[0]) in (None, side)))  # fmt: skip
        base, factor, offset = linear(term)
        if base is not term:
            low, high = (end if end is None else factor * end + offset for end in self.range(base))
            return (low, high) if factor > 0 else (high, low)
        found = self.ranges.get(term, EVERYWHERE)
        return within(found, self.made(term)) if term.arguments else found

    def made(self, term: Term) -> Range:
        """Bounds that follow from the parts of a term."""
        if term.operator == "+":
            (a, b), (c, d) = map(self.range, term.arguments)
            return None if a is None or c is None else a + c, None if b is None or d is None else b + d
        if term.operator == "floor":
            low, high = self.range(term.arguments[0])
            return None if low is None else Fraction(floor(low)), None if high is None else Fraction(floor(high))
        return EVERYWHERE

    def known(self, statement: Term) -> bool | None:
        """Whether a statement holds here, where that is plain."""
        if statement.operator == "truth":
            return bool(statement.value)
        if statement in self.truths:
            return self.truths[statement]
        if statement.operator == "not":
            inner = self.known(statement.arguments[0])
            return None if inner is None else not inner
        return self.compared(statement) if statement.operator in ("<", "<=", "=") else None

    def compared(self, statement: Term) -> bool | None:
        """Whether a comparison holds here, by bounds and by what is known of the same terms."""
        one, other = statement.arguments
        if one.sort == "Bool":
            return None
        opposite = {"<": at_most(other, one), "<=": less(other, one)}.get(statement.operator)
        if opposite is not None and opposite in self.truths:
            return not self.truths[opposite]
        (a, b), (c, d) = self.range(one), self.range(other)
        if statement.operator == "=":
            apart = b is not None and c is not None and b < c or a is not None and d is not None and d < a
            return False if apart else True if None not in (a, c) and a == b == c == d else None
        strict = statement.operator == "<"
        if b is not None and c is not None and (b < c or not strict and b == c):
            return True
        return False if a is not None and d is not None and (d < a or strict and d == a) else None

    def simplified(self, term: Term) -> Term:
        """The term, equal to it here."""
        if not term.arguments and term.sort != "Bool":
            return term
        if term not in self.done:
            self.budget.spend()
            self.done[term] = self._simplified(term)
        return self.done[term]

    def _simplified(self, term: Term) -> Term:
        if term.sort == "Bool" and (holds := self.known(term)) is not None:
            return truth(holds)
        if term.operator in ("and", "or"):
            return self.joined(term)
        if term.operator == "ite":
            test = self.simplified(term.arguments[0])
            if test.operator == "truth":
                return self.simplified(term.arguments[1 if test.value else 2])
            yes, no = (self.assuming(test, side).simplified(term.arguments[1 if side else 2]) for side in (True, False))
            return choice(test, yes, no)
        if not term.arguments:
            return term
        made = REBUILD[term.operator](*map(self.simplified, term.arguments))
        holds = self.known(made) if made.sort == "Bool" else None
        return made if holds is None else truth(holds)

    def joined(self, term: Term) -> Term:
        """A conjunction or a disjunction: each part where the ones before it hold, or do not."""
        every, here, parts = term.operator == "and", self, []
        for one in term.arguments:
            part = here.simplified(one)
            parts.append(part)
            here = here.assuming(part, every)
        return conjunction(*parts) if every else disjunction(*parts)


def linear(term: Term) -> tuple[Term, Fraction, Fraction]:
    """t, a != 0 and b where the term is a * t + b, as far as it can be taken apart."""
    factor, offset = Fraction(1), Fraction(0)
    while term.operator in ("+", "*", "real"):
        constant = [one for one in term.arguments if is_number(one)]
        if term.operator == "real":
            term = term.arguments[0]
            continue
        if len(constant) != 1 or term.operator == "*" and number(constant[0]) == 0:
            break
        value = number(constant[0])
        offset, factor = (offset + factor * value, factor) if term.operator == "+" else (offset, factor * value)
        term = next(one for one in term.arguments if not is_number(one))
    return term, factor, offset


def sides(operator: str, holds: bool, is_below: bool) -> tuple[bool, bool]:
    """Whether a comparison bounds a term from below, and from above; `is_below`: the term stands on the small side."""
    if operator == "=":
        return holds, holds
    return is_below != holds, is_below == holds


def tightened(known: Range, base: Term, limit: Fraction, bounds: tuple[bool, bool], strict: bool) -> Range:
    """The bounds with one more from below, from above or both; those of whole numbers are whole."""
    low, high = limit, limit
    if base.sort == "Int":
        strict = strict and bounds != (True, True)
        low = Fraction(floor(limit) + 1 if strict else ceil(limit))
        high = Fraction(ceil(limit) - 1 if strict else floor(limit))
    return within(known, (low if bounds[0] else None, high if bounds[1] else None))


def without(known: Range, base: Term, value: Fraction) -> Range:
    """The bounds of a whole number that is not this value."""
    low, high = known
    if base.sort != "Int":
        return known
    return (
        low + 1 if low is not None and low == value else low,
        high - 1 if high is not None and high == value else high,
    )


def within(one: Range, other: Range) -> Range:
    """Both bounds."""
    lows, highs = ([r[side] for r in (one, other) if r[side] is not None] for side in (0, 1))
    return max(lows, default=None), min(highs, default=None)  # type: ignore[type-var]


def joined(*ranges: Range) -> Range:
    """Bounds of what lies in one of the ranges."""
    lows, highs = [r[0] for r in ranges], [r[1] for r in ranges]
    return None if None in lows else min(lows), None if None in highs else max(highs)  # type: ignore[type-var]


def simplified_program(program: Program) -> Program:
    """The program, which means the same for all rows and parameters as they are declared."""
    row = program.record.constraint(ROW)
    passes = (
        replace(one, step=tuple(simplified(t, program.assumption, row) for t in one.step)) for one in program.passes
    )
    exception = simplified(program.exception, program.assumption)
    output = tuple(simplified(t, program.assumption, equal(exception, ZERO)) for t in program.output)
    return replace(program, passes=tuple(passes), output=output, exception=exception)


def simplified(term: Term, *facts: Term) -> Term:
    """A term of the same sort that is equal wherever the facts hold."""
    context = Context({}, {}, Budget()).assuming(conjunction(*facts))
    try:
        found = context.simplified(term)
    except (TooLong, RecursionError):
        return term
    return found if found.sort == term.sort else term
