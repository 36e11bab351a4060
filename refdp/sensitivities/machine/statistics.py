"""Means, variances and dot products that machines compute, as algorithms over numbers of any format.

Each takes the numbers, or runs of them, and the zero of their format.  `total` is the sum that it is built on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from refdp.sensitivities.machine import sums
from refdp.sensitivities.machine.formats import FLOAT16, FLOAT32, FLOAT64
from refdp.sensitivities.machine.narrow import Narrow, fused, nearest
from refdp.sensitivities.machine.quick import quick_sum
from refdp.sensitivities.machine.runs import Numbers, mapped
from refdp.sensitivities.machine.sums import Sum
from refdp.sensitivities.machine.wholes import Whole

Algorithm = Callable[[Numbers, Any], Any]
_NUMPY_SUM = quick_sum("numpy")


def mean(total: Sum) -> Algorithm:
    """total / n.  ZeroDivisionError of an empty table."""
    return lambda numbers, zero: total(numbers, zero) / len(numbers)


def two_pass(total: Sum) -> Algorithm:
    """The sum of (x - mean)(x - mean).  ZeroDivisionError of an empty table."""

    def deviations(numbers: Numbers, zero: Any) -> Any:
        centre = mean(total)(numbers, zero)
        return total(mapped(lambda x: (x - centre) * (x - centre), numbers), zero)

    return deviations


def textbook(total: Sum) -> Algorithm:
    """sum x x - (sum x)(sum x) / n, which cancels and may be negative.  ZeroDivisionError of an empty table."""

    def deviations(numbers: Numbers, zero: Any) -> Any:
        first = total(numbers, zero)
        return total(mapped(lambda x: x * x, numbers), zero) - first * first / len(numbers)

    return deviations


def welford(numbers: Numbers, zero: Any) -> Any:
    """Squared deviations from a running mean, in one pass.  Source: Wel62."""
    centre = deviations = zero
    for count, x in enumerate(numbers, 1):
        away = x - centre
        centre = centre + away / count
        deviations = deviations + away * (x - centre)
    return deviations


def variance(deviations: Algorithm, ddof: int = 0) -> Algorithm:
    """The squared deviations over n - ddof.  ZeroDivisionError where that is 0."""
    return lambda numbers, zero: deviations(numbers, zero) / (len(numbers) - ddof)


def numpy_mean(numbers: Numbers, zero: Any) -> Any:
    """`numpy.mean`: numpy's sum, divided in float64 and rounded to the type; NaN of an empty table.

    float16 is summed as float32, integers as float64, both by way of numpy's buffer of 8192 rows.
    """
    if isinstance(zero, Whole):
        return _quotient(sums.buffered([float(x) for x in numbers], 0.0), len(numbers))
    if isinstance(zero, Narrow) and zero.format_ == FLOAT16:
        wide = sums.buffered([Narrow(x.number, FLOAT32) for x in numbers], Narrow(0.0, FLOAT32))
        return Narrow(nearest(_quotient(wide.number, len(numbers)), FLOAT16), FLOAT16)
    return _divided(_NUMPY_SUM(numbers, zero), len(numbers))


def numpy_variance(ddof: int = 0) -> Algorithm:
    """`numpy.var`: two passes, both with numpy's sum, both divided in float64; NaN where there is nothing to divide by.

    Integers are float64 from the mean on.  The mean of float16 is here the quotient of a float16 sum.
    """

    def spread(numbers: Numbers, zero: Any) -> Any:
        if isinstance(zero, Whole):
            # the sum as float64 goes through the buffer; what is summed then is float64 itself
            centre = _quotient(sums.buffered([float(x) for x in numbers], 0.0), len(numbers))
            return spread_about(centre, mapped(float, numbers), 0.0)
        return spread_about(_divided(_NUMPY_SUM(numbers, zero), len(numbers)), numbers, zero)

    def spread_about(centre: Any, numbers: Numbers, zero: Any) -> Any:
        squares = mapped(lambda x: (x - centre) * (x - centre), numbers)
        return _divided(_NUMPY_SUM(squares, zero), len(numbers) - ddof)

    return spread


def _divided(total: Any, count: int) -> Any:
    """total / count by way of float64, in the type of the total."""
    if isinstance(total, Narrow):
        return Narrow(nearest(_quotient(total.number, count), total.format_), total.format_)
    return _quotient(total, count)


def _quotient(total: float, count: int) -> float:
    """total / count; what numpy has for division by 0, to which a negative count is raised."""
    if count > 0:
        return total / count
    return math.nan if total == 0 or math.isnan(total) else math.copysign(math.inf, total)


def products(total: Sum) -> Algorithm:
    """The dot product of rows (x, y): the rounded products, summed."""
    return lambda pairs, zero: total(mapped(lambda pair: pair[0] * pair[1], pairs), zero)


def fused_dot(pairs: Numbers, zero: Any) -> Any:
    """The dot product of rows (x, y) from left to right, by fused multiply-add: each x y + total is rounded once."""
    if isinstance(zero, Narrow):
        total = zero.number
        for x, y in pairs:
            total = fused(x.number, y.number, total, zero.format_)
        return Narrow(total, zero.format_)
    for x, y in pairs:
        zero = fused(x, y, zero, FLOAT64)
    return zero
