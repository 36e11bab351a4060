"""Stand-in until the closed forms are merged: one Gaussian pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from refdp.accounting import losses
from refdp.accounting.curves import Effort
from refdp.accounting.losses import Composition
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.intervals import Interval


@dataclass(frozen=True, slots=True)
class NormalCurve:
    """delta = Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu)."""

    mu_squared: Fraction
    engine: str = "closed form (stub)"
    trusts: frozenset[str] = frozenset()

    def delta(self, epsilon: Fraction) -> Interval:
        from flint import arb, fmpq

        with precision(512):
            mu = arb(fmpq(self.mu_squared.numerator, self.mu_squared.denominator)).sqrt()
            e = arb(fmpq(epsilon.numerator, epsilon.denominator))
            root = arb(2).sqrt()
            first = ((e / mu - mu / 2) / root).erfc() / 2
            second = ((e / mu + mu / 2) / root).erfc() / 2
            return interval(first - e.exp() * second, 128)


class NormalEngine:
    """One Gaussian pair."""

    name = "closed form (stub)"

    def why_not(self, composition: Composition) -> str | None:
        match composition.parts:
            case ((losses.Normal(), 1),):
                return None
        return "only Gaussian"

    def curves(self, composition: Composition, effort: Effort) -> Iterator[NormalCurve]:
        ((loss, _),) = composition.parts
        assert isinstance(loss, losses.Normal)
        yield NormalCurve(loss.mu_squared)


ENGINE = NormalEngine()
