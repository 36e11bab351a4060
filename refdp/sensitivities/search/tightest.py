"""The smallest claim that is proved, where none is made: likely ones in order of size, then bisection (untrusted).

What is proved is for the prover to say; a bound is tight where two tables that were found move an answer as far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from refdp import work
from refdp.sensitivities.question import SIZE, Question
from refdp.sensitivities.search.templates import bounds
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import integer, is_number, rational, variables
from refdp.terms.operations import absolute, add, choice, divide, equal, larger, multiply, real, root, subtract
from refdp.terms.term import Term, Value

ROUNDS, STEPS = 12, 6
"""How often an upper bound is doubled, and how often the bracket is halved."""
HALF = rational(Fraction(1, 2))


@dataclass(frozen=True, slots=True)
class Bracket:
    """No claim below `lower` is true, and `upper` is proved; either may be unknown."""

    lower: Term | None
    upper: Term | None
    is_tight: bool = False
    """Whether they are equal."""


def tightest_bound(question: Question, lower: Term | None, prove: Callable[[Term], bool], seconds: float) -> Bracket:
    """The smallest claim that `prove` proves, of those tried within `seconds`.

    `lower`: how far some pair of tables moves the answer, a number or a square root; for symbols None.
    """
    end = work.spent() + seconds
    found: Term | None = None
    for claim in candidates(question, lower):
        if work.spent() > end:
            break
        if prove(claim):
            found = claim
            break
    if question.program.parameters or (found is not None and lower is not None and is_same(found, lower)):
        return Bracket(lower, found, found is not None and lower is not None and is_same(found, lower))
    return bisected(lower, found, prove, end)


def candidates(question: Question, lower: Term | None) -> list[Term]:
    """Claims that are often true, the smallest first, none below the lower bound."""
    sample = sample_values(question)
    found = {claim: size_at(claim, sample) for claim in atoms(question)}
    if lower is not None:
        found[lower] = size_at(lower, {})
    least = found[lower] if lower is not None else Fraction(0)
    return sorted((c for c, value in found.items() if value >= least), key=lambda c: found[c])


def atoms(question: Question) -> Iterator[Term]:
    """Small numbers and their roots; what bounds of the records suggest, alone and divided by the number of rows."""
    yield from (integer(0), integer(1), integer(2), HALF, root(rational(2)))
    coordinates = len(question.program.output)
    if coordinates > 1:
        yield from (integer(coordinates), root(integer(coordinates)))
    for lower, upper in dict.fromkeys(bounds(question.program.record)):
        low, high = real(lower), real(upper)
        width, largest = subtract(high, low), larger(absolute(low), absolute(high))
        for one in (width, largest, multiply(width, width), multiply(largest, largest)):
            yield from (one, multiply(integer(2), one), multiply(HALF, one), multiply(rational(Fraction(1, 4)), one))
            yield from (multiply(integer(coordinates), one), multiply(root(integer(coordinates)), one))
            yield from by_size(question, one)


def by_size(question: Question, one: Term) -> Iterator[Term]:
    """The bound divided by the number of rows, and its like."""
    more = add(SIZE, integer(1))
    if question.neighbours == "add_remove":
        yield divide(one, more)
        yield divide(multiply(SIZE, one), more)
        return
    empty = equal(SIZE, integer(0))
    yield choice(empty, rational(0), divide(one, SIZE))
    yield choice(empty, rational(0), divide(multiply(subtract(SIZE, integer(1)), one), SIZE))


def sample_values(question: Question) -> Mapping[Term, Value]:
    """Values of the symbols, for an order of claims: each lower bound below its upper bound."""
    parameters = question.program.parameters
    return {p: Fraction(7 * place - 3, 2) for place, p in enumerate(parameters)} | {SIZE: Fraction(9)}


def size_at(claim: Term, sample: Mapping[Term, Value]) -> Fraction:
    """About how large the claim is."""
    if claim.operator == "sqrt":
        return nearby_root(size_at(claim.arguments[0], sample))
    if claim.operator == "*" and claim.arguments[0].operator == "sqrt":
        return size_at(claim.arguments[0], sample) * size_at(claim.arguments[1], sample)
    try:
        return Fraction(evaluate(claim, {v: sample[v] for v in variables(claim)}))
    except (ArithmeticError, KeyError):
        return Fraction(10**9)


def nearby_root(value: Fraction) -> Fraction:
    """The square root, to nine digits."""
    return Fraction(isqrt(max(0, int(value * 10**18))), 10**9)


def is_same(one: Term, other: Term) -> bool:
    """Whether two constant claims are equal: both numbers, or roots of equal numbers."""
    inner = [t.arguments[0] if t.operator == "sqrt" else multiply(real(t), real(t)) for t in (one, other)]
    return all(map(is_number, inner)) and inner[0].rational == inner[1].rational


def bisected(lower: Term | None, found: Term | None, prove: Callable[[Term], bool], end: float) -> Bracket:
    """The bracket between the pair that was found and a claim that is proved, halved a few times."""
    floor = size_at(lower, {}) if lower is not None else Fraction(0)
    upper = found if found is not None and not variables(found) else doubled(max(floor, Fraction(1)), prove, end)
    if upper is None or (found is not None and variables(found)):
        return Bracket(lower, found)
    below, above = floor, size_at(upper, {})
    for _ in range(STEPS):
        middle = rational(((below + above) / 2).limit_denominator(10_000))
        if work.spent() > end or not below < middle.rational < above:
            break
        if prove(middle):
            upper, above = middle, middle.rational
        else:
            below = middle.rational
    return Bracket(lower, upper)


def doubled(start: Fraction, prove: Callable[[Term], bool], end: float) -> Term | None:
    """The first of start, 2 start, 4 start, ... that is proved."""
    for times in range(ROUNDS):
        if work.spent() > end:
            return None
        if prove(claim := rational(start * 2**times)):
            return claim
    return None
