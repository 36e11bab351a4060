"""numpy's functions of one-dimensional arrays and of scalars, on machine numbers, by full name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.machine.formats import INT64
from refdp.sensitivities.machine.narrow import Narrow
from refdp.sensitivities.machine.numbers import alike, check, of_floats, zero_of
from refdp.sensitivities.machine.statistics import numpy_mean, numpy_variance
from refdp.sensitivities.machine.sums import numpy_sum
from refdp.sensitivities.machine.wholes import Whole


def _array(values: Any) -> tuple[list[Any], Any]:
    """The numbers of a numpy array, and its zero; ints of Python are int64 there, and this is not followed."""
    numbers, zero = _elements(values)
    if isinstance(zero, int) and sum(map(abs, numbers)) >= 1 << 63:
        raise NoOutcome("numpy's int64 wraps")
    return numbers, zero


def _elements(values: Any) -> tuple[list[Any], Any]:
    """The same where nothing is added, so that every int of 64 bits will do."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise TypeError("not a list of numbers")
    check(values)
    zero = zero_of(values)
    if isinstance(zero, Narrow) and any(isinstance(value, int) for value in values):
        raise NoOutcome("a numpy array of ints and narrow floats is one of float64")
    if isinstance(zero, int):
        zero = 0.0 if not values else zero
    return alike(list(map(_int64, values)), zero), zero


def _int64(value: Any) -> Any:
    """The number, which is one of int64 if it is an int of Python: of a larger one numpy makes something else."""
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        raise NoOutcome("an int does not fit into numpy's int64")
    return value


def _summed(values: Any) -> Any:
    """The sum: of ints exact, of floats in numpy's order."""
    numbers, zero = _array(values)
    return sum(numbers) if isinstance(zero, int) else numpy_sum(numbers, zero)


def _mean(values: Any) -> Any:
    """The mean, of ints as floats."""
    numbers, zero = _array(values)
    return numpy_mean(numbers, Whole(0, INT64) if isinstance(zero, int) else zero)


def _variance(values: Any, *, ddof: int = 0) -> Any:
    """The variance, of ints as floats."""
    numbers, zero = _array(values)
    return numpy_variance(int(ddof))(numbers, Whole(0, INT64) if isinstance(zero, int) else zero)


def _median(values: Any) -> Any:
    """The middle of the numbers, or the mean of the two in the middle; NaN where one is, or none are."""
    numbers, _ = _array(values)
    if any(number != number for number in numbers):
        return math.nan
    ordered = sorted(numbers)
    low, high = (len(ordered) - 1) // 2, len(ordered) // 2
    return _mean(ordered[low : high + 1]) if ordered else math.nan


def numpy_functions() -> dict[str, Callable[..., Any]]:
    """numpy's functions of one-dimensional arrays and of scalars."""
    root = of_floats(lambda x: math.nan if x < 0 else math.sqrt(x))
    floor = of_floats(lambda x: float(math.floor(_exact_float(x))) if math.isfinite(x) else x)
    ceil = of_floats(lambda x: float(math.ceil(_exact_float(x))) if math.isfinite(x) else x)
    found: dict[str, Callable[..., Any]] = {
        "numpy.sum": _summed, "numpy.mean": _mean, "numpy.average": _mean, "numpy.var": _variance,
        "numpy.median": _median, "numpy.std": lambda values, *, ddof=0: root(_variance(values, ddof=ddof)),
        "numpy.min": _least, "numpy.max": _largest, "numpy.amin": _least, "numpy.amax": _largest,
        "numpy.abs": _size, "numpy.absolute": _size, "numpy.sqrt": root, "numpy.floor": floor, "numpy.ceil": ceil,
        "numpy.square": _square, "numpy.minimum": lambda a, b: _least_of(_together(a, b)),
        "numpy.maximum": lambda a, b: _largest_of(_together(a, b)), "numpy.isnan": of_floats(math.isnan),
        "numpy.clip": _clip,
        "numpy.isfinite": of_floats(math.isfinite),
    }  # fmt: skip
    return {name: _wrapping(function) for name, function in found.items()}


def _wrapping(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function; an int that it answers is one of int64, which wraps where it is kept and computed with."""

    def result(*values: Any, **named: Any) -> Any:
        found = function(*values, **named)
        is_int = isinstance(found, int) and not isinstance(found, bool)
        return Whole(found, INT64) if is_int else found

    return result


def _exact_float(x: Any) -> Any:
    """The number; an int only where a float64 has it, as numpy makes an int of it in some versions."""
    if isinstance(x, int) and abs(x) > 1 << 53:
        raise NoOutcome("numpy rounds a large int down or up by its version")
    return x


def _size(x: Any) -> Any:
    """|x|; the lowest int64 has none."""
    check([x])
    return _int64(abs(x))


def _square(x: Any) -> Any:
    """x x; an int that int64 has no room for wraps, which is not followed."""
    check([x])
    return _int64(x * x)


def _together(*values: Any) -> list[Any]:
    """Scalars in the type that they have together."""
    check(values)
    return alike(list(map(_int64, values)), zero_of(values))


def _clip(x: Any, low: Any, high: Any) -> Any:
    """min(max(x, low), high)."""
    number, lower, upper = _together(x, low, high)
    return _least_of([_largest_of([number, lower]), upper])


def _least(values: Any) -> Any:
    """The least of an array, and NaN where there is one; ValueError of nothing."""
    return _least_of(_elements(values)[0])


def _largest(values: Any) -> Any:
    """The largest of an array, and NaN where there is one; ValueError of nothing."""
    return _largest_of(_elements(values)[0])


def _least_of(numbers: Sequence[Any]) -> Any:
    """The least, and NaN where there is one; ValueError of nothing."""
    return next((v for v in numbers if v != v), None) or min(numbers)


def _largest_of(numbers: Sequence[Any]) -> Any:
    """The largest, and NaN where there is one; ValueError of nothing."""
    return next((v for v in numbers if v != v), None) or max(numbers)
