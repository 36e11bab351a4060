"""How much denser one output is under one input than under another; and densities as somebody wrote them down.

Subjects with an exact log ratio of densities: noise on the reals, alone, after transformations, or on each coordinate;
level noise; and `with_its_value(M)`, the winner of a noisy maximum M together with its noisy score, or the first answer
above a threshold together with its noisy value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.above_threshold import AboveThreshold, complete
from refdp.spec.bound_noise import BoundNoise
from refdp.spec.domains import contains, domain
from refdp.spec.formulas import Formula
from refdp.spec.level_noise import LevelNoise
from refdp.spec.noise import AdditiveNoise
from refdp.spec.noisy_max import NoisyMax
from refdp.spec.perturbed_objectives import PerturbedObjective
from refdp.spec.semantics import value
from refdp.terms.term import Term, TermError, names, substitute, subterms

CONTINUOUS = frozenset({"number", "name", "+", "-", "*", "/", "**", "negate", "abs", "min", "max"})
"""Operators that make continuous functions of continuous ones, if no denominator varies."""


@dataclass(frozen=True, slots=True)
class StatedDensity:
    """A density on the reals as somebody wrote it down, exp(log_weight(z)) / normaliser: that it is one is a claim."""

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    log_weight: Formula
    normaliser: Formula
    reserved: ClassVar[str] = "z"

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        return (self.log_weight, "z"), (self.normaliser, "")


def log_ratio(subject: Term, output: Any, a: Any, b: Any) -> Fraction | Term | None:
    """ln(p(output) / q(output)) for the densities p, q of M(a), M(b), both continuous there; None if q is 0 around it.

    A term without names where it is irrational.  TermError where it is not known exactly.
    """
    if isinstance(kind := registered(subject), BoundNoise | PerturbedObjective):
        return kind.log_ratio(subject, output, a, b)
    match subject.operator, subject.arguments:
        case "chain", (first, second):
            return log_ratio(second, output, value(first, a), value(first, b))
        case "coordinatewise", (noise, dimension):
            _require_members(domain("vector", _domain(noise), dimension), output, a, b)
            pairs = zip(output, a, b, strict=True)
            return sum((noise_ratio(noise, y, u, v) for y, u, v in pairs), Fraction(0))
        case "with_its_value", (winner,):
            return value_ratio(winner, output, a, b)
    _require_members(_domain(subject), output, a, b)
    return noise_ratio(subject, output, a, b)


def registered(subject: Term) -> registry.Kind | None:
    """The kind of a registered thing; None of what is made of others."""
    return registry.kind_of(subject.operator) if subject.operator in registry.stems() else None


def noise_ratio(subject: Term, output: Fraction, a: Fraction, b: Fraction) -> Fraction:
    """The same for one noise on the reals, whose normaliser cancels."""
    match registry.kind_of(subject.operator):
        case AdditiveNoise(on_grid=False) as m:
            require_continuous(m.log_weight, "z")
            return m.loss(subject, output, a, b)
        case LevelNoise() as m if m.is_inside(subject, output - a) and m.is_inside(subject, output - b):
            return m.log_weight(subject, output - a) - m.log_weight(subject, output - b)
    raise TermError(f"the density of {subject} at {output} has no exact ratio")


def require_continuous(f: Formula, variable: str) -> None:
    """The formula is continuous in the variable by its shape: no indicator, no denominator that reads it."""
    for t in subterms(f.term):
        divides = t.operator == "/" and variable in names(t.arguments[1])
        if t.operator not in CONTINUOUS or divides:
            raise TermError(f"{f.name} is not continuous in {variable} by its shape: {t}")


def value_ratio(winner: Term, output: Any, a: Any, b: Any) -> Fraction | None:
    """The same for the winner i of a noisy maximum with its noisy score v, where all factors are powers of e.

    Laplace noise, v below all scores: candidate i has the density of the noise at v - s_i, each other one is below v
    with probability e^((v - s_j) / scale) / 2.  Exponential noise, v between the best scores: M(b) is never there.
    """
    above = registry.kind_of(winner.operator)
    if isinstance(above, AboveThreshold):
        return first_above_ratio(above, winner, output, a, b)
    kind = registry.lookup(winner.operator, NoisyMax)
    scale = kind.closed_scale(winner)
    if not isinstance(output, tuple) or len(output) != 2 or not isinstance(a, tuple) or not isinstance(b, tuple):
        raise TermError(f"an outcome must be tuple_of(candidate, value), got {output}")
    i, v = output
    scores = (*a, *b)
    if not all(isinstance(x, Fraction) for x in (i, v, *scores)) or len(a) != len(b) or i not in range(len(a)):
        raise TermError(f"{output} is not an outcome of {winner} with its value")
    if kind.noise == "laplace" and v < min(scores):
        return Fraction(sum(b) - sum(a)) / scale
    if kind.noise == "exponential" and max(a) < v < max(b):
        return None
    raise TermError(f"the density of {winner} with its value at {v} has no exact ratio")


def first_above_ratio(kind: AboveThreshold, subject: Term, output: Any, a: Any, b: Any) -> Fraction:
    """The same for the first answer i above a threshold with its noisy value v, one being looked for.

    Laplace noise, v below threshold and answers: the density is an integral over noisy thresholds t <= v, of e^(t / r),
    times e^((t - q_j) / s) / 2 for each answer j before i, times e^((v - q_i) / s) / (2 s), up to a constant.
    """
    _, answer_scale, _, _ = complete(kind)
    values = registry.values(kind, subject)
    if not isinstance(output, tuple) or len(output) != 2 or not isinstance(a, tuple) or not isinstance(b, tuple):
        raise TermError(f"an outcome must be tuple_of(place, value), got {output}")
    i, v = output
    answers = (*a, *b)
    if not all(isinstance(x, Fraction) for x in (i, v, *answers)) or len(a) != len(b) or i not in range(len(a)):
        raise TermError(f"{output} is not an outcome of {subject} with its value")
    if kind.on_grid or values["positives"] != 1 or v >= min((*answers, values["threshold"])):
        raise TermError(f"the density of {subject} with its value at {v} has no exact ratio")
    seen = int(i) + 1
    return Fraction(sum(b[:seen]) - sum(a[:seen])) / registry.evaluated(answer_scale, values)


def _domain(subject: Term) -> Term:
    """The set that inputs and outputs of a noise range over."""
    kind = registry.kind_of(subject.operator)
    if not isinstance(kind, AdditiveNoise | LevelNoise):
        raise TermError(f"{kind.stem} is not noise")
    return substitute(kind.domain, registry.bound(kind, subject))


def _require_members(d: Term, *points: Any) -> None:
    """The points are members of the domain."""
    outside = [x for x in points if not contains(d, x)]
    if outside:
        raise TermError(f"{outside[0]} is not a member of {d}")
