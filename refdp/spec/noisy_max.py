"""Noisy maximum: M(s) adds independent noise to each score and names the candidate with the greatest.

The noise is one of the shapes below, at a scale that the mechanism gives; t = z / scale:
    exponential   P[E >= z] = e^-t for z >= 0, and E >= 0
    laplace       density e^-|t| / (2 scale)
    gumbel        P[E <= z] = exp(-e^-t)
Two candidates are equal with probability 0.  `with_its_value(M)` gives out the winner's noisy score too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.formulas import Formula
from refdp.spec.laplace_race import won_with_laplace
from refdp.spec.selection import FlipSelection, WeightedSelection, selected_by_flips
from refdp.spec.statements import Statement, equal
from refdp.terms.evaluation import Arithmetic
from refdp.terms.term import Term, TermError, apply, exp, indicator, name

SHAPES = ("exponential", "laplace", "gumbel")


@dataclass(frozen=True, slots=True)
class NoisyMax:
    """Formulas of a noisy maximum; `privacy_map(d_in)` is absent where privacy comes from `same_law_as` alone.

    same_law_as: the stem of a selection that is claimed to have the same law, or nothing.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    noise: str
    scale: Formula
    privacy_map: Formula | None = None
    same_law_as: str = ""
    reserved: ClassVar[str] = "z h u v gap W d_in candidates order delta"

    def __post_init__(self) -> None:
        if self.noise not in SHAPES:
            raise TermError(f"noise must be one of {', '.join(SHAPES)}, got {self.noise}")

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        return ((self.scale, ""),) if self.privacy_map is None else ((self.scale, ""), (self.privacy_map, "d_in"))

    def law(self, subject: Term, scores: Sequence[Fraction], arithmetic: Arithmetic) -> dict[Any, Any]:
        """Outcome -> probability of M(scores)."""
        scale = self.closed_scale(subject)
        weights = [arithmetic.function("exp", arithmetic.number((s - max(scores)) / scale)) for s in scores]
        if self.noise == "exponential":
            return selected_by_flips(weights, arithmetic)
        if self.noise == "gumbel":
            total = sum(weights[1:], weights[0])
            return {Fraction(i): w / total for i, w in enumerate(weights)}
        return {
            Fraction(i): won_with_laplace([(s - t) / scale for j, t in enumerate(scores) if j != i], arithmetic)
            for i, s in enumerate(scores)
        }

    def closed_scale(self, subject: Term) -> Fraction:
        """The scale of the closed subject; TermError unless it is > 0."""
        found = registry.evaluated(self.scale, registry.values(self, subject))
        if found <= 0:
            raise TermError(f"the scale of the noise must be > 0, got {found}")
        return found

    def log_density(self, z: Term) -> Term:
        """ln of the density of the noise at z, up to a constant; for exponential noise where z >= 0."""
        if self.noise == "gumbel":
            raise TermError(f"{self.stem} has no privacy map of its own")
        return -(z if self.noise == "exponential" else abs(z)) / self.scale.at()


def law_obligations(m: NoisyMax) -> dict[str, Statement]:
    """The noise exists."""
    return {"scale_is_positive": Statement(registry.hypotheses(m), 0 < m.scale.at())}


def privacy_obligations(m: NoisyMax) -> dict[str, Statement]:
    """The law obligations, and: the density falls by at most e^map over any shift of at most 2 d_in."""
    if m.privacy_map is None:
        raise TermError(f"{m.stem} has no privacy map of its own")
    z, h, d_in = name("z"), name("h"), name("d_in")
    side = (0 <= z,) if m.noise == "exponential" else ()
    given = (*registry.hypotheses(m), 0 <= d_in, 0 <= h, h <= 2 * d_in, *side)
    show = m.log_density(z) - m.log_density(z + h) <= m.privacy_map.at()
    return law_obligations(m) | {"density_moves_by_the_map": Statement(given, show)}


def same_law_obligations(m: NoisyMax) -> dict[str, Statement]:
    """The law obligations, and what makes the law that of the selection `same_law_as`."""
    other, given = same_law_as(m), registry.hypotheses(m)
    u, v, z, gap, w = map(name, ("u", "v", "z", "gap", "W"))
    if isinstance(other, FlipSelection):
        show = equal(other.log_flip.at(), -gap / m.scale.at())
        return law_obligations(m) | {"flips_are_the_survival": Statement((*given, 0 <= gap), show)}
    shift = other.log_weight.at(score=v) - other.log_weight.at(score=u)
    integral = apply("integral", indicator(0 <= z) * exp(-(w * z)), z)
    return law_obligations(m) | {
        "weights_are_the_shifts": Statement(given, equal(shift, (v - u) / m.scale.at())),
        "integral_over_the_winner": Statement((0 < w,), equal(integral, 1 / w)),
    }


def same_law_as(m: NoisyMax) -> FlipSelection | WeightedSelection:
    """The selection that is claimed to have the same law; TermError unless parameters and conditions are the same."""
    other = registry.kind_of(m.same_law_as) if m.same_law_as else None
    fitting = {"exponential": FlipSelection, "gumbel": WeightedSelection}.get(m.noise)
    if fitting is None or not isinstance(other, FlipSelection | WeightedSelection) or type(other) is not fitting:
        raise TermError(f"{m.stem} has not the law of {m.same_law_as or 'any selection'}")
    if (other.parameters, other.conditions) != (m.parameters, m.conditions):
        raise TermError(f"{m.stem} and {other.stem} must have the same parameters and conditions")
    return other
