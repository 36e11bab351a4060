"""Laws as a test sees them: by mpmath's interval arithmetic, and held against the walk of a coin-flip tree."""

from collections.abc import Callable, Hashable
from fractions import Fraction as F

from mpmath import iv
from mpmath.libmp import to_rational

from refdp.sampling.tree import PartialLaw

Enclosure = tuple[F, F]


def exp_minus(gamma: F) -> Enclosure:
    """Rationals around e^-gamma, to 300 digits; 0 and 2^-1000 where gamma is large."""
    if gamma >= 1000:
        return F(0), F(1, 2**1000)
    iv.prec = 300
    low, high = (F(*to_rational(end)) for end in iv.exp(-iv.mpf(gamma.numerator) / gamma.denominator)._mpi_)
    return low, high


def is_law(law: PartialLaw, expected: Callable[[Hashable], Enclosure]) -> bool:
    """Whether no mass walked exceeds the expected probability; it suffices, as both sum to 1 with what is open."""
    return all(mass <= expected(outcome)[1] for outcome, mass in law.masses.items())


def proportional(exponent: Callable[[int], F], support: range) -> Callable[[Hashable], Enclosure]:
    """P(k) = e^-exponent(k) / sum; what `support` leaves out must be below 2^-100 of the sum."""
    weights = {k: exp_minus(exponent(k)) for k in support}
    low, high = (sum(w[side] for w in weights.values()) for side in (0, 1))
    return lambda k: (
        (weights[k][0] / (high * (1 + F(1, 2**100))), weights[k][1] / low) if k in weights else (F(0), F(0))
    )


def geometric(rho: F) -> Callable[[Hashable], Enclosure]:
    """(1 - e^-rho) e^(-rho k) for whole k >= 0."""

    def expected(k: Hashable) -> Enclosure:
        if type(k) is not int or k < 0:
            return F(0), F(0)
        (low, high), (now_low, now_high) = exp_minus(rho), exp_minus(rho * k)
        return now_low * (1 - high), now_high * (1 - low)

    return expected


def truth_with(p: Enclosure) -> Callable[[Hashable], Enclosure]:
    """True with probability p, else False."""
    return lambda outcome: p if outcome is True else (1 - p[1], 1 - p[0]) if outcome is False else (F(0), F(0))
