"""Where draws come from: coin flips, or the tape of an enumeration.  A program does not know which."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from types import GeneratorType
from typing import Any, Protocol

from refdp.numerics.intervals import Interval
from refdp.programs.running import deviates
from refdp.programs.running.deviates import Deviate, Uniform
from refdp.programs.running.numbers import Exact, Irrational, exact_of, exp
from refdp.programs.running.rationals import Rational
from refdp.sampling.coins import Coins
from refdp.sampling.entropy import Bits


class Source(Protocol):
    """What draws are made of."""

    def place(self, weights: Sequence[Exact]) -> int:
        """A place, with probability proportional to the weight there; weights are >= 0 and not all 0."""

    def discrete_laplace(self, scale: Exact) -> int:
        """An integer k with probability proportional to e^(-|k| / scale)."""

    def deviate(self, family: str) -> Deviate:
        """A standard deviate: "laplace", "exponential" or "normal"."""


FEW_DIGITS = 8
"""So many digits of a rate tell whether it is about 1."""


@dataclass(frozen=True, slots=True)
class Flips:
    """Draws made of coin flips."""

    coins: Coins = field(default_factory=Coins)

    def place(self, weights: Sequence[Exact]) -> int:
        rational = [w for w in weights if isinstance(w, Fraction)]
        if len(rational) < len(weights):
            return self._place_among_reals(weights)
        unit = lcm(*(w.denominator for w in rational))
        counts = [int(w * unit) for w in rational]
        below = self.coins.uniform(sum(counts))
        return next(i for i in range(len(counts)) if below < sum(counts[: i + 1]))

    def _place_among_reals(self, weights: Sequence[Exact]) -> int:
        """The place at which a uniform real lands, digit by digit."""
        point, total, reached = Uniform(self.coins), sum(weights, Rational(0)), Rational(0)
        for place, weight in enumerate(weights[:-1]):
            reached = reached + weight
            share = reached / total
            if point.below(lambda digits, share=share: bounds(share, digits)):  # type: ignore[misc]
                return place
        return len(weights) - 1

    def discrete_laplace(self, scale: Exact) -> int:
        while True:
            size, minus = self._geometric(1 / scale), self.coins.bernoulli(deviates.HALF)
            if size or not minus:
                return -size if minus else size

    def _geometric(self, rate: Exact) -> int:
        """k >= 0 with probability proportional to e^(-k rate).

        The binary digits of k are independent, the one at 2^i being 1 with odds e^(-2^i rate); what the first few of
        them leave is of the same kind, with a rate of about 1.
        """
        if isinstance(rate, Fraction):
            return self.coins.geometric_exp(Fraction(rate))
        size, unit = 0, 1
        while bounds(unit * rate, FEW_DIGITS).upper < 1:
            size += unit * self.place((Fraction(1), exp(-unit * rate)))
            unit *= 2
        goes_on = exp(-unit * rate)
        while self.place((goes_on, 1 - goes_on)) == 0:
            size += unit
        return size

    def deviate(self, family: str) -> Deviate:
        draw: Callable[[Coins], Deviate] = getattr(deviates, family)
        return draw(self.coins)


def bounds(x: Exact, digits: int) -> Interval:
    """An interval that holds x, the narrower the more digits are asked for."""
    return x.enclosure(digits + 8) if isinstance(x, Irrational) else deviates.enclosed(x)(digits)


FROM_SYSTEM = Flips()
SOURCE: ContextVar[Source] = ContextVar("SOURCE", default=FROM_SYSTEM)


@contextmanager
def drawing_from(source: Bits | Source) -> Iterator[None]:
    """Inside, draws are made of these coin flips, not of the operating system's: for tests."""
    token = SOURCE.set(source if not callable(source) else Flips(Coins(source)))
    try:
        yield
    finally:
        SOURCE.reset(token)


def run(function: Callable[..., Any], data: Any, /, **parameters: Any) -> Any:
    """What the function returns, its numbers exact; what it yields, as a list.

    Numbers are int, Fraction or text such as "1/3", "0.1", "ln(3)"; `2 / epsilon` is then exact for epsilon=1, too.
    """
    return called(function, exactly(data, "data"), {name: exactly(value, name) for name, value in parameters.items()})


def called(function: Callable[..., Any], data: Any, parameters: Mapping[str, Any]) -> Any:
    """What the function returns for numbers that are exact; what it yields, as a list.  It gets a list of its own."""
    result = function(list(data) if isinstance(data, list) else data, **parameters)
    return list(result) if isinstance(result, GeneratorType) else result


def exactly(value: Any, parameter: str) -> Any:
    """The value with exact numbers; truth values and None stay what they are."""
    if isinstance(value, list | tuple):
        return [exactly(item, parameter) for item in value]
    return value if isinstance(value, bool) or value is None else exact_of(value, parameter)
