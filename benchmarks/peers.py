"""epsilon(delta) of an account by dp_accounting and by prv_accountant, as their users would ask for it.

The account is a document as in benchmarks/specs.  Both are about rows added or removed, and none of both has an event
for discrete Gaussian noise or a pure mechanism, so dp_accounting is asked for privacy loss
distributions, which its accountant composes, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from importlib import metadata, util
from typing import Any

EPSILON_ERROR, DELTA_ERROR = 1e-2, 1e-3
"""Of prv_accountant: how wide its interval of epsilon is on either side, and its share of delta."""


def installed(package: str) -> str | None:
    """The version of the package, None if it is not installed."""
    return metadata.version(package) if util.find_spec(package) else None


def numbers(event: dict[str, Any]) -> dict[str, float]:
    """The parameters of an event as floats."""
    return {name: float(Fraction(value)) for name, value in event.items() if name not in ("mechanism", "sampling")}


def rate(event: dict[str, Any]) -> float:
    """The probability with which a row is in the sample."""
    return float(Fraction(event["sampling"]["rate"])) if "sampling" in event else 1.0


def dp_accounting(spec: dict[str, Any], deltas: Sequence[float], interval: float) -> list[float]:
    """The epsilons of dp_accounting with cells of that width of the privacy loss."""
    from dp_accounting.pld.privacy_loss_distribution import identity

    composed = identity(value_discretization_interval=interval)
    for event in spec["events"]:
        composed = composed.compose(distribution(event, interval))
    return [float(composed.get_epsilon_for_delta(delta)) for delta in deltas]


def distribution(event: dict[str, Any], interval: float) -> Any:
    """The privacy loss distribution of one event, all of its runs together."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    at, step = numbers(event), {"value_discretization_interval": interval}
    count = int(at.get("count", 1))
    match event["mechanism"]:
        case "gaussian" if "sampling" not in event:  # as its accountant does
            return pld.from_gaussian_mechanism(at["sigma"] / count**0.5, at["sensitivity"], **step)
        case "gaussian":
            one = pld.from_gaussian_mechanism(at["sigma"], at["sensitivity"], sampling_prob=rate(event), **step)
        case "laplace":
            one = pld.from_laplace_mechanism(at["scale"], at["sensitivity"], **step)
        case "discrete_gaussian":
            one = pld.from_discrete_gaussian_mechanism(at["sigma"], int(at["sensitivity"]), **step)
        case "pure":
            one = response(at["epsilon"], interval)
        case mechanism:
            raise ValueError(f"dp_accounting has no {mechanism}")
    return one.self_compose(count)


def response(epsilon: float, interval: float) -> Any:
    """Randomised response with two answers."""
    from math import exp

    from dp_accounting.pld import privacy_loss_distribution as pld

    noise = 2 / (1 + exp(epsilon))
    return pld.from_randomized_response(noise, 2, value_discretization_interval=interval)


def prv_accountant(spec: dict[str, Any], deltas: Sequence[float]) -> list[tuple[float, float]]:
    """The lower and upper bounds of prv_accountant."""
    from prv_accountant import PRVAccountant

    events = spec["events"]
    counts = [int(event.get("count", 1)) for event in events]
    made = PRVAccountant(
        prvs=[variable(event) for event in events],
        max_self_compositions=counts,
        eps_error=EPSILON_ERROR,
        delta_error=min(deltas) * DELTA_ERROR,
    )
    answers = [made.compute_epsilon(delta=delta, num_self_compositions=counts) for delta in deltas]
    return [(lower, upper) for lower, _, upper in answers]


def variable(event: dict[str, Any]) -> Any:
    """The privacy loss of one run of an event."""
    import prv_accountant as prv

    at = numbers(event)
    match event["mechanism"]:
        case "gaussian" if "sampling" in event:
            scaled = at["sigma"] / at["sensitivity"]
            return prv.PoissonSubsampledGaussianMechanism(noise_multiplier=scaled, sampling_probability=rate(event))
        case "gaussian":
            return prv.GaussianMechanism(noise_multiplier=at["sigma"] / at["sensitivity"])
        case "laplace":
            return prv.LaplaceMechanism(mu=at["sensitivity"] / at["scale"])
        case "pure":
            return prv.PureDPMechanism(eps=at["epsilon"])
        case mechanism:
            raise ValueError(f"prv_accountant has no {mechanism}")
