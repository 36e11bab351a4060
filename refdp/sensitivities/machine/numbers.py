"""What numbers of a machine have in common: their type, their zero, and functions of floats applied to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from refdp.sensitivities.machine.narrow import Narrow, nearest
from refdp.sensitivities.machine.wholes import Whole


def zero_of(values: Sequence[Any]) -> Any:
    """The zero of the type that numbers have together; 0 where all are Python's ints."""
    for value in values:
        if isinstance(value, Narrow):
            return Narrow(0.0, value.format_)
    for value in values:
        if isinstance(value, float):
            return 0.0
    for value in values:
        if isinstance(value, Whole):
            return Whole(0, value.format_)
    return 0


def alike(values: Sequence[Any], zero: Any) -> list[Any]:
    """The numbers in the type of their zero."""
    if isinstance(zero, float):
        return [float(value) for value in values]
    return [value if isinstance(value, type(zero)) else zero + value for value in values]


def check(values: Sequence[Any]) -> None:
    """TypeError of the user's function where one value is no number."""
    for value in values:
        if not isinstance(value, int | float | Narrow | Whole):
            raise TypeError(f"must be real number, not {type(value).__name__}")


def of_floats(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of floats, whose float results are rounded to the format of its arguments."""

    def result(*values: Any) -> Any:
        check(values)
        found = function(*(float(v) if isinstance(v, Narrow | Whole) else v for v in values))
        narrow = next((v.format_ for v in values if isinstance(v, Narrow)), None)
        return Narrow(nearest(found, narrow), narrow) if narrow and isinstance(found, float) else found

    return result
