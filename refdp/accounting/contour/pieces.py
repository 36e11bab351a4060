"""Sampled Laplace noise: atoms at both ends, and between them a smooth density, by Gauss-Legendre quadrature.

In units of the scale, the unsampled loss a(x) = |x| - |x - epsilon| is -epsilon up to 0, 2 x - epsilon, then epsilon.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, cos, exp, log, log1p, sqrt

from flint import acb, arb

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.contour.atoms import cloud, mixed
from refdp.accounting.contour.closed import ENOUGH, EdgeDecay
from refdp.accounting.contour.factors import Cloud, Decay, Line
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.losses import Direction

TURNS = tuple(2.0**-i for i in range(-1, 12))
"""Angles by which r may turn on the ellipse that are tried: at most 2 < pi."""
MOST_POINTS = 5000
ROOT = 60
"""Steps of work that a point counts as."""


@dataclass(frozen=True, slots=True)
class SampledLaplaceFactor:
    """Laplace noise of scale 1 that is moved by `epsilon`, sampled at `rate`."""

    epsilon: Fraction
    rate: Fraction
    direction: Direction

    def infinite_mass(self) -> arb:
        """0."""
        return arb(0)

    def moment(self, order: Fraction, accuracy: int) -> arb:
        """M(c)."""
        return self.cloud(order, accuracy, arb(0)).moment()

    def moments(self, line: Line, accuracy: int, effort: Effort) -> list[acb]:
        """M at each point."""
        return self.cloud(line.order, accuracy, line.reach).moments(line, effort)

    def decay(self, order: Fraction) -> Decay | None:
        """The atoms, and twice the ends of the density over its slope, for each piece (Lemma 5.10)."""
        whole, c, x, q = self.moment(order, ENOUGH).lower(), ball(order), ball(self.epsilon), ball(self.rate)
        if not whole > 0:
            return None
        first, last = (1 - q + q * end for end in ((-x).exp(), x.exp()))
        edges = arb(0)
        if self.direction != "add":
            edges += (x.exp() * first ** (c + 2) + (-2 * x).exp() * last ** (c + 2)) / (2 * q)
        if self.direction == "replace":
            edges *= first**-c
        if self.direction != "remove":
            other = (x.exp() * first ** (1 - c) + (-2 * x).exp() * last ** (1 - c)) / (2 * q)
            edges += other if self.direction == "add" else other * first ** (c + 1)
        return EdgeDecay(cloud(self.atoms(), order, arb(0)).moment() / whole, edges / whole)

    def atoms(self) -> list[tuple[arb, arb, arb]]:
        """(mass, P, Q) of the two atoms, P and Q over the noise around 0."""
        x = ball(self.epsilon)
        end, up, down = (-x).exp() / 2, x.exp(), (-x).exp()
        outcomes = [(end, up, down), (end, down, up)]
        if self.direction != "replace":  # then nothing changes at -epsilon
            outcomes[1] = (arb(1) / 2, down, arb(0))
        return self.sampled(outcomes)

    def sampled(self, outcomes: list[tuple[arb, arb, arb]]) -> list[tuple[arb, arb, arb]]:
        """(mass, P, Q) from masses, and densities of the noise moved either way over that around 0."""
        return [(mass, *mixed((moved, arb(1), back), self.rate, self.direction)) for mass, moved, back in outcomes]

    def nodes(self, order: Fraction, accuracy: int, reach: float) -> int:
        """How many points of the quadrature."""
        return 2 * self.rule(order, accuracy, reach)[0]

    def rule(self, order: Fraction, accuracy: int, reach: float) -> tuple[int, Fraction]:
        """The number n of points and the ellipse's rho: floats choose, `error` bounds what they chose."""
        c, x, q, tried = float(order), float(self.epsilon), float(self.rate), list[tuple[int, float]]()
        for turn in TURNS:
            rho = turn / x + sqrt((turn / x) ** 2 + 1)
            over = x / 2 * ((rho + 1 / rho) / 2 - 1)
            size = over + reach * turn + (c + 1) * log1p(q * (exp(min(x + 2 * over, 700)) - 1))
            size -= c * log((1 - q) * cos(turn / 2))
            tried.append((ceil(((accuracy + 4) * log(2) + size) / (2 * log(rho))) + 1, rho))
        n, rho = min(tried)
        if n > MOST_POINTS:
            raise OutOfReach(f"the moments of sampled Laplace noise need {n} points, more than {MOST_POINTS}")
        return n, Fraction(rho)

    def cloud(self, order: Fraction, accuracy: int, reach: arb) -> Cloud:
        """M(c + it) for |t| <= reach."""
        n, rho = self.rule(order, accuracy, float(reach.mid()))
        work.step(ROOT * n)
        x, half, outcomes = ball(self.epsilon), ball(self.epsilon / 2), list[tuple[arb, arb, arb]]()
        down = (-x).exp()
        for root, weight in (arb.legendre_p_root(n, k, True) for k in range(n)):
            place, slope = half * (1 + root), (x * root).exp()
            mass = half * weight * (-place).exp() / 2
            outcomes += [(mass, slope, down), (mass, down, slope)][: 2 if self.direction == "replace" else 1]
        return cloud(self.atoms() + self.sampled(outcomes), order, self.error(n, ball(rho), order, reach))

    def error(self, n: int, rho: arb, order: Fraction, reach: arb) -> arb:
        """At least the error of the quadrature with n points (Lemma 5.8)."""
        x, q, c = ball(self.epsilon), ball(self.rate), ball(order)
        turn, over = x * (rho - 1 / rho) / 2, x / 2 * ((rho + 1 / rho) / 2 - 1)
        if not turn < 3:
            raise OutOfReach("no ellipse of analyticity was found for sampled Laplace noise")
        size = (over + reach * turn).exp() / 2
        if self.direction != "add":
            size *= (1 - q + q * (x + 2 * over).exp()) ** (c + 1)
        if self.direction != "remove":
            size *= ((1 - q) * (turn / 2).cos()) ** -c
        pieces = 2 if self.direction == "replace" else 1
        return pieces * x / 2 * size * 8 * rho ** (-2 * n) / (1 - 1 / rho)
