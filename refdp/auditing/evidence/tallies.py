"""What was drawn, as counts: of the cells of each view, of values that the law cannot give, of values that are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite
from operator import index
from typing import Any


class Impossible(ValueError):
    """A value of the right type that the law never gives: it refutes the law by itself."""


class Malformed(ValueError):
    """A value of the wrong type, or NaN: the sampler is out of order, and nothing is said of its law."""


Reader = Callable[[Any], Any]
"""Value -> what the views sort into cells; raises Impossible or Malformed."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts for each view, and texts of impossible and malformed values with how often they came.  It adds up."""

    counts: tuple[tuple[int, ...], ...]
    impossible: Mapping[str, int] = field(default_factory=dict)
    malformed: Mapping[str, int] = field(default_factory=dict)

    @property
    def draws(self) -> int:
        """How many values there were."""
        return sum(self.counts[0]) + sum(self.impossible.values()) + sum(self.malformed.values())

    def __add__(self, other: Tally) -> Tally:
        """The tally of all draws of both; associative and commutative.  ValueError if the views differ."""
        if list(map(len, self.counts)) != list(map(len, other.counts)):
            raise ValueError("tallies must be of the same views")
        counts = [tuple(map(sum, zip(a, b, strict=True))) for a, b in zip(self.counts, other.counts, strict=True)]
        impossible = Counter(self.impossible) + Counter(other.impossible)
        return Tally(tuple(counts), dict(impossible), dict(Counter(self.malformed) + Counter(other.malformed)))


def tally(values: Iterable[Any], reader: Reader, views: Iterable[tuple[int, Callable[[Any], int]]]) -> Tally:
    """The tally of the values; each view is its number of cells and the cell of what was read."""
    read: list[Any] = []
    bad: dict[type[ValueError], Counter[str]] = {Impossible: Counter(), Malformed: Counter()}
    for value in values:
        try:
            read.append(reader(value))
        except (Impossible, Malformed) as error:
            bad[type(error)][str(error)] += 1
    counts = []
    for size, place in views:
        column = [0] * size
        for cell, times in Counter(map(place, read)).items():
            if 0 <= cell < size:
                column[cell] = times
        counts.append(tuple(column))
    return Tally(tuple(counts), dict(bad[Impossible]), dict(bad[Malformed]))


def shown(value: object) -> str:
    """The value as text of at most 80 characters."""
    try:
        text = repr(value)
    except Exception as error:  # a foreign object may do anything
        text = f"a {type(value).__name__} whose repr raises {type(error).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def integers(location: Fraction = Fraction(0), granularity: Fraction = Fraction(1)) -> Reader:
    """k of the value location + granularity k, exactly; ints (numpy's too), and finite floats unless both are whole."""
    plain = location == 0 and granularity == 1
    whole = location.denominator == granularity.denominator == 1
    binary = all(n & (n - 1) == 0 for n in (location.denominator, granularity.denominator))

    def read(value: Any) -> int:
        if type(value) is int and plain:
            return value
        if isinstance(value, float) and not binary:
            raise Malformed(f"{shown(value)} is a float, which is near {location} + k {granularity} at best")
        steps = (_number(value, not whole) - location) / granularity
        if steps.denominator != 1:
            raise Impossible(f"{shown(value)} is not {location} + k {granularity}")
        return steps.numerator

    return read


def _number(value: Any, floats: bool) -> Fraction:
    """The number exactly; Malformed where it is none."""
    if isinstance(value, float) and floats:
        if not isfinite(value):
            raise Malformed(f"{shown(value)} is no number")
        return Fraction(value)
    if isinstance(value, Fraction):
        return value
    if not isinstance(value, bool):
        try:
            return Fraction(index(value))
        except TypeError:
            pass
    raise Malformed(f"{shown(value)} is a {type(value).__name__}, not {'a number' if floats else 'an int'}")


def real(value: Any) -> float:
    """The value of a continuous law: a float; infinities are impossible, NaN is malformed."""
    if not isinstance(value, float) or value != value:
        raise Malformed(f"{shown(value)} is a {type(value).__name__}, not a float that is a number")
    if not isfinite(value):
        raise Impossible(f"{shown(value)} is not finite")
    return float(value)


def members(outcomes: Mapping[Hashable, int]) -> Reader:
    """The index of an outcome of a finite law; True is not 1, and 1.0 is not 1."""
    kinds = {(type(outcome), outcome): place for outcome, place in outcomes.items()}

    def read(value: Any) -> int:
        try:
            found = kinds.get((type(value), value))
        except TypeError:
            raise Malformed(f"{shown(value)} is a {type(value).__name__}, which cannot be an outcome") from None
        if found is None and type(value) not in {kind for kind, _ in kinds} or value != value:
            raise Malformed(f"{shown(value)} is a {type(value).__name__}, as no outcome is")
        if found is None:
            raise Impossible(f"{shown(value)} is not an outcome of the law")
        return found

    return read
