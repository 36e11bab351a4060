"""What a record of a table is: kinds of values, as users declare them, with some of their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers between bounds; None is no bound."""

    low: Fraction | None
    high: Fraction | None
    is_whole: bool = False

    @property
    def declared(self) -> str:
        """As a user declares it."""
        if self.low is None or self.high is None:
            return "integers" if self.is_whole else "numbers"
        return f"{'integers ' * self.is_whole}{self.low}..{self.high}"

    def samples(self, given: Sequence[Fraction]) -> list[str]:
        """Texts of values: the ends, what lies between, and the given numbers that are allowed."""
        low = Fraction(-1000) if self.low is None else self.low
        high = Fraction(1000) if self.high is None else self.high
        near = [*given, *(one + 1 for one in given), *(one - 1 for one in given)] if self.is_whole else list(given)
        found = dict.fromkeys([low, high, *(one for one in near if low < one < high), Fraction(0), (low + high) / 2])
        allowed = [one for one in found if low <= one <= high and (one.denominator == 1 or not self.is_whole)]
        return [exact_text(one) for one in allowed]


@dataclass(frozen=True, slots=True)
class Labels:
    """One of some labels."""

    values: tuple[str | int | bool, ...]

    @property
    def declared(self) -> str:
        """As a user declares it."""
        return " | ".join(str(one).lower() if isinstance(one, bool) else str(one) for one in self.values)

    def samples(self, given: Sequence[Fraction]) -> list[str]:
        """Texts of all labels."""
        return [repr(one) for one in self.values]


@dataclass(frozen=True, slots=True)
class Maybe:
    """Numbers, or None."""

    inner: Numbers

    @property
    def declared(self) -> str:
        """As a user declares it."""
        return f"{self.inner.declared} or missing"

    def samples(self, given: Sequence[Fraction]) -> list[str]:
        """None, and the numbers."""
        return ["None", *self.inner.samples(given)]


Kind = Numbers | Labels | Maybe


def numbers(low: int, high: int, is_whole: bool = False) -> Numbers:
    """Numbers between bounds."""
    return Numbers(Fraction(low), Fraction(high), is_whole)


def exact_text(number: Fraction) -> str:
    """The number in Python, exact."""
    return str(number) if number.denominator == 1 else f"Fraction({number.numerator}, {number.denominator})"


def literal(number: Fraction) -> str:
    """The number as a user writes it."""
    if number.denominator == 1:
        return str(number)
    decimal = f"{float(number)}"
    return decimal if Fraction(decimal) == number else f"{number.numerator} / {number.denominator}"
