"""Which exact sampler of integers draws from a mechanism, and what its integers say: one place, for every stem.

A plan has the law of the mechanism's scheme: what K is, and which output K makes of the input.  It is read off the
formulas that the claim STEM.sampler_law is about.  Inputs and outputs count units: whole multiples of `unit`.
A mechanism without a plan is drawn by its scheme alone, from the same law.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from refdp.numerics.polynomials import Monomial, NotPolynomial, Workshop
from refdp.sampling.lookup import Exponentials, Masses
from refdp.sampling.potentials import Potential, potential_of
from refdp.spec import registry
from refdp.spec.finite import FiniteLaw
from refdp.spec.noise import AdditiveNoise
from refdp.spec.samplers import (
    SCHEMES,
    BySameLaw,
    ClampedDraw,
    OrderAndFlip,
    Rejection,
    SignedGeometric,
    TruthOrOther,
    UniformRejection,
)
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, TermError, apply, substitute, term

WORK = 1000
"""Products of coefficients that reading a formula may take."""
SCORE, GAP = (("score", 1),), (("gap", 1),)
"""The monomials that are the score, and how far it is below the best."""
LARGEST_FINITE = 1000
"""Most values of a finite law that a table is made of."""


@dataclass(frozen=True, slots=True)
class Noise:
    """x + K."""

    law: Potential
    unit: Fraction

    def split(self, x: int, k: int) -> tuple[int, int]:
        """The output, as a part that is the same in every draw and one that is not: they are added."""
        return x, k


@dataclass(frozen=True, slots=True)
class Clamped:
    """x + K, clamped to lower..upper."""

    law: Potential
    unit: Fraction
    lower: int
    upper: int

    def split(self, x: int, k: int) -> tuple[int, int]:
        """The same, for x in lower..upper."""
        return x, max(self.lower - x, min(k, self.upper - x))


@dataclass(frozen=True, slots=True)
class Shifted:
    """(x + K) mod size: K = 0 with the probability of the truth, and every other value as likely as the next."""

    law: Masses
    unit = Fraction(1)

    def split(self, x: int, k: int) -> tuple[int, int]:
        """The same, for x in 0..size - 1."""
        return 0, (x + k) % self.law.size


@dataclass(frozen=True, slots=True)
class Chosen:
    """K itself: its law was made of the input, the scores."""

    law: Exponentials
    unit = Fraction(1)

    def split(self, x: int, k: int) -> tuple[int, int]:
        """The same; there is no x but in the law."""
        return 0, k


Tabled = Noise | Clamped | Shifted
"""The plans whose law is of parameters only: its table may be kept."""
Plan = Tabled | Chosen


@lru_cache(maxsize=256)
def plan_of(subject: Term) -> Tabled | None:
    """The plan of a closed mechanism, at any input; None where there is none."""
    stem = subject.operator
    if stem not in SCHEMES:
        raise TermError(f"{stem} has no sampler")
    kind = registry.kind_of(stem)
    values = registry.values(kind, subject)
    match SCHEMES[stem], kind:
        case ((SignedGeometric() | Rejection()), AdditiveNoise() as noise):
            law = _potential(noise, values)
            return None if law is None else Noise(law, values["granularity"])
        case ClampedDraw(inner), _:
            law, unit = _potential(registry.lookup(inner, AdditiveNoise), values), values["granularity"]
            ends = int(values["lower"] / unit), int(values["upper"] / unit)
            return None if law is None else Clamped(law, unit, *ends)
        case TruthOrOther(truth), FiniteLaw() as finite:
            return _shifted(Fraction(evaluate(truth.term, values)), Fraction(evaluate(finite.size.term, values)))
    return None


def _potential(noise: AdditiveNoise, values: dict[str, Fraction]) -> Potential | None:
    """Its weights as a potential, if they make one."""
    try:
        return potential_of(noise, values)
    except TermError:
        return None


def _shifted(truth: Fraction, size: Fraction) -> Shifted | None:
    """The law of the shift, if there are not too many values."""
    if size > LARGEST_FINITE or not 0 < truth < 1:
        return None
    others = int(size) - 1
    return Shifted(Masses((truth, *[(1 - truth) / others] * others)))


@dataclass(frozen=True, slots=True)
class Choice:
    """A selection by the differences of scores, times a rate > 0.

    By weights e^(rate score); or uniform among the candidates whose flips, of probability e^(-rate gap), come up, which
    is what the first of them is in an order that is as likely as any other.
    """

    rate: Fraction
    by_flips: bool


@lru_cache(maxsize=256)
def selection_of(subject: Term) -> Choice | None:
    """How the selection chooses, by its formula; None where the formula is no multiple of the score or the gap."""
    scheme = SCHEMES.get(subject.operator)
    if isinstance(scheme, BySameLaw):
        return selection_of(apply(scheme.of, *subject.arguments))
    kind = registry.kind_of(subject.operator)
    if isinstance(scheme, UniformRejection) and isinstance(kind, WeightedSelection):
        rate = _multiple(kind.log_weight.term, SCORE, subject)
        return Choice(rate, by_flips=False) if rate is not None and rate > 0 else None
    if isinstance(scheme, OrderAndFlip) and isinstance(kind, FlipSelection):
        rate = _multiple(kind.log_flip.term, GAP, subject)
        return Choice(-rate, by_flips=True) if rate is not None and rate < 0 else None
    return None


def _multiple(formula: Term, of: Monomial, subject: Term) -> Fraction | None:
    """The coefficient, where the formula is a multiple of the monomial, and, for weights, something constant."""
    values = {p: term(v) for p, v in registry.values(registry.kind_of(subject.operator), subject).items()}
    try:
        found = Workshop(WORK).polynomial(substitute(formula, values))
    except NotPolynomial:
        return None
    constant = {()} if of == SCORE else set()
    return found.get(of, Fraction(0)) if set(found) <= {of} | constant else None


def choice_of(subject: Term, scores: Sequence[Fraction]) -> Chosen | None:
    """The plan of a selection at these scores: masses proportional to e^log_weight(score); None where there is none."""
    kind = registry.kind_of(subject.operator)
    scheme = SCHEMES.get(subject.operator)
    if not isinstance(scheme, UniformRejection) or not isinstance(kind, WeightedSelection):
        return None
    if len(scores) > LARGEST_FINITE:
        return None
    values = registry.values(kind, subject)
    weights = (evaluate(kind.log_weight.at(score=term(score)), values) for score in scores)
    return Chosen(Exponentials(tuple(-Fraction(w) for w in weights)))
