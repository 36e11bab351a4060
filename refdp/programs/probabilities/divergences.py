"""How far two laws of finitely many outcomes are apart, exactly: hockey-stick, greatest ratio and Renyi moments."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from refdp.numerics.enclosures import Balls
from refdp.programs.probabilities.closed_forms import text
from refdp.programs.probabilities.numbers import ZERO, Number, exponential, number, power
from refdp.programs.probabilities.signs import is_more, sign, summed
from refdp.programs.probabilities.sums import ONE, Key, NotComputed, Sum

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball

Law = Mapping[Hashable, Number]
"""The probability of each outcome, 0 of those that are not named."""
Pair = tuple[Number, Number]


def pairs(first: Law, second: Law) -> list[Pair]:
    """Both probabilities of each outcome that the first law may have."""
    return [(p, second.get(outcome, ZERO)) for outcome, p in first.items() if sign(p)]


def hockey_stick(first: Law, second: Law, bound: Number) -> Number:
    """The sum of max(0, P - bound P'): the least delta of (epsilon, delta) for bound = e^epsilon, in this direction."""
    excesses = (p - bound * q for p, q in pairs(first, second))
    return sum((excess for excess in excesses if sign(excess) > 0), ZERO)


def greatest_ratio(first: Law, second: Law) -> Number | None:
    """The greatest P / P', e to the max divergence; None where it is infinite."""
    found = ZERO
    for p, q in pairs(first, second):
        if not sign(q):
            return None
        found = p / q if is_more(p, found * q) else found
    return found


def renyi_moment(first: Law, second: Law, order: Fraction | int) -> Number | None:
    """The sum of P^order P'^(1 - order), for order > 1; None where it is infinite."""
    if order <= 1:
        raise ValueError(f"order must be > 1, got {order}")
    both = pairs(first, second)
    if any(not sign(q) for _, q in both):
        return None
    return sum((p * positive_power(p / q, Fraction(order) - 1) for p, q in both), ZERO)


def exceeds(first: Law, second: Law, rho: Number, order: Fraction | int) -> bool:
    """Whether the Renyi divergence of that order is more than rho order, so that the laws are not rho-zCDP apart."""
    moment = renyi_moment(first, second, order)
    return moment is None or is_more(moment, exponential(rho * number(order * (order - 1))))


def positive_power(base: Number, exponent: Fraction) -> Number:
    """base^exponent for base > 0: in closed form where it has one, else known by enclosures."""
    if exponent.denominator == 1:
        return base ** int(exponent)
    try:
        return power(base, number(exponent))
    except NotComputed:
        one = Power(_summands(base.top), _summands(base.bottom), exponent)
        return Number({(Fraction(0), (), ((one, 1),)): Fraction(1)}, ONE)


def _summands(value: Sum) -> tuple[tuple[Key, Fraction], ...]:
    """The summands in an order of their own, so that equal sums are equal here, too."""
    return tuple(sorted(value.items(), key=repr))


@dataclass(frozen=True, slots=True)
class Power:
    """(top / bottom)^exponent."""

    top: tuple[tuple[Key, Fraction], ...]
    bottom: tuple[tuple[Key, Fraction], ...]
    exponent: Fraction

    def ball(self, bits: int) -> Ball:
        """A ball that holds it."""
        balls = Balls(bits)
        base = summed(dict(self.top), bits) / summed(dict(self.bottom), bits)
        return balls.function("exp", balls.number(self.exponent) * balls.function("ln", base))

    def __str__(self) -> str:
        return f"({text(Number(dict(self.top), dict(self.bottom)))})^({self.exponent})"
