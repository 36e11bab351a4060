"""The bound of an audit by one training run, in exact arithmetic: what (epsilon, delta)-DP leaves of right guesses.

m canaries are each put in with probability 1/2, independently; of r of them, a number fixed beforehand, it is guessed
whether they are in, and v guesses are right.  If training is (epsilon, delta)-DP for one canary added or removed, then

    P[at least v right] <= beta + 2 m delta alpha,    beta = P[W >= v], W ~ Binomial(r, t / (1 + t)), t = e^epsilon,
    alpha = max over 1 <= i <= v of P[v - i <= W < v] / i.

Where delta = 0, m randomised responses attain it.  Without the last term it is false for delta > 0: training that tells
all, with probability 1/100, and else nothing, is (0, 1/100)-DP, and of 20 canaries has all right with that probability,
not 2^-20.  In the odds t everything is rational.  Source: SNJ23 Thm 5.2, Cor. 5.4.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from refdp.numerics.elementary import exp_bounds, ln_bounds

BITS = 128
STEPS = 40
"""Bisections of the bound, which is right whatever their number is."""


def value(canaries: int, guesses: int, right: int, odds: Fraction, delta: Fraction) -> Fraction:
    """The bound of P[at least `right` right], at most 1; odds = e^epsilon >= 1, and 0 <= right <= guesses <= canaries.

    >>> value(20, 20, 20, Fraction(1), Fraction(0)) == Fraction(1, 2**20)
    True
    """
    if not 0 <= right <= guesses <= canaries or canaries < 1:
        raise ValueError(
            f"right must be at most guesses, and these at most canaries >= 1, got {right}, {guesses}, {canaries}"
        )
    if odds < 1 or not 0 <= delta <= 1:
        raise ValueError(f"odds must be >= 1 and delta from 0 to 1, got {odds} and {delta}")
    if right == 0:
        return Fraction(1)
    a, b = odds.numerator, odds.denominator
    masses = [comb(guesses, k) * a**k * b ** (guesses - k) for k in range(guesses + 1)]  # in units of (a + b)^-guesses
    unit = (a + b) ** guesses
    beta = Fraction(sum(masses[right:]), unit)
    if delta == 0:
        return beta
    alpha, below = Fraction(0), 0
    for i in range(1, right + 1):
        below += masses[right - i]
        alpha = max(alpha, Fraction(below, i * unit))
    return min(Fraction(1), beta + 2 * canaries * delta * alpha)


def is_refuted(canaries: int, guesses: int, right: int, epsilon: Fraction, delta: Fraction, error: Fraction) -> bool:
    """Whether so many right guesses refute (epsilon, delta)-DP, but for a chance of `error`; certified.

    e^epsilon is rounded up to a fraction of few digits: with greater odds t, (ln t, delta)-DP claims less.
    """
    if epsilon > 64:
        return False
    return value(canaries, guesses, right, short_above(exp_bounds(epsilon, BITS)[1]), delta) <= error


def short_above(odds: Fraction) -> Fraction:
    """A fraction of few binary digits that is at least the odds, by less than one part in 2^20."""
    digits = max(0, 20 - (odds.numerator // odds.denominator).bit_length() + 1)
    return Fraction(-(-odds.numerator * 2**digits // odds.denominator), 2**digits)


def epsilon_at_least(canaries: int, guesses: int, right: int, delta: Fraction, error: Fraction) -> Fraction:
    """An epsilon that is refuted with that error, if any, near the greatest; 0 where none is.

    To refute (epsilon, delta)-DP is to refute it for every smaller epsilon, whether or not the bound rises with it.
    """
    low, high = Fraction(1), Fraction(2**20)
    if value(canaries, guesses, right, low, delta) > error:
        return Fraction(0)
    while high / low > 1 + Fraction(1, 2**12):
        middle = Fraction(round((low + min(high, 2 * low)) / 2 * 2**16), 2**16)
        if not low < middle < high:
            break
        if value(canaries, guesses, right, middle, delta) <= error:
            low = middle
        else:
            high = middle
    return max(Fraction(0), ln_bounds(low, BITS)[0])


def ceiling(canaries: int, guesses: int, delta: Fraction, error: Fraction) -> Fraction:
    """What the bound gives where every guess is right: no audit with these numbers shows more."""
    return epsilon_at_least(canaries, guesses, guesses, delta, error)
