"""Events as the rounds that a theorem of the kernel is about (the rule `account_rounds`), whatever the queries are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refdp.accounting.events import (
    Approximate,
    BoundedRange,
    Concentrated,
    CyclicPoisson,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Exponential,
    Finite,
    FixedSize,
    Gaussian,
    Gaussians,
    KAryRandomisedResponse,
    Laplace,
    LaplaceNoisyMax,
    NoTheorem,
    PermuteAndFlip,
    Poisson,
    Profile,
    RandomisedResponse,
    Renyi,
    Shuffled,
    ShuffledRandomisedResponse,
    StatedPoints,
    TradeOff,
)
from refdp.accounting.pairs import turns
from refdp.kernel.rules.accounted_rounds import pair_of_round
from refdp.kernel.rules.accounts import MOST_COPIES, Pair
from refdp.kernel.rules.sequences import MOST_ROUNDS
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, number

INPUTS: Mapping[str, tuple[str, str]] = {
    "add_remove": ("table(rows)", "symmetric"),
    "change_one": ("table(rows)", "change_one"),
    "none": ("finite(2)", "discrete"),
}
"""Neighbours -> the domain and the metric that a theorem has, at the distance 1; `none`: one of two inputs."""
MECHANISMS = "anything but repeat_and_select, given_votes and a profile by a function"
"""Of which mechanisms the rule of the kernel knows a bound."""
SCHEMES = "on the table, or on poisson, cyclic_poisson or fixed_size samples of a public number of rows"
"""And on which samples."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """What a theorem is about: the inputs, and what is known of each round."""

    domain: str
    near: str
    said: tuple[Term, ...]

    @classmethod
    def of(cls, neighbours: str, stated: Sequence[Event]) -> Rounds:
        """The events as rounds; NoTheorem for those of which the kernel knows no bound."""
        said = tuple(map(round_of, stated))
        if not 1 <= len(said) <= MOST_ROUNDS:
            raise NoTheorem(f"events must be 1 to {MOST_ROUNDS} of them for a certificate, got {len(said)}")
        domain, near = INPUTS[neighbours]
        sizes = sorted({event.sampling.rows for event in stated if isinstance(event.sampling, FixedSize)})
        if len(sizes) > 1:
            raise NoTheorem(f"rows must be one number for a certificate, got {sizes[0]} and {sizes[1]}")
        return cls(f"sized_table(rows, {sizes[0]})" if sizes else domain, near, said)

    def pairs(self) -> list[Pair]:
        """The pairs of laws that dominate the rounds."""
        return [pair_of_round(one, (read(self.domain), self.near, number(1))) for one in self.said]


def round_of(event: Event) -> Term:
    """What is known of each run: noise on an answer that moves so far, or a loss; on a sample, and how often."""
    run = mechanism_of(event)
    if isinstance(event.sampling, Poisson):
        run = apply("poisson_sampled", number(event.sampling.rate), run)
    elif isinstance(event.sampling, FixedSize):
        run = apply("fixed_size_sampled", number(event.sampling.sample), run)
    elif isinstance(event.sampling, CyclicPoisson):
        rate, parts, steps = event.sampling.rate, event.sampling.batches, event.sampling.steps
        run = apply("cyclic_poisson_sampled", number(rate), number(parts), number(steps), run)
    elif event.sampling is not None:
        raise no_certificate(event, SCHEMES)
    if (times := event.count * turns(event)) > MOST_COPIES:
        raise NoTheorem(f"count must be at most {MOST_COPIES} for a certificate, got {times} of {event.name}")
    return run if event.count == 1 else apply("repeated", run, number(event.count))


def mechanism_of(event: Event) -> Term:
    """What is known of the mechanism, whatever it is run on."""
    match event.mechanism:
        case Gaussian(sigma=sigma, sensitivity=far):
            return noise("l2", "gaussian", far, sigma)
        case Laplace(scale=scale, sensitivity=far):
            return noise("l1", "laplace", far, scale)
        case DiscreteGaussian(sigma=sigma, sensitivity=far, granularity=step):
            return noise("l1", "discrete_gaussian", far, sigma, step)
        case DiscreteLaplace(scale=scale, sensitivity=far, granularity=step):
            return noise("l1", "discrete_laplace", far, scale, step)
        case Gaussians(mu_squared=squared):
            return apply("gaussian", number(squared))
        case Approximate(epsilon=epsilon, delta=delta):
            pure = delta == 0
            return apply("pure", epsilon.term) if pure else apply("approximate", epsilon.term, number(delta))
        case RandomisedResponse():
            return apply("pure", event.mechanism.loss().epsilon.term)
        case ShuffledRandomisedResponse(users=users, truth=truth):
            return apply("shuffled_response", number(users), number(truth))
        case Shuffled(users=users, epsilon=epsilon):
            return apply("shuffled", number(users), epsilon.term)
        case KAryRandomisedResponse() | TradeOff():
            return laws("dominated_by", event.mechanism.loss().outcomes)
        case Finite(outcomes=outcomes):
            return laws("dominated_by" if event.mechanism.is_symmetric() else "dominated_in_order", outcomes)
        case Concentrated(rho=rho):
            return apply("concentrated", number(rho))
        case Renyi(bounds=bounds):
            return within_each("renyi", bounds)
        case Profile(upper=StatedPoints(points)):
            return within_each("approximate", points)
        case BoundedRange(epsilon=epsilon):
            return apply("bounded_range", epsilon.term)
        case Exponential(scale=scale, sensitivity=far, monotone=monotone):
            return selection("monotone" if monotone else "linf", "exponential", far, scale)
        case PermuteAndFlip(scale=scale, sensitivity=far):
            return selection("linf", "permute_and_flip", far, scale)
        case LaplaceNoisyMax(scale=scale, sensitivity=far):
            return selection("linf", "laplace_noisy_max", far, scale)
    raise no_certificate(event, MECHANISMS)


def laws(said: str, outcomes: Sequence[tuple[Fraction, Fraction]]) -> Term:
    """Two laws that are at least as far apart as those of the mechanism."""
    return apply(said, *(apply("tuple_of", *map(number, law)) for law in zip(*outcomes, strict=True)))


def within_each(measure: str, bounds: Sequence[tuple[Fraction, Fraction]]) -> Term:
    """One loss, or several that hold at once."""
    losses = [apply(measure, number(first), number(second)) for first, second in bounds]
    return losses[0] if len(losses) == 1 else apply("all_of", *losses)


def selection(norm: str, stem: str, far: Fraction, scale: Fraction) -> Term:
    """A selection by scores that move so far."""
    return apply("chain", apply(norm, number(far)), apply(stem, number(scale)))


def noise(norm: str, stem: str, far: Fraction, *parameters: Fraction) -> Term:
    """Noise on each number of an answer that moves so far in the norm."""
    return apply("chain", apply(norm, number(far)), apply(stem, *map(number, parameters)))


def no_certificate(event: Event, needed: str) -> NoTheorem:
    """Why there is none."""
    return NoTheorem(f"events must be {needed} for a certificate, got {event}: the kernel knows no bound of it")
