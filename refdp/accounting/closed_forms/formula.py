"""A curve that is given by a formula in balls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.curves import Effort
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.intervals import Interval

if TYPE_CHECKING:
    from flint import arb

PRECISIONS = (128, 256, 512, 1024, 2048, 4096, 8192, 16384)
"""The binary digits with which a formula is tried, until its ball is narrow."""
TRY = 40
"""Steps of work that one try counts as."""
TINY = 2048
"""A ball within 2^-TINY of 0 is narrow, whatever its relative width."""
ZERO, ONE = Fraction(0), Fraction(1)


def unknown() -> arb:
    """A ball that says nothing: more binary digits are needed."""
    from flint import arb

    return arb.nan()


def bits_for(width: Fraction) -> int:
    """Binary digits of relative accuracy that make intervals of epsilon much narrower than `width`."""
    return max(64, width.denominator.bit_length() - width.numerator.bit_length() + 32)


def probability(found: arb, bits: int) -> Interval:
    """The interval of [0, 1] that holds a probability of which a ball is given, rounded outward."""
    if not found.is_finite():
        return Interval(ZERO, ONE)
    wide = interval(found, bits)
    return Interval(max(ZERO, min(ONE, wide.lower)), max(ZERO, min(ONE, wide.upper)))


@dataclass(frozen=True, slots=True)
class Formula:
    """delta(epsilon) = value(epsilon, bits), a ball worked out with more and more bits until it is narrow."""

    engine: str
    value: Callable[[Fraction, int], arb]
    accuracy: int = 64
    """Binary digits of relative accuracy."""
    trusts: frozenset[str] = field(default=frozenset({"Arb"}))

    def delta(self, epsilon: Fraction) -> Interval:
        """Enclosure of delta at any rational epsilon, of relative width about 2^-accuracy."""
        for bits in PRECISIONS:
            work.step(TRY)
            with precision(bits):
                found = self.value(epsilon, bits)
                if found.is_finite() and (found.rel_accuracy_bits() >= self.accuracy or abs(found) < ball(2) ** -TINY):
                    break
        return probability(found, self.accuracy + 8)


def formula(engine: str, value: Callable[[Fraction, int], arb], effort: Effort) -> Formula:
    """The formula to the accuracy that the effort asks for."""
    return Formula(engine, value, bits_for(effort.width))


def mirrored(value: Callable[[Fraction, int], arb], epsilon: Fraction, bits: int) -> arb:
    """delta at epsilon < 0 of a pair that is like its reverse: 1 - x + x delta(-epsilon), x = e^epsilon (Lemma 2.1)."""
    x = ball(epsilon).exp()
    return 1 - x + x * value(-epsilon, bits)
