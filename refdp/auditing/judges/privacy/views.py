"""Views of an output, each of which events are learned from: itself, low bits, residues, length, types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from refdp.auditing.evidence.bit_patterns import low_bits, residues
from refdp.auditing.evidence.scores import Raised, label

View = Callable[[Any], Any]


def output(y: Any) -> Any:
    """The output itself."""
    return y


def length(y: Any) -> int:
    """How many parts it has; -1 where it has none."""
    return len(y) if isinstance(y, (list, tuple, dict, str, bytes)) else -1


def types(y: Any) -> Any:
    """Its type and those of its parts; which exception it was."""
    if isinstance(y, Raised):
        return y
    if isinstance(y, (list, tuple)):
        return type(y).__name__, *sorted({type(part).__name__ for part in y})
    if isinstance(y, dict):
        return type(y).__name__, *sorted({type(part).__name__ for part in y.values()})
    return type(y).__name__


def keys(y: Any) -> Any:
    """The keys of a dictionary, whatever their order."""
    return tuple(sorted(map(repr, y))) if isinstance(y, dict) else None


VIEWS: Mapping[str, View] = {
    "output": output, "low_bits": low_bits, "residues": residues, "length": length, "type": types, "keys": keys,
}  # fmt: skip
"""Word -> view."""
TOLD: Mapping[str, str] = {
    "low_bits": "the exponent and the last binary digits of floats",
    "residues": "where floats lie above multiples of powers of two",
    "length": "how many parts the output has",
    "type": "the types of the output and its parts",
    "keys": "the keys of the dictionary",
}
"""What a view looks at, where it is not the output itself."""


def view_sentence(event: str) -> str:
    """A sentence about the view that the event belongs to; empty where that is the output itself."""
    seen = TOLD.get(event.partition(",")[0])
    return f" The two inputs are told apart by {seen}." if seen else ""


def telling(names: Sequence[str], first: Sequence[Any], second: Sequence[Any]) -> list[tuple[str, View]]:
    """The views under which not all outputs of the training part are alike; the output itself if there is none."""
    both = [*first, *second]
    found = [(name, VIEWS[name]) for name in names if _differ(VIEWS[name], both)]
    return found or [("output", output)]


def _differ(view: View, values: Sequence[Any]) -> bool:
    """Whether two of the values look different."""
    start = label(view(values[0]))
    return any(label(view(y)) != start for y in values)
