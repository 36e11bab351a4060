"""A counterexample in words: data, event, closed forms of both probabilities, and how far apart they are."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refdp.numerics.enclosures import Balls, interval, precision
from refdp.numerics.intervals import Interval as Enclosure
from refdp.programs.certificates.events import datum_json
from refdp.programs.closed_terms import bound
from refdp.programs.counterexample import Counterexample
from refdp.programs.events import Event, Expected, Interval, setting
from refdp.programs.probabilities import Number, decimal, enclosure, sign, text
from refdp.programs.syntax import Claim, Program
from refdp.terms.term import Term

DIGITS = 6
"""Digits after the point of a privacy loss."""
BITS = 128


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
        "loss": None if claim.epsilon is None else loss(found),
    }


def number_data(found: Number) -> dict[str, str]:
    """A number in closed form, and its first digits."""
    return {"exact": text(found), "decimal": decimal(found)}


def loss(found: Counterexample) -> str:
    """ln(P / P'), its first digits; "infinity" where P' is 0."""
    if sign(found.new_probability) == 0:
        return "infinity"
    old, new = (enclosure(p, DIGITS + 4) for p in (found.old_probability, found.new_probability))
    lower, upper = (logarithm(ratio) for ratio in (old.lower / new.upper, old.upper / new.lower))
    for places in range(DIGITS, 0, -1):
        cut = lower.lower * 10**places // 1
        if cut == upper.upper * 10**places // 1:
            return f"{point(cut, places)}..."
    return f"in [{lower.lower}, {upper.upper}]"


def logarithm(value: Fraction) -> Enclosure:
    """An enclosure of ln(value)."""
    with precision(BITS):
        balls = Balls(BITS)
        return interval(balls.function("ln", balls.number(value)), BITS)


def point(units: int, places: int) -> str:
    """A number of units of 10^-places as text."""
    whole, part = divmod(abs(units), 10**places)
    return f"{'-' * (units < 0)}{whole}.{part:0{places}d}"


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
