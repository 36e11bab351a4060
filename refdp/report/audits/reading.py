"""Plain JSON read into frozen dataclasses, each field by its type: whatever is not as it should be is one sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

LARGEST = 1e150
"""Coordinates beyond are infinite: their squares and differences would be."""
SMALLEST = 1e-150
"""Coordinates nearer to 0 are 0."""
INFINITE = {"inf": math.inf, "-inf": -math.inf}
T = TypeVar("T")


def read(kind: type[T], data: Any, where: str = "report") -> T:
    """The dataclass that the object stands for; ValueError naming the part, what it must be, and what it is."""
    found: T = _value(kind, data, where)
    return found


def refusal(where: str, must: str, got: Any) -> ValueError:
    """The sentence, with as much of the value as is read at a glance."""
    return ValueError(f"{where} must be {must}, got {_told(got)}")


def _told(value: Any) -> str:
    """A value in at most a line."""
    if isinstance(value, (dict, list, tuple)):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    if isinstance(value, str):
        return value.encode("unicode_escape").decode() if len(value) <= 60 else f"a text of {len(value)} characters"
    if isinstance(value, int) and value.bit_length() > 200:
        return f"a whole number of {value.bit_length()} bits"
    return "null" if value is None else repr(value)[:60]


def _value(kind: Any, data: Any, where: str) -> Any:
    """The value of that type."""
    if kind is Any:
        return data
    if is_dataclass(kind):
        return _object(kind, data, where)
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _either(get_args(kind), data, where)
    if origin is tuple:
        return _items(get_args(kind)[0], data, where)
    if origin is not None:
        return _mapping(get_args(kind)[1], data, where)
    return number(data, where) if kind is float else _plain(kind, data, where)


@cache
def _shape(kind: Any) -> tuple[tuple[Field[Any], Any], ...]:
    """The fields of a dataclass with their types."""
    hints = get_type_hints(kind)
    return tuple((f, hints[f.name]) for f in fields(kind))


def _object(kind: Any, data: Any, where: str) -> Any:
    """The dataclass; fields that have no default must be there, fields that it does not know are left alone."""
    if not isinstance(data, Mapping):
        raise refusal(where, "an object", data)
    found = {}
    for part, hint in _shape(kind):
        if part.name in data:
            found[part.name] = _value(hint, data[part.name], f"{where}.{part.name}")
        elif part.default is MISSING and part.default_factory is MISSING:
            raise ValueError(f"{where}.{part.name} must be given")
    return kind(**found)


def _either(kinds: tuple[Any, ...], data: Any, where: str) -> Any:
    """The value of the first type that fits; of the last, with its refusal, where none does."""
    if data is None and NoneType in kinds:
        return None
    rest = [kind for kind in kinds if kind is not NoneType]
    for kind in rest[:-1]:
        try:
            return _value(kind, data, where)
        except ValueError:
            continue
    return _value(rest[-1], data, where)


def _items(kind: Any, data: Any, where: str) -> tuple[Any, ...]:
    """The items of a list."""
    if not isinstance(data, (list, tuple)):
        raise refusal(where, "a list", data)
    return tuple(_value(kind, item, f"{where}[{i}]") for i, item in enumerate(data))


def _mapping(kind: Any, data: Any, where: str) -> dict[str, Any]:
    """An object whose values are all of one type."""
    if not isinstance(data, Mapping) or not all(isinstance(key, str) for key in data):
        raise refusal(where, "an object", data)
    return {key: _value(kind, value, f"{where}.{key[:40]}") for key, value in data.items()}


def _plain(kind: Any, data: Any, where: str) -> Any:
    """A text, a whole number or a truth value; True is no whole number."""
    words = {str: "a text", int: "a whole number", bool: "true or false"}
    if not isinstance(data, kind) or isinstance(data, bool) and kind is not bool:
        raise refusal(where, words[kind], data)
    return data


def number(data: Any, where: str) -> float:
    """A coordinate: a number, or inf or -inf as a text; beyond LARGEST infinite, within SMALLEST of 0 none but 0."""
    if isinstance(data, str) and data in INFINITE:
        return INFINITE[data]
    if isinstance(data, bool) or not isinstance(data, (int, float)) or data != data:
        raise refusal(where, "a number", data)
    if not -LARGEST <= data <= LARGEST:
        return math.inf if data > 0 else -math.inf
    return float(data) if abs(data) >= SMALLEST else 0.0
