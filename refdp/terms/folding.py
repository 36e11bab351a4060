"""Arithmetic on rational numbers inside terms, carried out exactly and within bounds."""

from __future__ import annotations

from fractions import Fraction

FOLDED = frozenset({"+", "-", "*", "/", "**", "negate", "abs", "min", "max"})
"""The operators that are carried out on numbers."""
LARGEST_POWER = 64
"""Largest exponent of a power that is written in a term."""
MAXIMUM_BITS = 100_000
"""Longest numerator or denominator that is worked out, in binary digits."""


class TermError(ValueError):
    """A text or syntax tree is not a term of this language."""


def fold(operator: str, *numbers: Fraction) -> Fraction:
    """The exact value; TermError for a division by zero and for a number that is too long."""
    value = _folded(operator, *numbers)
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAXIMUM_BITS:
        raise TermError(f"a number must have at most {MAXIMUM_BITS} binary digits")
    return value


def _folded(operator: str, a: Fraction, b: Fraction = Fraction(0)) -> Fraction:
    """Exact rational arithmetic; division by zero is a TermError."""
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            if b == 0:
                raise TermError(f"division by zero in {a}/0")
            return a / b
        case "**":
            if b < 0 or b * max(a.numerator.bit_length(), a.denominator.bit_length()) > MAXIMUM_BITS:
                raise TermError(f"a power must be whole, >= 0 and below 2^{MAXIMUM_BITS}, got exponent {b}")
            return Fraction(a ** int(b))
        case "negate":
            return -a
        case "abs":
            return abs(a)
        case "min":
            return min(a, b)
    return max(a, b)
