"""Library functions of machine numbers, by full name: `sum`, and those of math, statistics and numpy.

For float64 the functions of math and statistics are the running Python's own.  Of a number of a narrow format those of
math that answer with a float answer with a float64, which is no number of the format: they have no outcome there, and
`statistics`, which speaks of Python's numbers only, is not offered.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.machine.formats import FLOAT64, FloatFormat, Format
from refdp.sensitivities.machine.narrow import Narrow, nearest
from refdp.sensitivities.machine.numbers import alike, check, of_floats, zero_of
from refdp.sensitivities.machine.numpy_library import numpy_functions
from refdp.sensitivities.machine.sums import compensated_beside_ints, naive, sum_named
from refdp.sensitivities.machine.wholes import Whole

Function = Callable[..., Any]
REAL = ("fabs", "sqrt", "exp", "expm1", "log", "log2", "log10", "log1p", "pow", "fmod", "copysign", "hypot", "tanh")
WHOLE = ("floor", "ceil", "trunc", "isnan", "isinf", "isfinite")
INTEGER = ("gcd", "comb", "factorial", "isqrt")
STATISTICS = ("mean", "fmean", "median", "median_low", "median_high", "mode", "multimode", "variance", "pvariance",
              "stdev", "pstdev", "quantiles")  # fmt: skip
LARGEST_WHOLE = 1_000
FROM_INTS = ("naive", "python3.11", "python3.12")
"""The sums that start from Python's int 0, so that ints before the first float are added exactly."""


def library(form: Format, total: str) -> Mapping[str, Function]:
    """The functions for numbers of the format, with `sum` as named."""
    found: dict[str, Function] = {**_builtins(form, total), **numpy_functions()}
    for name in REAL:
        found[f"math.{name}"] = _of_pythons_own(getattr(math, name), name)
    for name in WHOLE:
        found[f"math.{name}"] = of_floats(getattr(math, name))
    for name in INTEGER:
        found[f"math.{name}"] = _small(getattr(math, name))
    found["math.fsum"] = _fsum
    found["math.prod"] = lambda values, *, start=1: _product(values, start)
    if form == FLOAT64:
        found |= {f"statistics.{name}": getattr(statistics, name) for name in STATISTICS}
    return found


def _of_pythons_own(function: Function, name: str) -> Function:
    """A function of floats that answers with a float64."""

    def result(*values: Any) -> Any:
        _insist_on_pythons_own(values, name)
        return of_floats(function)(*values)

    return result


def _fsum(values: Sequence[Any]) -> Any:
    """math.fsum."""
    everything = list(values)
    _insist_on_pythons_own(everything, "fsum")
    return _summed("fsum", everything, 0)


def _insist_on_pythons_own(values: Sequence[Any], name: str) -> None:
    """NoOutcome of numbers of a narrow format."""
    if any(isinstance(value, Narrow) for value in values):
        raise NoOutcome(f"math.{name} of a narrow float is a float64")


def _summed(name: str, values: Sequence[Any], start: Any) -> Any:
    """The sum of that name; ints of Python are added exactly, but by fsum, which makes a float64 of each."""
    check(values)
    everything = list(values) if not isinstance(start, Whole) and start == 0 else [start, *values]
    zero = zero_of(everything)
    if isinstance(zero, Whole) and name == "fsum":
        return math.fsum(map(float, everything))
    if isinstance(zero, int):
        return math.fsum(everything) if name == "fsum" else sum(everything)
    if name == "python" and isinstance(zero, float):
        return sum((float(v) if isinstance(v, Whole) else v for v in values), start)
    if name in FROM_INTS and any(isinstance(v, int) for v in values) and not any(isinstance(v, Whole) for v in values):
        beside = compensated_beside_ints if name == "python3.12" and isinstance(zero, float) else naive
        return beside(values, start)
    return sum_named(name)(alike(everything, zero), zero)


def _builtins(form: Format, total: str) -> dict[str, Function]:
    sum_named(total)  # raises where there is none
    return {
        "abs": abs,
        "sum": lambda values, /, start=0: _summed(total, values, start),
        "round": _rounded,
        "int": lambda value=0, /: _integer(value, form),
        "float": lambda value=0, /: _float(value, form),
        "pow": lambda base, exp, /: base**exp,
        "divmod": lambda a, b, /: (a // b, a % b),
    }


def _rounded(number: Any, ndigits: Any = None) -> Any:
    """Round: to even where there are two nearest; digits go by the shortest text of a float64, as in Python."""
    if isinstance(number, Whole):
        return (
            number
            if ndigits is None or int(ndigits) >= 0
            else Whole(round(number.number, int(ndigits)), number.format_)
        )
    if not isinstance(number, Narrow):
        return round(number) if ndigits is None else round(number, int(ndigits))
    if ndigits is None:
        return round(number.number)
    raise NoOutcome("a narrow float rounded to digits depends on the library")


def _integer(value: Any, form: Format) -> Any:
    """Int: toward zero."""
    whole = int(value)
    return whole if isinstance(form, FloatFormat) or isinstance(value, str) else Whole(0, form) + whole


def _float(value: Any, form: Format) -> Any:
    """Float: of the format, or float64 beside integers."""
    if isinstance(value, Narrow):
        return value
    number = float(value)
    return Narrow(nearest(number, form), form) if isinstance(form, FloatFormat) and form != FLOAT64 else number


def _small(function: Function) -> Function:
    """A function of ints that grows fast."""

    def result(*values: Any) -> Any:
        if any(isinstance(v, int | Whole) and abs(int(v)) > LARGEST_WHOLE for v in values) and function is not math.gcd:
            raise NoOutcome(f"{function.__name__} of a large number")
        return function(*values)

    return result


def _product(values: Sequence[Any], start: Any) -> Any:
    check(values)
    for value in values:
        start = start * value
    return start
