"""Delta of small compositions in mpmath, by definition: sums and one quadrature over the loss of a Gaussian event."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
from flint import acb
from mpmath import mpf

from refdp.accounting.contour import Contours
from refdp.accounting.contour.gaussian import GaussianFactor
from refdp.accounting.curves import Curve, Effort
from refdp.accounting.losses import Loss, composition
from refdp.numerics.intervals import Interval

DIGITS = 40


def real(x: Fraction | int | str) -> Any:
    """The number in mpmath."""
    value = Fraction(x)
    return mpf(value.numerator) / value.denominator


def holds(found: Interval, truth: Any, slack: str = "1e-30") -> bool:
    """Whether the interval holds the number, up to the oracle's own relative error."""
    room = abs(truth) * mpf(slack)
    return real(found.lower) <= truth + room and truth - room <= real(found.upper)


def narrow(found: Interval, relative: str) -> bool:
    """Whether the interval's relative width is at most that."""
    return found.upper - found.lower <= Fraction(relative) * found.upper


def curves(parts: list[tuple[Loss, int]], delta: str = "1e-12", width: str = "1e-9") -> Iterable[Curve]:
    """The engine's curves."""
    return Contours().curves(composition(parts), Effort(width=Fraction(width), delta=Fraction(delta)))


def curve(parts: list[tuple[Loss, int]], delta: str = "1e-12", width: str = "1e-9") -> Curve:
    """The first of them."""
    return next(iter(curves(parts, delta, width)))


def normal(mu: Any, y: Any) -> Any:
    """Delta of the pair N(mu, 1), N(0, 1) at e^y (Balle and Wang)."""
    return mpmath.ncdf(mu / 2 - y / mu) - mpmath.exp(y) * mpmath.ncdf(-mu / 2 - y / mu)


def with_atoms(mu: Any, atoms: Iterable[tuple[Any, Any]], y: Any) -> Any:
    """Delta of that composed with a loss that has the given (probability, value)."""
    return sum(p * normal(mu, y - loss) for p, loss in atoms)


def with_density(mu: Any, density: Callable[[Any], Any], loss: Callable[[Any], Any], ends: list[Any], y: Any) -> Any:
    """Delta of that composed with a loss at outcomes that have a density."""
    return mpmath.quad(lambda x: density(x) * normal(mu, y - loss(x)), ends)


STEPS = 12
"""Outcomes in a unit: from quadrature in pieces the sum below is 1e-31 away, and with half as many 3e-14."""


def with_smooth_density(mu: Any, density: Callable[[Any], Any], loss: Callable[[Any], Any], y: Any) -> Any:
    """The same where the density and the loss are analytic and nothing is left outside [-14, 17].

    The trapezoidal rule: its error falls as e^(-2 pi d STEPS), d being how far from the line the first singularity is.
    """
    places = (mpmath.mpf(k) / STEPS for k in range(-14 * STEPS, 17 * STEPS + 1))
    return mpmath.fsum(density(x) * normal(mu, y - loss(x)) for x in places) / STEPS


def sampled_normal(nu: Any, rate: Any, direction: str) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """The density under P, and the loss, of a sampled Gaussian pair, from the laws themselves."""

    def mixture(x: Any, centre: Any) -> Any:
        return rate * mpmath.npdf(x, centre) + (1 - rate) * mpmath.npdf(x)

    laws = {
        "remove": (lambda x: mixture(x, nu), mpmath.npdf),
        "add": (mpmath.npdf, lambda x: mixture(x, nu)),
        "replace": (lambda x: mixture(x, nu), lambda x: mixture(x, -nu)),
    }
    p, q = laws[direction]
    return p, lambda x: mpmath.log(p(x)) - mpmath.log(q(x))


def at(cloud, t):
    """The sum of a cloud at t, without its error."""
    pairs = zip(cloud.weights, cloud.losses, strict=True)
    return sum((weight * acb(0, t * loss).exp() for weight, loss in pairs), acb(0))


def number(x):
    """An exact ball, or the middle of one, in mpmath."""
    mantissa, exponent = x.mid().man_exp()
    return mpf(int(mantissa)) * mpf(2) ** int(exponent)


def crude_grid(monkeypatch, grid):
    """Grids as they are given."""
    monkeypatch.setattr(GaussianFactor, "grid", lambda *_: grid)


def tilted(loss, s):
    """phi times the powers of the ratios of the laws of a sampled Gaussian event, for complex outcomes, too."""
    nu, q = mpmath.sqrt(real(loss.base.mu_squared)), real(loss.rate)
    up, down = {"remove": (s + 1, 0), "add": (-s, 0), "replace": (s + 1, -s)}[loss.direction]

    def ratio(x):
        return log_ratio(nu, q, x, mpmath.mp.prec)

    return lambda x: density(x, mpmath.mp.prec) * mpmath.exp(up * ratio(x) + down * ratio(-x))


@lru_cache(maxsize=None, typed=True)
def density(x, _precision):
    """phi, remembered: the quadratures for different powers look at the same outcomes."""
    return mpmath.npdf(x)


@lru_cache(maxsize=None, typed=True)
def log_ratio(nu, q, x, _precision):
    """ln(q N(nu, 1) + (1 - q) N(0, 1)) - ln(N(0, 1)) at x, remembered likewise."""
    return mpmath.log(1 - q + q * mpmath.exp(nu * x - nu * nu / 2))


def moment(loss, s):
    """M(s) of a sampled Gaussian event by quadrature, in mpmath."""
    return mpmath.quad(tilted(loss, s), [-14, -8, -4, -2, 0, 2, 4, 8, 14, 20])
