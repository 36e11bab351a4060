"""Two neighbouring tables on which a machine moves further than claimed: exact, and checked by running it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.sensitivities.machine.formats import (
    FLOAT64,
    Exact,
    FloatFormat,
    Format,
    IntegerFormat,
    exact,
    fitted,
    representable,
)
from refdp.sensitivities.machine.narrow import Narrow, machine_float
from refdp.sensitivities.machine.runs import Runs
from refdp.sensitivities.machine.statistics import Algorithm
from refdp.sensitivities.machine.wholes import Whole
from refdp.sensitivities.question import Norm

MachineRow = Fraction | str | bool | None | tuple["MachineRow", ...]
"""A row of a table: exact numbers that the format has, "inf" and its like, labels, and the fields of a record."""
SPECIALS: Mapping[str, float] = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf, "-0.0": -0.0}
"""Floats that are no rational number, or not the only one of their value, as rows write them."""


@dataclass(frozen=True, slots=True)
class MachineOutcome:
    """What a machine computes from one table: numbers, or the name of the exception that it raises."""

    numbers: tuple[Fraction | str, ...] = ()
    """Text where a value is no number: infinities and NaN, labels."""
    exception: str = ""
    places: tuple[object, ...] = ()
    """Where each number stands in the answer, such as a key."""


Run = Callable[[Runs], MachineOutcome]
"""A function of a table of exact rows, as a machine computes it."""


@dataclass(frozen=True, slots=True)
class MachinePair:
    """Two neighbouring tables, what the machine computes from each, and how far that is from what was claimed."""

    first: Runs
    second: Runs
    outcomes: tuple[MachineOutcome, MachineOutcome]
    distance: Fraction | None
    """Of the answers (its square under L2); None where they are infinitely far apart."""
    claim: Fraction
    norm: Norm = "L1"

    @property
    def excess(self) -> Fraction | None:
        """How much further than claimed (between the squares under L2); None where infinitely far."""
        if self.distance is None:
            return None
        return self.distance - (self.claim**2 if self.norm == "L2" else self.claim)

    @property
    def refutes(self) -> bool:
        """Whether it is further than claimed; no distance at all is, if the claim is negative."""
        return self.excess is None or self.claim < 0 or self.excess > 0

    @property
    def rows(self) -> int:
        """The number of rows of the larger table."""
        return max(len(self.first), len(self.second))


def distance(first: MachineOutcome, second: MachineOutcome, norm: Norm = "L1") -> Fraction | None:
    """The norm of the difference (its square under L2); None where the outcomes are infinitely far apart.

    Equal infinities, NaN beside NaN, and the same exception are no distance.
    """
    if first.exception != second.exception or len(first.numbers) != len(second.numbers):
        return None
    found, others = Fraction(0), dict(zip(second.places or itertools.count(), second.numbers, strict=False))
    for place, a in zip(first.places or itertools.count(), first.numbers, strict=False):
        if place not in others:
            return None
        b = others[place]
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            apart = abs(a - b)
            found = max(found, apart) if norm == "Linf" else found + (apart if norm == "L1" else apart**2)
        elif a != b:
            return None
    return found


def machine_number(value: Fraction | str, form: Format) -> Any:
    """The number of the format that has this value.  ValueError where there is none."""
    if isinstance(form, FloatFormat):
        if isinstance(value, Fraction) and not representable(value, form):
            raise ValueError(f"row must be a number of {form.name}, got {value}")
        number = SPECIALS[value] if isinstance(value, str) else machine_float(value, form)
        return number if form == FLOAT64 else Narrow(number, form)
    if isinstance(value, str) or not representable(value, form):
        raise ValueError(f"row must be a number of {form.name}, got {value}")
    return Whole(int(value), form)


def nearest_number(value: Fraction, form: Format) -> Fraction:
    """The number of the format nearest to `value`; the integer below.  ValueError where it is infinite."""
    if isinstance(form, IntegerFormat):
        return Fraction(fitted(math.floor(value), form))
    number = exact(machine_float(value, form))
    if isinstance(number, str):
        raise ValueError(f"bounds must be numbers of {form.name}, got {value}")
    return number


def exact_number(number: Any) -> Exact:
    """The exact value of what a machine computed.  TypeError where it is no number."""
    if isinstance(number, Narrow):
        return exact(number.number)
    if isinstance(number, float):
        return exact(number)
    if isinstance(number, int | Whole):
        return Fraction(int(number))
    raise TypeError(f"not a number: {number!r}")


def machine_run(algorithm: Algorithm, form: Format) -> Run:
    """What the algorithm computes in the format, as a function of exact tables."""
    zero = machine_number(Fraction(0), form)

    def made(row: MachineRow) -> Any:
        if isinstance(row, tuple):
            return tuple(made(part) for part in row)
        if not isinstance(row, Fraction | str):
            raise ValueError(f"row must be a number of {form.name}, got {row}")
        return machine_number(row, form)

    def run(table: Runs) -> MachineOutcome:
        try:
            result = algorithm(table.mapped(made), zero)
        except (ArithmeticError, ValueError) as error:
            return MachineOutcome((), type(error).__name__)
        results = result if isinstance(result, tuple | list) else [result]
        return MachineOutcome(tuple(map(exact_number, results)))

    return run
