"""What terms without variables amount to: numbers, truth values, and e to the power of one, or a little more.

Trusted, with counterexample.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from refdp.numerics.exact import upper_bound
from refdp.programs.probabilities import NotComputed, Number, enclosure, exponential, number
from refdp.programs.probabilities.evaluation import Evaluation, Unknown
from refdp.terms.leaves import is_number
from refdp.terms.operations import substitute
from refdp.terms.term import Term, ln
from refdp.terms.term import number as spec_number


def closed(term: Term) -> Number:
    """The number that the term is."""
    return Evaluation({}, frozenset()).number(term)


def holds(statement: Term) -> bool:
    """Whether a statement holds."""
    try:
        return Evaluation({}, frozenset()).holds(statement)
    except Unknown as unknown:
        raise NotComputed(f"{unknown} depends on more than the public parameters") from None


def bound(term: Term | None, values: Mapping[Term, Term]) -> Number:
    """The value of a part of a claim, 0 where it is not given."""
    return number(0) if term is None else closed(substitute(term, values))


def power_of_e(exponent: Term) -> Number:
    """e^exponent, or where that has no closed form a little more."""
    match exponent.operator, exponent.arguments:
        case "ln", (inner,):
            return closed(inner)
        case "real", (inner,):
            return power_of_e(inner)
        case "+", (first, second):
            return power_of_e(first) * power_of_e(second)
        case "*", (first, second) if is_number(first) and first.rational.denominator == 1:
            return power_of_e(second) ** int(first.rational)
    try:
        return exponential(closed(exponent))
    except NotComputed:
        return exponential(number(at_least(exponent)))


def at_least(term: Term) -> Fraction:
    """A rational number that is at least the term, and not much more."""
    match term.operator, term.arguments:
        case "ln", (inner,):
            return upper_bound(ln(spec_number(enclosure(closed(inner)).upper)))
        case "real", (inner,):
            return at_least(inner)
        case "+", (first, second):
            return at_least(first) + at_least(second)
        case "*", (first, second) if is_number(first) and first.rational >= 0:
            return first.rational * at_least(second)
    return enclosure(closed(term)).upper
