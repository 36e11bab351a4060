"""Accountants, right and wrong, of one Laplace mechanism of scale 1 / epsilon0, of Gaussian noise, and of zCDP."""

import math
import sys
import time

REAL = 1e-6
"""What "a little" is here."""


def laplace(x):
    """epsilon of Laplace noise of scale 1 at delta: delta(e) = 1 - exp((e - 1) / 2), rounded up twice."""
    return up(up(1 + 2 * math.log1p(-x[-1])))


def up(a):
    return math.nextafter(a, math.inf)


def low(x):
    return laplace(x) * (1 - REAL)


def an_ulp_low(x):
    """Below the truth by rounding alone: for delta = 1/2 and 3/4 the nearest floats are 2 ulps or less from it."""
    return math.nextafter(math.nextafter(math.nextafter(math.nextafter(laplace(x), 0), 0), 0), 0)


def loose(x):
    return 2 * laplace(x)


def interval(x):
    return laplace(x) * (1 - REAL), laplace(x)


def high_below(x):
    return laplace(x) * (1 + REAL), 3.0


def delta(x):
    """delta of the same at epsilon."""
    return up(up(up(-math.expm1((x[-1] - 1) / 2))))


def delta_low(x):
    return delta(x) * (1 - REAL)


def gaussian(x):
    """delta of Gaussian noise (sigma, epsilon), in floats: right but for rounding."""
    sigma, epsilon = x
    tails = [math.erfc((epsilon * sigma + s / (2 * sigma)) / math.sqrt(2)) / 2 for s in (-1, 1)]
    return tails[0] - math.exp(epsilon) * tails[1]


def simple(x):
    """Any composition of pure mechanisms (epsilon, count): their sum."""
    return x[0] * x[1]


def rising(x):
    """Less noise costs less here."""
    return 100.0 + x[0]


def conversion(x):
    """The (epsilon, delta) of rho-zCDP (rho, epsilon) at one order that is near the best one."""
    rho, epsilon = x
    a = max(1.01, (1 + epsilon / rho) / 2)
    return math.exp((a - 1) * (a * rho - epsilon) + a * math.log1p(-1 / a)) / (a - 1)


def conversion_low(x):
    return 0.5 * conversion(x)


def concentrated(x):
    """The epsilon of rho-zCDP (rho, delta), rounded up, at the best of the orders 1 + e^y, where it falls and rises."""
    rho, delta = x

    def at(y):
        rest = math.exp(y)
        return (1 + rest) * rho + (-math.log(delta) - math.log1p(rest)) / rest - math.log1p(math.exp(-y))

    low, high = -40.0, 40.0
    for _ in range(200):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if at(left) < at(right) else (left, high)
    return at(low) * (1 + 1e-12)


def concentrated_low(x):
    return concentrated(x) * (1 - REAL)


def sometimes(x):
    """Raises for all deltas but one."""
    if x[-1] != 0.25:
        raise ValueError("no theorem for this delta")
    return low(x)


def raises(x):
    raise ValueError("no theorem")


def nothing(x):
    return math.nan


def infinite(x):
    return math.inf


def words(x):
    return "0.5"


def late(x):
    time.sleep(60)


def stops(x):
    sys.exit(3)
