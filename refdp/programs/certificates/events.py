"""Counterexamples as JSON, and back: data, parameters and events; probabilities are computed again."""

from __future__ import annotations

from fractions import Fraction

from refdp.logic.strict_json import Forged, Json, entries, exact, insist, items, text_of, whole
from refdp.programs.counterexample import Counterexample
from refdp.programs.events import Datum, Expected, Interval
from refdp.programs.probabilities import number
from refdp.programs.syntax import Claim, Program
from refdp.terms.smtlib import read, written

LONGEST = 1_000
"""Most data, events, or emissions of an event."""


def counterexample_json(found: Counterexample) -> Json:
    """What shows that a claim is wrong, as JSON."""
    return {
        "parameters": {name: written(value) for name, value in found.parameters.items()},
        "old": list(map(datum_json, found.old)),
        "new": list(map(datum_json, found.new)),
        "events": [[list(map(expected_json, items)) for items in event] for event in found.events],
        "order": None if found.order is None else str(found.order),
    }


def counterexample_of(found: Json, program: Program, claim: Claim) -> Counterexample:
    """What JSON says shows that a claim is wrong; its probabilities are not yet computed."""
    parameters, old, new, events, order = entries(found, "parameters", "old", "new", "events", "order")
    insist(isinstance(parameters, dict), "parameters must be an object")
    values = {name: read(text_of(value), {}, functions=True) for name, value in parameters.items()}
    chosen = tuple(tuple(tuple(map(expected_of, few(items))) for items in few(event)) for event in few(events))
    data = tuple(map(datum_of, few(old))), tuple(map(datum_of, few(new)))
    number_of_order = None if order is None else whole(order)
    return Counterexample(program.name, claim, values, *data, chosen, number(0), number(0), number_of_order)


def few(found: Json) -> list[Json]:
    """A list that is not too long."""
    insist(len(items(found)) <= LONGEST, f"a list must have at most {LONGEST} elements")
    return list(found)


def datum_json(value: Datum) -> Json:
    """An element of the data as JSON."""
    return value if isinstance(value, bool) else str(value)


def datum_of(found: Json) -> Datum:
    """The element of the data that JSON stands for."""
    return found if isinstance(found, bool) else exact(found)


def expected_json(part: Expected) -> Json:
    """A part of an event as JSON."""
    if isinstance(part, Interval):
        low, high = (None if end is None else str(end) for end in (part.low, part.high))
        return {"low": low, "high": high, "after": part.after}
    if isinstance(part, Fraction):
        return {"number": str(part)}
    return {"text": part} if isinstance(part, str) else part


def expected_of(found: Json) -> Expected:
    """The part of an event that JSON stands for."""
    if found is None or isinstance(found, bool):
        return found
    if isinstance(found, dict) and set(found) == {"text"}:
        return text_of(found["text"])
    if isinstance(found, dict) and set(found) == {"number"}:
        return exact(found["number"])
    low, high, after = entries(found, "low", "high", "after")
    if not isinstance(after, bool):
        raise Forged("after must be true or false")
    return Interval(None if low is None else exact(low), None if high is None else exact(high), after)
