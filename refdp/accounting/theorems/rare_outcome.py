"""A lower bound under Renyi bounds of few orders: a rare outcome, as much rarer under Q as the bounds allow.

Floats choose the outcome; that it is within the bounds, in both orders, and what it costs is decided by enclosures
(Lemma 6.10 of docs/accounting_proofs.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import exp, expm1, log, log1p
from typing import TYPE_CHECKING

from refdp.accounting.balls import ball
from refdp.accounting.curves import Effort
from refdp.accounting.losses import Composition, Renyi
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.intervals import Interval

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball

BITS = 128
MOST_BOUNDS = 128
"""Where more orders are bounded, no outcome is looked for: it would take long, and noise comes nearer."""
POINTS = 32
"""So many probabilities of the outcome are tried, from 1/2 down to an eighth of the least delta that is asked about."""
STEEPEST = 600.0
"""The outcome is at most e^600 times as rare."""
HALVINGS = 26
HAIR = 1e-9
"""By so much, relatively, the rarer probability is raised, so that it is within the bounds for sure."""
Pair = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class RareOutcome:
    """delta(epsilon) >= 1 - (1 - p)^n - e^epsilon (1 - (1 - q)^n) for each of the pairs (p, q), n copies."""

    pairs: tuple[Pair, ...]
    count: int
    engine: str = "a rare outcome (Lemma 6.10)"
    trusts: frozenset[str] = frozenset({"Arb"})

    def delta(self, epsilon: Fraction) -> Interval:
        """The best pair's bound, rounded down; at most 1."""
        best = max(self.pairs, key=lambda pair: self._guess(pair, float(epsilon)))
        with precision(BITS):
            found = self._shown(best[0]) - ball(epsilon).exp() * self._shown(best[1])
            return Interval(max(Fraction(0), interval(found, BITS).lower), Fraction(1))

    def _shown(self, p: Fraction) -> Ball:
        """The probability that some copy has the outcome."""
        return -(self.count * (-ball(p)).log1p()).expm1()

    def _guess(self, pair: Pair, epsilon: float) -> float:
        """About what the pair proves."""
        p, q = (-expm1(self.count * log1p(-float(x))) for x in pair)
        return p - exp(min(epsilon, 700.0)) * q


def rare_outcomes(parts: Composition, effort: Effort) -> tuple[RareOutcome, ...]:
    """A bound for each part of which Renyi bounds are known; the other parts are left out."""
    found: list[RareOutcome] = []
    for loss, count in parts.parts:
        if isinstance(loss, Renyi) and len(loss.bounds) <= MOST_BOUNDS:
            effort.check()
            pairs = tuple(pairs_within(loss, effort.delta))
            found += [RareOutcome(pairs, count)] if pairs else []
    return tuple(found)


def pairs_within(loss: Renyi, delta: Fraction) -> Iterator[Pair]:
    """Probabilities (p, q), p > q, of one of two outcomes, within the bounds for sure."""
    least = max(log(delta.numerator) - log(delta.denominator) - log(8.0), -STEEPEST)
    exact = [(float(order), float(epsilon)) for order, epsilon in loss.bounds]
    bounds = [(order, exp(min((order - 1) * epsilon, 700.0))) for order, epsilon in exact]
    for i in range(POINTS):
        p = exp(-log(2.0) + (least + log(2.0)) * i / (POINTS - 1))
        q = rarest(p, bounds) * (1 + HAIR)
        if 0 < q < p:
            pair = Fraction(p), Fraction(q)
            if is_within(pair, loss):
                yield pair


def rarest(p: float, bounds: list[tuple[float, float]]) -> float:
    """About the least q for which the bounds hold: (order, the most that the moment may be)."""
    low, high = log(p) - STEEPEST, log(p)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _holds(p, exp(middle), bounds) else (middle, high)
    return exp(high)


def _holds(p: float, q: float, bounds: list[tuple[float, float]]) -> bool:
    """Whether about all bounds hold, in both orders."""
    if not q > 0:
        return False
    one, other = (log(p), log(1 - p)), (log(q), log(1 - q))
    return all(
        _power(a, order, b) + _power(rest_a, order, rest_b) <= most
        for order, most in bounds
        for (a, rest_a), (b, rest_b) in ((one, other), (other, one))
    )


def _power(a: float, order: float, b: float) -> float:
    """(e^a)^order (e^b)^(1 - order)."""
    return exp(min(order * a + (1 - order) * b, 709.0))


def is_within(pair: Pair, loss: Renyi) -> bool:
    """Whether every bound holds for the two laws for sure, in both orders."""
    p, q = pair
    with precision(BITS):
        orders = [(ball(order), ball((order - 1) * epsilon).exp()) for order, epsilon in loss.bounds]
        for a, b in ((p, q), (q, p)):
            of_one, of_other = ball(a / b).log(), ball((1 - a) / (1 - b)).log()
            one, other = ball(b), ball(1 - b)
            sums = ((order * of_one).exp() * one + (order * of_other).exp() * other for order, _ in orders)
            if not all(bool(total <= most) for total, (_, most) in zip(sums, orders, strict=True)):
                return False
        return True
