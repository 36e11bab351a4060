"""The sums that machines compute, as algorithms over numbers of any format: each step is one rounded operation.

Every algorithm takes the numbers and the zero that it starts from, which tells it the format of an empty table.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from refdp.sensitivities.machine.formats import BFLOAT16, FLOAT16, FLOAT32
from refdp.sensitivities.machine.narrow import Narrow, machine_float, nearest
from refdp.sensitivities.machine.wholes import Whole

Real = TypeVar("Real", float, Narrow)
"""A floating-point number."""
Sum = Callable[[Any, Any], Any]
"""Numbers of one format and its zero to a number of the format: `(numbers, zero) -> sum`."""
LONGEST = 1 << 63
"""No int of Python's fast sums is larger, nor as large."""
BLOCK, LANES, BUFFER = 128, 8, 8192
"""numpy's: the longest block without recursion, its accumulators, and the rows that it converts at a time."""


def naive(numbers: Sequence[Any], zero: Any) -> Any:
    """((0 + x1) + x2) + ...: a loop, Python's `sum` up to 3.11, numpy's sum down the columns of a table."""
    total = zero
    for x in numbers:
        total = total + x
    return total


def pairwise(base: int) -> Sum:
    """Both halves summed alike, and added; up to `base` numbers from left to right.  ValueError for base < 1."""
    if base < 1:
        raise ValueError(f"base must be >= 1, got {base}")

    def halved(numbers: Sequence[Any], zero: Any) -> Any:
        if len(numbers) <= base:
            return naive(numbers[1:], numbers[0]) if numbers else zero
        middle = len(numbers) // 2
        return halved(numbers[:middle], zero) + halved(numbers[middle:], zero)

    return halved


def kahan(numbers: Sequence[Real], zero: Real) -> Real:
    """Compensated: what an addition lost is taken off the next number.  Source: Kah65."""
    total = lost = zero
    for x in numbers:
        wanted = x - lost
        new = total + wanted
        lost = (new - total) - wanted
        total = new
    return total


def _compensated(numbers: Sequence[Real], zero: Real) -> tuple[Real, Real]:
    """The naive sum and the naive sum of what its additions lost.  Source: Neu74."""
    total = lost = zero
    for x in numbers:
        new = total + x
        lost = lost + ((total - new) + x if abs(total) >= abs(x) else (x - new) + total)
        total = new
    return total, lost


def neumaier(numbers: Sequence[Real], zero: Real) -> Real:
    """The naive sum and, added at the end, what its additions lost."""
    total, lost = _compensated(numbers, zero)
    return total + lost


def compensated(numbers: Sequence[Any], zero: Any) -> Any:
    """Python's `sum` of floats from 3.12 on: Neumaier's, except that a loss that is infinite or NaN is left out.

    Other types than Python's float, such as numpy.float32, it sums naively.
    """
    if not isinstance(zero, float):
        return naive(numbers, zero)
    total, lost = _compensated(numbers, zero)
    return total + lost if lost and math.isfinite(lost) else total


def compensated_beside_ints(numbers: Sequence[Any], start: Any) -> Any:
    """Python's `sum` of floats and ints from 3.12 on: ints are added exactly until a float comes, then uncompensated.

    An int of more than 64 bits ends the compensation.
    """
    total, lost, compensates = start, 0.0, True
    for x in numbers:
        new = total + x
        if isinstance(total, int):
            compensates = compensates and (isinstance(x, float) or all(-LONGEST <= i < LONGEST for i in (x, new)))
        elif compensates and isinstance(x, float):
            lost = lost + ((total - new) + x if abs(total) >= abs(x) else (x - new) + total)
        elif compensates and not -LONGEST <= x < LONGEST:
            new = (total + lost if lost and math.isfinite(lost) else total) + x
            lost, compensates = 0.0, False
        total = new
    return total + lost if lost and math.isfinite(lost) else total


def python(numbers: Sequence[Any], zero: Any) -> Any:
    """The `sum` of the Python that runs: compensated from 3.12 on, naive before."""
    return (compensated if sys.version_info >= (3, 12) else naive)(numbers, zero)


def fsum(numbers: Sequence[Real], zero: Real) -> Real:
    """The exact sum, rounded once; 0 is +0.0: `math.fsum`, and what it would be in a narrow format.

    ValueError for inf - inf; OverflowError where a sum of finite float64 is too large, where a narrow one is infinite.
    """
    if isinstance(zero, float):
        return math.fsum(numbers)
    values = [x.number for x in numbers]
    if not all(map(math.isfinite, values)):
        return Narrow(math.fsum(values), zero.format_)
    return Narrow(machine_float(sum(map(Fraction, values), Fraction()), zero.format_), zero.format_)


def numpy_sum(numbers: Sequence[Any], zero: Any) -> Any:
    """`numpy.sum` of a contiguous array of this type: pairwise over blocks of eight lanes; float16 summed as float32.

    bfloat16 (of ml_dtypes) is summed from left to right; integers wrap in any order.  Along the columns of a table
    (axis 0 of a C-ordered array) numpy adds row after row, which is `naive`; rows of a `where` or of a converted type
    go through a buffer of 8192.
    """
    if isinstance(zero, Whole) or isinstance(zero, Narrow) and zero.format_ == BFLOAT16:
        return naive(numbers, zero)
    if isinstance(zero, Narrow) and zero.format_ == FLOAT16:
        total = blocks([Narrow(x.number, FLOAT32) for x in numbers], Narrow(0.0, FLOAT32))
        return Narrow(nearest(total.number, FLOAT16), FLOAT16)
    return blocks(numbers, zero)


def blocks(numbers: Sequence[Real], zero: Real) -> Real:
    """numpy's pairwise sum: halves (a multiple of 8 first) down to 128 numbers, which go into eight lanes."""
    count = len(numbers)
    if count > BLOCK:
        middle = count // 2 // LANES * LANES
        return blocks(numbers[:middle], zero) + blocks(numbers[middle:], zero)
    if count < LANES:
        return naive(numbers[1:], numbers[0]) if count else zero
    whole = count // LANES * LANES
    a, b, c, d, e, f, g, h = (naive(numbers[i + LANES : whole : LANES], numbers[i]) for i in range(LANES))
    total: Real = naive(numbers[whole:], ((a + b) + (c + d)) + ((e + f) + (g + h)))
    return total


def buffered(numbers: Sequence[Real], zero: Real) -> Real:
    """numpy's sum where it converts the type on the way: blocks of 8192 rows, added from left to right."""
    total = zero
    for start in range(0, len(numbers), BUFFER):
        total = total + blocks(numbers[start : start + BUFFER], zero)
    return total


SUMS: Mapping[str, Sum] = {
    "naive": naive, "pairwise": pairwise(1), "kahan": kahan, "neumaier": neumaier, "numpy": numpy_sum, "fsum": fsum,
    "python": python, "python3.11": naive, "python3.12": compensated,
}  # fmt: skip
"""The sums that `--sum` names; "pairwise" halves down to single numbers."""


def sum_named(name: str) -> Sum:
    """The sum of that name; `pairwise:8` names the base.  ValueError where there is none."""
    known, _, base = name.partition(":")
    if known == "pairwise" and base.isdecimal():
        return pairwise(int(base))
    if name not in SUMS:
        raise ValueError(f"sum must be one of {', '.join(SUMS)}, pairwise:BASE, got {name}")
    return SUMS[name]
