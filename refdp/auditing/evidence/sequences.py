"""Bounds of a probability from successes counted so far, valid at any stop: confidence sequences, certified.

For k successes in n independent trials of chance p, the mean of q^k (1 - q)^(n - k) over q uniform on [0, 1], divided
by p^k (1 - p)^(n - k), is an e-process (section 2 of docs/audit_statistics.md, with two cells): over all n together it
exceeds 1 / alpha with probability at most alpha.  The p that it never refuted hold the true one.  ln of it is convex
in p with its least value at k / n, so that these p form an interval around k / n.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp, lgamma, log, log1p

from refdp.auditing.evidence.e_values import BITS, error
from refdp.numerics.elementary import ln_bounds
from refdp.numerics.enclosures import Balls, interval, log_gamma, precision
from refdp.numerics.exact import Exactly

STEPS = 60
"""Bisections in floats: they choose what is tried, and what is certified is right whatever they choose."""
SLACKS = (1e-9, 1e-6, 1e-3, 0.1, 0.5)
"""How far, relatively, from where floats see the end a number is certified; the first that can be."""


def refuted(n: int, k: int, p: Fraction, alpha: Fraction) -> bool:
    """Whether the chance p, 0 < p < 1, is refuted by k of n at error alpha, certainly."""
    with precision(BITS):
        balls = Balls(BITS)
        choices = log_gamma(Fraction(k + 1), BITS) + log_gamma(Fraction(n - k + 1), BITS)
        choices -= log_gamma(Fraction(n + 2), BITS)
        null = balls.function("ln", balls.number(p)) * k + balls.function("ln", balls.number(1 - p)) * (n - k)
        found = interval(choices - null, BITS)
    return found.lower > ln_bounds(1 / alpha, BITS)[1]


def at_least(n: int, k: int, alpha: Exactly) -> Fraction:
    """A number that is <= p at every stop, with probability >= 1 - alpha."""
    if type(n) is not int or type(k) is not int or n < 0 or not 0 <= k <= n:
        raise ValueError(f"successes must be whole, from 0 to the number of trials, got {k!r} of {n!r}")
    limit = error(alpha)
    if k == 0:
        return Fraction(0)
    near = _near(n, k, -log(limit))
    tried = (Fraction(near * (1 - slack)) for slack in SLACKS)
    return next((p for p in tried if 0 < p < 1 and refuted(n, k, p, limit)), Fraction(0))


def _near(n: int, k: int, threshold: float) -> float:
    """About the p below k / n at which ln of the e-process is the threshold."""
    choices = lgamma(k + 1) + lgamma(n - k + 1) - lgamma(n + 2)
    low, high = -800.0, log(k / n)
    for _ in range(STEPS):
        middle = (low + high) / 2
        p = exp(middle)
        rest = (n - k) * log1p(-p) if k < n else 0.0
        low, high = (middle, high) if choices - k * middle - rest > threshold else (low, middle)
    return exp(low)


def at_most(n: int, k: int, alpha: Exactly) -> Fraction:
    """A number that is >= p at every stop, with probability >= 1 - alpha."""
    return 1 - at_least(n, n - k, alpha)
