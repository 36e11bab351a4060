"""Regions on which the classical Gaussian theorem is proved, and the inequalities that it comes down to there.

The theorem: sigma = d_in c / epsilon with c = sqrt(2 ln(constant / delta)) gives (epsilon, delta)-DP.  The exact delta
is Q(c - epsilon / (2 c)) - e^epsilon Q(c + epsilon / (2 c)), Q the normal tail, to be compared with
constant e^(-c^2 / 2) = delta.  Source: DR14 Thm A.1 (constant 5/4, epsilon < 1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp.spec.statements import Statement
from refdp.terms.term import Term, TermError, both, exp, ln, name, normal_tail, number, pi, sqrt

STEM = "classical"
"""The named statements that the inequalities are."""


@dataclass(frozen=True, slots=True)
class Region:
    """0 < epsilon <= largest_epsilon, 0 < delta <= largest_delta; `cut` divides the values of c, absent where

    the elementary bound Q(a) <= e^(-a^2 / 2) / 2 suffices.
    """

    constant: Fraction
    largest_epsilon: Term
    largest_delta: Fraction
    cut: Fraction | None = None


REGIONS: Mapping[str, Region] = {
    "elementary": Region(Fraction(5, 4), 2 * ln(number(Fraction(5, 2))), Fraction(1, 2)),
    "half": Region(Fraction(5, 4), number(Fraction(893, 200)), Fraction(1, 2), Fraction(3)),
    "small_delta": Region(Fraction(5, 4), number(8), Fraction(1, 10**5), Fraction(6)),
    "every_delta": Region(Fraction(5, 4), number(Fraction(757, 200)), Fraction(1), Fraction(3)),
    "constant_6_5": Region(Fraction(6, 5), number(Fraction(7, 4)), Fraction(1, 2)),
}
"""By name; largest_delta < constant, so that c > 0."""


def region(key: str) -> Region:
    """The region of that name; TermError if there is none."""
    if key not in REGIONS:
        raise TermError(f"region must be one of {', '.join(REGIONS)}, got {key}")
    return REGIONS[key]


def calibration(constant: Fraction) -> Term:
    """The sigma of the theorem: d_in sqrt(2 ln(constant / delta)) / epsilon."""
    return name("d_in") * sqrt(2 * ln(constant / name("delta"))) / name("epsilon")


def inequalities(key: str) -> dict[str, Statement]:
    """What must hold for the theorem on that region, by name, in order."""
    r = region(key)
    return {f"elementary.{key}": elementary(r)} if r.cut is None else body_and_tail(key, r, r.cut)


def elementary(r: Region) -> Statement:
    """e^(largest_epsilon / 2) <= 2 constant, and a = c - epsilon / (2 c) >= 0 on the region."""
    half = exp(r.largest_epsilon / 2) <= number(2 * r.constant)
    return Statement((), both(half, r.largest_epsilon <= 4 * ln(number(r.constant / r.largest_delta))))


def body_and_tail(key: str, r: Region, cut: Fraction) -> dict[str, Statement]:
    """The comparison itself for c up to the cut; beyond it a bound of a from below, and what then suffices."""
    c, epsilon = name("c"), name("epsilon")
    least = sqrt(2 * ln(number(r.constant / r.largest_delta)))
    delta = normal_tail(c - epsilon / (2 * c)) - exp(epsilon) * normal_tail(c + epsilon / (2 * c))
    claim = exp(c**2 / 2) * delta <= number(r.constant)
    beyond = cut - r.largest_epsilon / (2 * cut)
    return {
        f"body.{key}": Statement((0 < epsilon, epsilon <= r.largest_epsilon, least <= c, c <= number(cut)), claim),
        f"rise.{key}": Statement(
            (0 < epsilon, epsilon <= r.largest_epsilon, number(cut) <= c), beyond <= c - epsilon / (2 * c)
        ),
        f"tail.{key}": Statement(
            (),
            both(
                0 < beyond,
                exp(r.largest_epsilon / 2) * r.largest_epsilon <= r.constant * sqrt(2 * pi()) * cut * (1 + beyond**2),
            ),
        ),
    }
