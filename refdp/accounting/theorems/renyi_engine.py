"""Bounds by Renyi divergences: the least that a grid of orders gives, and what normal noise reaches.

    delta(epsilon) <= 1 - product (1 - P_i(q_i = 0)) + (1/a) (1 - 1/a)^(a - 1) e^(-(a - 1) epsilon) product moments

for each order a (Lemma 6.5 of docs/accounting_proofs.md).  Any order gives a true bound, so floats may choose it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.losses import Composition, Loss, Mixture, Renyi, Sampled
from refdp.accounting.masses import infinity_mass
from refdp.accounting.theorems.attained import Lower, attained_curves, first_curve, greatest_lower
from refdp.accounting.theorems.renyi_moments import log_moment, terms, why_not
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.intervals import Interval

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball

BITS = 128
WHOLE_ORDERS = 256
"""Every whole order up to this one is tried."""
STEPS = (4, 16, 64)
"""Orders on the grid of each curve between a - 1 and 2 (a - 1)."""
LEAST, GREATEST = -8, 14
"""The grid spans 1 + 2^LEAST to 1 + 2^GREATEST."""
TERM = 10
"""Steps of work that a term of a moment counts as."""
CANDIDATES = 3
"""So many orders, the best by floats, are worked out with enclosures."""


@dataclass(frozen=True, slots=True)
class RenyiCurve:
    """delta(epsilon) at most the best of the orders' bounds, at least what `attained` says."""

    orders: tuple[Fraction, ...]
    logs: tuple[Ball, ...]
    """(1/a) (1 - 1/a)^(a - 1) times the product of the moments, as its ln, of each order a."""
    failing: Fraction
    """At least the probability that some outcome is impossible under Q."""
    attained: tuple[Curve, ...]
    """Curves of laws within the bounds, where there are any that are not known as laws."""
    guides: tuple[tuple[float, float], ...]
    """The same and a - 1 as floats: they choose the orders."""
    engine: str = "Renyi divergences (Lemmas 6.5 to 6.9, 6.13)"
    trusts: frozenset[str] = frozenset({"Arb"})

    def delta(self, epsilon: Fraction) -> Interval:
        """[what some mechanism within the bounds reaches, the best order's bound], rounded outward."""
        upper = min((self._bound(i, epsilon) for i in self._best(epsilon)), default=Fraction(1))
        return Interval(greatest_lower(self.attained, epsilon), upper, BITS)

    def best(self, epsilon: Fraction) -> list[Fraction]:
        """The orders that are worked out for this epsilon, the best one by floats first."""
        return [self.orders[i] for i in self._best(epsilon)]

    def _best(self, epsilon: Fraction) -> list[int]:
        """Their places."""
        e = float(epsilon)
        guesses = [size - slope * e for size, slope in self.guides]
        return sorted(range(len(guesses)), key=guesses.__getitem__)[:CANDIDATES]

    def _bound(self, i: int, epsilon: Fraction) -> Fraction:
        """What the i-th order proves, rounded up; delta is never more than 1."""
        return shown_by(self.orders[i], self.logs[i], self.failing, epsilon, BITS)


def shown_by(order: Fraction, log: Ball, failing: Fraction, epsilon: Fraction, bits: int) -> Fraction:
    """At least delta at epsilon, by the ln of the constant times the moments of that order, with so many digits."""
    with precision(bits):
        exponent = log - ball((order - 1) * epsilon)
        if not exponent < 0:
            return Fraction(1)
        return min(Fraction(1), failing + interval(exponent.exp(), bits).upper)


def at_order(parts: Composition, order: Fraction, epsilon: Fraction, bits: int, effort: Effort) -> Fraction:
    """At least delta at epsilon, by that order alone; OutOfReach where the work ends before that."""
    with precision(bits):
        log = _total(parts, order, effort)
    if log is None:
        raise OutOfReach("the work is over before all moments are worked out")
    return shown_by(order, log, infinity_mass(parts).upper, epsilon, bits)


@dataclass(frozen=True, slots=True)
class RenyiEngine:
    """Enclosures from Renyi divergences; `lower` gives curves of what is attained, if it can."""

    lower: Lower | None = None
    name: str = "renyi"

    def why_not(self, composition: Composition) -> str | None:
        """One sentence where some part has no Renyi divergence that is bounded here."""
        return next((reason for loss, _ in composition.parts if (reason := why_not(loss))), None)

    def curves(self, composition: Composition, effort: Effort) -> Iterator[RenyiCurve]:
        """One curve for each grid of orders."""
        refusal = self.why_not(composition)
        if refusal:
            raise OutOfReach(refusal)
        found = () if self.lower is None else attained_curves(composition, effort, self.lower)
        for orders in grids(composition):
            effort.check()
            yield renyi_curve(composition, orders, found, effort)
        effort.check()


def grids(parts: Composition) -> Iterator[list[Fraction]]:
    """Ever finer grids of orders > 1: whole ones where a sampled part asks for them, and any order that is given."""
    given = [a for loss, _ in parts.parts if isinstance(loss, Renyi) for a, _ in loss.bounds]
    most = min((max(a for a, _ in loss.bounds) for loss, _ in parts.parts if isinstance(loss, Renyi)), default=None)
    if any(_sampled(loss) for loss, _ in parts.parts):
        every = [Fraction(n) for n in (*range(2, WHOLE_ORDERS + 1), *(WHOLE_ORDERS * 2**i for i in (1, 2)))]
        yield [a for a in every if most is None or a <= most]
        return
    for steps in STEPS:
        powers = [2.0 ** (i / steps) for i in range(LEAST * steps, GREATEST * steps + 1)]
        found = {*(1 + Fraction(x).limit_denominator(10**6) for x in powers), *given}
        yield sorted(a for a in found if most is None or a <= most)


def _sampled(loss: Loss) -> bool:
    """Whether moments are known of whole orders alone."""
    return isinstance(loss, Sampled) or isinstance(loss, Mixture) and any(_sampled(part) for _, part in loss.parts)


def renyi_curve(parts: Composition, orders: list[Fraction], found: tuple[Curve, ...], effort: Effort) -> RenyiCurve:
    """The curve of those orders, or of the first ones, where there is not enough work left for all."""
    logs: list[Ball] = []
    with precision(BITS):
        for order in orders:
            total = _total(parts, order, effort)
            if total is None:
                break
            logs.append(total)
    if not logs:
        effort.check()
    orders = orders[: len(logs)]
    failing = infinity_mass(parts).upper
    guides = tuple((float(ln), float(a - 1)) for ln, a in zip(logs, orders, strict=True))
    return RenyiCurve(tuple(orders), tuple(logs), failing, found, guides)


def _total(parts: Composition, order: Fraction, effort: Effort) -> Ball | None:
    """The constant and the moments, as the ln of their product; None where the work ends before that."""
    total = constant(order)
    for loss, count in parts.parts:
        if work.spent() > effort.end:
            return None
        work.step(TERM * terms(loss, order))
        total = total + count * log_moment(loss, order)
    return total


def constant(order: Fraction) -> Ball:
    """ln((1/a) (1 - 1/a)^(a - 1)): the greatest (x - 1)+ / x^a (Lemma 6.5)."""
    return -ball(order).log() + ball(order - 1) * ball((order - 1) / order).log()


ENGINE = RenyiEngine(first_curve)
