"""Reference laws of both neighbours: the events that they fix before any draw, and their exact delta(epsilon)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import exp, log
from typing import Any

from refdp.auditing.evidence.event_families import half_lines, oracle_events
from refdp.auditing.evidence.pairs import Claim, Event
from refdp.auditing.judges.inputs import exactly
from refdp.auditing.judges.law.reading import finite
from refdp.auditing.judges.task import Fields, TaskError
from refdp.auditing.targets.workers.wire import hashable
from refdp.laws import LATTICE, SPREADS, Law, Reference

POINTS = 256
"""Most ends of half lines on the lattice at which the curve of its laws is looked for."""
WIDE = 12
"""In so many spreads around both centres."""


def reference(given: Any, where: str = "laws") -> Reference:
    """{name = "laplace", scale = "1", location = "0"} and the like, or {name = "finite", outcomes, masses}."""
    if not isinstance(given, dict):
        raise TaskError(f"{where} must be tables, got {str(given)[:80]}")
    fields = Fields(given, f"{where}.")
    name = fields.one_of("name", (*SPREADS, "finite"))
    if name == "finite":
        found = finite(fields.of("outcomes", list, "a list"), fields.of("masses", list, "a list"), where)
    else:
        scale = exactly(fields.any("sigma" if fields.has("sigma") else "scale"), f"{where}.scale")
        location = exactly(fields.any("location", 0), f"{where}.location")
        step = exactly(fields.any("granularity", 1), f"{where}.granularity") if name in LATTICE else Fraction(1)
        if not scale > 0 or not step > 0:
            raise TaskError(f"{where}.scale and {where}.granularity must be > 0, got {scale} and {step}")
        found = Reference(Law(name, scale), location, step)
    fields.done()
    return found


def compatible(first: Reference, second: Reference) -> None:
    """TaskError unless both are finite, or both of one family and spread around two different locations."""
    if (first.line is None) != (second.line is None):
        raise TaskError("laws of a pair must be both finite or both on the line")
    if first.line is not None and second.line is not None:
        if first.line != second.line or first.granularity != second.granularity:
            raise TaskError("laws of a pair must be of one family and scale")
        if first.location == second.location:
            raise TaskError("laws of a pair must have different locations")


def events(claim: Claim, first: Reference, second: Reference) -> tuple[Event, ...]:
    """{P > e^epsilon Q} and {Q > e^epsilon P}; on the line half of the weight is on other half lines."""
    if first.line is None:
        return tuple(_hashable(event) for event in oracle_events(claim, dict(first.masses), dict(second.masses)))
    lines = half_lines(first.location, second.location - first.location, first.spread)
    others = [replace(event, weight=event.weight / 2) for event in lines]
    return (*_oracle_lines(claim, first, second), *others)


def _hashable(event: Event) -> Event:
    """The event for outputs that may be lists."""
    return replace(event, contains=lambda y: event.contains(hashable(y)))


def _oracle_lines(claim: Claim, first: Reference, second: Reference) -> tuple[Event, ...]:
    """The half lines where one density is e^epsilon times the other, as floats tell; for Laplace from the centre on."""
    if first.line is None:
        return ()
    distance = second.location - first.location
    epsilon = Fraction(float(claim.epsilon.rational) + log(claim.epsilon.argument))
    away, toward = beyond(first, abs(distance), epsilon), 1 if distance > 0 else -1
    found = []
    for direction, start, outward in ((1, first.location, -toward), (-1, second.location, toward)):
        cut = start + outward * away
        sign = ">=" if outward > 0 else "<="
        found.append(Event(f"{sign} {float(cut):.6g}", _beyond(cut, outward), direction, Fraction(1, 4)))
    return tuple(found)


def beyond(law: Reference, distance: Fraction, epsilon: Fraction) -> Fraction:
    """How far outside its location, seen from the other one, a density is e^epsilon times the other one."""
    if law.line is not None and law.line.shape == "gaussian":
        return epsilon * law.spread**2 / distance - distance / 2
    return min(Fraction(0), (epsilon * law.spread - distance) / 2)


def _beyond(cut: Fraction, outward: int) -> Any:
    """Whether a number is beyond the cut; what is no number is not."""
    near = float(cut)

    def contains(y: Any) -> bool:
        if isinstance(y, bool) or not isinstance(y, int | float | Fraction):
            return False
        return bool(y >= near if outward > 0 else y <= near)

    return contains


def exact_deltas(epsilons: Sequence[float], first: Reference, second: Reference) -> tuple[float, ...]:
    """About the least delta at each epsilon, both ways: sums for finite laws, half lines for laws on the line."""
    if first.line is None:
        outcomes = {*first.outcomes, *second.outcomes}
        laws = dict(first.masses), dict(second.masses)
        p, q = ([float(law.get(y, 0)) for y in outcomes] for law in laws)
        pairs = [*zip(p, q, strict=True)], [*zip(q, p, strict=True)]
        return tuple(max(sum(max(0.0, a - exp(e) * b) for a, b in side) for side in pairs) for e in epsilons)
    low, high = sorted((first, second), key=lambda law: law.location)  # symmetric: one direction is like the other
    if low.line is not None and low.line.lattice:
        known = [(low.below(Fraction(at)), high.below(Fraction(at))) for at in _lattice(low, high)]
        return tuple(max(0.0, *(a - exp(e) * b for a, b in known)) for e in epsilons)
    return tuple(max(0.0, _beyond_best(e, low, high)) for e in epsilons)


def _lattice(low: Reference, high: Reference) -> list[float]:
    """Where half lines of lattice laws may end, at most POINTS of them on each side of the lower location."""
    steps = min(POINTS, int(WIDE * low.spread / low.granularity) + 1)
    start = [float(law.location) for law in (low, high)]
    return [x + float(low.granularity) * k for x in start for k in range(-steps, 2)]


def _beyond_best(epsilon: float, low: Reference, high: Reference) -> float:
    """The excess of the half line that ends where the densities are e^epsilon apart."""
    at = Fraction(float(low.location - beyond(low, high.location - low.location, Fraction(epsilon))))
    return low.below(at) - exp(epsilon) * high.below(at)
