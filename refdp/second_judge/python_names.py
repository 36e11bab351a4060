"""What a file finds where it is run: Python's own functions and modules as far as they are exact and harmless.

Of every module only the names here are there.  A module that is not known is a stub, which may be imported and may
stand in annotations; a run that uses it shows nothing.
"""

from __future__ import annotations

import bisect
import builtins
import collections
import fractions
import functools
import heapq
import itertools
import math
import operator
import statistics
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import ModuleType
from typing import Any

from refdp.second_judge.exact_numbers import HELPERS, Exact, Unclear, finite, power, quotient, root

PLAIN = (
    "abs", "all", "any", "bool", "dict", "divmod", "enumerate", "filter", "frozenset", "isinstance", "issubclass",
    "iter", "len", "list", "map", "max", "min", "next", "range", "reversed", "set", "slice", "sorted", "sum",
    "tuple", "zip", "chr", "ord", "hash", "callable", "staticmethod", "classmethod", "property", "object", "int", "str",
    "repr", "round",
)  # fmt: skip
"""Functions and types that are Python's own as they are."""
EXCEPTIONS = tuple(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException) and not name.endswith("Warning")
)
INTERACTIVE = ("copyright", "credits", "exit", "help", "license", "quit")
"""What Python offers at a prompt, and so to every file."""
loading = False
"""Whether the file is being loaded, so that a stub may be decorated with."""


class _Float(type):
    """What `isinstance(x, float)` asks."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, Exact | builtins.float)


class float(metaclass=_Float):  # noqa: A001
    """Python's float without rounding."""

    def __new__(cls, value: Any = 0) -> Any:
        if isinstance(value, str):
            approximate = builtins.float(value)
            return Exact(value.strip().replace("_", "")) if math.isfinite(approximate) else approximate
        return value if isinstance(value, builtins.float) else Exact(finite(value))


def _pow(a: Any, b: Any, modulus: Any = None) -> Any:
    """Python's pow."""
    return power(a, b) if modulus is None else pow(a, b, modulus)


def _type(value: Any) -> Any:
    """The type of a value."""
    if isinstance(value, type):
        raise Unclear("the type of a type")
    return float if isinstance(value, Exact | builtins.float) else type(value)


class NoSuchName(AttributeError):
    """Python's own module has no such name either."""


NoSuchName.__name__ = AttributeError.__name__  # what the file raises is told by this name


class Module:
    """A module with these names only."""

    def __init__(self, name: str, names: Mapping[str, Any]) -> None:
        self.__dict__.update(names)
        self.__dict__["__name__"] = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        real = PYTHONS.get(self.__dict__["__name__"])
        if real is not None and not hasattr(real, name):
            raise NoSuchName(f"module '{real.__name__}' has no attribute '{name}'")
        raise Unclear(f"{self.__dict__['__name__']}.{name}, which is not at hand")


class Stub:
    """What is not at hand: it may be imported, and stand in annotations and decorators."""

    def __init__(self, name: str) -> None:
        self.__dict__["__name__"] = name

    def _used(self, *values: Any) -> Any:
        if loading and not any(isinstance(v, list | dict | set | collections.deque) for v in values):
            return self
        raise Unclear(f"{self.__dict__['__name__']}, which is not at hand")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._used()

    def __call__(self, *values: Any, **words: Any) -> Any:
        return self._used(*values, *words.values())

    def __getitem__(self, _: Any) -> Any:
        return self._used()

    def __or__(self, _: Any) -> Any:
        return self._used()

    __ror__ = __truediv__ = __rtruediv__ = __or__

    def __setattr__(self, name: str, value: Any) -> None:
        raise Unclear("a stub that is changed")

    def _never(self, *_: Any) -> Any:
        raise Unclear(f"{self.__dict__['__name__']}, which is not at hand")

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __iter__ = __len__ = __contains__ = _never
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __abs__ = __index__ = __int__ = (
        __float__
    ) = __round__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __pow__ = __rpow__ = __hash__ = __str__ = _never


def _total(values: Any) -> Any:
    """The sum, which counts as a float."""
    found = sum(values)
    return found if isinstance(found, builtins.float) else Exact(finite(found))


def _listed(values: Any, least: int, name: str) -> list[Fraction]:
    """The values as exact numbers; StatisticsError where there are fewer than `least`."""
    found = list(values)
    if len(found) < least:
        raise statistics.StatisticsError(f"{name} requires at least {least} data points")
    return [finite(v) for v in found]


def _mean(values: Any) -> Exact:
    found = _listed(values, 1, "mean")
    return Exact(sum(found, Fraction(0)) / len(found))


def _variance(values: Any, least: int) -> Exact:
    """The mean of the squared distances from the mean; of a sample (least = 2) over one less."""
    found = _listed(values, least, "variance")
    middle = sum(found, Fraction(0)) / len(found)
    return Exact(sum(((v - middle) ** 2 for v in found), Fraction(0)) / (len(found) - least + 1))


def _median(values: Any, places: Callable[[int], tuple[int, int]]) -> Any:
    """The mean of the rows at two places of the rows in order."""
    found = sorted(values)
    if not found:
        raise statistics.StatisticsError("no median for empty data")
    a, b = places(len(found))
    return found[a] if a == b else quotient(found[a] + found[b], 2)


def _fsum(values: Any) -> Any:
    return _total(values)


def _product(values: Any, *, start: Any = 1) -> Any:
    for value in values:
        start = start * value
    return start


def _at(function: Callable[[Any], Any], point: int, value: int, least: int) -> Callable[[Any], Any]:
    """A function that is rational at one point only, and has no value at `least` and below."""

    def result(x: Any) -> Any:
        number = finite(x)
        if number == point:
            return Exact(value)
        if function is not math.exp and number <= least:
            raise ValueError("math domain error")
        raise Unclear(f"{function.__name__} of {Fraction(number)}, which is irrational")

    return result


def _math_power(x: Any, y: Any) -> Any:
    try:
        return Exact(power(finite(x), finite(y)))
    except ZeroDivisionError:
        raise ValueError("math domain error") from None


def _remainder(x: Any, y: Any) -> Any:
    a, b = finite(x), finite(y)
    if b == 0:
        raise ValueError("math domain error")
    return Exact(a - b * math.trunc(a / b))


def _infinite(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: test(value) if isinstance(value, builtins.float) else test(0 * finite(value))


MATH: Mapping[str, Any] = {
    **{name: getattr(math, name) for name in ("floor", "ceil", "trunc", "gcd", "lcm", "isqrt", "comb", "perm")},
    **{name: getattr(math, name) for name in ("factorial", "inf", "nan")},
    "fabs": lambda x: abs(float(x)), "sqrt": lambda x: x if x == math.inf else root(x), "fsum": _fsum,
    "prod": _product, "pow": _math_power, "fmod": _remainder,
    "hypot": lambda *values: root(sum((finite(v) ** 2 for v in values), Fraction(0))),
    "copysign": lambda x, y: abs(float(x)) * (-1 if finite(y) < 0 else 1),
    "isnan": _infinite(math.isnan), "isinf": _infinite(math.isinf), "isfinite": _infinite(math.isfinite),
    "exp": _at(math.exp, 0, 1, 0), "log": _at(math.log, 1, 0, 0), "log2": _at(math.log2, 1, 0, 0),
    "log10": _at(math.log10, 1, 0, 0), "log1p": _at(math.log1p, 0, 0, -1),
}  # fmt: skip
STATISTICS: Mapping[str, Any] = {
    "mean": _mean, "fmean": _mean, "StatisticsError": statistics.StatisticsError, "mode": statistics.mode,
    "variance": lambda values: _variance(values, 2), "pvariance": lambda values: _variance(values, 1),
    "stdev": lambda values: root(_variance(values, 2)), "pstdev": lambda values: root(_variance(values, 1)),
    "median": lambda values: _median(values, lambda n: ((n - 1) // 2, n // 2)),
    "median_low": lambda values: _median(values, lambda n: ((n - 1) // 2, (n - 1) // 2)),
    "median_high": lambda values: _median(values, lambda n: (n // 2, n // 2)),
    "multimode": statistics.multimode,
}  # fmt: skip
MODULES: Mapping[str, Mapping[str, Any]] = {
    "math": MATH,
    "statistics": STATISTICS,
    "fractions": {"Fraction": lambda a=0, b=1: quotient(float(a), b)},
    "collections": {n: getattr(collections, n) for n in ("Counter", "defaultdict", "deque", "OrderedDict")},
    "itertools": {n: getattr(itertools, n) for n in dir(itertools) if not n.startswith("_")},
    "functools": {"reduce": functools.reduce, "partial": functools.partial, "cmp_to_key": functools.cmp_to_key},
    "bisect": {n: getattr(bisect, n) for n in ("bisect", "bisect_left", "bisect_right", "insort")},
    "heapq": {n: getattr(heapq, n) for n in ("nlargest", "nsmallest", "heapify", "heappush", "heappop")},
    "operator": {n: getattr(operator, n) for n in ("add", "sub", "mul", "neg", "lt", "le", "gt", "ge", "eq", "ne")}
    | {"truediv": quotient, "pow": power},
}
"""The modules that are at hand, by their names."""
PYTHONS: Mapping[str, ModuleType] = {
    one.__name__: one
    for one in (bisect, collections, fractions, functools, heapq, itertools, math, operator, statistics)
}
"""Python's own modules of these names."""


def names(modules: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The globals that a file starts with, made anew; `modules` are at hand beside those above."""
    made: dict[str, Any] = {}
    packages = {path.partition(".")[0]: path for path in modules if "." in path}

    def imported(name: str, given: Any = None, local: Any = None, wanted: Any = (), level: int = 0) -> Any:
        known = {**MODULES, **modules}
        top = name if wanted else name.partition(".")[0]
        if not level and top in packages and top not in known:
            return package(top)
        if level or top not in known:
            if wanted and "*" in wanted:
                raise Unclear(f"all names of {top}, which is not at hand")
            return _Importable(top)
        if top not in made:
            made[top] = Module(
                top, {**known[top], **({"abc": _Importable("collections.abc")} if top == "collections" else {})}
            )
        return made[top]

    def package(top: str) -> Any:
        """A package of which one module is at hand."""
        if top not in made:
            made[top] = _Importable(top)
            _, _, inner = packages[top].partition(".")
            made[top].__dict__[inner] = Module(packages[top], modules[packages[top]])
        return made[top]

    own: dict[str, Any] = {name: Stub(name) for name in (*dir(builtins), *INTERACTIVE) if not name.startswith("_")}
    own |= {name: getattr(builtins, name) for name in (*PLAIN, *EXCEPTIONS)}
    own |= {
        "float": float, "pow": _pow, "type": _type, "print": lambda *_, **__: None,
        "NotImplemented": NotImplemented, "Ellipsis": ..., "__import__": imported,
        "__build_class__": builtins.__build_class__,
    }  # fmt: skip
    return {"__builtins__": own, "__name__": "query", "__file__": "query.py", **HELPERS}


class _Importable(Stub):
    """A module that is not at hand: every name of it is a stub."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Stub(f"{self.__dict__['__name__']}.{name}")
