"""Distances between losses: whether they are whole multiples of one number is decided exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.accounting.balls import real
from refdp.accounting.losses import Sampled
from refdp.numerics.enclosures import precision
from refdp.numerics.exact import ExactReal

LARGEST_DENOMINATOR = 1000
"""Ratios of logarithms are looked for among fractions with denominators up to this."""
LONGEST_POWER = 1_000_000
"""Longest power that is worked out to compare logarithms, in binary digits."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The distance of the two losses of a sampled response: no multiple of any other."""

    loss: Sampled


Spacing = ExactReal | Gap
"""A distance > 0 between losses."""


def common_step(spacings: list[Spacing]) -> Spacing | None:
    """The greatest number of which each spacing is found to be a whole multiple; None if none is found.

    >>> str(common_step([ExactReal(argument=Fraction(4)), ExactReal(argument=Fraction(8))]))
    'ln(2)'
    """
    found: Spacing | None = spacings[0]
    for spacing in spacings[1:]:
        found = common_part(spacing, found) if found is not None else None
    return found


def common_part(a: Spacing, b: Spacing) -> Spacing | None:
    """The greatest number of which a and b are whole multiples; None if none is found (Lemma 3.1)."""
    r = ratio(a, b)
    if r is None or isinstance(a, Gap) or isinstance(b, Gap):
        return b if r == 1 else None
    q = r.denominator
    u = pow(r.numerator, -1, q)  # b / q = u a + v b with u p + v q = 1, r = p / q
    v = (1 - u * r.numerator) // q
    return ExactReal(u * a.rational + v * b.rational, a.argument**u * b.argument**v)


def ratio(a: Spacing, b: Spacing) -> Fraction | None:
    """The rational r with a = r b, or None if none is found (Lemma 3.1)."""
    if isinstance(a, Gap) or isinstance(b, Gap):
        return Fraction(1) if a == b else None
    if b.rational != 0:
        found = a.rational / b.rational
    else:
        with precision(128 + b.argument.denominator.bit_length()):  # a guess, which is verified below
            found = Fraction(float(real(a) / real(b))).limit_denominator(LARGEST_DENOMINATOR)
    return found if is_multiple(a, found, b) else None


def is_multiple(a: ExactReal, r: Fraction, b: ExactReal) -> bool:
    """Whether a = r b: its rational part is r times that of b, its argument the r-th power; False if too long."""
    if a.rational != r * b.rational:
        return False
    lengths = [max(x.argument.numerator, x.argument.denominator).bit_length() - 1 for x in (a, b)]
    if lengths[0] * r.denominator > LONGEST_POWER or lengths[1] * abs(r.numerator) > LONGEST_POWER:
        return False
    return a.argument == b.argument == 1 or a.argument**r.denominator == b.argument**r.numerator


def multiple(spacing: Spacing, step: Spacing) -> int:
    """The whole number of steps in the spacing, for the `common_step` of spacings of which it is one."""
    found = ratio(spacing, step)
    if found is None or found.denominator != 1:
        raise ValueError(f"{spacing} must be a whole multiple of {step}")
    return found.numerator
