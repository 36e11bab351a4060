"""Which methods of which values are interpreted."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

PLAIN: Mapping[type, frozenset[str]] = {
    list: frozenset({"append", "insert", "remove", "reverse", "index", "count", "copy", "clear"}),
    tuple: frozenset({"index", "count"}),
    dict: frozenset({"get", "items", "keys", "values", "pop", "popitem", "copy", "clear"}),
    set: frozenset({"add", "discard", "remove", "issubset", "issuperset", "isdisjoint", "copy", "clear"}),
    frozenset: frozenset({"issubset", "issuperset", "isdisjoint"}),
    str: frozenset({"lower", "upper", "strip", "lstrip", "rstrip", "startswith", "endswith", "split", "isdigit",
                    "isalpha", "title", "capitalize", "find", "count", "casefold", "removeprefix", "removesuffix"}),
}  # fmt: skip
"""Methods that are run as they are, after a step for each part of the value and of the arguments."""
QUICK = frozenset({"append", "get", "items", "keys", "values", "add", "discard"})
"""Those of them that do not walk through the value."""
WITH_STEPS: Mapping[type, frozenset[str]] = {
    list: frozenset({"pop", "sort", "extend"}),
    dict: frozenset({"update", "setdefault", "most_common", "total"}),
    set: frozenset({"pop", "union", "intersection", "difference", "symmetric_difference", "update",
                    "intersection_update", "difference_update", "symmetric_difference_update"}),
    frozenset: frozenset({"union", "intersection", "difference", "symmetric_difference"}),
    str: frozenset({"join"}),
}  # fmt: skip
"""Methods that the interpreter does step by step."""


def kind_of(value: Any) -> type | None:
    """The type whose methods the value has."""
    return next((k for k in (list, tuple, dict, set, frozenset, str) if isinstance(value, k)), None)


def is_method(value: Any, name: str) -> bool:
    """Whether the value has this method, and it is interpreted."""
    kind = kind_of(value)
    if kind is None:
        return isinstance(value, Fraction) and name == "is_integer"
    return name in PLAIN[kind] or name in WITH_STEPS.get(kind, ())
