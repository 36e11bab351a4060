"""What holds of a single run of a fold that adds up: ranges of its sums, and of sums of products (untrusted)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from refdp.sensitivity.checking.invariants import ROWS
from refdp.sensitivity.fusion import increment
from refdp.sensitivity.graphs import variables
from refdp.sensitivity.polynomials import polynomial
from refdp.sensitivity.program import Pass, Program
from refdp.sensitivity.search.ranges import Ranges
from refdp.sensitivity.terms import (
    TRUE,
    ZERO,
    Term,
    add,
    at_most,
    conjunction,
    equal,
    is_number,
    multiply,
    number,
    subtract,
)


@dataclass(frozen=True, slots=True)
class Adding:
    """A state to which each row adds a term of its own."""

    state: Term
    start: Term
    more: Term

    @property
    def moved(self) -> Term:
        """How far the state is from its start."""
        return subtract(self.state, self.start)


def adding(one: Pass) -> tuple[Adding, ...]:
    """The states of a pass that are sums over the rows alone."""
    found = []
    for state, start, step in zip(one.state, one.start, one.step, strict=True):
        more = increment(state, step)
        if more is not None and not set(variables(more)) & set(one.state):
            found.append(Adding(state, start, more))
    return tuple(found)


def ranges(program: Program, sums: tuple[Adding, ...], needs_products: bool) -> Term:
    """What holds of one run: each sum is between as many times its least and its largest summand."""
    bounds = Ranges(program)
    facts = [at_most(ZERO, ROWS)]
    counts = {_guard(one.more): one.moved for one in sums if _is_count(one.more)}
    counts.setdefault(TRUE, ROWS)
    for one in sums:
        facts += between(one.moved, ROWS, bounds, one.more)
        guard, inner = _guarded(one.more)
        if guard is not TRUE and guard in counts and not _is_count(one.more):
            facts += between(one.moved, counts[guard], bounds, inner)
    if needs_products:
        facts += products(sums, bounds)
    return conjunction(*facts)


def products(sums: tuple[Adding, ...], bounds: Ranges) -> Iterator[Term]:
    """(a - low)(b - bottom) >= 0 and its like for summands, summed up; and (sum of a)^2 <= rows * sum of a^2."""
    summed = {frozenset(polynomial(one.more).coefficients.items()): one.moved for one in sums}
    for a, b in ((a, b) for place, a in enumerate(sums) for b in sums[place:]):
        both = summed.get(frozenset((polynomial(a.more) * polynomial(b.more)).coefficients.items()))
        if both is None or _is_count(a.more) or _is_count(b.more):
            continue
        if a is b:
            yield at_most(multiply(a.moved, a.moved), multiply(ROWS, both))
        for left, right in product((0, 1), (0, 1)):
            x, y = bounds.of(a.more)[left], bounds.of(b.more)[right]
            if x is None or y is None or (a is b and left > right):
                continue
            crossed = add(multiply(x, b.moved), multiply(y, a.moved))
            found = add(subtract(both, crossed), multiply(ROWS, multiply(x, y)))
            yield at_most(ZERO, found) if left == right else at_most(found, ZERO)


def between(moved: Term, times: Term, bounds: Ranges, more: Term) -> list[Term]:
    """times * least <= moved <= times * largest."""
    low, high = bounds.of(more)
    if low is high and low is not None:
        return [equal(moved, multiply(times, low))]
    facts = [] if low is None else [at_most(multiply(times, low), moved)]
    return facts if high is None else [*facts, at_most(moved, multiply(times, high))]


def _guarded(more: Term) -> tuple[Term, Term]:
    """The condition under which something is added, and what."""
    if more.operator == "ite":
        condition, yes, no = more.arguments
        if is_number(no) and number(no) == 0:
            return condition, yes
    return TRUE, more


def _guard(more: Term) -> Term:
    """The condition under which something is added."""
    return _guarded(more)[0]


def _is_count(more: Term) -> bool:
    """Whether 1 is added, or nothing."""
    inner = _guarded(more)[1]
    return is_number(inner) and number(inner) == 1
