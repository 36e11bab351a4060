"""A sample of a fixed size of Gaussian or Laplace noise: its loss has an atom at 0 and a density on either side of it.

At losses above 0 its law is that of (q P + (1 - q) Q, Q), below 0 that of (P, q Q + (1 - q) P), the rest is at 0.  With
a(y) = ln(P / Q), r = 1 - q + q e^a and g the density of Q, M(s) is the integral of g (r^(s + 1) + r^-s) over a > 0, and
the mass at 0 (Lemma 5.11 of docs/accounting_proofs.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, cos, exp, fsum, log, log1p, sqrt

from flint import acb, arb, ctx

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.contour.atoms import cloud
from refdp.accounting.contour.closed import ENOUGH, EdgeDecay
from refdp.accounting.contour.factors import Cloud, Decay, Line
from refdp.accounting.contour.pieces import MOST_POINTS
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.losses import Laplace, Normal

TURNS = tuple(2.0**-i for i in range(-1, 14))
"""Angles by which r may turn on the ellipse that are tried: at most 2 < pi."""
LENGTH = 2
"""Panels are about so long."""
CELLS = 400
POINT = 40
"""Steps of work that a point counts as."""
STRIDE = 8
"""Numbers of points are multiples of this, so that rules are met again."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Outputs y within `half` of `middle`."""

    middle: arb
    half: arb


@dataclass(frozen=True, slots=True)
class Noise:
    """Noise of scale 1 around 0 and moved by mu or epsilon: a(y) = slope (y - origin), from the origin to `end`."""

    base: Normal | Laplace
    origin: arb
    end: arb
    slope: arb

    def density(self, y: arb) -> arb:
        """That of Q, y > 0."""
        return (-y * y / 2).exp() / (2 * arb.pi()).sqrt() if isinstance(self.base, Normal) else (-y).exp() / 2

    def odds(self, y: arb) -> arb:
        """e^a(y)."""
        return (self.slope * (y - self.origin)).exp()

    def panels(self) -> list[Panel]:
        """Equal ones from the origin to the end."""
        length = self.end - self.origin
        count = int(float(length.mid()) / LENGTH) + 1
        half = length / (2 * count)
        return [Panel(self.origin + half * (2 * i + 1), half) for i in range(count)]


@dataclass(frozen=True, slots=True)
class FixedSizeFactor:
    """A share `rate` of the rows, of noise of scale 1 that is moved by mu (Gaussian) or by epsilon (Laplace)."""

    base: Normal | Laplace
    rate: Fraction

    def infinite_mass(self) -> arb:
        """0."""
        return arb(0)

    def moment(self, order: Fraction, accuracy: int) -> arb:
        """M(c)."""
        return self.cloud(order, accuracy, arb(0)).moment()

    def moments(self, line: Line, accuracy: int, effort: Effort) -> list[acb]:
        """M at each point."""
        return self.cloud(line.order, accuracy, line.reach).moments(line, effort)

    def nodes(self, order: Fraction, accuracy: int, reach: float) -> int:
        """How many points the quadratures have."""
        noise = self.noise(order, accuracy)
        return 2 * sum(self.rule(noise, panel, order, accuracy, reach)[0] for panel in noise.panels())

    def growth(self, order: Fraction) -> float:
        """ln M(c), nearly: floats choose, and claim nothing."""
        c, q, noise = float(order), float(self.rate), self.noise(order, ENOUGH)
        start, end, slope = (float(x.mid()) for x in (noise.origin, noise.end, noise.slope))
        step = (end - start) / CELLS
        logs = []
        for i in range(CELLS):
            y = start + (i + 0.5) * step
            ratio = slope * (y - start) + log(q + (1 - q) * exp(slope * (start - y)))
            weight = (
                log(step / sqrt(2 * 3.141592653589793)) - y * y / 2
                if isinstance(self.base, Normal)
                else log(step / 2) - y
            )
            logs += [weight + (c + 1) * ratio, weight - c * ratio]
        for mass, p, _ in self.atoms():
            logs.append(float(mass.log().mid() + (p.log() * (c + 1)).mid()))
        most = max(logs)
        return most + log(fsum(exp(x - most) for x in logs))

    def noise(self, order: Fraction, accuracy: int) -> Noise:
        """From where P = Q to the end of Laplace noise, or to where floats find that little of a Gaussian is left."""
        if isinstance(self.base, Laplace):
            e = ball(self.base.epsilon)
            return Noise(self.base, e / 2, e, arb(2))
        mu = ball(self.base.mu_squared).sqrt()
        end = self.far_end(float(mu.mid()), float(order), (accuracy + 4) * log(2))
        return Noise(self.base, mu / 2, arb(end), mu)

    def far_end(self, mu: float, c: float, aim: float) -> int:
        """From there on about e^-aim is left of Gaussian noise (`beyond`), and it falls."""
        q = float(self.rate)
        end = ceil((c + 1) * mu) + 1
        while True:
            excess, ratio = mu * end - mu * mu / 2, end - (c + 1) * mu
            size = (c + 1) * (excess + log(q + (1 - q) * exp(-excess)) - mu * end + (c + 1) * mu * mu / 2)
            if size - ratio * ratio / 2 < -aim:
                return end
            end += 1

    def rule(self, noise: Noise, panel: Panel, order: Fraction, accuracy: int, reach: float) -> tuple[int, Fraction]:
        """The number n of points and the ellipse's rho: floats choose, `error` bounds what they chose."""
        c, q, tried = float(order), float(self.rate), list[tuple[int, float]]()
        half, middle, slope = (float(x.mid()) for x in (panel.half, panel.middle, noise.slope))
        for turn in TURNS:
            height = turn / (slope * half)
            rho = height + sqrt(height**2 + 1)
            wide = half * (rho + 1 / rho) / 2
            most = slope * (middle + wide - float(noise.origin.mid()))
            powers = most + log(q + (1 - q) * exp(-most)), -log((1 - q) * cos(turn / 2))
            size = reach * turn + max((c + 1) * powers[0], c * powers[1])
            if isinstance(self.base, Normal):
                size += ((half * height) ** 2 - max(middle - wide, 0.0) ** 2) / 2
            else:
                size += wide - middle
            tried.append((ceil(((accuracy + 6) * log(2) + max(size, 0.0) + log1p(half)) / (2 * log(rho))) + 1, rho))
        n, rho = min(tried)
        if n > MOST_POINTS:
            raise OutOfReach(f"the moments of noise on lots of a fixed size need {n} points, more than {MOST_POINTS}")
        return -(-n // STRIDE) * STRIDE, Fraction(rho)

    def cloud(self, order: Fraction, accuracy: int, reach: arb) -> Cloud:
        """M(c + it) for |t| <= reach."""
        noise, samples = self.noise(order, accuracy), self.atoms()
        error = self.beyond(noise, order)
        for panel in noise.panels():
            n, rho = self.rule(noise, panel, order, accuracy, float(reach.mid()))
            error += self.error(noise, panel, n, ball(rho), order, reach)
            work.step(POINT * n)
            for root, weight in legendre(n, ctx.prec):
                y = panel.middle + panel.half * root
                ratio, mass = self.ratio(noise.odds(y)), panel.half * weight * noise.density(y)
                samples += [(mass, ratio, arb(1)), (mass, arb(1), ratio)]
        return cloud(samples, order, error)

    def ratio(self, odds: arb) -> arb:
        """r for e^a = odds."""
        return 1 - ball(self.rate) + ball(self.rate) * odds

    def atoms(self) -> list[tuple[arb, arb, arb]]:
        """(mass, P, Q) of the loss 0, and of the ends of Laplace noise."""
        q, base = ball(self.rate), self.base
        if isinstance(base, Normal):
            root = (ball(base.mu_squared) / 8).sqrt()
            return [(1 - (q * (-root).erfc() + (2 - q) * root.erfc()) / 2, arb(1), arb(1))]
        middle, end = (-ball(base.epsilon) / 2).exp() / 2, (-ball(base.epsilon)).exp() / 2
        last = self.ratio(ball(base.epsilon).exp())
        at_zero = 1 - q * (1 - middle) - (2 - q) * middle
        return [(at_zero, arb(1), arb(1)), (end, last, arb(1)), (end, arb(1), last)]

    def error(self, noise: Noise, panel: Panel, n: int, rho: arb, order: Fraction, reach: arb) -> arb:
        """At least the error of the quadrature with n points on the panel (Lemma 5.11)."""
        q, c = ball(self.rate), ball(order)
        wide, high = panel.half * (rho + 1 / rho) / 2, panel.half * (rho - 1 / rho) / 2
        turn = noise.slope * high
        if not turn < 3:
            raise OutOfReach("no ellipse of analyticity was found for noise on lots of a fixed size")
        nearest = panel.middle - wide
        if isinstance(self.base, Normal):
            density = ((high * high - nearest.max(arb(0)) ** 2) / 2).exp() / (2 * arb.pi()).sqrt()
        else:
            density = (-nearest).exp() / 2
        both = self.ratio(noise.odds(panel.middle + wide)) ** (c + 1) + ((1 - q) * (turn / 2).cos()) ** -c
        return panel.half * density * (reach * turn).exp() * both * 8 * rho ** (-2 * n) / (1 - 1 / rho)

    def beyond(self, noise: Noise, order: Fraction) -> arb:
        """At least what Gaussian noise beyond its end adds (Lemma 5.11)."""
        if isinstance(self.base, Laplace):
            return arb(0)
        root, tilt, end = arb(2).sqrt(), (ball(order) + 1) * noise.slope, noise.end
        last = self.ratio(noise.odds(end)) ** (ball(order) + 1)
        above = last * (tilt * tilt / 2 - tilt * end).exp() * ((end - tilt) / root).erfc()
        return (above + (end / root).erfc()) / 2

    def decay(self, order: Fraction) -> Decay | None:
        """The atoms, and the variation of the densities over the slope of the loss (Lemma 5.11)."""
        whole, c, q = self.moment(order, ENOUGH).lower(), ball(order), ball(self.rate)
        if not whole > 0:
            return None
        atoms = cloud(self.atoms(), order, arb(0)).moment()
        if isinstance(self.base, Laplace):
            e = ball(self.base.epsilon)
            last, edges = self.ratio(e.exp()), 2 * (-e / 2).exp()
            edges = (edges + (-2 * e).exp() * (last ** (c + 2) + last ** (1 - c))) / (2 * q)
        else:
            square = ball(self.base.mu_squared)
            start = (-square / 8).exp() / (q * (2 * arb.pi() * square).sqrt())
            edges = 4 * self.highest(order) / (q * square.sqrt()) + 2 * start
        return EdgeDecay(atoms / whole, edges / whole)

    def highest(self, order: Fraction) -> arb:
        """At least g r^(c + 2) e^-a of Gaussian noise wherever a > 0, from cells in which each factor is monotone."""
        noise, c = self.noise(order, ENOUGH), ball(order)
        points = [noise.origin + (noise.end - noise.origin) * i / CELLS for i in range(CELLS + 1)]
        shrinking = [noise.density(y) / noise.odds(y) for y in points]
        growing = [self.ratio(noise.odds(y)) ** (c + 2) for y in points]
        found = shrinking[-1] * growing[-1]  # it falls from the end on, which is beyond (c + 1) mu
        for falling, rising in zip(shrinking[:-1], growing[1:], strict=True):
            found = found.max(falling * rising)
        return found


@lru_cache(maxsize=64)
def legendre(n: int, bits: int) -> list[tuple[arb, arb]]:
    """Points and weights of Gauss-Legendre quadrature, to so many binary digits: the precision that is set."""
    return [arb.legendre_p_root(n, k, True) for k in range(n)]
