"""What counts of pairs say of epsilon: bounds valid at any stop, bounds for a fixed number of pairs, and power."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log

from refdp.auditing.evidence.binomial import at_least, at_most
from refdp.auditing.evidence.e_values import BITS, error
from refdp.auditing.evidence.pairs import BETS, Counts, Four, PairTest, factors, falling_factors
from refdp.auditing.evidence.power import EXPONENTS, OFTEN, SLACK
from refdp.numerics.elementary import ln_bounds
from refdp.numerics.enclosures import Balls, interval, precision
from refdp.numerics.exact import Exactly, exact

STEPS = 16
"""Bisections: bounds are right whatever their number is."""
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


def fixed_epsilon(counts: Four, alpha: Exactly, delta: Exactly = 0) -> Fraction | None:
    """A v with P(S) >= e^v Q(S) + delta, at error alpha, if the event and the number of pairs were fixed beforehand.

    By Clopper-Pearson bounds of P(S) from below and of Q(S) from above, alpha / 2 each; None where no v >= 0 is found.
    """
    half, n = error(alpha) / 2, counts.pairs
    least = at_least(n, counts.both + counts.first, half) - exact(delta, "delta")
    most = at_most(n, counts.both + counts.second, half)
    return ln_bounds(least / most, BITS)[0] if least >= most else None


def fixed_ceiling(counts: Four, alpha: Exactly, delta: Exactly = 0) -> Fraction | None:
    """A w with P(S) <= e^w Q(S) + delta at error alpha, for this event alone, fixed as above; None for no bound."""
    half, n = error(alpha) / 2, counts.pairs
    most = at_most(n, counts.both + counts.first, half) - exact(delta, "delta")
    least = at_least(n, counts.both + counts.second, half)
    if least == 0:
        return None
    return max(Fraction(0), ln_bounds(most / least, BITS)[1]) if most > 0 else Fraction(0)


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
    """A w: with Q(S) = second and P(S) = e^w second + delta, so many pairs refute the claim with probability >= OFTEN.

    Nearly the least such w; None where even P(S) = 1 would not be seen so often.
    """
    if not 0 < second <= 1:
        return None
    delta, top = test.claim.delta, (1 - test.claim.delta) / second

    def unseen(factor: Fraction) -> bool:
        return power(test, weight, min(Fraction(1), factor * second + delta), second, pairs) < OFTEN

    if top < 1 or unseen(top):
        return None
    if not unseen(Fraction(1)):
        return Fraction(0)
    low, high = Fraction(1), top
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if unseen(middle) else (low, middle)
    return ln_bounds(high, BITS)[1]
