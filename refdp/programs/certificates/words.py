"""A counterexample in words: data, event, closed forms of both probabilities, and how far apart they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refdp.logic.terms import Term
from refdp.programs.certificates.events import datum_json
from refdp.programs.closed_terms import bound
from refdp.programs.counterexample import Counterexample
from refdp.programs.events import Event, Expected, Interval, setting
from refdp.programs.probabilities import Number, decimal, sign, text
from refdp.programs.syntax import Claim, Program


def counterexample_data(claim: Claim, program: Program, found: Counterexample) -> dict[str, Any]:
    """A counterexample as plain data, numbers as text."""
    values = setting(program, found.parameters, len(found.old))
    return {
        "parameters": {name: str(value) for name, value in found.parameters.items()},
        "old": list(map(datum_json, found.old)),
        "new": list(map(datum_json, found.new)),
        "event": events_text(found.events),
        "old_probability": number_data(found.old_probability),
        "new_probability": number_data(found.new_probability),
        "bound": bound_data(claim, values),
        "order": None if found.order is None else str(found.order),
        "infinite": sign(found.new_probability) == 0,
    }


def number_data(found: Number) -> dict[str, str]:
    """A number in closed form, and its first digits."""
    return {"exact": text(found), "decimal": decimal(found)}


def bound_data(claim: Claim, values: Mapping[Term, Term]) -> dict[str, dict[str, str]]:
    """What is claimed at these parameters."""
    said = {"epsilon": claim.epsilon, "delta": claim.delta, "rho": claim.rho}
    return {name: number_data(bound(term, values)) for name, term in said.items() if term is not None}


def events_text(events: tuple[Event, ...]) -> str:
    """Events in words."""
    return " or ".join(map(event_text, events))


def event_text(event: Event) -> str:
    """One event in words."""
    return ", ".join(part_text(parts) for parts in event) or "nothing is released"


def part_text(parts: tuple[Expected, ...]) -> str:
    """What is released at once, in words."""
    words = [expected_text(one) for one in parts]
    return words[0] if len(words) == 1 else f"({', '.join(words)})"


def expected_text(part: Expected) -> str:
    """A part of what is released, in words."""
    if not isinstance(part, Interval):
        return str(part)
    what = "rise" if part.after else "number"
    match part.low, part.high:
        case None, None:
            return f"any {what}"
        case low, None:
            return f"a {what} >= {low}"
        case None, high:
            return f"a {what} <= {high}"
        case low, high:
            return f"a {what} in [{low}, {high}]" if low != high else str(low)
