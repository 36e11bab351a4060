"""Values as JSON without loss: what is read is what was written, to the last bit of a float.

null, true, false and texts stand for themselves; all else is an object with one key that names its kind:
{"int": "12"}, {"float": "0x1.8p+0"} (C99; also "nan", "inf", "-inf"), {"fraction": "1/3"}, {"bytes": "00ff"},
{"list": [...]}, {"tuple": [...]}, {"dict": [[key, value], ...]}, {"ints": "1 2 3"}, {"floats": "0x1p+0 nan"} for lists
of many numbers, and {"other": "name of its type", "text": "what it prints"} for what is none of these.  The sign and
the payload of a NaN are the only things lost.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

LONGEST_TEXT = 1000
"""Most characters of what a foreign object prints."""
DECIMAL = 2**63
"""Wholes from here on are written in base 16, which Python reads at any length."""


class WireError(ValueError):
    """What was received stands for no value."""


class Other:
    """A value that is no plain data: only the name of its type and what it printed came over."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind, self.text = kind, text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Other) and (self.kind, self.text) == (other.kind, other.text)

    def __hash__(self) -> int:
        return hash((self.kind, self.text))

    def __repr__(self) -> str:
        return f"<{self.kind}: {self.text}>"


def encoded(value: Any) -> Any:
    """The value as JSON; arrays and numbers of numpy count as Python's."""
    if value is None or isinstance(value, (bool, str)):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, (int, float, Fraction)):
        return {_kind(value): _number(value)}
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": bytes(value).hex()}
    if isinstance(value, tuple):
        return {"tuple": [encoded(v) for v in value]}
    if isinstance(value, list):
        return _list(value)
    if isinstance(value, dict):
        return {"dict": [[encoded(k), encoded(v)] for k, v in value.items()]}
    if isinstance(value, Other):
        return {"other": value.kind, "text": value.text}
    return _foreign(value)


def _foreign(value: Any) -> Any:
    """An object of a library: what `tolist` gives, as arrays and numbers of numpy have it, else its text."""
    try:
        plain = value.tolist()
    except Exception:
        plain = value
    if isinstance(plain, (bool, int, float, str, list)):
        return encoded(plain)
    return {"other": type(value).__name__, "text": str(value)[:LONGEST_TEXT]}


def _list(values: list[Any]) -> Any:
    """A list; one of nothing but wholes or nothing but floats, in one text."""
    kinds = set(map(type, values))
    if kinds == {int}:
        return {"ints": " ".join(map(_number, values))}
    if kinds == {float}:
        return {"floats": " ".join(map(float.hex, values))}
    return {"list": [encoded(v) for v in values]}


def _kind(value: Any) -> str:
    return "float" if isinstance(value, float) else "int" if isinstance(value, int) else "fraction"


def _number(value: Any) -> str:
    """The digits of a number."""
    if isinstance(value, float):
        return float.hex(value)
    if isinstance(value, int):
        return str(int(value)) if abs(value) < DECIMAL else hex(value)
    return f"{_number(value.numerator)}/{_number(value.denominator)}"


def decoded(data: Any) -> Any:
    """The value that the JSON stands for; WireError where it stands for none."""
    try:
        return _decoded(data)
    except (ValueError, TypeError, KeyError, ArithmeticError, AttributeError) as error:
        raise WireError(f"no value is written like this: {str(data)[:80]}") from error


def _decoded(data: Any) -> Any:
    """The value, or one of the errors that ill-formed data lead to."""
    if data is None or isinstance(data, (bool, str)):
        return data
    (kind, content), *more = data.items()
    if kind == "other":
        return Other(str(content), str(data["text"]))
    if more:
        raise ValueError
    return READERS[kind](content)


def _pairs(content: Any) -> dict[Any, Any]:
    found = {hashable(_decoded(key)): _decoded(value) for key, value in content}
    if len(found) < len(content):
        raise ValueError  # foreign keys that print the same
    return found


def hashable(key: Any) -> Any:
    """A list as a tuple, so that it can be a key."""
    return tuple(map(hashable, key)) if isinstance(key, (list, tuple)) else key


def _whole(text: str) -> int:
    return int(text, 16) if "x" in text else int(text)


def _fraction(text: str) -> Fraction:
    above, below = text.split("/")
    return Fraction(_whole(above), _whole(below))


READERS: dict[str, Any] = {
    "int": _whole,
    "float": float.fromhex,
    "fraction": _fraction,
    "bytes": bytes.fromhex,
    "list": lambda content: [_decoded(v) for v in content],
    "tuple": lambda content: tuple(_decoded(v) for v in content),
    "dict": _pairs,
    "ints": lambda text: [_whole(word) for word in text.split()],
    "floats": lambda text: [float.fromhex(word) for word in text.split()],
}
"""Kind -> how its content is read."""
