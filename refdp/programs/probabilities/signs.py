"""Signs of numbers, decided: what cancels is 0, everything else is told from 0 by rising precision."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING

from refdp.numerics.elementary import Undecided
from refdp.numerics.enclosures import Balls, interval, precision
from refdp.numerics.intervals import Interval
from refdp.programs.probabilities.numbers import Number
from refdp.programs.probabilities.sums import Key, Sum

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball

PRECISIONS = (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)
"""Binary digits that are tried, in turn."""
MOST_BITS_OF_INTEGRALS = 512
"""With more binary digits no integrals are worked out."""


def sign(number: Number) -> int:
    """-1, 0 or 1; Undecided where a number that does not cancel is not told from 0.

    A sum of c e^a p^r, or of c p^r (ln q)^j with one q, that does not cancel is not 0: there only size sets a limit.
    """
    return _sign(number.top) * _sign(number.bottom) if number.top else 0


def _sign(value: Sum) -> int:
    """The sign of a sum that does not cancel."""
    if all(c > 0 for c in value.values()) and not has_integrals(value):
        return 1
    for bits in precisions(value):
        with suppress(Undecided), precision(bits):
            ball = summed(value, bits)
            if ball > 0 or ball < 0:
                return 1 if ball > 0 else -1
    raise Undecided(f"the sign of a number is not decided by {precisions(value)[-1]} bits")


def summed(value: Sum, bits: int) -> Ball:
    """A ball that holds the sum, worked out in the `precision` around it."""
    balls = Balls(bits)
    total = balls.number(Fraction(0))
    for key, c in value.items():
        total += balls.number(c) * factor(key, balls)
    return total


def factor(key: Key, balls: Balls) -> Ball:
    """A ball that holds e^a p^r ... (ln q)^j ...."""
    a, roots, constants = key
    exponent = balls.number(a)
    for prime, part in roots:
        exponent += balls.number(part) * _logarithm(prime, balls)
    found = balls.function("exp", exponent)
    for one, times in constants:
        found *= (_logarithm(one, balls) if isinstance(one, int) else one.ball(balls.bits)) ** times
    return found


def _logarithm(prime: int, balls: Balls) -> Ball:
    """A ball that holds ln(prime)."""
    return balls.function("ln", balls.number(Fraction(prime)))


def has_integrals(value: Sum) -> bool:
    """Whether it has constants beside logarithms."""
    return any(not isinstance(one, int) for _, _, constants in value for one, _ in constants)


def precisions(*values: Sum) -> list[int]:
    """The precisions that are tried with those sums."""
    limited = any(map(has_integrals, values))
    return [bits for bits in PRECISIONS if not limited or bits <= MOST_BITS_OF_INTEGRALS]


def enclosure(number: Number, digits: int = 20) -> Interval:
    """An interval around the number that is narrower than 10^-digits of it."""
    if not number.top:
        return Interval(Fraction(0), Fraction(0))
    tried = precisions(number.top, number.bottom)
    for bits in tried:
        with suppress(Undecided), precision(bits):
            top, bottom = summed(number.top, bits), summed(number.bottom, bits)
            if bottom != 0:
                found = interval(top / bottom, bits)
                if found.upper - found.lower < min(abs(found.lower), abs(found.upper)) / 10**digits:
                    return found
    raise Undecided(f"{digits} digits of a number are not certified by {tried[-1]} bits")


def is_more(first: Number, second: Number) -> bool:
    """Whether first > second."""
    return sign(first - second) > 0
