"""The draws that a program makes: exact, and of whatever source is at hand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import index
from typing import Any, cast

from refdp.numerics.exact import NotExact
from refdp.programs.running.numbers import Exact, Irrational, exact_of, sign
from refdp.programs.running.rationals import Rational
from refdp.programs.running.reals import Real, multiple
from refdp.programs.running.sources import SOURCE

Parameter = float | Fraction | str | Irrational
"""A public number: int, Fraction, text such as "1/3" or "ln(3)", or what `exp` and `log` yield; a float is refused."""


def laplace(scale: Parameter) -> Real:
    """A real with density e^(-|x| / scale) / (2 scale)."""
    return multiple(_positive(scale, "scale"), SOURCE.get().deviate("laplace"))


def exponential(scale: Parameter) -> Real:
    """A real with density e^(-x / scale) / scale on x >= 0."""
    return multiple(_positive(scale, "scale"), SOURCE.get().deviate("exponential"))


def gaussian(sigma: Parameter) -> Real:
    """A real with density proportional to e^(-x^2 / (2 sigma^2))."""
    return multiple(_positive(sigma, "sigma"), SOURCE.get().deviate("normal"))


def discrete_laplace(scale: Parameter) -> int:
    """An integer k with probability proportional to e^(-|k| / scale)."""
    return _whole(SOURCE.get().discrete_laplace(_positive(scale, "scale")))


def bernoulli(p: Parameter) -> bool:
    """True with probability p."""
    chance = _exact(p, "p")
    if sign(chance) < 0 or sign(1 - chance) < 0:
        raise ValueError(f"p must be in [0, 1], got {chance}")
    return SOURCE.get().place((chance, 1 - chance)) == 0


def choice(weights: Sequence[Parameter]) -> int:
    """A place in the list, with probability proportional to the weight there."""
    exact: list[Exact] = [_exact(w, "weight") for w in weights]
    if not exact:
        raise ValueError("weights must be at least one, got none")
    if least := next((w for w in exact if sign(w) < 0), None):
        raise ValueError(f"weight must be >= 0, got {least}")
    if all(sign(w) == 0 for w in exact):
        raise ValueError("weights must not all be 0")
    return _whole(SOURCE.get().place(exact))


def uniform(least: int, greatest: int) -> int:
    """An integer from least to greatest, each as likely."""
    low, high = index(least), index(greatest)
    if low > high:
        raise ValueError(f"least must be <= greatest, got {low} and {high}")
    return _whole(low + SOURCE.get().place([Rational(1)] * (1 + high - low)))


def argmax(values: Sequence[Any]) -> int:
    """The first place of the greatest value."""
    if not values:
        raise ValueError("values must be at least one, got none")
    best = 0
    for place in range(1, len(values)):
        if values[best] < values[place]:
            best = place
    return best


def _whole(value: int) -> int:
    """A whole number that a program may divide exactly: it is an int to a type checker, a Rational when run."""
    return cast(int, Rational(value))


def _positive(value: Parameter, parameter: str) -> Exact:
    """An exact number > 0."""
    number = _exact(value, parameter)
    if sign(number) <= 0:
        raise ValueError(f"{parameter} must be > 0, got {number}")
    return number


def _exact(value: Parameter, parameter: str) -> Exact:
    """The number; NotExact for a float, which 2 / epsilon is where epsilon is an int."""
    if isinstance(value, float):
        raise NotExact(f"{parameter} must be exact, got the float {value}; `refdp.programs.run` is exact")
    return exact_of(value, parameter)
