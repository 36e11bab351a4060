"""Sigmas of normal noise by its exact delta, and how far the classical theorem reaches; every number is decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import floor

from refdp.numerics.exact import Exactly, Undecided, decide, exact, exact_real
from refdp.spec.noise import exact_delta
from refdp.terms.term import Term, ln, number, sqrt, term

LARGEST_EPSILON = Fraction(256)
"""Epsilons beyond this are not tried in `frontier`."""


def analytic_sigma(epsilon: Exactly, delta: Exactly, d_in: Exactly = 1, digits: int = 12) -> Fraction:
    """A sigma with exact delta <= delta at that epsilon and distance; one unit less in its last digit has not.

    It has about `digits` significant digits and is rounded up.  epsilon >= 0 may be a + ln(b); 0 < delta < 1; d_in > 0.
    Source: BW18 Alg. 1.

    >>> analytic_sigma(1, "1e-6", digits=5)
    Fraction(42247, 10000)
    """
    e, limit, distance = exact_real(epsilon, "epsilon"), exact(delta, "delta"), exact(d_in, "d_in")
    if not (e >= 0 and 0 < limit < 1 and distance > 0 and digits >= 1):
        raise ValueError(f"epsilon >= 0, 0 < delta < 1 and d_in > 0 are needed, got {epsilon}, {delta}, {d_in}")

    def suffices(sigma: Fraction) -> bool:
        return decide(exact_delta(term(sigma), term(distance), e.term) <= term(limit))

    high = distance
    while not suffices(high):
        high *= 2
    while suffices(high / 2):
        high /= 2
    unit = Fraction(10) ** (floor_log10(high / 2) + 1 - digits)
    return unit * _least(lambda k: suffices(k * unit), floor(high / 2 / unit), floor(high / unit) + 1)


def floor_log10(x: Fraction) -> int:
    """The greatest e with 10^e <= x, for x > 0."""
    e = len(str(x.numerator)) - len(str(x.denominator))
    return e if Fraction(10) ** e <= x else e - 1


def _least(good: Callable[[int], bool], bad: int, enough: int) -> int:
    """A k with good(k) and not good(k - 1), between one that is bad and one that is good."""
    while enough - bad > 1:
        middle = (bad + enough) // 2
        bad, enough = (bad, middle) if good(middle) else (middle, enough)
    return enough


def classical_holds(epsilon: Fraction, delta: Fraction, constant: Fraction = Fraction(5, 4)) -> bool:
    """Whether sigma = d_in sqrt(2 ln(constant / delta)) / epsilon has exact delta <= delta at that one epsilon."""
    c: Term = sqrt(2 * ln(term(constant / delta)))
    return decide(exact_delta(c / term(epsilon), number(1), term(epsilon)) <= term(delta))


def frontier(deltas: Iterable[Exactly], width: Exactly = "1/1000") -> list[tuple[Fraction, Fraction, Fraction]]:
    """(delta, lower, upper): the classical theorem holds at epsilon = lower and fails at epsilon = upper, both decided.

    upper - lower <= width, so that a change from true to false lies between them.  These are facts about points: that
    the theorem holds for every smaller epsilon is proved on the regions of `refdp.spec.classical` only.
    ValueError for a delta outside (0, 1) or a width <= 0; Undecided where it fails at 1 or does not fail up to
    LARGEST_EPSILON.
    """
    fineness = exact(width, "width")
    if not fineness > 0:
        raise ValueError(f"width must be > 0, got {width}")
    return [(d, *_change(d, fineness)) for d in (exact(delta, "delta") for delta in deltas)]


def _change(delta: Fraction, width: Fraction) -> tuple[Fraction, Fraction]:
    """An epsilon at which the theorem holds, and a larger one, no more than `width` away, at which it fails."""
    if not 0 < delta < 1:
        raise ValueError(f"delta must be in (0, 1), got {delta}")
    low = Fraction(1)
    if not classical_holds(low, delta):
        raise Undecided(f"the theorem fails at epsilon = {low} and delta = {delta}")
    while classical_holds(2 * low, delta):
        low *= 2
        if 2 * low > LARGEST_EPSILON:
            raise Undecided(f"the theorem holds at epsilon = {low} and delta = {delta}")
    high = 2 * low
    while high - low > width:
        middle = (low + high) / 2
        low, high = (middle, high) if classical_holds(middle, delta) else (low, middle)
    return low, high
