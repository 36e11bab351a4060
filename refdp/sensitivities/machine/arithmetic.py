"""Arithmetic in which a user's function runs as a machine would run it: numbers of a format, and its own `sum`.

Whole numbers of the source stay Python ints in floating-point arithmetic, as in Python; a number with a point is
rounded to the format.  In integer arithmetic whole numbers wrap or saturate, and a number with a point is a float64.
Division by zero raises ZeroDivisionError in every format.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from refdp.sensitivities.language.concrete.arithmetic import PLAIN
from refdp.sensitivities.language.concrete.exact_operations import exact_operation
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.machine.formats import FLOAT64, FloatFormat, Format, IntegerFormat, fitted, format_named
from refdp.sensitivities.machine.library import library
from refdp.sensitivities.machine.narrow import Narrow, machine_float
from refdp.sensitivities.machine.pair import exact_number
from refdp.sensitivities.machine.wholes import Whole

LOGICAL = ("&", "|", "^")
"""What means the same for truth values of Python and of numpy."""


@dataclass(frozen=True, slots=True)
class MachineArithmetic:
    """Numbers of one format; `total` names what the builtin `sum` computes."""

    format_: Format
    total: str = "python"
    calls: Mapping[str, Callable[..., Any]] = field(default_factory=dict, repr=False, compare=False)
    compares_as_numpy: bool = False
    """Whether a comparison may give a truth value of numpy's."""

    @property
    def name(self) -> str:
        """The format, and what `sum` is."""
        version = f" {sys.version_info.major}.{sys.version_info.minor}" if self.total == "python" else ""
        kind = " (compensated)" if version and sys.version_info >= (3, 12) else " (naive)" if version else ""
        return f"{self.format_.name}, sum: {self.total}{version}{kind}"

    def number(self, value: Fraction, is_integer: bool) -> Any:
        """The number of the format nearest to `value`; an int where it is whole in floating-point arithmetic."""
        if isinstance(self.format_, FloatFormat):
            if is_integer:
                return int(value)
            number = machine_float(value, self.format_)
            return number if self.format_ == FLOAT64 else Narrow(number, self.format_)
        return Whole(fitted(int(value), self.format_), self.format_) if is_integer else machine_float(value, FLOAT64)

    def operate(self, symbol: str, *values: Any) -> Any:
        """As Python computes it; ints of Python are exact, and their quotient is a float64."""
        numpys = self.compares_as_numpy or self.format_ != FLOAT64
        if numpys and all(isinstance(value, bool) for value in values) and symbol not in LOGICAL:
            raise NoOutcome("truth values of numpy add as 'or', and those of Python as ints")
        if all(isinstance(value, int) for value in values) and not _leaves_ints(symbol, *values):
            return exact_operation(symbol, *values)
        if symbol in ("<<", ">>", "&", "|", "^", "invert"):
            values = tuple(int(v) if isinstance(v, Whole) else v for v in values)
            found = PLAIN[symbol](*values)
            return (
                Whole(fitted(found, self.format_), self.format_) if isinstance(self.format_, IntegerFormat) else found
            )
        found = PLAIN[symbol](*values)
        if isinstance(found, complex):
            raise NoOutcome("a root of a negative number is complex")
        return found

    def exact(self, value: Any) -> Fraction | str:
        """The value, or the name of an infinity or NaN."""
        return exact_number(value)


def _leaves_ints(symbol: str, *values: int) -> bool:
    """Whether Python makes a float of these ints."""
    return symbol == "/" or symbol == "**" and values[1] < 0


def machine_arithmetic(name: str, total: str = "python") -> MachineArithmetic:
    """The arithmetic of that format with that sum.  ValueError where there is none of the name."""
    form = format_named(name)
    return MachineArithmetic(form, total, library(form, total))
