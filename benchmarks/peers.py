"""epsilon(delta) by privacy loss distributions of dp_accounting, of events without a name in its accountant, too."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import Any

from benchmarks.accountants import Unsupported, multiplier, prv, read

PRV_ERROR = 0.01
"""Of prv_accountant: how far its bounds may be from its estimate of epsilon."""


def dp_accounting(events: Sequence[dict[str, Any]], deltas: Sequence[float], interval: float) -> list[float]:
    """The epsilons of dp_accounting with cells of that width of the privacy loss, from one composition."""
    from dp_accounting.pld.privacy_loss_distribution import identity

    composed = identity(value_discretization_interval=interval)
    for event in events:
        composed = composed.compose(distribution(event, interval))
    return [float(composed.get_epsilon_for_delta(delta)) for delta in deltas]


def distribution(event: dict[str, Any], interval: float) -> Any:
    """The privacy loss distribution of all runs of an event, composed as dp_accounting's accountant does."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    mechanism, given, rate, count = read(event)
    step = {"value_discretization_interval": interval}
    match mechanism:
        case "gaussian" if rate == 1:
            return pld.from_gaussian_mechanism(multiplier(given) / sqrt(count), **step)
        case "gaussian":
            one = pld.from_gaussian_mechanism(multiplier(given), sampling_prob=rate, **step)
        case "laplace":
            one = pld.from_laplace_mechanism(multiplier(given), sampling_prob=rate, **step)
        case "discrete_gaussian":
            sensitivity = int(given.get("sensitivity", 1))
            one = pld.from_discrete_gaussian_mechanism(given["sigma"], sensitivity, sampling_prob=rate, **step)
        case "pure":
            one = pld.from_randomized_response(2 / (1 + exp(given["epsilon"])), 2, **step)
        case _:
            raise Unsupported(f"no privacy loss distribution for {mechanism}")
    return one.self_compose(count)


def prv_accountant(events: Sequence[dict[str, Any]], deltas: Sequence[float]) -> list[tuple[float, float]]:
    """The lower and upper bounds of prv_accountant."""
    found = [prv(PRV_ERROR)(events, delta) for delta in deltas]
    return [(float(lower), float(upper)) for lower, _, upper in found]
