"""Draws from a mechanism: the registered sampling scheme of its stem, run on coin flips.

The formulas that are run here are those that the claim STEM.sampler_law is about.  Parts of a composition draw one
after another from the same flips, hence independently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from refdp.sampling.coins import Coins
from refdp.sampling.far_and_wide import digits_of_exponential, kept_point_of_disc
from refdp.sampling.perturbed_minimum import rounded_minimum
from refdp.sampling.reports import bit_by_bit, coin_of_rate, support_first
from refdp.spec import registry
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.finite import FiniteLaw
from refdp.spec.formulas import Formula
from refdp.spec.peeling import times_of
from refdp.spec.perturbed_objectives import PerturbedObjective
from refdp.spec.programs import RandomProgram
from refdp.spec.propose_test_release import REFUSED, parameters
from refdp.spec.rates import BitOfRate
from refdp.spec.registry import lookup
from refdp.spec.rounding import nearest
from refdp.spec.samplers import (
    SCHEMES,
    BitByBit,
    BySameLaw,
    ClampedDraw,
    CoinOfRate,
    DigitsOfExponential,
    KeptPointOfDisc,
    KeyByKey,
    MinimumOfDigits,
    OrderAndFlip,
    PointOfDisc,
    Rejection,
    SignedGeometric,
    SupportFirst,
    ThresholdFirst,
    TruthOrOther,
    UniformRejection,
)
from refdp.spec.selection import FlipSelection
from refdp.spec.semantics import PostFunction, exact_outcome, split, value
from refdp.spec.supported import SupportedLaw
from refdp.spec.unknown_keys import ThresholdedCounts, occurrences
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, TermError, apply

HALF = Fraction(1, 2)
Values = Mapping[str, Fraction]
Draws = Callable[[Term, Sequence[Any]], tuple[Any, ...]]
"""Independent outputs of a registered mechanism, one for each of several inputs."""


def draw(subject: Term, x: Any, coins: Coins) -> Any:
    """One output of the closed mechanism `subject` at the input `x`."""
    return run(subject, x, lambda m, inputs: drawn(m, inputs, coins), coins)


def run(subject: Term, x: Any, draws: Draws, coins: Coins, transformed: Callable[[Term, Any], Any] = value) -> Any:
    """One output of `subject` at `x`, where `draws` gives those of registered mechanisms, one part after another.

    `coins` choose the rows of a sample; `transformed` gives the value of a transformation.
    """

    def inner(m: Term, data: Any) -> Any:
        return run(m, data, draws, coins, transformed)

    arguments = subject.arguments
    match subject.operator:
        case "chain":
            return inner(arguments[1], transformed(arguments[0], x))
        case "compose":
            return tuple(inner(m, x) for m in arguments)
        case "parallel":
            parts = split(arguments[0], len(arguments) - 1, x)
            return tuple(inner(m, part) for m, part in zip(arguments[1:], parts, strict=True))
        case "coordinatewise":
            return draws(arguments[0], x)
        case "public_coordinate":
            i = coins.uniform(len(x))
            return i, inner(arguments[0], x[i])
        case "reports_of_one":
            kept = exact_outcome(inner(arguments[0], x))
            return tuple(inner(arguments[1], kept) for _ in range(int(arguments[2].rational)))
        case "peeled":
            return _peeled(lambda scores: inner(arguments[0], scores), arguments[1], x)
        case "tested":
            mechanism, scale, threshold = arguments
            width, least = parameters(scale, threshold)
            passes = x[0] + _noise(1 / width, Fraction(1), coins) >= least
            return (inner(mechanism, x[1]),) if passes else REFUSED
        case "post_process":
            function = lookup(arguments[0].operator, PostFunction)
            return function.image(arguments[0], inner(arguments[1], x))
        case "poisson_sampled":
            rate = Fraction(evaluate(arguments[0], {}))
            return inner(arguments[1], tuple([row for row in x if coins.bernoulli(rate)]))
        case "program":
            return lookup("program", RandomProgram).draw(subject, x, None if coins.from_system else coins.bits)
    return draws(subject, (x,))[0]


def drawn(subject: Term, inputs: Sequence[Any], coins: Coins) -> tuple[Any, ...]:
    """Independent outputs of a registered mechanism, one for each input, by its scheme."""
    return tuple(_draw(subject, x, coins) for x in inputs)


def _draw(subject: Term, x: Any, coins: Coins) -> Any:
    """One output of a registered mechanism, by its scheme."""
    stem = subject.operator
    if stem not in SCHEMES:
        raise TermError(f"{stem} has no sampler")
    values = registry.values(registry.kind_of(stem), subject)
    match SCHEMES[stem]:
        case SignedGeometric() as scheme:
            return x + _signed_geometric(scheme, values, coins)
        case Rejection() as scheme:
            return x + _rejection(scheme, values, coins)
        case ClampedDraw(inner):
            noise = SCHEMES[inner]
            if not isinstance(noise, SignedGeometric):
                raise TermError(f"{inner} is not drawn by a signed geometric scheme")
            return max(values["lower"], min(x + _signed_geometric(noise, values, coins), values["upper"]))
        case TruthOrOther() as scheme:
            return _truth_or_other(scheme, stem, x, values, coins)
        case UniformRejection() as scheme:
            return _uniform_rejection(scheme, x, values, coins)
        case OrderAndFlip():
            return _order_and_flip(lookup(stem, FlipSelection), x, values, coins)
        case BitByBit():
            return bit_by_bit(lookup(stem, BitwiseLaw), x, values, coins)
        case SupportFirst():
            return support_first(lookup(stem, SupportedLaw), int(x), values, coins)
        case CoinOfRate():
            return coin_of_rate(lookup(stem, BitOfRate), x, values, coins)
        case ThresholdFirst() as scheme:
            return _threshold_first(scheme, x, values, coins)
        case KeyByKey() as scheme:
            return _key_by_key(scheme, lookup(stem, ThresholdedCounts), x, values, coins)
        case PointOfDisc():
            return point_of_disc(x[0], values["scale"] * x[1], values["granularity"], coins)
        case KeptPointOfDisc():
            place = x[0], values["scale"] * x[1], values["granularity"]
            return kept_point_of_disc(*place, int(values["degrees"]), coins)
        case DigitsOfExponential():
            return digits_of_exponential(x[0], values["scale"] * x[1], values["granularity"], coins)
        case MinimumOfDigits():
            return rounded_minimum(lookup(stem, PerturbedObjective), values, x, coins)
        case BySameLaw(of):
            return _draw(apply(of, *subject.arguments), x, coins)


def point_of_disc(value: Fraction, width: Fraction, step: Fraction, coins: Coins) -> Fraction:
    """The multiple of step nearest to value + width Z, Z standard Cauchy, where width >= 0.

    |Z| is X / Y for a uniform point (X, Y) of the quarter of the disc, its sign is fair.  A digit of X and one of Y is
    revealed until it is known whether the point lies in the disc, and what the outcome rounds to.
    """
    if width == 0:
        return nearest(value, step)

    def attempt() -> Fraction | None:
        side, x, y, size = 1 - 2 * coins.flip(), 0, 0, 1
        while True:
            x, y, size = 2 * x + coins.flip(), 2 * y + coins.flip(), 2 * size
            if x**2 + y**2 >= size**2:
                return None
            if y > 0 and (x + 1) ** 2 + (y + 1) ** 2 <= size**2:
                ends = [nearest(value + side * width * z, step) for z in (Fraction(x, y + 1), Fraction(x + 1, y))]
                if ends[0] == ends[1]:
                    return ends[0]

    return coins.until(attempt)


def _at(f: Formula, values: Values) -> Fraction:
    """The formula at the values that it names."""
    return Fraction(evaluate(f.term, values))


def _peeled(named: Callable[[tuple[Any, ...]], Any], count: Term, scores: Sequence[Any]) -> tuple[Fraction, ...]:
    """So many candidates in order, each named among those that are left."""
    left, found = list(range(len(scores))), []
    for _ in range(times_of(count, len(scores))):
        found.append(left.pop(int(named(tuple(scores[i] for i in left)))))
    return tuple(map(Fraction, found))


def _threshold_first(scheme: ThresholdFirst, answers: Any, values: Values, coins: Coins) -> tuple[Fraction, ...]:
    """The places of the answers above, until so many have been found."""
    threshold = values["threshold"] + _noise(_at(scheme.threshold_rate, values), values["granularity"], coins)
    rate, found = _at(scheme.answer_rate, values), list[Fraction]()
    for i, answer in enumerate(answers):
        if answer + _noise(rate, values["granularity"], coins) >= threshold:
            found.append(Fraction(i))
            if len(found) == values["positives"]:
                break
    return tuple(found)


def _key_by_key(scheme: KeyByKey, m: ThresholdedCounts, table: Any, values: Values, coins: Coins) -> tuple[Any, ...]:
    """The keys whose noisy counts reach the threshold, with these counts if they are given."""
    rate, threshold, found = _at(scheme.rate, values), _at(m.threshold, values), list[Any]()
    for key, count in occurrences(table):
        noisy = count + _noise(rate, Fraction(1), coins)
        if noisy >= threshold:
            found.append((key, noisy) if m.gives_counts else key)
    return tuple(found)


def _signed_geometric(scheme: SignedGeometric, values: Values, coins: Coins) -> Fraction:
    """granularity times +-K, never minus zero.  Source: CKS20 Alg. 2."""
    return _noise(_at(scheme.rate, values), values["granularity"], coins)


def _noise(rate: Fraction, step: Fraction, coins: Coins) -> Fraction:
    """The same for the rate and the step of the grid."""

    def attempt() -> Fraction | None:
        magnitude, minus = coins.geometric_exp(rate), coins.bernoulli(HALF)
        if minus and magnitude == 0:
            return None
        return step * (-magnitude if minus else magnitude)

    return coins.until(attempt)


def _rejection(scheme: Rejection, values: Values, coins: Coins) -> Fraction:
    """A draw of the proposal that is accepted.  Source: CKS20 Alg. 3."""
    proposal = SCHEMES[scheme.proposal]
    if not isinstance(proposal, SignedGeometric):
        raise TermError(f"{scheme.proposal} is not drawn by a signed geometric scheme")
    scale = scheme.choose_scale(values)
    if scale <= 0:
        raise TermError(f"proposal_scale must be > 0, got {scale}")
    proposed = {"scale": scale, "granularity": values["granularity"]}

    def attempt() -> Fraction | None:
        z = _signed_geometric(proposal, proposed, coins)
        log_acceptance = _at(scheme.log_acceptance, {**values, "proposal_scale": scale, "z": z})
        return z if coins.bernoulli_exp(-log_acceptance) else None

    return coins.until(attempt)


def _truth_or_other(scheme: TruthOrOther, stem: str, x: Fraction, values: Values, coins: Coins) -> Fraction:
    """The input, or another value below size, each as likely."""
    if coins.bernoulli(_at(scheme.truth, values)):
        return x
    size = _at(lookup(stem, FiniteLaw).size, values)
    other = coins.uniform(int(size) - 1)
    return Fraction(other if other < x else other + 1)


def _uniform_rejection(scheme: UniformRejection, scores: Sequence[Fraction], values: Values, coins: Coins) -> Fraction:
    """A uniform candidate that is accepted."""
    best = max(scores)

    def attempt() -> Fraction | None:
        i = coins.uniform(len(scores))
        log_acceptance = _at(scheme.log_acceptance, {**values, "score": scores[i], "best": best})
        return Fraction(i) if coins.bernoulli_exp(-log_acceptance) else None

    return coins.until(attempt)


def _order_and_flip(m: FlipSelection, scores: Sequence[Fraction], values: Values, coins: Coins) -> Fraction:
    """The first candidate, in random order, whose flip comes up; the best one's always does."""
    best = max(scores)
    for i in coins.permutation(len(scores)):
        if coins.bernoulli_exp(-_at(m.log_flip, {**values, "gap": best - scores[i]})):
            return Fraction(i)
    raise TermError("no flip came up")
