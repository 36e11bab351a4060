"""numpy's functions of one-dimensional arrays and of scalars, on machine numbers, by full name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.machine.numbers import alike, check, of_floats, zero_of
from refdp.sensitivities.machine.statistics import numpy_mean, numpy_variance
from refdp.sensitivities.machine.sums import numpy_sum


def _array(values: Any) -> tuple[list[Any], Any]:
    """The numbers of a numpy array, and its zero; ints of Python are int64 there, and this is not followed."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise TypeError("not a list of numbers")
    check(values)
    zero = zero_of(values)
    if isinstance(zero, int):
        if any(abs(value) >= 1 << 62 or sum(map(abs, values)) >= 1 << 63 for value in values):
            raise NoOutcome("numpy's int64 wraps")
        zero = 0.0 if not values else zero
    return alike(values, zero), zero


def _summed(values: Any) -> Any:
    """The sum: of ints exact, of floats in numpy's order."""
    numbers, zero = _array(values)
    return sum(numbers) if isinstance(zero, int) else numpy_sum(numbers, zero)


def _mean(values: Any) -> Any:
    """The mean, of ints as floats."""
    numbers, zero = _array(values)
    return numpy_mean(*((list(map(float, numbers)), 0.0) if isinstance(zero, int) else (numbers, zero)))


def _variance(values: Any, *, ddof: int = 0) -> Any:
    """The variance, of ints as floats."""
    numbers, zero = _array(values)
    floats = (list(map(float, numbers)), 0.0) if isinstance(zero, int) else (numbers, zero)
    return numpy_variance(int(ddof))(*floats)


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
    floor, ceil = of_floats(lambda x: float(math.floor(x))), of_floats(lambda x: float(math.ceil(x)))
    return {
        "numpy.sum": _summed, "numpy.mean": _mean, "numpy.average": _mean, "numpy.var": _variance,
        "numpy.median": _median, "numpy.std": lambda values, *, ddof=0: root(_variance(values, ddof=ddof)),
        "numpy.min": _least, "numpy.max": _largest, "numpy.amin": _least, "numpy.amax": _largest,
        "numpy.abs": abs, "numpy.absolute": abs, "numpy.sqrt": root, "numpy.floor": floor, "numpy.ceil": ceil,
        "numpy.square": lambda x: x * x, "numpy.minimum": lambda a, b: _least([a, b]),
        "numpy.maximum": lambda a, b: _largest([a, b]), "numpy.isnan": of_floats(math.isnan),
        "numpy.clip": lambda x, low, high: _least([_largest([x, low]), high]),
        "numpy.isfinite": of_floats(math.isfinite),
    }  # fmt: skip


def _least(values: Any) -> Any:
    """The least, and NaN where there is one; ValueError of nothing."""
    return next((v for v in values if v != v), None) or min(values)


def _largest(values: Any) -> Any:
    """The largest, and NaN where there is one; ValueError of nothing."""
    return next((v for v in values if v != v), None) or max(values)
