"""Library functions on exact numbers agree with Python's and numpy's own where floats are exact."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from refdp.sensitivities.language.concrete.arithmetic import EXACT
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.terms.exact_values import NotRational

NUMBERS = (-4, -2.5, -1, 0, 0.25, 1, 2, 2.5, 3, 4, 6.25, 9)
LISTS = ([], [3], [0.5], [1, 2], [4, 4, 2.5], [-1, 0, 3, 2], [2, 2, 9, 9, 1], [0, 0.25, 6.25, 9, -4, 1])
OTHERS = {"int": int, "float": float, "abs": abs, "round": round, "pow": pow, "divmod": divmod}


def own(name: str) -> Callable[..., Any]:
    """The function that exact arithmetic has in its place."""
    module, _, function = name.rpartition(".")
    return getattr({"math": math, "statistics": statistics, "numpy": np}[module], function) if module else OTHERS[name]


def exact(value: Any) -> Any:
    if isinstance(value, list):
        return [exact(part) for part in value]
    return value if isinstance(value, int) else Fraction(value)


def same(found: Any, wanted: Any) -> bool:
    if isinstance(found, list | tuple):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    return math.isnan(wanted) if isinstance(found, float) and math.isnan(found) else bool(float(found) == float(wanted))


def agree(name: str, *arguments: Any) -> bool:
    """Whether both return the same or raise the same; False where exact arithmetic has no outcome."""
    try:
        found: Any = EXACT.calls[name](*map(exact, arguments))
    except (NoOutcome, NotRational):
        return False
    except Exception as error:
        found = type(error)
    try:
        wanted = own(name)(*arguments)
    except Exception as error:
        wanted = type(error)
    if isinstance(found, type) or isinstance(wanted, type):
        assert found is wanted, (name, arguments)
    else:
        assert same(found, wanted), (name, arguments, found, wanted)
    return True


ONE = [
    *(["abs", "int", "float", "round"]),
    *(
        f"math.{n}"
        for n in [
            "floor",
            "ceil",
            "trunc",
            "fabs",
            "sqrt",
            "isnan",
            "isinf",
            "isfinite",
            "exp",
            "log",
            "log2",
            "log10",
            "log1p",
            "isqrt",
        ]
    ),
    *(f"numpy.{n}" for n in ["abs", "absolute", "fabs", "floor", "ceil", "square", "sign", "isnan", "isfinite"]),
]
TWO = [
    "pow",
    "divmod",
    "round",
    "math.pow",
    "math.fmod",
    "math.copysign",
    "math.hypot",
    "math.comb",
    "numpy.minimum",
    "numpy.maximum",
]
MOMENTS = [
    "mean",
    "fmean",
    "median",
    "median_low",
    "median_high",
    "mode",
    "multimode",
    "variance",
    "pvariance",
    "stdev",
    "pstdev",
    "quantiles",
]
MANY = [
    *(f"statistics.{n}" for n in MOMENTS),
    *(f"numpy.{n}" for n in ["sum", "mean", "var", "std", "min", "max", "median", "ptp", "amax", "amin", "average"]),
    *("math.fsum", "math.prod"),
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ONE)
def test_function_of_one_number_is_pythons(name: str) -> None:
    compared = [agree(name, x) for x in NUMBERS]
    assert any(compared)


@pytest.mark.parametrize("name", TWO)
def test_function_of_two_numbers_is_pythons(name: str) -> None:
    skipped = {"pow": lambda x, y: x < 0 and y != int(y)}.get(name, lambda x, y: False)
    compared = [agree(name, x, y) for x in NUMBERS for y in NUMBERS if not skipped(x, y)]
    assert any(compared)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", MANY)
def test_function_of_a_list_is_pythons(name: str) -> None:
    compared = [agree(name, values) for values in LISTS if exactly_shown(name, values)]
    assert any(compared)


def exactly_shown(name: str, values: list[float]) -> bool:
    """Whether floats are exact there: a mean of three or five numbers need not be one."""
    return len(values) < 3 or not any(word in name for word in ("var", "std", "stdev", "average", "mean"))


@pytest.mark.parametrize("name", ["numpy.quantile", "numpy.percentile", "numpy.clip"])
def test_numpy_function_with_arguments_is_numpys(name: str) -> None:
    if name == "numpy.clip":
        compared = [agree(name, x, a, b) for x in NUMBERS for a in (0, 2.5) for b in (1, 4)]
    else:
        places = (0, 0.25, 0.5, 1) if name == "numpy.quantile" else (0, 25, 50, 75, 100)
        compared = [agree(name, values, q) for values in LISTS if values for q in places]
    assert all(compared)


def test_round_to_digits_rounds_half_to_even() -> None:
    assert EXACT.calls["round"](Fraction(5, 100), 1) == 0
    assert EXACT.calls["round"](Fraction(15, 100), 1) == Fraction(2, 10)
    assert EXACT.calls["round"](15, -1) == 20
