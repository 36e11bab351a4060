"""Probabilities of ranges of integers under the samplers' laws, to 50 digits by mpmath; nothing of refdp runs here."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction as F
from functools import lru_cache
from itertools import accumulate, pairwise
from math import inf

from mpmath import erf, exp, fsum, mpf, pi, sqrt, workdps

DIGITS = 50
FAR = 120
"""Weights below e^-120 are left out of sums: 10^-52."""
LONG = 10**6
"""Sums over more integers than this are worked out by Euler and Maclaurin's formula."""
Number = int | float


def real(x: F) -> mpf:
    return mpf(x.numerator) / x.denominator


@dataclass(frozen=True)
class Weights:
    """P(k) proportional to e^-q(k), q(k) = c_1 |k| + c_2 |k|^2 + ...; on k >= 0 only unless `two_sided`."""

    coefficients: tuple[F, ...]
    two_sided: bool = True

    def q(self, n: int) -> F:
        return sum((c * n**i for i, c in enumerate(self.coefficients, 1)), F(0))

    def reach(self, level: F) -> int:
        """The least n with q(n) >= level."""
        return least(self, level)

    def mass(self, a: Number, b: Number) -> mpf:
        """P(a <= k < b), up to 10^-45."""
        with workdps(DIGITS):
            return max(mpf(0), below(self, b) - below(self, a)) / (below(self, inf) - below(self, -inf))

    def edges(self, levels: list[F]) -> list[int]:
        """0, 1, and where q reaches the levels, on both sides: cells lie between them, and beyond the ends."""
        right = sorted({0, 1, *(self.reach(level) for level in levels)})
        return sorted({*right, *(1 - e for e in right)}) if self.two_sided else right[1:]

    def wider(self, factor: F) -> "Weights":
        """The law of a scale that is `factor` times as large."""
        return Weights(tuple(c / factor**i for i, c in enumerate(self.coefficients, 1)), self.two_sided)


@lru_cache(maxsize=1 << 14)
def least(law: Weights, level: F) -> int:
    """The least n with q(n) >= level."""
    low, high = 0, 1
    while law.q(high) < level:
        high *= 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if law.q(middle) >= level else (middle + 1, high)
    return low


@lru_cache(maxsize=1 << 16)
def below(law: Weights, a: Number) -> mpf:
    """The weights of 0 <= k < a, or, where a < 0, those of a <= k < 0 with a minus sign."""
    end = law.reach(F(FAR)) + 1
    if a >= 0:
        return upward(law, int(min(a, end)))
    return upward(law, 1) - upward(law, min(int(1 - max(a, -end)), end)) if law.two_sided else mpf(0)


def upward(law: Weights, n: int) -> mpf:
    """The weights of 0..n - 1."""
    rate, *others = law.coefficients
    with workdps(DIGITS + 10):
        if not any(others):  # a geometric series
            return (1 - exp(-real(law.q(n)))) / (1 - exp(-real(rate)))
        if law.reach(F(1)) > LONG and rate == 0 and len(others) == 1:
            return smooth(real(others[0]), n)
    return known(law)[n]


def smooth(c: mpf, n: int) -> mpf:
    """The same for q(k) = c k^2 with tiny c, by Euler and Maclaurin, whose rest is 10^-35 of all."""
    here = exp(-c * n**2)
    return sqrt(pi / c) / 2 * erf(sqrt(c) * n) + (1 - here) / 2 - c * n * here / 6


@lru_cache(maxsize=8)
def known(law: Weights) -> list[mpf]:
    """The sums of the weights of 0..n - 1, for n = 0, 1, ... up to `FAR`."""
    with workdps(DIGITS + 10):
        return list(accumulate((exp(-real(law.q(n))) for n in range(law.reach(F(FAR)) + 1)), initial=mpf(0)))


def cells(mass: Callable[[Number, Number], mpf], edges: list[int]) -> list[mpf]:
    """The probabilities of the cells that `edges` make: below the first, between two, from the last on."""
    return [mass(a, b) for a, b in pairwise([-inf, *edges, inf])]


def finite_masses(masses: list[F], exponents: list[F]) -> list[mpf]:
    """P(k), from masses or from exponents."""
    with workdps(DIGITS):
        weights = [real(m) for m in masses] or [exp(real(min(exponents) - q)) for q in exponents]
        total = fsum(weights)
        return [w / total for w in weights]
