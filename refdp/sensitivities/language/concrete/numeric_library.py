"""Library functions of numbers in exact arithmetic, by full name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from refdp.sensitivities.language.concrete.exact_operations import Exact, exact_operation, square_root
from refdp.sensitivities.language.concrete.exact_statistics import NUMPY, STATISTICS, total
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.terms.exact_values import NotRational

MOST_DIGITS = 1_000
"""Most digits that a number is rounded to."""


def finite(value: Any) -> int | Fraction:
    """The number as it is, for functions that have no infinite values; TypeError where it is no number."""
    if isinstance(value, float):
        raise NoOutcome("a function of an infinite number")
    if not isinstance(value, int | Fraction):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return value


def number(value: Any) -> Exact:
    """The number as it is; TypeError where it is none."""
    return value if isinstance(value, float) else finite(value)


def _round(value: Any, ndigits: Any = None) -> int | Fraction:
    """round, to even where there are two nearest."""
    value = finite(value)
    if isinstance(ndigits, float) or isinstance(ndigits, Fraction) and ndigits.denominator == 1:
        raise NoOutcome("a number of digits that may be a float")
    if ndigits is not None and not isinstance(ndigits, int):
        raise TypeError("'float' object cannot be interpreted as an integer")
    if ndigits is not None and abs(ndigits) > MOST_DIGITS:
        raise NoOutcome(f"a number is rounded to {ndigits} digits")
    if ndigits is None:
        whole: int = round(value)
        return whole
    nearest: int | Fraction = round(value, ndigits)
    return nearest


def _int(value: Any = 0) -> int:
    """int: toward zero."""
    if isinstance(value, str):
        return int(value)
    if isinstance(value, float):
        raise OverflowError("cannot convert float infinity to integer") if math.isinf(value) else ValueError("nan")
    return int(finite(value))


def _float(value: Any = 0) -> Exact:
    """float: the number itself, which is no int from here on."""
    if not isinstance(value, str):
        return value if isinstance(value, float) else Fraction(finite(value))
    approximate = float(value)
    if math.isfinite(approximate) and (len(value) > MOST_DIGITS or approximate == 0 and value.strip(" 0.-+")):
        raise NoOutcome(f"the number {value[:20]}")
    return Fraction(value) if math.isfinite(approximate) else approximate


def _known(function: Callable[[float], float], at: int, value: int) -> Callable[[Any], Fraction]:
    """A function that has a rational value at one point only; it raises what Python raises elsewhere."""

    def result(x: Any) -> Fraction:
        if finite(x) == at:
            return Fraction(value)
        if function is not math.exp and x <= 0 and function is not math.log1p or x <= -1 and function is math.log1p:
            raise ValueError("math domain error")
        raise NotRational(f"{function.__name__} of {x} is not rational")

    return result


def _whole(function: Callable[..., int]) -> Callable[..., int]:
    """A function of ints."""

    def result(*values: Any) -> int:
        if any(isinstance(v, Fraction) and v.denominator == 1 for v in values):
            raise NoOutcome(f"{function.__name__} of a number that may be a float")
        if any(isinstance(v, int) and abs(v) > MOST_DIGITS for v in values) and function is not math.gcd:
            raise NoOutcome(f"{function.__name__} of a large number")
        return function(*values)

    return result


def _copysign(x: Any, y: Any) -> Fraction:
    """|x| with the sign of y."""
    return abs(Fraction(finite(x))) * (-1 if finite(y) < 0 else 1)


def _prod(values: Sequence[Any], *, start: Any = 1) -> Exact:
    """The product."""
    found: Exact = factor(start)
    for value in values:
        found = exact_operation("*", found, factor(value))
    return found


def factor(value: Any) -> Exact:
    """The number as it is; NoOutcome where it is none: a number repeats a list, and one factor may be anything."""
    if not isinstance(value, int | Fraction | float):
        raise NoOutcome("a product of what is no number")
    return value


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Exact:
    """The sum of products; ValueError where the lengths differ."""
    if len(a) != len(b):
        raise ValueError("inputs are not the same length")
    return total([exact_operation("*", number(x), number(y)) for x, y in zip(a, b, strict=True)])


def _rounded(direction: Callable[[Any], int]) -> Callable[[Any], int]:
    """math.floor and its like; OverflowError at infinities."""

    def result(value: Any) -> int:
        return direction(value) if isinstance(value, float) else direction(finite(value))

    return result


def _within_domain(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with ValueError where Python's own operator raises ZeroDivisionError."""

    def result(x: Any, y: Any) -> Any:
        try:
            return function(x, y)
        except ZeroDivisionError:
            raise ValueError("math domain error") from None

    return result


def _fmod(x: Any, y: Any) -> Fraction:
    """What is left of x, with its sign."""
    return Fraction(finite(x)) - finite(y) * math.trunc(Fraction(finite(x)) / finite(y))


MATH: Mapping[str, Callable[..., Any]] = {
    "floor": _rounded(math.floor), "ceil": _rounded(math.ceil), "trunc": _rounded(math.trunc),
    "fabs": lambda x: abs(number(float("inf") if isinstance(x, float) else Fraction(finite(x)))),
    "sqrt": lambda x: square_root(number(x)), "fsum": lambda values: _float(total(values)), "prod": _prod,
    "sumprod": _dot, "hypot": lambda *v: square_root(total([exact_operation("*", number(x), x) for x in v])),
    "dist": lambda p, q: square_root(total([(finite(a) - finite(b)) ** 2 for a, b in zip(p, q, strict=True)])),
    "pow": _within_domain(lambda x, y: _float(exact_operation("**", number(x), number(y)))), "copysign": _copysign,
    "isnan": lambda x: math.isnan(x) if isinstance(x, float) else finite(x) is None,
    "isinf": lambda x: math.isinf(x) if isinstance(x, float) else finite(x) is None,
    "isfinite": lambda x: not isinstance(x, float) and finite(x) is not None,
    "fmod": _within_domain(_fmod),
    "gcd": _whole(math.gcd), "isqrt": _whole(math.isqrt),
    "comb": _whole(math.comb), "factorial": _whole(math.factorial),
    "exp": _known(math.exp, 0, 1), "log": _known(math.log, 1, 0), "log2": _known(math.log2, 1, 0),
    "log10": _known(math.log10, 1, 0), "log1p": _known(math.log1p, 0, 0),
}  # fmt: skip
BUILTIN: Mapping[str, Callable[..., Any]] = {
    "abs": lambda x: abs(number(x)), "round": _round, "int": _int, "float": _float,
    "pow": lambda x, y: exact_operation("**", number(x), number(y)),
    "fractions.Fraction": lambda x=0, y=1: exact_operation("/", _float(x), y),
    "divmod": lambda x, y: (exact_operation("//", number(x), number(y)), exact_operation("%", number(x), number(y))),
}  # fmt: skip
ELEMENTWISE: Mapping[str, Callable[..., Any]] = {
    "abs": BUILTIN["abs"], "absolute": BUILTIN["abs"], "fabs": MATH["fabs"], "sqrt": MATH["sqrt"],
    "floor": lambda x: Fraction(finite(x).__floor__()), "ceil": lambda x: Fraction(finite(x).__ceil__()),
    "minimum": lambda x, y: y if number(y) < number(x) else x, "isnan": MATH["isnan"], "isfinite": MATH["isfinite"],
    "maximum": lambda x, y: y if number(x) < number(y) else x, "square": lambda x: exact_operation("*", number(x), x),
    "sign": lambda x: (number(x) > 0) - (number(x) < 0),
    "clip": lambda x, a, b: min(max(number(x), number(a)), number(b)),
}  # fmt: skip
EXACT_CALLS: Mapping[str, Callable[..., Any]] = {
    **BUILTIN,
    **{f"math.{name}": function for name, function in MATH.items()},
    **{f"statistics.{name}": function for name, function in STATISTICS.items()},
    **{f"numpy.{name}": function for name, function in ELEMENTWISE.items()},
    **{f"numpy.{name}": function for name, function in NUMPY.items()},
}
