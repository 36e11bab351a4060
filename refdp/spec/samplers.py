"""Sampling schemes: how a draw is made from coin flips, as formulas, and when its law is the mechanism's own.

`refdp.sampling.schemes` runs these schemes; the obligations tie the formulas that are run to the formulas that the
privacy claims are about.  Flips are independent and fair; `calls` are the primitives whose laws a scheme rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import ClassVar

from refdp.spec import registry
from refdp.spec.above_threshold import AboveThreshold
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.bitwise import law_obligations as bitwise_law_obligations
from refdp.spec.bound_noise import BoundNoise
from refdp.spec.bound_noise import sampler_obligations as bound_noise_obligations
from refdp.spec.clamped import ClampedGeometric, law_obligations
from refdp.spec.finite import FiniteLaw, whole_parameters
from refdp.spec.formulas import Formula, require_whole
from refdp.spec.noise import AdditiveNoise
from refdp.spec.noisy_max import NoisyMax, same_law_obligations
from refdp.spec.perturbed_objectives import PerturbedObjective
from refdp.spec.perturbed_objectives import sampler_obligations as objective_obligations
from refdp.spec.primitives import Primitive, primitive_obligations
from refdp.spec.rates import BitOfRate
from refdp.spec.rates import law_obligations as rate_obligations
from refdp.spec.selection import FlipSelection, WeightedSelection, flip_law_obligations
from refdp.spec.statements import Statement, equal
from refdp.spec.supported import SupportedLaw
from refdp.spec.supported import law_obligations as supported_law_obligations
from refdp.spec.unknown_keys import ThresholdedCounts
from refdp.spec.unknown_keys import law_obligations as unknown_keys_obligations
from refdp.terms.term import Term, TermError, apply, both, indicator, name, substitute


@dataclass(frozen=True, slots=True)
class SignedGeometric:
    """x + granularity (+-K): K >= 0 geometric with ln(P[K = k + 1] / P[K = k]) = -rate, a fair sign, no minus zero."""

    rate: Formula
    calls: ClassVar[tuple[str, ...]] = ("geometric_exp", "bernoulli")
    readings: ClassVar[Mapping[str, str]] = {"rate": ""}
    """What each formula of a scheme may read besides the parameters; anything else an obligation would bind."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """x + a draw z of the proposal noise, accepted with probability exp(log_acceptance(z)), else drawn anew.

    The proposal has the parameter `scale`, called proposal_scale in the formulas: any positive number that
    `choose_scale` picks will do.  `log_constant` is the log of the ratio of the weights.
    """

    proposal: str
    log_acceptance: Formula
    log_constant: Formula
    choose_scale: Callable[[Mapping[str, Fraction]], Fraction]
    calls: ClassVar[tuple[str, ...]] = (*SignedGeometric.calls, "bernoulli_exp")
    readings: ClassVar[Mapping[str, str]] = {"log_acceptance": "z proposal_scale", "log_constant": "proposal_scale"}


@dataclass(frozen=True, slots=True)
class ClampedDraw:
    """clamp(x + z, lower, upper) for a draw z of the noise `inner`, whose parameters are among the mechanism's."""

    inner: str
    calls: ClassVar[tuple[str, ...]] = SignedGeometric.calls
    readings: ClassVar[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class TruthOrOther:
    """The input with probability `truth`, else one of the other values, each as likely."""

    truth: Formula
    calls: ClassVar[tuple[str, ...]] = ("bernoulli", "uniform")
    readings: ClassVar[Mapping[str, str]] = {"truth": ""}


@dataclass(frozen=True, slots=True)
class UniformRejection:
    """A uniform candidate, accepted with probability exp(log_acceptance(score, best)), else drawn anew."""

    log_acceptance: Formula
    calls: ClassVar[tuple[str, ...]] = ("uniform", "bernoulli_exp")
    readings: ClassVar[Mapping[str, str]] = {"log_acceptance": "score best"}


@dataclass(frozen=True, slots=True)
class OrderAndFlip:
    """The candidates in uniform random order; the first whose flip of probability exp(log_flip(gap)) comes up."""

    calls: ClassVar[tuple[str, ...]] = ("permutation", "bernoulli_exp")
    readings: ClassVar[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class BitByBit:
    """A coin for each bit that is sent, of the probability that the input gives it."""

    calls: ClassVar[tuple[str, ...]] = ("permutation", "bernoulli")
    readings: ClassVar[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class SupportFirst:
    """A coin says whether the report supports the input; then each such report is as likely as the next."""

    calls: ClassVar[tuple[str, ...]] = ("bernoulli", "uniform", "permutation")
    readings: ClassVar[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class CoinOfRate:
    """A coin of the input's rate."""

    calls: ClassVar[tuple[str, ...]] = ("bernoulli",)
    readings: ClassVar[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class ThresholdFirst:
    """The threshold's noise, then that of each answer in order until the run ends; both signed geometric, of rates."""

    threshold_rate: Formula
    answer_rate: Formula
    calls: ClassVar[tuple[str, ...]] = SignedGeometric.calls
    readings: ClassVar[Mapping[str, str]] = {"threshold_rate": "", "answer_rate": ""}


@dataclass(frozen=True, slots=True)
class KeyByKey:
    """For each key that occurs, in the order of keys, signed geometric noise of the rate on its count."""

    rate: Formula
    calls: ClassVar[tuple[str, ...]] = SignedGeometric.calls
    readings: ClassVar[Mapping[str, str]] = {"rate": ""}


@dataclass(frozen=True, slots=True)
class PointOfDisc:
    """value + scale bound X / Y, rounded, for a uniform point (X, Y) of the disc: its digits until they tell."""

    calls: ClassVar[tuple[str, ...]] = ()
    readings: ClassVar[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class KeptPointOfDisc:
    """The same for sqrt(degrees) X / Y, where the point is kept if degrees - 1 uniform reals are below Y / |(X, Y)|."""

    calls: ClassVar[tuple[str, ...]] = ()
    readings: ClassVar[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class DigitsOfExponential:
    """value +- scale bound E, rounded, for an exponential E: its whole part, and its digits until they tell."""

    calls: ClassVar[tuple[str, ...]] = ("geometric_exp", "bernoulli_exp")
    readings: ClassVar[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class MinimumOfDigits:
    """The rounded minimum for a random term of exponential length and the direction of normal variables, by digits."""

    calls: ClassVar[tuple[str, ...]] = ("geometric_exp", "bernoulli_exp")
    readings: ClassVar[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class BySameLaw:
    """A draw of the selection `of`, which has the same law at the same parameters."""

    of: str
    readings: ClassVar[Mapping[str, str]] = {}

    @property
    def calls(self) -> tuple[str, ...]:
        """The selection that is drawn from."""
        return (self.of,)


Scheme = (SignedGeometric | Rejection | ClampedDraw | TruthOrOther | UniformRejection | OrderAndFlip | BySameLaw) | (
    BitByBit
    | SupportFirst
    | CoinOfRate
    | ThresholdFirst
    | KeyByKey
    | PointOfDisc
    | KeptPointOfDisc
    | DigitsOfExponential
    | MinimumOfDigits
)
SCHEMES: dict[str, Scheme] = {}
"""Stem -> the scheme that draws from it."""


def draws(stem: str, scheme: Scheme) -> None:
    """Register the scheme of a mechanism, once."""
    if stem in SCHEMES:
        raise TermError(f"{stem} has a sampler already")
    SCHEMES[stem] = scheme


def drawn_from(stem: str) -> tuple[str, ...]:
    """The primitives that the sampler of `stem` calls, or the selection that it draws from."""
    kind = registry.kind_of(stem)
    return kind.calls if isinstance(kind, Primitive) else SCHEMES[stem].calls


def sampler_obligations(stem: str) -> dict[str, Statement]:
    """What must hold for the scheme of `stem`, or the primitive, to draw from the law of `stem`, by name, in order."""
    if stem in registry.stems() and isinstance(primitive := registry.kind_of(stem), Primitive):
        return primitive_obligations(primitive)
    if stem not in SCHEMES:
        raise TermError(f"{stem} has no sampler")
    kind = registry.kind_of(stem)
    _require_own_names(stem, kind)
    match SCHEMES[stem], kind:
        case SignedGeometric() as scheme, AdditiveNoise() as noise:
            return _signed_geometric(scheme, noise)
        case Rejection() as scheme, AdditiveNoise() as noise:
            return _rejection(scheme, noise)
        case ClampedDraw() as scheme, ClampedGeometric() as clamped:
            return _clamped(scheme, clamped)
        case TruthOrOther() as scheme, FiniteLaw() as finite:
            return _truth_or_other(scheme, finite)
        case UniformRejection() as scheme, WeightedSelection() as weighted:
            return _uniform_rejection(scheme, weighted)
        case OrderAndFlip(), FlipSelection() as flips:
            return _order_and_flip(flips)
        case BitByBit(), BitwiseLaw() as bits:
            return bitwise_law_obligations(bits)
        case SupportFirst(), SupportedLaw() as supported:
            return supported_law_obligations(supported)
        case CoinOfRate(), BitOfRate() as bit:
            return rate_obligations(bit)
        case ThresholdFirst() as scheme, AboveThreshold() as above:
            return _threshold_first(scheme, above)
        case KeyByKey() as scheme, ThresholdedCounts() as counts:
            return _key_by_key(scheme, counts)
        case PointOfDisc(), BoundNoise(family="") as noise:
            return bound_noise_obligations(noise)
        case KeptPointOfDisc(), BoundNoise(family="student") as noise:
            registry.require_conditions(noise, apply("integer", name("degrees")))
            return bound_noise_obligations(noise)
        case DigitsOfExponential(), BoundNoise(family="laplace") as noise:
            return bound_noise_obligations(noise)
        case MinimumOfDigits(), PerturbedObjective() as objective:
            return objective_obligations(objective)
        case BySameLaw(of), NoisyMax() as maximum:
            if of != maximum.same_law_as:
                raise TermError(f"{stem} is not claimed to have the law of {of}")
            return same_law_obligations(maximum)
    raise TermError(f"{type(SCHEMES[stem]).__name__} does not draw from a {type(kind).__name__}")


def _require_own_names(stem: str, kind: registry.Kind) -> None:
    """The scheme's formulas read parameters and their own variables only: the constant of a rejection reads no z."""
    for field, f in scheme_formulas(stem).items():
        strangers = set(f.parameters) - set(kind.parameters) - set(SCHEMES[stem].readings[field].split())
        if strangers:
            raise TermError(f"{f.name} of the sampler of {stem} must not read {min(strangers)}")


def _signed_geometric(scheme: SignedGeometric, noise: AdditiveNoise) -> dict[str, Statement]:
    """The log weight at +-k grid steps is -k rate."""
    _require_grid(noise)
    k, step, rate = name("k"), name("granularity"), scheme.rate.at()
    mirrored = both(*(equal(noise.log_weight.at(z=z), -k * rate) for z in (k * step, -k * step)))
    given = (*registry.hypotheses(noise), 0 <= k)
    return {"draws_have_the_weights": Statement(given, both(mirrored, 0 < rate))}


def _rejection(scheme: Rejection, noise: AdditiveNoise) -> dict[str, Statement]:
    """The proposal is drawn as it says; its weight times acceptance is the weight times a constant, acceptance <= 1."""
    proposal = registry.lookup(scheme.proposal, AdditiveNoise)
    _require_grid(noise)
    scale = name("proposal_scale")
    proposed = proposal.log_weight.at(scale=scale)
    weight = noise.log_weight.at() + scheme.log_constant.at()
    given = (*registry.hypotheses(noise), 0 < scale)
    accepted = both(equal(proposed + scheme.log_acceptance.at(), weight), scheme.log_acceptance.at() <= 0)
    inner = _drawn_inside(proposal, (*noise.conditions, 0 < scale), {"scale": scale})
    return inner | {"draws_have_the_weights": Statement(given, accepted)}


def _drawn_inside(noise: AdditiveNoise, given: tuple[Term, ...], values: Mapping[str, Term]) -> dict[str, Statement]:
    """The obligations of the signed geometric scheme that another scheme draws from, their names marked with its stem.

    TermError unless the noise's conditions, at the values it is drawn with, are among those given.
    """
    scheme = SCHEMES.get(noise.stem)
    if not isinstance(scheme, SignedGeometric):
        raise TermError(f"{noise.stem} is not drawn by a signed geometric scheme")
    for condition in noise.conditions:
        if substitute(condition, values) not in given:
            raise TermError(f"{noise.stem} must not be drawn where {condition} need not hold")
    _require_own_names(noise.stem, noise)
    return {f"{noise.stem}.{key}": s for key, s in _signed_geometric(scheme, noise).items()}


def _require_grid(noise: AdditiveNoise) -> None:
    """Coin flips draw from a grid only; a density has no sampler."""
    if not noise.on_grid:
        raise TermError(f"{noise.stem} does not live on a grid")


def _clamped(scheme: ClampedDraw, m: ClampedGeometric) -> dict[str, Statement]:
    """The inner noise is drawn as it says, with the same weights; its masses make the interior, its tails the edges."""
    inner = registry.lookup(scheme.inner, AdditiveNoise)
    if inner.normaliser is None:
        raise TermError(f"{inner.stem} has no normaliser in closed form")
    ratio, w = name("ratio"), name("weight")
    mass = equal(m.interior.at() * inner.normaliser.at(), w)
    return (
        _drawn_inside(inner, m.conditions, {})
        | law_obligations(m)
        | {
            "inner_weights_are_the_same": Statement(
                registry.hypotheses(m), equal(inner.log_weight.at(), m.log_weight.at())
            ),
            "interior_is_the_inner_mass": Statement((0 < ratio, ratio < 1), mass),
        }
    )


def _truth_or_other(scheme: TruthOrOther, m: FiniteLaw) -> dict[str, Statement]:
    """pmf = truth where output = input, and (1 - truth) / (size - 1) elsewhere."""
    require_whole(m.size, whole_parameters(m))
    same, truth, size = indicator(equal(name("output"), name("input"))), scheme.truth.at(), m.size.at()
    drawn = same * truth + (1 - same) * ((1 - truth) / (size - 1))
    integers = frozenset({"output", "input", *whole_parameters(m)})
    show = both(equal(m.pmf.at(), drawn), 0 <= truth, truth <= 1)
    return {"draws_have_the_masses": Statement(registry.hypotheses(m), show, integers)}


def _uniform_rejection(scheme: UniformRejection, m: WeightedSelection) -> dict[str, Statement]:
    """The log acceptance is the log weight less that of the best score, and a probability."""
    score, best, log_acceptance = name("score"), name("best"), scheme.log_acceptance.at()
    relative = m.log_weight.at(score=score) - m.log_weight.at(score=best)
    given = (*registry.hypotheses(m), score <= best)
    return {"draws_have_the_weights": Statement(given, both(equal(log_acceptance, relative), log_acceptance <= 0))}


def _threshold_first(scheme: ThresholdFirst, m: AboveThreshold) -> dict[str, Statement]:
    """The log weights at +-k grid steps are -k times the rates."""
    if not m.on_grid or m.threshold_scale is None or m.answer_scale is None:
        raise TermError(f"{m.stem} has no discrete noise on both")
    step = name("k") * name("granularity")
    noises = ((m.threshold_scale, scheme.threshold_rate.at()), (m.answer_scale, scheme.answer_rate.at()))
    drawn = both(*(_draws_at(partial(m.log_density, scale=scale), step, rate) for scale, rate in noises))
    return {"draws_have_the_weights": Statement((*registry.hypotheses(m), 0 <= name("k")), drawn)}


def _key_by_key(scheme: KeyByKey, m: ThresholdedCounts) -> dict[str, Statement]:
    """The law obligations, and: the log weight at +-k is -k times the rate."""
    if not m.on_grid:
        raise TermError(f"{m.stem} has no discrete noise")
    drawn = _draws_at(m.log_density, name("k"), scheme.rate.at())
    given = (*registry.hypotheses(m), 0 <= name("k"))
    return unknown_keys_obligations(m) | {"draws_have_the_weights": Statement(given, drawn)}


def _draws_at(log_weight: Callable[[Term], Term], place: Term, rate: Term) -> Term:
    """The log weight at both signs of k places is -k rate, and the rate is positive."""
    return both(*(equal(log_weight(z), -name("k") * rate) for z in (place, -place)), 0 < rate)


def _order_and_flip(m: FlipSelection) -> dict[str, Statement]:
    """Each flip has a probability and the best candidate's is 1, so that some flip comes up."""
    key = "flip_is_a_probability"
    return {key: flip_law_obligations(m)[key]}


def scheme_formulas(stem: str) -> Mapping[str, Formula]:
    """The formulas of the scheme of `stem`, by field."""
    scheme = SCHEMES[stem]
    return {f: v for f in scheme.__dataclass_fields__ if isinstance(v := getattr(scheme, f), Formula)}
