"""Sums whose ideal sensitivity survives the machine: in every order of the rows, and whatever their number.

Source: CSVW22, split summation and conversion to integers.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from refdp.sensitivities.machine.narrow import Narrow
from refdp.sensitivities.machine.quick import quick_sum
from refdp.sensitivities.machine.runs import Numbers, Runs, runs
from refdp.sensitivities.machine.statistics import Algorithm

_NAIVE = quick_sum("naive")


def split_sum(numbers: Numbers, zero: Any) -> Any:
    """The sum of the negative numbers and the sum of the others, added: of saturating integers.

    Either part is its exact sum, moved to the nearest end of the range where it is beyond: it does not depend on the
    order, and moves no further than the exact one.  The parts have opposite signs, so that adding them is exact.
    """
    return _NAIVE(_those(numbers, lambda x: x < zero), zero) + _NAIVE(_those(numbers, lambda x: not x < zero), zero)


def grid_sum(quantum: Fraction) -> Algorithm:
    """The sum of floats rounded to whole multiples of the quantum, counted in quanta: integers that do not wrap.

    It moves by at most round(upper / quantum) - round(lower / quantum) when a row is changed.  The count is a whole
    number of any size: noise has to be added to it before it becomes a float.  ValueError for a quantum <= 0.
    """
    if quantum <= 0:
        raise ValueError(f"quantum must be > 0, got {quantum}")

    def total(numbers: Numbers, zero: Any) -> int:
        parts = numbers.parts if isinstance(numbers, Runs) else [(x, 1) for x in numbers]
        return sum(round(_value(x) / quantum) * count for x, count in parts)

    return total


def _value(number: float | Narrow) -> Fraction:
    """The exact value.  OverflowError for an infinity, ValueError for NaN."""
    return Fraction(number.number if isinstance(number, Narrow) else number)


def _those(numbers: Numbers, wanted: Callable[[Any], bool]) -> Numbers:
    """The rows that are wanted, in order."""
    if isinstance(numbers, Runs):
        return runs(part for part in numbers.parts if wanted(part[0]))
    return [x for x in numbers if wanted(x)]
