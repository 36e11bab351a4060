"""delta(epsilon) of single pairs from their definitions, in mpmath: integrals, sums and formulas, no code of refdp.

To be used with the fixture `forty_digits`.
"""

from functools import cache
from math import isqrt

from mpmath import erfc, exp, log, mp, mpf, quad, sqrt

from refdp.accounting import losses


def real(x):
    """A Fraction as a number of 50 digits."""
    return mpf(x.numerator) / x.denominator


def tail(y):
    return erfc(y / sqrt(mpf(2))) / 2


def base_delta(base, x):
    """P - x Q at its greatest, for any x > 0."""
    match base:
        case losses.Normal(mu_squared=mu_squared):
            mu, e = sqrt(real(mu_squared)), log(x)
            return tail(e / mu - mu / 2) - x * tail(e / mu + mu / 2)
        case losses.Laplace(epsilon=epsilon):
            e, t = real(epsilon), log(x)
            return max(1 - x, mpf(0)) if abs(t) >= e else 1 - exp((t - e) / 2)
        case _:
            return sum(max(p - x * q, mpf(0)) for p, q, _ in laws(base))


@cache
def laws(base):
    """(P, Q, P moved the other way) of each outcome."""
    match base:
        case losses.Finite(outcomes=outcomes):
            return [(real(p), real(q), None) for p, q in outcomes]
        case losses.Response(epsilon=epsilon, delta=delta):
            e, d = real(epsilon.rational) + log(real(epsilon.argument)), real(delta)
            t = exp(e) / (1 + exp(e))
            p = [d, (1 - d) * t, (1 - d) * (1 - t), mpf(0)]
            return list(zip(p, p[::-1], p, strict=True))
        case losses.DiscreteLaplace(epsilon=epsilon, shift=shift):
            return moved(lambda k: exp(-real(epsilon) * abs(k)), shift, int(130 / epsilon))
        case losses.DiscreteGaussian(variance=variance, shift=shift):
            return moved(lambda k: exp(-mpf(k * k) / (2 * real(variance))), shift, isqrt(int(260 * variance)) + 2)


def moved(weight, shift, last):
    """Noise on the integers, moved by shift, not, and the other way."""
    total = sum(weight(k) for k in range(-last, last + 1))
    ks = range(-last - shift, last + shift + 1)
    return [(weight(k - shift) / total, weight(k) / total, weight(k + shift) / total) for k in ks]


@cache
def delta(loss, epsilon):
    """The profile of one pair at e^epsilon."""
    x = exp(real(epsilon))
    match loss:
        case losses.Sampled(base=base, rate=rate, direction="remove"):
            return removed(base, real(rate), x)
        case losses.Sampled(base=base, rate=rate, direction="add"):
            return 1 - x + x * removed(base, real(rate), 1 / x)
        case losses.Sampled(base=base, rate=rate):
            return replaced(base, real(rate), x)
        case losses.FixedSize(base=base, rate=rate):
            q = real(rate)
            other = losses.Finite(tuple((b, a) for a, b in base.outcomes)) if isinstance(base, losses.Finite) else base
            return removed(base, q, x) if x >= 1 else 1 - x + x * removed(other, q, 1 / x)
    return base_delta(loss, x)


class _Real:
    """A real number where a Fraction is expected."""

    def __init__(self, value):
        self.numerator, self.denominator = value, 1


def delta_at(loss, epsilon):
    """The profile at a real number of mpmath."""
    return delta(loss, _Real(epsilon))


def removed(base, q, x):
    """(q P + (1 - q) Q) - x Q = q (P - (x - 1 + q) / q Q)."""
    inner = (x - 1 + q) / q
    return q * base_delta(base, inner) if inner > 0 else 1 - x


def replaced(base, q, x):
    """The integral or sum of (q P + (1 - q) Q - x (q P' + (1 - q) Q))_+."""
    match base:
        case losses.Normal(mu_squared=mu_squared):
            mu = sqrt(real(mu_squared))
            return positive_part(lambda y: exp(-y * y / 2) / sqrt(2 * mp.pi), mu, q, x, [-18, -4, 0, 4, 18])
        case losses.Laplace(epsilon=epsilon):
            e = real(epsilon)
            return positive_part(lambda y: exp(-abs(y)) / 2, e, q, x, [-130, -20, -e, 0, e, 20, 130])
    return sum(max(q * p + (1 - q) * r - x * (q * s + (1 - q) * r), mpf(0)) for p, r, s in laws(base))


def positive_part(density, moved_by, q, x, points):
    """The integral from the point on at which the integrand turns positive (it does so once)."""

    def excess(y):
        return q * density(y - moved_by) - x * q * density(y + moved_by) + (1 - q) * (1 - x) * density(y)

    if excess(mpf(points[-1])) <= 0:
        return mpf(0)
    low, high = mpf(points[0]), mpf(points[-1])
    if excess(low) > 0:
        return 1 - x
    for _ in range(130):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle) > 0 else (middle, high)
    inner = [mpf(p) for p in points if p > high]
    return quad(excess, [high, *inner])
