"""Inputs and outputs in few characters, for tables and sentences."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from refdp.auditing.targets import Outcome
from refdp.auditing.targets.outcomes import VALUE

LONGEST = 400
"""Most characters of an input or output that is told whole."""


def listed(value: Any, most: int = LONGEST) -> str:
    """A value, equal neighbours in a list written once with how often they stand there; cut to `most` characters.

    >>> listed([0, 0, 0, 0]), listed([1, 2]), listed((1, 1)), listed([0.1, 0.1, 0.1, 2])
    ('[0]*4', '[1, 2]', '(1, 1)', '[0.1]*3 + [2]')
    """
    text = _runs(value) if isinstance(value, list) else repr(value) if not isinstance(value, str) else value
    return text if len(text) <= most else text[: max(most - 3, 1)] + "..."


def _runs(values: list[Any]) -> str:
    """A list as a sum of its runs."""
    runs = [(text, len(list(same))) for text, same in groupby(map(repr, values))]
    if all(count == 1 for _, count in runs) or len(values) < 3:
        return f"[{', '.join(map(repr, values))}]"
    return " + ".join(f"[{text}]*{count}" if count > 1 else f"[{text}]" for text, count in runs)


def outcome_text(outcome: Outcome) -> str:
    """What came of a call, for a reader."""
    return listed(outcome.value) if outcome.kind == VALUE else str(outcome)[:LONGEST]
