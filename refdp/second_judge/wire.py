"""Values between the judge and the process that runs a user's file: as JSON, each with its type, exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any


class NotSent(ValueError):
    """A value that is no number, text, truth value, None, or a list, tuple or dict of these."""


def packed(value: Any) -> Any:
    """The value as JSON.  NotSent where it has no place there.

    >>> packed([1, Fraction(1, 2), "a"])
    ['l', ['i', '0x1'], ['q', '0x1', '0x2'], 'a']
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return ["i", hex(value)]
    if isinstance(value, Fraction):
        return ["q", hex(value.numerator), hex(value.denominator)]
    if isinstance(value, float):
        if math.isfinite(value):
            raise NotSent("a float that was computed with rounding")
        return ["f", str(value)]
    if isinstance(value, list | tuple):
        return ["l" if isinstance(value, list) else "t", *map(packed, value)]
    if isinstance(value, Mapping):
        return ["d", *([packed(key), packed(part)] for key, part in value.items())]
    raise NotSent(f"a value of type {type(value).__name__}")


def unpacked(text: Any) -> Any:
    """The value that JSON says.

    >>> unpacked(packed({"a": (Fraction(1, 3), None)}))
    {'a': (Fraction(1, 3), None)}
    """
    if not isinstance(text, list):
        return text
    kind, *inner = text
    if kind == "i":
        return int(inner[0], 16)
    if kind == "q":
        return Fraction(int(inner[0], 16), int(inner[1], 16))
    if kind == "f":
        return float(inner[0])
    if kind == "d":
        return {unpacked(key): unpacked(part) for key, part in inner}
    parts = [unpacked(one) for one in inner]
    return parts if kind == "l" else tuple(parts)
