"""Discrete Gaussian and Laplace noise on their lattice: moments in closed form, and their decay (Lemma 5.13)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log, sin

from flint import acb, arb, ctx

from refdp.accounting.balls import ball
from refdp.accounting.contour.choice import factor
from refdp.accounting.contour.closed import ENOUGH
from refdp.accounting.contour.factors import Decay, Factor, Line, charge
from refdp.accounting.curves import Effort
from refdp.accounting.lattice.groups import Group
from refdp.accounting.lattice.loss_distributions import loss_distribution
from refdp.accounting.losses import DiscreteGaussian, DiscreteLaplace, Loss

LEAST_VARIANCE = Fraction(1, 4)
"""Of narrower noise the losses that count are few, and are added up one by one."""
POINT = 4
"""Operations that the moment at one point counts as."""


def factor_on(loss: Loss, lattice: Group | None) -> Factor:
    """The moments of a pair whose losses lie on that lattice, in closed form where there is one.

    Without a lattice they are as for any other contour.
    """
    law = None if lattice is None else loss_distribution(loss)
    if lattice is None or law is None:
        return factor(loss)
    is_filled = lattice.spread(law) == 1  # neighbouring losses are one step apart
    match loss:
        case DiscreteGaussian(variance, shift) if variance >= LEAST_VARIANCE:
            return GaussianSeries(variance, shift, is_filled)
        case DiscreteLaplace(epsilon, shift):
            return GeometricSeries(epsilon, shift, is_filled)
    return factor(loss)


@dataclass(frozen=True, slots=True)
class GaussianSeries:
    """M(s) = sum over n of e^(m^2 (s^2 + s) / (2 v) - 2 pi^2 v n^2 - 2 pi i n m s), over that at s = 0 (Poisson)."""

    variance: Fraction
    shift: int
    is_filled: bool

    def infinite_mass(self) -> arb:
        """0."""
        return arb(0)

    def _rest(self) -> tuple[int, arb]:
        """How many terms on each side count, and a bound of all that are farther than that and a half away."""
        rate, count = 2 * arb.pi() ** 2 * ball(self.variance), 0
        while True:
            rest = 2 * (-rate * ball(Fraction(2 * count + 1, 2)) ** 2).exp() / (1 - (-rate * (2 * count + 2)).exp())
            if rest < arb(2) ** -ctx.prec or count > 40:
                return count, rest.upper()
            count += 1

    def _normaliser(self) -> arb:
        """The sum over n of e^(-2 pi^2 v n^2)."""
        count, rest = self._rest()
        rate = 2 * arb.pi() ** 2 * ball(self.variance)
        return 1 + 2 * sum(((-rate * n * n).exp() for n in range(1, count + 1)), arb(0)) + arb(0, rest)

    def _at(self, points: list[acb]) -> list[acb]:
        """M at each point; all are on one line."""
        (count, rest), order = self._rest(), points[0].real
        charge(POINT * len(points) * (count + 1))
        m, v, turn, found = self.shift, ball(self.variance), 2 * arb.pi() * ball(self.variance), list[acb]()
        whole = (m * m * order * (order + 1) / (2 * v)).exp() / self._normaliser()
        for s in points:
            total, t = acb(arb(0, rest), arb(0, rest)), m * s.imag
            middle = (t / turn).mid().floor()
            for place in (middle + n for n in range(-count, count + 2)):
                gone, angle = t - turn * place, (2 * order + 1) * t * m / (2 * v) - 2 * arb.pi() * place * m * order
                total += acb(-gone * gone / (2 * v), angle).exp()
            found.append(whole * total)
        return found

    def moment(self, order: Fraction, accuracy: int) -> arb:
        """M(c)."""
        return self._at([acb(ball(order))])[0].real

    def moments(self, line: Line, accuracy: int, effort: Effort) -> list[acb]:
        """M at each point."""
        return self._at(line.points())

    def decay(self, order: Fraction) -> Decay | None:
        """Known where the turn of the lattice is that of this pair."""
        return GaussianFall(self.variance, self.shift) if self.is_filled else None

    def nodes(self, order: Fraction, accuracy: int, reach: float) -> int:
        """Some."""
        return POINT


@dataclass(frozen=True, slots=True)
class GaussianFall:
    """A bound of |M(c + it)| / M(c) for |t| <= pi v / m: the sum over n of e^(-(m t - 2 pi v n)^2 / (2 v)), nearly."""

    variance: Fraction
    shift: int

    def bound(self, t: arb) -> arb:
        """It falls in t, up to half a turn."""
        v, rate = ball(self.variance), 2 * arb.pi() ** 2 * ball(self.variance)
        x = self.shift * t / (2 * arb.pi() * v)  # up to 1/2
        first, second = (-rate * x * x).exp(), (-rate * (1 - x) ** 2).exp()
        rest = (-rate).exp() / (1 - (-rate).exp())
        return ((first + second + 3 * rest) / (1 - 2 * rest)).min(arb(1))

    def estimate(self, t: float) -> float:
        """Its logarithm, nearly."""
        return -((self.shift * t) ** 2) / (2 * float(self.variance))


@dataclass(frozen=True, slots=True)
class GeometricSeries:
    """M(s) of noise e^(-epsilon |k|) moved by m: two ends, and a geometric series between them."""

    epsilon: Fraction
    shift: int
    is_filled: bool

    def infinite_mass(self) -> arb:
        """0."""
        return arb(0)

    def _at(self, s: acb) -> acb:
        e, m = ball(self.epsilon), self.shift
        q, up, ratio = (-e).exp(), (s * e * m).exp(), (-(2 * s + 1) * e).exp()
        inner = ratio * (1 - ratio ** (m - 1)) / (1 - ratio)
        return (up + (-(s + 1) * e * m).exp() + (1 - q) * up * inner) / (1 + q)

    def moment(self, order: Fraction, accuracy: int) -> arb:
        """M(c)."""
        return self._at(acb(ball(order))).real

    def moments(self, line: Line, accuracy: int, effort: Effort) -> list[acb]:
        """M at each point."""
        charge(POINT * (line.count + 1))
        return list(map(self._at, line.points()))

    def decay(self, order: Fraction) -> Decay | None:
        """The ends do not decay, and the series between them as 1 / sin(epsilon t)."""
        if not self.is_filled:
            return None
        whole, c, e, m = self.moment(order, ENOUGH).lower(), ball(order), ball(self.epsilon), self.shift
        q, up, ratio = (-e).exp(), (c * e * m).exp(), (-(2 * c + 1) * e).exp()
        ends = (up + (-(c + 1) * e * m).exp()) / (1 + q)
        inner = (1 - q) * up * ratio.sqrt() * (1 + ratio ** (m - 1)) / 2 / (1 + q)
        return SineFall(ends / whole, inner / whole, self.epsilon)

    def nodes(self, order: Fraction, accuracy: int, reach: float) -> int:
        """Some."""
        return POINT


@dataclass(frozen=True, slots=True)
class SineFall:
    """|M(c + it)| <= (atoms + inner / sin(epsilon t)) M(c), for 0 < epsilon t <= pi / 2."""

    atoms: arb
    inner: arb
    epsilon: Fraction

    def bound(self, t: arb) -> arb:
        """It falls in t, up to half a turn."""
        sine = (ball(self.epsilon) * t).sin()
        return (self.atoms + self.inner / sine).min(arb(1)) if sine > 0 else arb(1)

    def estimate(self, t: float) -> float:
        """Its logarithm, nearly."""
        sine = sin(float(self.epsilon) * t)
        return min(0.0, log(float(self.atoms.mid()) + float(self.inner.mid()) / sine)) if sine > 0 else 0.0
