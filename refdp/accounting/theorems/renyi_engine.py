"""Bounds by Renyi divergences: the least that a grid of orders gives, and what normal noise reaches.

    delta(epsilon) <= 1 - product (1 - P_i(q_i = 0)) + (1/a) (1 - 1/a)^(a - 1) e^(-(a - 1) epsilon) product moments

for each order a (Lemma 6.5 of docs/accounting_proofs.md).  Any order gives a true bound, so floats may choose it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from refdp.accounting.balls import ball
from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.losses import (
    BoundedRange,
    Composition,
    Concentrated,
    Known,
    Loss,
    Mixture,
    Normal,
    Renyi,
    Response,
    Sampled,
    composition,
)
from refdp.accounting.masses import infinity_mass
from refdp.accounting.theorems.renyi_moments import log_moment, why_not
from refdp.numerics.elementary import ln_bounds
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.exact import ExactReal
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
CANDIDATES = 3
"""So many orders, the best by floats, are worked out with enclosures."""
Lower = Callable[[Composition, Effort], Curve]
"""Another engine's curve of a composition of pairs of laws."""


@dataclass(frozen=True, slots=True)
class RenyiCurve:
    """delta(epsilon) at most the best of the orders' bounds, at least what `attained` says."""

    orders: tuple[Fraction, ...]
    logs: tuple[Ball, ...]
    """(1/a) (1 - 1/a)^(a - 1) times the product of the moments, as its ln, of each order a."""
    failing: Fraction
    """At least the probability that some outcome is impossible under Q."""
    attained: Curve | None
    guides: tuple[tuple[float, float], ...]
    """The same and a - 1 as floats: they choose the orders."""
    engine: str = "Renyi divergences (Lemmas 6.5 to 6.9)"
    trusts: frozenset[str] = frozenset({"Arb"})

    def delta(self, epsilon: Fraction) -> Interval:
        """[what some mechanism within the bounds reaches, the best order's bound], rounded outward."""
        e = float(epsilon)
        guesses = [size - slope * e for size, slope in self.guides]
        best = sorted(range(len(guesses)), key=guesses.__getitem__)[:CANDIDATES]
        upper = min((self._bound(i, epsilon) for i in best), default=Fraction(1))
        return Interval(self._lower(epsilon), upper, BITS)

    def _bound(self, i: int, epsilon: Fraction) -> Fraction:
        """What the i-th order proves, rounded up; delta is never more than 1."""
        with precision(BITS):
            exponent = self.logs[i] - ball((self.orders[i] - 1) * epsilon)
            if not exponent < 0:
                return Fraction(1)
            return min(Fraction(1), self.failing + interval(exponent.exp(), BITS).upper)

    def _lower(self, epsilon: Fraction) -> Fraction:
        """The other engine's lower bound; or P(S) - e^epsilon Q(S) of S everything or nothing."""
        if self.attained is not None:
            return self.attained.delta(epsilon).lower
        with precision(BITS):
            return max(Fraction(0), interval(1 - ball(epsilon).exp(), BITS).lower) if epsilon < 0 else Fraction(0)


@dataclass(frozen=True, slots=True)
class RenyiEngine:
    """Enclosures from Renyi divergences; `lower` gives a curve of what is attained, if it can."""

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
        found = self._attained(composition, effort)
        for orders in grids(composition):
            yield renyi_curve(composition, orders, found, effort)

    def _attained(self, composition: Composition, effort: Effort) -> Curve | None:
        """The other engine's curve of the laws that are within the bounds; None where it has none."""
        known = attained(composition) if any(isinstance(loss, Known) for loss, _ in composition.parts) else None
        try:
            return None if self.lower is None or known is None else self.lower(known, effort)
        except OutOfReach:
            return None


def attained(parts: Composition) -> Composition | None:
    """Laws within every bound, equal ones for Renyi bounds (Lemma 6.10)."""
    kept = [(_within(loss), count) for loss, count in parts.parts if not isinstance(loss, Renyi)]
    return composition(kept) if kept else None


def _within(loss: Loss) -> Loss:
    """Normal laws with mu^2 = 2 rho for rho-zCDP; a response with losses e/2 and -e/2 for losses in a range of e."""
    match loss:
        case Concentrated(rho):
            return Normal(2 * rho)
        case BoundedRange(epsilon):
            least = (
                epsilon.rational if epsilon.argument == 1 else epsilon.rational + ln_bounds(epsilon.argument, BITS)[0]
            )
            return Response(ExactReal(max(Fraction(0), least) / 2))
    return loss


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


def renyi_curve(parts: Composition, orders: list[Fraction], found: Curve | None, effort: Effort) -> RenyiCurve:
    """The curve of those orders."""
    logs = []
    for order in orders:
        effort.check()
        with precision(BITS):
            total = sum((count * log_moment(loss, order) for loss, count in parts.parts), constant(order))
            logs.append(total)
    failing = infinity_mass(parts).upper
    guides = tuple((float(ln), float(a - 1)) for ln, a in zip(logs, orders, strict=True))
    return RenyiCurve(tuple(orders), tuple(logs), failing, found, guides)


def constant(order: Fraction) -> Ball:
    """ln((1/a) (1 - 1/a)^(a - 1)): the greatest (x - 1)+ / x^a (Lemma 6.5)."""
    return -ball(order).log() + ball(order - 1) * ball((order - 1) / order).log()


def first_curve(parts: Composition, effort: Effort) -> Curve:
    """The first curve of the first engine that has one; what is refused by all is OutOfReach."""
    from refdp.accounting.engines import engines

    for engine in engines():
        if not isinstance(engine, RenyiEngine) and engine.why_not(parts) is None:
            with suppress(OutOfReach, StopIteration):
                return next(iter(engine.curves(parts, effort)))
    raise OutOfReach("no engine has a curve of what is attained")


ENGINE = RenyiEngine(first_curve)
