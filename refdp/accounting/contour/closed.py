"""Gaussian and Laplace noise: moments in closed form (Lemma 5.1 of docs/accounting_proofs.md)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log

from flint import acb, arb

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.contour.factors import Decay, Line
from refdp.accounting.curves import Effort

ENOUGH = 24
"""Accuracy of M(c), by which what decays is divided."""


@dataclass(frozen=True, slots=True)
class NormalDecay:
    """|M(c + it)| = M(c) e^(-mu^2 t^2 / 2)."""

    mu_squared: Fraction

    def bound(self, t: arb) -> arb:
        """It falls in t."""
        return (-ball(self.mu_squared) * t * t / 2).exp()

    def estimate(self, t: float) -> float:
        """Its logarithm."""
        return -float(self.mu_squared) * t * t / 2


@dataclass(frozen=True, slots=True)
class EdgeDecay:
    """|M(c + iu)| <= (atoms + edges / u) M(c): atoms do not decay, densities as the inverse of u (Lemma 5.10)."""

    atoms: arb
    edges: arb

    def bound(self, t: arb) -> arb:
        """It falls in t."""
        return (self.atoms + self.edges / t).min(arb(1)) if t > 0 else arb(1)

    def estimate(self, t: float) -> float:
        """Nearly its logarithm."""
        return min(0.0, log(float(self.atoms.mid()) + float(self.edges.mid()) / t))


@dataclass(frozen=True, slots=True)
class NormalFactor:
    """M(s) = e^(mu^2 s (s + 1) / 2)."""

    mu_squared: Fraction

    def infinite_mass(self) -> arb:
        """0."""
        return arb(0)

    def moment(self, order: Fraction, accuracy: int) -> arb:
        """M(c)."""
        return (ball(self.mu_squared * order * (order + 1) / 2)).exp()

    def moments(self, line: Line, accuracy: int, effort: Effort) -> list[acb]:
        """M at each point."""
        work.step(line.count)
        return [(ball(self.mu_squared) * s * (s + 1) / 2).exp() for s in line.points()]

    def decay(self, order: Fraction) -> Decay:
        """e^(-mu^2 t^2 / 2)."""
        return NormalDecay(self.mu_squared)

    def nodes(self, order: Fraction, accuracy: int, reach: float) -> int:
        """One."""
        return 1


@dataclass(frozen=True, slots=True)
class LaplaceFactor:
    """M(s) = e^(s x) / 2 + e^(-(s + 1) x) / 2 + (e^(s x) - e^(-(s + 1) x)) / (4 s + 2), x = epsilon."""

    epsilon: Fraction

    def infinite_mass(self) -> arb:
        """0."""
        return arb(0)

    def _at(self, s: acb) -> acb:
        up, down = (s * ball(self.epsilon)).exp(), (-(s + 1) * ball(self.epsilon)).exp()
        return (up + down) / 2 + (up - down) / (4 * s + 2)

    def moment(self, order: Fraction, accuracy: int) -> arb:
        """M(c)."""
        return self._at(acb(ball(order))).real

    def moments(self, line: Line, accuracy: int, effort: Effort) -> list[acb]:
        """M at each point."""
        work.step(4 * line.count)
        return list(map(self._at, line.points()))

    def decay(self, order: Fraction) -> Decay:
        """|4 s + 2| is at least 4 |t|."""
        whole, c, x = self.moment(order, ENOUGH).lower(), ball(order), ball(self.epsilon)
        ends = (c * x).exp() + (-(c + 1) * x).exp()
        return EdgeDecay(ends / 2 / whole, ends / 4 / whole)

    def nodes(self, order: Fraction, accuracy: int, reach: float) -> int:
        """One."""
        return 1
