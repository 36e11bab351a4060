"""Errors: how far an outcome of a mechanism is from what was asked, and the events that it is large.

The yardstick of every accuracy claim, by name; no mechanism supplies its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.terms.term import TermError

EVENTS: Mapping[str, str] = {"at_least": ">=", "more_than": ">"}
"""What an error may do with its threshold."""
BOUNDS: Mapping[str, str] = {"probability": "=", "at_most": "<="}
"""What the probability of the event may be to the number claimed."""


@dataclass(frozen=True, slots=True)
class Error:
    """A registered error: its name, its sentence, and its exact value for an outcome y of the input x."""

    name: str
    sentence: str
    of: Callable[[Any, Any], Fraction]


def distance(y: Any, x: Any) -> Fraction:
    """|y - x|, for vectors the greatest over the coordinates."""
    if isinstance(x, tuple) != isinstance(y, tuple):
        raise TermError("outcome and input must be two numbers or two vectors")
    if not isinstance(x, tuple):
        return abs(Fraction(y) - Fraction(x))
    if len(x) != len(y) or not x:
        raise TermError("outcome and input must have the same number of coordinates, at least one")
    return max(map(distance, y, x))


def mistake(y: Any, x: Any) -> Fraction:
    """1 if y is not x, else 0."""
    return Fraction(int(y != x))


def shortfall(y: Any, x: Sequence[Fraction]) -> Fraction:
    """The best of the scores x, less that of the candidate y."""
    return max(x) - x[_index(y, len(x))]


def _index(y: Any, candidates: int) -> int:
    """The candidate as an index; TermError if there is no such candidate."""
    if Fraction(y).denominator != 1 or not 0 <= y < candidates:
        raise TermError(f"{y} is not one of {candidates} candidates")
    return int(y)


def mean_error(y: Any, x: Sequence[Fraction]) -> Fraction:
    """|y - mean(x)|."""
    return abs(Fraction(y) - sum(x, Fraction(0)) / len(x))


_LISTED = (
    Error("error", "|M(x) - x|, for vectors the greatest over the coordinates", distance),
    Error("mistake", "1 if M(x) is not x, else 0", mistake),
    Error("shortfall", "the best score less the score of the candidate that M names", shortfall),
    Error("mean_error", "|M(x) - mean(x)|", mean_error),
)
ERRORS: Mapping[str, Error] = {e.name: e for e in _LISTED}


def error(name: str) -> Error:
    """The registered error of that name; TermError if there is none."""
    if name not in ERRORS:
        raise TermError(f"error must be one of {', '.join(ERRORS)}, got {name}")
    return ERRORS[name]
