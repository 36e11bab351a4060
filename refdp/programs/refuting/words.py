"""Counterexamples in words."""

from __future__ import annotations

from fractions import Fraction

from refdp.programs.events import Event, Expected, Interval


def events_text(events: tuple[Event, ...]) -> str:
    """What the output is: `False, False, a number <= 7/2`.

    >>> events_text((((False,), (Interval(None, Fraction(7, 2)),)),))
    'False, a number <= 7/2'
    """
    return " or ".join(map(event_text, events)) or "nothing"


def event_text(event: Event) -> str:
    """One output."""
    return ", ".join(map(emission_text, event)) or "no answer"


def emission_text(parts: tuple[Expected, ...]) -> str:
    """One answer."""
    shown = [part_text(part, index > 0) for index, part in enumerate(parts)]
    return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def part_text(part: Expected, beside: bool) -> str:
    """One value, or where it lies."""
    if not isinstance(part, Interval):
        return repr(part) if isinstance(part, str) else str(part)
    before = " more than the number before" if part.after else ""
    low, high = part.low, part.high
    if low is None and high is None:
        return "any number"
    if low is None:
        return f"a number <= {high}{before}"
    if high is None:
        return f"a number >= {low}{before}"
    return f"the number {low}{before}" if low == high else f"a number from {low} to {high}{before}"


def data_text(data: tuple[Fraction | bool, ...]) -> str:
    """Data as they are written: `(2, -1/2)`; one number stands alone."""
    return str(data[0]) if len(data) == 1 else f"({', '.join(map(str, data))})"
