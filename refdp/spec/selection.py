"""Selection: mechanisms that see a vector of scores and name one candidate in {0, ..., candidates - 1}.

`WeightedSelection` draws candidate i with probability proportional to exp(log_weight(score_i)).
`FlipSelection` goes through the candidates in random order and stops at the first whose flip, true with probability
exp(log_flip(best - score_i)), comes up: the same law as adding one-sided noise with ln P[E >= z] = log_survival(z)
to each score and naming the greatest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.distances import absolute_distance
from refdp.spec.formulas import Formula
from refdp.spec.statements import Statement, equal
from refdp.spec.tails import Tails, readings_of
from refdp.terms.evaluation import Arithmetic, evaluate
from refdp.terms.term import Term, both, name


@dataclass(frozen=True, slots=True)
class WeightedSelection:
    """Formulas of a selection with probability proportional to exp(log_weight(score))."""

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    log_weight: Formula
    privacy_map: Formula
    tails: Tails | None = None
    reserved: ClassVar[str] = "score best u v d_in candidates order delta alpha level beta"

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        return (self.log_weight, "score"), (self.privacy_map, "d_in"), *readings_of(self.tails)

    def law(self, subject: Term, scores: Sequence[Fraction], arithmetic: Arithmetic) -> dict[Any, Any]:
        """Outcome -> probability of M(scores)."""
        values = registry.values(self, subject)
        best = max(scores)
        exponents = (self._exponent(s, values) - self._exponent(best, values) for s in scores)
        weights = [arithmetic.function("exp", arithmetic.number(e)) for e in exponents]
        total = sum(weights[1:], weights[0])
        return {Fraction(i): w / total for i, w in enumerate(weights)}

    def _exponent(self, score: Fraction, values: Mapping[str, Fraction]) -> Fraction:
        """log_weight(score)."""
        return Fraction(evaluate(self.log_weight.term, {**values, "score": score}))


@dataclass(frozen=True, slots=True)
class FlipSelection:
    """Formulas of a selection by random order and flips."""

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    log_flip: Formula
    log_survival: Formula
    privacy_map: Formula
    tails: Tails | None = None
    reserved: ClassVar[str] = "gap z h d_in P S D q x candidates order delta alpha level beta"

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        own = (self.log_flip, "gap"), (self.log_survival, "z"), (self.privacy_map, "d_in")
        return *own, *readings_of(self.tails)

    def law(self, subject: Term, scores: Sequence[Fraction], arithmetic: Arithmetic) -> dict[Any, Any]:
        """Outcome -> probability of M(scores): q_i times the integral over [0, 1] of the product of 1 - x q_j."""
        values = registry.values(self, subject)
        gaps = [max(scores) - s for s in scores]
        exponents = [Fraction(evaluate(self.log_flip.term, {**values, "gap": gap})) for gap in gaps]
        q = [arithmetic.function("exp", arithmetic.number(e)) for e in exponents]
        return selected_by_flips(q, arithmetic)


def selected_by_flips(q: Sequence[Any], arithmetic: Arithmetic) -> dict[Any, Any]:
    """Candidate i -> q_i times the integral over [0, 1] of the product over the others of 1 - x q_j."""
    return {Fraction(i): q[i] * _integral([*q[:i], *q[i + 1 :]], arithmetic) for i in range(len(q))}


def _integral(others: Sequence[Any], arithmetic: Arithmetic) -> Any:
    """The integral over x in [0, 1] of the product of (1 - x q) over the others, by its coefficients."""
    zero, coefficients = arithmetic.number(Fraction(0)), [arithmetic.number(Fraction(1))]
    for q in others:
        shifted = [zero, *(-q * c for c in coefficients)]
        coefficients = [c + s for c, s in zip([*coefficients, zero], shifted, strict=True)]
    terms = [c * arithmetic.number(Fraction(1, k + 1)) for k, c in enumerate(coefficients)]
    return sum(terms[1:], terms[0])


def weighted_obligations(m: WeightedSelection) -> dict[str, Statement]:
    """Scores that move by at most d_in move a log weight by at most half the privacy map: the sum takes the rest."""
    u, v, d_in = name("u"), name("v"), name("d_in")
    show = 2 * (m.log_weight.at(score=u) - m.log_weight.at(score=v)) <= m.privacy_map.at()
    given = (*registry.hypotheses(m), absolute_distance.at(u=u, v=v) <= d_in)
    return {"weight_moves_by_half_the_map": Statement(given, show)}


def monotone_obligations(m: WeightedSelection) -> dict[str, Statement]:
    """The same, and: a greater score has no smaller weight."""
    u, v = name("u"), name("v")
    grows = m.log_weight.at(score=u) <= m.log_weight.at(score=v)
    return weighted_obligations(m) | {
        "weight_grows_with_the_score": Statement((*registry.hypotheses(m), u <= v), grows)
    }


def flip_law_obligations(m: FlipSelection) -> dict[str, Statement]:
    """The flips are those of one-sided noise without memory, and the selection's masses sum to 1.

    With P the product of the 1 - x q_j over the first n candidates, D its derivative in x and S the sum of
    q_i times the product over the others: S = -D for n candidates gives S = -D for n + 1.
    """
    gap, h, given = name("gap"), name("h"), registry.hypotheses(m)
    flip, survival = m.log_flip.at(), m.log_survival
    p, s, d, q, x = map(name, ("P", "S", "D", "q", "x"))
    more = both(equal(s * (1 - x * q) + q * p, -(d * (1 - x * q) - q * p)))
    here, there = survival.at(z=gap), survival.at(z=gap + h)
    return {
        "flip_is_a_probability": Statement((*given, 0 <= gap), both(flip <= 0, equal(m.log_flip.at(gap=0), 0))),
        "flip_is_the_survival": Statement((*given, 0 <= gap), equal(flip, here)),
        "noise_is_one_sided": Statement((*given, gap <= 0), equal(here, 0)),
        "noise_has_no_memory": Statement((*given, 0 <= gap, 0 <= h), equal(there, here + survival.at(z=h))),
        "masses_telescope": Statement((equal(s, -d),), more),
    }


def flip_privacy_obligations(m: FlipSelection) -> dict[str, Statement]:
    """The law obligations, and: 2 d_in more noise is at most e^map rarer; survival falls."""
    z, h, d_in, given = name("z"), name("h"), name("d_in"), registry.hypotheses(m)
    survival = m.log_survival
    shift = survival.at() <= survival.at(z=z + 2 * d_in) + m.privacy_map.at()
    return flip_law_obligations(m) | {
        "survival_falls": Statement((*given, 0 <= h), survival.at(z=z + h) <= survival.at()),
        "shift_is_bounded": Statement((*given, 0 <= d_in), shift),
    }
