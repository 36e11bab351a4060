"""OpenDP's measurements, by what their maps return, without that library.

What a map returns is believed, and named in `trusts`; floats are taken as the dyadic numbers that they are.
Source: OpenDP 0.16, mod.py and measures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from refdp.accounting.events import Approximate, Concentrated, Event, Mechanism, NoTheorem, Profile, Renyi
from refdp.accounting.inputs.callables import Upper
from refdp.accounting.losses import LossError
from refdp.accounting.numbers import number, shown
from refdp.accounting.stated.bounds import ORDERS
from refdp.numerics.exact import ExactReal


def opendp_event(measurement: Any, d_in: Any, count: int = 1) -> Event:
    """The measurement at distance d_in, by its output measure and its map.

    That neighbours are no farther apart is named in `trusts`: by SymmetricDistance a replaced row is 2 away.
    """
    measure = getattr(measurement, "output_measure", None)
    if measure is None or not callable(getattr(measurement, "map", None)):
        raise LossError(f"measurement must have output_measure and map, got {shown(measurement)}")
    found, metric = loss_event(str(measure), measurement.map(d_in), count), getattr(measurement, "input_metric", None)
    if metric is None:
        return found
    return replace(found, trusts=found.trusts | {f"assumption: neighbours are at most {d_in} apart by {metric}"})


def loss_event(measure: str, loss: Any, count: int = 1) -> Event:
    """An event of which OpenDP says the loss under a measure of this name."""
    name = measure.strip().removesuffix("()").replace(" ", "")
    if name not in MEASURES:
        raise NoTheorem(f"{shown(measure)} is no measure of OpenDP of which a bound is proved here")
    return Event(MEASURES[name](loss), count, trusts=frozenset({"OpenDP's map"}))


def _pure(loss: Any) -> Mechanism:
    return Approximate(ExactReal(number(loss, "epsilon")))


def _approximate(loss: Any) -> Mechanism:
    epsilon, delta = _two(loss, "(epsilon, delta)")
    return Approximate(ExactReal(number(epsilon, "epsilon")), number(delta, "delta"))


def _concentrated(loss: Any) -> Mechanism:
    rho = number(loss, "rho")
    return Concentrated(rho) if rho else Approximate(ExactReal())


def _profile(loss: Any) -> Mechanism:
    delta = getattr(loss, "delta", None)
    if not callable(delta):
        raise LossError(f"a loss under SmoothedMaxDivergence must be a PrivacyProfile, got {shown(loss)}")
    return Profile("OpenDP's PrivacyProfile", Upper(delta, exact=False))


def _renyi(loss: Any) -> Mechanism:
    if not callable(loss):
        raise LossError(f"a loss under RenyiDivergence must be a function of the order, got {shown(loss)}")
    return Renyi(tuple((order, number(loss(float(order)), "epsilon")) for order in ORDERS))


def _approximately_concentrated(loss: Any) -> Mechanism:
    rho, delta = _two(loss, "(rho, delta)")
    if number(delta, "delta") == 0:
        return _concentrated(rho)
    raise NoTheorem("approximate zCDP with delta > 0 has no theorem here")


def _two(loss: Any, what: str) -> tuple[Any, Any]:
    """Both numbers of a pair."""
    if not isinstance(loss, list | tuple) or len(loss) != 2:
        raise LossError(f"the loss must be {what}, got {shown(loss)}")
    return loss[0], loss[1]


MEASURES: dict[str, Callable[[Any], Mechanism]] = {
    "MaxDivergence": _pure,
    "Approximate<MaxDivergence>": _approximate,
    "Approximate(MaxDivergence)": _approximate,
    "FixedSmoothedMaxDivergence": _approximate,
    "ZeroConcentratedDivergence": _concentrated,
    "Approximate<ZeroConcentratedDivergence>": _approximately_concentrated,
    "Approximate(ZeroConcentratedDivergence)": _approximately_concentrated,
    "SmoothedMaxDivergence": _profile,
    "RenyiDivergence": _renyi,
}
