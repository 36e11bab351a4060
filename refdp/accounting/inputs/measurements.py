"""refdp's own measurements: a chain that ends in known noise or randomised response exactly, others by their map.

The map of a measurement is what `refdp.theorem` proves; that it was proved is for the caller to see to.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

from refdp.accounting import events
from refdp.accounting.events import Event, Mechanism, NoTheorem
from refdp.accounting.losses import require
from refdp.accounting.numbers import number
from refdp.numerics.exact import ExactReal, exact_real
from refdp.pipeline import Measurement
from refdp.spec import registry
from refdp.spec.distances import NEIGHBOURS
from refdp.terms.evaluation import rational_root
from refdp.terms.term import Term

TABLES = {metric: relation for relation, metric in NEIGHBOURS.items()}


def measurement_event(measurement: Measurement, d_in: Any, neighbours: str, count: int = 1) -> Event:
    """The measurement between inputs at distance d_in; of tables, under the account's own relation.

    Raises LossError where the measurement reads tables under another relation.
    """
    relation = TABLES.get(measurement.input_metric)
    metric = measurement.input_metric
    require(relation in (None, neighbours), "neighbours", f"{relation}, as the measurement reads {metric}", neighbours)
    distance = number(d_in, "d_in")
    require(distance > 0, "d_in", "> 0", distance)
    noise = _last(measurement.subject)
    known = NOISE.get(noise.operator) if noise is not None else None
    found = known(measurement, noise, distance) if known is not None and noise is not None else None
    return Event(found or _by_map(measurement, distance), count)


def _last(subject: Term) -> Term | None:
    """The mechanism at the end of a chain of transformations; None where outcomes are put together otherwise."""
    while subject.operator == "chain":
        subject = subject.arguments[1]
    if subject.operator == "coordinatewise":
        return subject.arguments[0]
    return None if subject.operator in ("compose", "parallel", "post_process") else subject


def _parameters(noise: Term) -> dict[str, Fraction]:
    """The parameters of a mechanism."""
    return registry.values(registry.kind_of(noise.operator), noise)


def _discrete_laplace(measurement: Measurement, noise: Term, d_in: Fraction) -> Mechanism | None:
    """The map is moved / scale, which says how far the answer moves; on the grid that is a multiple of the step."""
    values, epsilon = _parameters(noise), measurement.map(d_in)
    if not isinstance(epsilon, Fraction) or epsilon == 0:
        return None
    step = values["granularity"]
    return events.DiscreteLaplace(values["scale"], _on_grid(epsilon * values["scale"], step), step)


def _discrete_gaussian(measurement: Measurement, noise: Term, d_in: Fraction) -> Mechanism | None:
    """The map is moved^2 / (2 sigma^2); of vectors nothing but that is used, for it speaks of the Euclidean norm."""
    values, rho = _parameters(noise), measurement.map(d_in)
    if not isinstance(rho, Fraction) or rho == 0 or _is_vector(measurement.subject):
        return None
    moved = rational_root(2 * rho * values["sigma"] ** 2)
    step = values["granularity"]
    return None if moved is None else events.DiscreteGaussian(values["sigma"], _on_grid(moved, step), step)


def _is_vector(subject: Term) -> bool:
    """Whether the chain ends in noise on each coordinate."""
    while subject.operator == "chain":
        subject = subject.arguments[1]
    return subject.operator == "coordinatewise"


def _on_grid(moved: Fraction, step: Fraction) -> Fraction:
    """The distance as a multiple of the step, rounded up."""
    return ceil(moved / step) * step


def _k_ary(measurement: Measurement, noise: Term, d_in: Fraction) -> Mechanism | None:
    values = _parameters(noise)
    if measurement.subject != noise:
        return None
    return events.KAryRandomisedResponse(int(values["k"]), values["truth"])


def _by_map(measurement: Measurement, d_in: Fraction) -> Mechanism:
    """What the privacy map says."""
    loss = measurement.map(d_in)
    match measurement.measure:
        case "pure":
            return events.Approximate(_real(loss))
        case "approximate":
            return events.Approximate(_real(loss[0]), loss[1])
        case "concentrated":
            return events.Concentrated(loss) if loss else events.Approximate(ExactReal())
        case "renyi":
            return events.Renyi((loss,))
    raise NoTheorem(f"a measurement under {measurement.measure} has no theorem here")


def _real(loss: Any) -> ExactReal:
    """An exact epsilon."""
    return exact_real(loss, "epsilon")


NOISE = {
    "discrete_laplace": _discrete_laplace,
    "discrete_gaussian": _discrete_gaussian,
    "k_ary_randomised_response": _k_ary,
}
