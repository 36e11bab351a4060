"""Noise scaled to a bound whose law is known by name: privacy maps in closed form, and how likely it is far out.

M(value, bound) = value + scale bound Z.  Of two inputs within growth the values are at most either bound apart, and no
bound is more than growth times the other: the laws of the outcomes are, in units of the smaller one, those of Z and of
h + c Z for some |h| <= 1 / scale and 1 <= c <= growth.  Source: NRS07 (Laplace noise), BS19 (Student's noise).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from refdp.spec import registry
from refdp.spec.bound_noise import SCALE, BoundNoise
from refdp.spec.semantics import value
from refdp.terms.term import Term, TermError, exp, ln, maximum, name, normal_tail, number, sqrt

DEGREES = name("degrees")


def require_family(m: BoundNoise, *families: str) -> None:
    """TermError unless the noise is of one of these families."""
    if m.family not in families:
        raise TermError(f"{m.stem} must be noise of the family {' or '.join(families)}")


def laplace_delta(growth: Term, epsilon: Term) -> Term:
    """The greatest P(E) - e^epsilon Q(E) over events and inputs within growth > 1, for Laplace noise.

    It is that of the widest noise and the farthest shift, beside which narrower noise stays within epsilon under
    `laplace_conditions`: (1 - 1 / growth) e^(-(epsilon + ln growth) / (growth - 1)) cosh(1 / (scale (growth - 1))).
    """
    limit, stretch = epsilon + ln(growth), growth - 1
    near, far = (exp(-(least / stretch)) for least in (limit - 1 / SCALE, limit + 1 / SCALE))
    return (1 - 1 / growth) * (near + far) / 2


def laplace_conditions(growth: Term, epsilon: Term) -> tuple[Term, ...]:
    """Bounds may differ, and narrower noise is at most e^epsilon times as dense: at equal bounds, and at the ends."""
    return 1 < growth, 1 / SCALE <= epsilon, ln(growth) + 1 / (SCALE * growth) <= epsilon


def student_loss(growth: Term) -> Term:
    """The greatest loss between inputs within growth, for Student's noise of `degrees` degrees of freedom.

    With k = (degrees + 1) / 2 and h^2 = 1 / (degrees scale^2) it is the greater of k arcosh(1 + h^2 / 2), of equal
    bounds, and k arcosh((1 + growth^2 + h^2) / (2 growth)) + (k - 1) ln growth, of the most different ones.
    """
    shift = 1 / (DEGREES * SCALE**2)
    stretched = _power() * _arcosh((1 + growth**2 + shift) / (2 * growth)) + (_power() - 1) * ln(growth)
    return maximum(_power() * _arcosh(1 + shift / 2), stretched)


def student_linear_loss(growth: Term) -> Term:
    """A bound of it: degrees ln growth + (degrees + 1) / (2 sqrt(degrees) scale)."""
    return DEGREES * ln(growth) + (DEGREES + 1) / (2 * sqrt(DEGREES) * SCALE)


def _power() -> Term:
    """Half of the degrees and one: the density falls as 1 / (1 + z^2 / degrees) to that power."""
    return (DEGREES + 1) / 2


def _arcosh(a: Term) -> Term:
    """arcosh(a), a >= 1."""
    return ln(a + sqrt(a**2 - 1))


def probability_beyond(subject: Term, x: Any, ends: tuple[Any, Any]) -> Term:
    """P[M(x) <= below or >= above] for ends below <= above; TermError where it is not known.

    Laplace's or normal noise, not rounded, beside a positive bound, or after a transformation that gives one.
    """
    if subject.operator == "chain":
        first, second = subject.arguments
        return probability_beyond(second, value(first, x), ends)
    m = registry.lookup(subject.operator, BoundNoise)
    require_family(m, "laplace", "normal")
    if m.is_rounded:
        raise TermError(f"{subject} has no density")
    below, above = ends
    if not isinstance(below, Fraction) or not isinstance(above, Fraction) or below > above:
        raise TermError(f"an interval must have ends of which none is below the first, got {below} and {above}")
    width = m.width(subject, x)
    return _tail(m.family, (x[0] - below) / width) + _tail(m.family, (above - x[0]) / width)


def _tail(family: str, z: Fraction) -> Term:
    """P[Z >= z]."""
    if family == "normal":
        return normal_tail(number(z))
    return exp(number(-z)) / 2 if z >= 0 else 1 - exp(number(z)) / 2
