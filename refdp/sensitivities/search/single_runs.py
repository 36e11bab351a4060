"""What holds of a single run of a fold that adds up: ranges of its sums, and of sums of products (untrusted)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from refdp.sensitivities.checking.invariants import ROWS
from refdp.sensitivities.fusion import increment
from refdp.sensitivities.program import Pass, Program
from refdp.sensitivities.search.ranges import UNBOUNDED, Range, Ranges
from refdp.terms.leaves import TRUE, ZERO, is_number, variables
from refdp.terms.operations import add, at_most, conjunction, equal, multiply, negation, subtract
from refdp.terms.polynomials import polynomial
from refdp.terms.term import Term


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


def ranges(program: Program, sums: tuple[Adding, ...], level: int) -> list[Term]:
    """What holds of one run: each sum is between as many times its least and its largest summand.

    Level 1: and sums of products; level 2: and (sum of a)^2 <= rows * sum of a^2.
    """
    bounds = Ranges(program)
    facts = [at_most(ZERO, ROWS)]
    counts = {_guard(one.more): one.moved for one in sums if _is_count(one.more)}
    counts.setdefault(TRUE, ROWS)
    for state, (low, high) in boxes(program, bounds).items():
        facts += [] if low is None else [at_most(low, state)]
        facts += [] if high is None else [at_most(state, high)]
    for one in sums:
        facts += between(one.moved, ROWS, bounds.of(one.more))
        guard, inner = _guarded(one.more)
        if guard is not TRUE and guard in counts and not _is_count(one.more):
            facts += between(one.moved, counts[guard], bounds.within(guard, inner))
    if level >= 1:
        facts += products(sums, bounds)
    if level >= 2:
        squares = [(a.moved, both) for a, b, both in multiplied(sums) if a is b]
        facts += [at_most(multiply(moved, moved), multiply(ROWS, both)) for moved, both in squares]
    return list(dict.fromkeys(facts))


def multiplied(sums: tuple[Adding, ...]) -> Iterator[tuple[Adding, Adding, Term]]:
    """Two sums, and how far the sum of the products of their summands is from its start."""
    summed = {frozenset(polynomial(one.more).coefficients.items()): one.moved for one in sums}
    for a, b in ((a, b) for place, a in enumerate(sums) for b in sums[place:]):
        both = summed.get(frozenset((polynomial(a.more) * polynomial(b.more)).coefficients.items()))
        if both is not None and not _is_count(a.more) and not _is_count(b.more):
            yield a, b, both


def products(sums: tuple[Adding, ...], bounds: Ranges) -> Iterator[Term]:
    """(a - low)(b - bottom) >= 0 and its like for summands, summed up."""
    for a, b, both in multiplied(sums):
        for left, right in product((0, 1), (0, 1)):
            x, y = bounds.of(a.more)[left], bounds.of(b.more)[right]
            if x is None or y is None or (a is b and left > right):
                continue
            crossed = add(multiply(x, b.moved), multiply(y, a.moved))
            found = add(subtract(both, crossed), multiply(ROWS, multiply(x, y)))
            yield at_most(ZERO, found) if left == right else at_most(found, ZERO)


def between(moved: Term, times: Term, bounds: Range) -> list[Term]:
    """times * least <= moved <= times * largest."""
    low, high = bounds
    if low is high and low is not None:
        return [equal(moved, multiply(times, low))]
    facts = [] if low is None else [at_most(multiply(times, low), moved)]
    return facts if high is None else [*facts, at_most(moved, multiply(times, high))]


def _guarded(more: Term) -> tuple[Term, Term]:
    """The condition under which something is added, and what."""
    if more.operator == "ite":
        condition, yes, no = more.arguments
        for guard, kept, other in ((condition, yes, no), (negation(condition), no, yes)):
            if is_number(other) and other.rational == 0:
                within, inner = _guarded(kept)
                return conjunction(guard, within), inner
    return TRUE, more


def _guard(more: Term) -> Term:
    """The condition under which something is added."""
    return _guarded(more)[0]


def _is_count(more: Term) -> bool:
    """Whether 1 is added, or nothing."""
    inner = _guarded(more)[1]
    return is_number(inner) and inner.rational == 1


def boxes(program: Program, bounds: Ranges) -> Mapping[Term, Range]:
    """Bounds of the states that are no sums, of a program of one pass: whatever step is made, they stay within them."""
    (only,) = program.passes
    sums = {one.state for one in adding(only)}
    lines = [line for line in zip(only.state, only.start, only.step, strict=True) if line[0].sort != "Bool"]
    found: dict[Term, Range] = {s: UNBOUNDED if s in sums else (start, start) for s, start, _ in lines}
    for may_grow in (True, True, False):
        bounds = Ranges(program)
        bounds.known |= dict.fromkeys(only.state, UNBOUNDED) | found
        for state, start, step in lines:
            if state not in sums:
                found[state] = _after(bounds, found[state], start, bounds.of(step), may_grow)
    return {s: box for s, box in found.items() if s not in sums}


def _after(bounds: Ranges, box: Range, start: Term, step: Range, may_grow: bool) -> Range:
    """The box with what a step leads to, without a bound where the step leads beyond; or no larger than need be."""
    low, high = step
    if may_grow:
        fits = low is not None and box[0] is not None and bounds.knows(at_most(box[0], low))
        is_below = high is not None and box[1] is not None and bounds.knows(at_most(high, box[1]))
        return (box[0] if fits else None, box[1] if is_below else None)
    return (
        bounds.least([start, low]) if low is not None else None,
        bounds.most([start, high]) if high is not None else None,
    )
