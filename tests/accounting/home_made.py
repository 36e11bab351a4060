"""Accountants made for tests, true ones and false ones, for events that are Gaussian or Poisson-sampled Gaussian."""

from fractions import Fraction

from mpmath import mp, mpf


def gaussian_delta(mu: mpf, epsilon: mpf) -> mpf:
    """Balle-Wang: Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)."""
    return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)


def gaussian_epsilon(mu: object, delta: object, digits: int = 50) -> mpf:
    """The least epsilon >= 0 of the Gaussian pair at delta, to that many digits, rounded up."""
    with mp.workdps(digits + 20):
        mu, delta = exactly(mu), exactly(delta)
        if gaussian_delta(mu, mpf(0)) <= delta:
            return mpf(0)
        low, high = mpf(0), mpf(1)
        while gaussian_delta(mu, high) > delta:
            low, high = high, 2 * high
        for _ in range(int(3.5 * digits)):
            middle = (low + high) / 2
            low, high = (middle, high) if gaussian_delta(mu, middle) > delta else (low, middle)
        return high


def exactly(x: object) -> mpf:
    """A rational number, or one of mpmath's as it is."""
    return x if isinstance(x, mpf) else mpf(Fraction(x).numerator) / Fraction(x).denominator


def fraction(x: mpf) -> Fraction:
    """The number of mpmath's as the rational number that it is."""
    sign, mantissa, exponent, _ = x._mpf_
    return (-1) ** sign * int(mantissa) * Fraction(2) ** int(exponent)


class Gaussians:
    """The protocol of accountants, exact: mu^2 of the events adds up, and epsilon comes from the closed form."""

    digits = 50

    def __init__(self) -> None:
        self.mu_squared = Fraction(0)
        self.ledger = []

    def compose(self, event, count=1):
        self.ledger.append((event, count))
        self.mu_squared += self.cost(event) * self.times(event, count)
        return self

    def cost(self, event) -> Fraction:
        return (Fraction(event.mechanism.sensitivity) / Fraction(event.mechanism.sigma)) ** 2

    def times(self, event, count) -> int:
        return event.count * count

    def true_epsilon(self, delta) -> Fraction:
        with mp.workdps(self.digits + 20):
            return fraction(gaussian_epsilon(mp.sqrt(exactly(self.mu_squared)), Fraction(delta), self.digits))

    def get_epsilon(self, delta):
        return self.true_epsilon(delta)

    def get_delta(self, epsilon):
        with mp.workdps(70):
            return fraction(gaussian_delta(mp.sqrt(exactly(self.mu_squared)), exactly(epsilon)))


class QuickGaussians(Gaussians):
    """The same to fifteen digits."""

    digits = 15
