"""E-values: numbers >= 0 whose expectation is at most 1 if the claim is true, known by enclosures of their logarithm.

If the claim is true, the probability that an e-process ever exceeds 1 / alpha is at most alpha (Ville), so that one may
look at it whenever one likes and stop where one likes.  Only the lower end of an enclosure ever refutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from refdp.numerics.elementary import ln_bounds
from refdp.numerics.enclosures import Balls, interval, precision
from refdp.numerics.exact import Exactly, exact
from refdp.numerics.intervals import Interval

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball

BITS = 128
"""Binary digits of the logarithms: about 80 are left after a hundred million outcomes."""


@dataclass(frozen=True, slots=True)
class EValue:
    """An e-value by an enclosure of its natural logarithm; None stands for the e-value 0."""

    ln: Interval | None

    def refutes(self, alpha: Exactly) -> bool:
        """Whether it is certainly more than 1 / alpha, for 0 < alpha < 1."""
        return self.ln is not None and self.ln.lower > ln_bounds(1 / error(alpha), BITS)[1]

    def __mul__(self, other: EValue) -> EValue:
        """The e-value of both: if each has expectation <= 1 given all that came before it (fresh data, same claim)."""
        if self.ln is None or other.ln is None:
            return EValue(None)
        return EValue(self.ln + other.ln)

    @property
    def log10(self) -> Fraction:
        """A lower bound of its decimal logarithm, to be printed; 0 is shown as the logarithm -10^9."""
        if self.ln is None:
            return Fraction(-(10**9))
        lower = self.ln.lower
        return lower / ln_bounds(Fraction(10), BITS)[lower >= 0]


NOTHING = EValue(Interval(Fraction(0), Fraction(0), BITS))
"""The e-value 1 of no data."""


def error(alpha: Exactly, parameter: str = "alpha") -> Fraction:
    """A probability of error, strictly between 0 and 1; ValueError otherwise."""
    found = exact(alpha, parameter)
    if not 0 < found < 1:
        raise ValueError(f"{parameter} must be > 0 and < 1, got {found}")
    return found


def average(values: Sequence[EValue], weights: Sequence[Fraction] | None = None) -> EValue:
    """The sum of weight times e-value, an e-value however they depend on each other; equal weights unless given.

    ValueError unless the weights are >= 0 and sum to at most 1.
    """
    weights = equal(len(values)) if weights is None else weights
    declared(weights)
    if len(weights) != len(values):
        raise ValueError(f"weights must be one for each e-value, got {len(weights)} for {len(values)}")
    with precision(BITS):
        logarithms = [None if e.ln is None else _ball(e.ln) for e in values]
        return mixture([(w, logarithm) for w, logarithm in zip(weights, logarithms, strict=True)])


def equal(n: int) -> list[Fraction]:
    """n weights 1 / n; ValueError for n < 1."""
    if n < 1:
        raise ValueError(f"there must be at least one e-value, got {n}")
    return [Fraction(1, n)] * n


def declared(weights: Sequence[Fraction]) -> None:
    """ValueError unless the weights are Fractions >= 0 with a sum of at most 1."""
    if any(not isinstance(w, Fraction) or w < 0 for w in weights):
        raise ValueError(f"weights must be Fractions >= 0, got {', '.join(map(str, weights))}")
    if sum(weights) > 1:
        raise ValueError(f"weights must sum to at most 1, got {sum(weights)}")


def mixture(parts: Sequence[tuple[Fraction, Ball | None]]) -> EValue:
    """The sum of weight times e^logarithm, None standing for e^-infinity; called inside `precision(BITS)`."""
    alive = [_weight(w) * ln.exp() for w, ln in parts if w > 0 and ln is not None]
    if not alive:
        return EValue(None)
    return EValue(interval(sum(alive[1:], alive[0]).log(), BITS))  # Undecided if that is no finite number


@lru_cache(maxsize=4096)
def _weight(w: Fraction) -> Ball:
    """A ball that holds it."""
    return Balls(BITS).number(w)


def _ball(x: Interval) -> Ball:
    """A ball that holds the interval."""
    balls = Balls(BITS)
    return balls.number(x.lower).union(balls.number(x.upper))
