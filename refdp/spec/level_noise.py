"""Level noise: M(x) = x + Z with a density of steps, which falls by one factor from each level of |Z| to the next.

Level k is where k width <= |z| < (k + 1) width, k whole; its part before k width + inner has the density of height k,
the rest that of height k + 1.  A formula has no floor: the obligations speak of every whole k that is the level.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from refdp.spec import registry
from refdp.spec.distances import absolute_distance
from refdp.spec.domains import domain
from refdp.spec.formulas import Formula
from refdp.spec.statements import Statement, equal
from refdp.terms.term import Term, both, indicator, name


@dataclass(frozen=True, slots=True)
class LevelNoise:
    """Formulas of a noise by levels; inputs at most one width apart have loss at most `privacy_map`.

    log_height(height): ln of the density on the steps of that height, up to a constant; normaliser: the integral of
    exp(log_height), in terms of `ratio` = exp(log_height(1)).
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    width: Formula
    inner: Formula
    log_height: Formula
    privacy_map: Formula
    normaliser: Formula
    reserved: ClassVar[str] = "height ratio k j p q d_in order delta"

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        plain = ((f, "") for f in (self.width, self.inner, self.privacy_map))
        return (*plain, (self.log_height, "height"), (self.normaliser, "ratio"))

    @property
    def domain(self) -> Term:
        """The set that inputs and outputs range over."""
        return domain("reals")

    def log_weight(self, subject: Term, z: Fraction) -> Fraction:
        """ln of the density at z, up to a constant, exactly."""
        values = registry.values(self, subject)
        level, beyond = self._place(values, z)
        return registry.evaluated(self.log_height, {**values, "height": level + int(beyond >= 0)})

    def is_inside(self, subject: Term, z: Fraction) -> bool:
        """Whether z lies strictly inside a step, so that the density is constant around it."""
        values = registry.values(self, subject)
        level, beyond = self._place(values, z)
        return beyond != 0 and level * registry.evaluated(self.width, values) != abs(z)

    def _place(self, values: Mapping[str, Fraction], z: Fraction) -> tuple[Fraction, Fraction]:
        """The level of z, and how far |z| is beyond the break of that level."""
        width = registry.evaluated(self.width, values)
        level = abs(z) // width
        return Fraction(level), abs(z) - level * width - registry.evaluated(self.inner, values)


def height_of(m: LevelNoise, level: Term, rest: Term) -> Term:
    """The height of the step on which z lies if |z| = level width + rest and 0 <= rest < width."""
    return level + indicator(m.inner.at() <= rest)


def law_obligations(m: LevelNoise) -> dict[str, Statement]:
    """Levels have a width, the break lies in them, heights fall by one factor, and the sum over them is the normaliser.

    Both parts of the levels k = 0, 1, 2, ..., on both sides of 0, hold 2 ratio^k (inner + (width - inner) ratio).
    """
    k, ratio, given = name("k"), name("ratio"), registry.hypotheses(m)
    width, inner, one = m.width.at(), m.inner.at(), m.log_height.at(height=1)
    geometric = both(equal(m.log_height.at(height=k), k * one), one < 0)
    total = 2 * (inner + (width - inner) * ratio)
    closed = equal(m.normaliser.at() * (1 - ratio), total)
    return {
        "levels_have_a_break": Statement(given, both(0 < width, 0 <= inner, inner <= width)),
        "heights_are_geometric": Statement(given, geometric),
        "sum_of_levels_is_the_normaliser": Statement((*given, 0 < ratio, ratio < 1), closed),
    }


def privacy_obligations(m: LevelNoise) -> dict[str, Statement]:
    """The law obligations, and: outputs at most one width apart differ by at most the map, whatever their levels.

    The one is k width + p away from its input, the other j width + q, with k and j whole and 0 <= p, q < width.
    """
    k, j, p, q = map(name, ("k", "j", "p", "q"))
    width, at = m.width.at(), m.log_height.at
    rests = tuple(part for rest in (p, q) for part in (0 <= rest, rest < width))
    apart = absolute_distance.at(u=k * width + p, v=j * width + q) <= width
    show = at(height=height_of(m, k, p)) - at(height=height_of(m, j, q)) <= m.privacy_map.at()
    given = (*registry.hypotheses(m), 0 <= k, 0 <= j, *rests, apart)
    return law_obligations(m) | {"loss_is_bounded": Statement(given, show, frozenset({"k", "j"}))}
