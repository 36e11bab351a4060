"""What `refdp.programs` is where a program is run by the judge: draws that somebody else decides.

Every draw is answered by a source: one that walks all of them, one that draws at random, or one that shifts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, Protocol

from refdp.second_judge.exact_numbers import Exact, Unclear, finite
from refdp.second_judge.python_names import Stub

DIGITS = 80
"""Decimal digits of e^x and ln x."""
MOST_DRAWS = 2_000
"""Most draws of a run."""
LARGEST_EXPONENT = 1_000
LONGEST_CHOICE = 10_000
FINITE = frozenset({"bernoulli", "choice", "uniform"})
"""Families of finitely many values."""
Place = tuple[int, int]
"""Line and column of a call."""


class Impossible(BaseException):
    """A draw that does not exist: a scale that is not positive, no probability, no weights."""

    raised: Impossible | None = None

    def __init__(self, why: str) -> None:
        super().__init__(why)
        Impossible.raised = self


class Source(Protocol):
    """Who decides what is drawn."""

    def drawn(self, family: str, parameters: tuple[Any, ...], place: Place) -> Any:
        """The value of a draw."""


def exponential_of(value: Any) -> Exact:
    """e^value to 80 digits."""
    number = finite(value)
    if abs(number) > LARGEST_EXPONENT:
        raise Unclear("a large exponent")
    return Exact(1) if number == 0 else decimal_of(number, Decimal.exp)


def logarithm_of(value: Any) -> Exact:
    """ln value to 80 digits."""
    number = finite(value)
    if number <= 0:
        raise ValueError("math domain error")
    return Exact(0) if number == 1 else decimal_of(number, Decimal.ln)


def decimal_of(number: Fraction, function: Callable[[Decimal], Decimal]) -> Exact:
    """A function of a number to 80 digits."""
    with localcontext() as context:
        context.prec = DIGITS
        return Exact(Fraction(function(Decimal(number.numerator) / Decimal(number.denominator))))


def parameter(value: Any) -> Any:
    """A parameter of a draw: the number that a text such as "1/3" or "0.1" writes, else the value as it is."""
    if not isinstance(value, str):
        return value
    try:
        return Exact(Fraction(value))
    except (ValueError, ZeroDivisionError):
        raise Unclear("a parameter that a text writes otherwise than as a fraction") from None


def positive(given: Any, what: str) -> Fraction:
    """A number > 0."""
    value = parameter(given)
    if isinstance(value, float) or not isinstance(value, int | Fraction) or isinstance(value, bool) or value <= 0:
        raise Impossible(f"{what} that is not > 0")
    return Fraction(value)


def names(source: Callable[[], Source]) -> Mapping[str, Mapping[str, Any]]:
    """The modules that a program imports its draws from."""

    def draw(family: str, *parameters: Any) -> Any:
        frame = sys._getframe(2)
        line, _, column, _ = list(frame.f_code.co_positions())[frame.f_lasti // 2]
        return source().drawn(family, parameters, (line or 0, column or 0))

    def scaled(family: str) -> Callable[[Any], Any]:
        def result(scale: Any) -> Any:
            return draw(family, positive(scale, f"{family} of a scale"))

        return result

    def bernoulli(given: Any) -> bool:
        p = parameter(given)
        if not isinstance(p, int | Fraction) or not 0 <= p <= 1:
            raise Impossible("bernoulli of what is no probability")
        return bool(draw("bernoulli", Fraction(p)))

    def choice(weights: Sequence[Any]) -> int:
        known = [finite(parameter(weight)) for weight in weights]
        if not known or min(known) < 0 or max(known) <= 0:
            raise Impossible("a choice from no weights")
        if len(known) > LONGEST_CHOICE:
            raise Unclear("a long list of weights")
        return int(draw("choice", *known))

    def uniform(least: Any, greatest: Any) -> int:
        if not all(isinstance(one, int) or finite(one).denominator == 1 for one in (least, greatest)):
            raise Impossible("uniform between limits that are no integers")
        if least > greatest:
            raise Impossible("uniform between limits that leave nothing")
        return int(draw("uniform", Fraction(least), Fraction(greatest)))

    def argmax(values: Sequence[Any]) -> int:
        if not values:
            raise ValueError("values must be at least one")
        return max(range(len(values)), key=lambda place: (values[place], -place))

    def claim(*_: Any, **__: Any) -> Callable[[Any], Any]:
        return lambda function: function

    programs = {
        **{family: scaled(family) for family in ("laplace", "discrete_laplace", "exponential", "gaussian")},
        "bernoulli": bernoulli, "choice": choice, "uniform": uniform, "argmax": argmax, "claim": claim,
        "each": lambda *_, **__: "each", "exp": exponential_of, "log": logarithm_of,
        **{name: name for name in ("ALL", "ONE", "L1", "L2", "MONO", "ADD_REMOVE")},
    }  # fmt: skip
    return {"refdp.programs": programs}


class Walk:
    """All ways that draws of finitely many values can go, one after the other, with their probabilities."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.script: list[tuple[Any, Fraction]] = []
        self.open: list[list[tuple[Any, Fraction]]] = []
        self.at = 0

    def drawn(self, family: str, parameters: tuple[Any, ...], place: Place) -> Any:
        """The next value that the script says, or the first of those that there are."""
        if family not in FINITE:
            return Stub(f"a draw of {family}")  # a law that depends on it is not walked
        if self.at == len(self.script):
            if self.at >= MOST_DRAWS:
                raise Unclear("a run makes too many draws")
            self.open.append([one for one in possible(family, parameters, self.most) if one[1] > 0])
            self.script.append(self.open[-1].pop())
        self.at += 1
        return self.script[self.at - 1][0]

    def probability(self) -> Fraction:
        """That of the way that was gone."""
        product = Fraction(1)
        for _, chance in self.script:
            product *= chance
        return product

    def onwards(self) -> bool:
        """Whether there is another way, which is gone next."""
        self.at = 0
        while self.open and not self.open[-1]:
            self.open.pop()
            self.script.pop()
        if not self.open:
            return False
        self.script[-1] = self.open[-1].pop()
        return True


def possible(family: str, parameters: tuple[Any, ...], most: int) -> list[tuple[Any, Fraction]]:
    """The values of a draw, with their probabilities."""
    if family == "bernoulli":
        return [(True, parameters[0]), (False, 1 - parameters[0])]
    if family == "choice":
        total = sum(parameters, Fraction(0))
        return [(place, weight / total) for place, weight in enumerate(parameters)]
    count = int(parameters[1] - parameters[0]) + 1
    if count > most:
        raise Unclear("a uniform draw of many values")
    return [(int(parameters[0]) + step, Fraction(1, count)) for step in range(count)]
