"""Events as the rounds that a theorem of the kernel is about (the rule `account_rounds`), whatever the queries are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refdp.accounting.events import (
    Approximate,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    FixedSize,
    Gaussian,
    Gaussians,
    Laplace,
    NoTheorem,
    Poisson,
    RandomisedResponse,
)
from refdp.kernel.rules.accounted_rounds import pair_of_round
from refdp.kernel.rules.accounts import MOST_COPIES, Pair
from refdp.kernel.rules.sequences import MOST_ROUNDS
from refdp.spec.terms import Term, apply, number, read

INPUTS: Mapping[str, tuple[str, str]] = {
    "add_remove": ("table(rows)", "symmetric"),
    "change_one": ("table(rows)", "change_one"),
    "none": ("finite(2)", "discrete"),
}
"""Neighbours -> the domain and the metric that a theorem has, at the distance 1; `none`: one of two inputs."""
KNOWN = "noise, what is pure, approximate or a randomised response, on the table or a poisson or fixed_size sample"
"""What the rule of the kernel has a pair for."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """What a theorem is about: the inputs, and what is known of each round."""

    domain: str
    near: str
    said: tuple[Term, ...]

    @classmethod
    def of(cls, neighbours: str, stated: Sequence[Event]) -> Rounds:
        """The events as rounds; NoTheorem for those of which the kernel has no pair of laws."""
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
    elif event.sampling is not None:
        raise no_certificate(event)
    if event.count > MOST_COPIES:
        raise NoTheorem(f"count must be at most {MOST_COPIES} for a certificate, got {event.count} of {event.name}")
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
    raise no_certificate(event)


def noise(norm: str, stem: str, far: Fraction, *parameters: Fraction) -> Term:
    """Noise on each number of an answer that moves so far in the norm."""
    return apply("chain", apply(norm, number(far)), apply(stem, *map(number, parameters)))


def no_certificate(event: Event) -> NoTheorem:
    """Why there is none."""
    return NoTheorem(f"events must be {KNOWN} for a certificate, got {event}: the kernel knows no pair of laws for it")
