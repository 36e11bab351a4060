"""What counts of pairs say of epsilon: bounds valid at any stop, and power."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log

from refdp.auditing.evidence.e_values import BITS
from refdp.auditing.evidence.pairs import BETS, Counts, PairTest, factors, falling_factors
from refdp.auditing.evidence.power import EXPONENTS, OFTEN, SLACK
from refdp.numerics.elementary import ln_bounds
from refdp.numerics.enclosures import Balls, interval, precision

STEPS = 16
"""Bisections: bounds are right whatever their number is."""
CLOSER = (8, 12, 16, 24, 32, 48)
"""Binary digits of the shares by which e^epsilon is raised above a claim that is refuted by little."""
FIXED = 24
"""The same, for the one that is fixed beforehand."""
LARGEST_FACTOR = Fraction(2**64)
"""No greater e^epsilon is looked for."""


def certified_epsilon(test: PairTest, counts: Counts) -> Fraction | None:
    """A v such that (v, delta) is refuted at error alpha, nearly the greatest; None where not even v = 0 is.

    Valid at any stop: with the rule `falling_factors` the e-value does not rise with epsilon, so if the least true
    epsilon is below v, the e-value of that true claim has passed 1 / alpha.
    """

    def refuted(factor: Fraction) -> bool:
        return test.e_value(counts, factor, falling_factors).refutes(test.alpha)

    if not refuted(Fraction(1)):
        return None
    return ln_bounds(_last(refuted, Fraction(1), LARGEST_FACTOR), BITS)[0]


def _last(holds: Callable[[Fraction], bool], low: Fraction, high: Fraction) -> Fraction:
    """A number for which it holds, as it does for `low`; the greatest one up to `high` if it holds up to there only."""
    while 2 * low < high and holds(2 * low):
        low = 2 * low
    high = min(high, 2 * low)
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def power(test: PairTest, weight: Fraction, first: Fraction, second: Fraction, pairs: int) -> Fraction:
    """A lower bound of the probability that so many pairs refute the claim, if P(S) = first and Q(S) = second.

    Chernoff's bound for the best bet, with draws independent: see `refdp.auditing.evidence.power`.
    """
    if not 0 <= first <= 1 or not 0 <= second <= 1:
        raise ValueError(f"probabilities must be in [0, 1], got {first} and {second}")
    chances = (first * second, first * (1 - second), (1 - first) * second, (1 - first) * (1 - second))
    factor, delta = test.claim.factor, test.claim.delta
    share = test.alpha * weight / len(BETS)
    bet, t = _best(chances, factor, delta, float(share), pairs)
    with precision(BITS):
        balls = Balls(BITS)
        moment = balls.number(Fraction(0))
        for chance, x in zip(chances, factors(factor, delta, bet), strict=True):
            moment += balls.number(chance) * balls.function(
                "exp", balls.function("ln", balls.number(x)) * balls.number(-t)
            )
        threshold = ln_bounds(1 / share, BITS)[1] + SLACK
        exponent = balls.number(threshold * t) + balls.function("ln", moment) * pairs
        missed = interval(balls.function("exp", exponent), BITS).upper
    return max(Fraction(0), 1 - missed)


def _best(
    chances: tuple[Fraction, ...], factor: Fraction, delta: Fraction, share: float, pairs: int
) -> tuple[Fraction, Fraction]:
    """About the best bet and exponent, in floats."""
    rough, found = [float(c) for c in chances], []
    for bet in BETS:
        values = [float(x) for x in factors(factor, delta, bet)]
        for t in EXPONENTS:
            moment = sum(c * x**-t for c, x in zip(rough, values, strict=True))
            found.append((-t * log(share) + pairs * log(moment), bet, t))
    _, bet, t = min(found)
    return bet, Fraction(t)


def detectable(test: PairTest, weight: Fraction, second: Fraction, pairs: int) -> Fraction | None:
    """A w: of a program of loss w, so many pairs refute the claim with probability >= OFTEN; nearly the least.

    Its event has Q(S) = frequency(e^w, second) and P(S) = e^w Q(S) + delta.  None where not even w = 44 would be seen.
    """
    if not 0 < second <= 1:
        return None
    delta = test.claim.delta

    def unseen(factor: Fraction) -> bool:
        rate = frequency(factor, delta, second)
        return power(test, weight, factor * rate + delta, rate, pairs) < OFTEN

    low, high = Fraction(1), 2 * test.claim.factor
    while high > LARGEST_FACTOR or unseen(high):
        if high > LARGEST_FACTOR:
            return None
        low, high = high, 2 * high
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if unseen(middle) else (low, middle)
    return ln_bounds(high, BITS)[1]


def frequency(factor: Fraction, delta: Fraction, second: Fraction) -> Fraction:
    """`second`, or less: the most that Q(S) can be where P(S) = e^w Q(S) + delta and the loss is w both ways.

    The other way it is needed that 1 - Q(S) <= e^w (1 - P(S)) + delta.  So a program with the two outcomes "in S" and
    "not in S" has the loss w exactly.
    """
    return min(second, (1 - delta) / (1 + factor))


def beyond_claim(test: PairTest, counts: Counts) -> Fraction | None:
    """A v above the claim's epsilon such that (v, delta) is refuted at error alpha; None where none is found.

    By `falling_factors` any v may be tried (`certified_epsilon`); by the rule of the claim's own test one, which is
    fixed before the draws.  If that one is refuted without being wrong, or the claim is true, alpha bounds the error.
    """
    factor = test.claim.factor
    for digits in CLOSER:
        nearly = factor * (1 + Fraction(1, 2**digits))
        if test.e_value(counts, nearly, falling_factors).refutes(test.alpha):
            return ln_bounds(nearly, BITS)[0]
    nearly = factor * (1 + Fraction(1, 2**FIXED))
    return ln_bounds(nearly, BITS)[0] if test.e_value(counts, nearly).refutes(test.alpha) else None
