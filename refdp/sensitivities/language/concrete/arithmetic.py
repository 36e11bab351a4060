"""What numbers are while a function runs: the protocol, and exact rational arithmetic.

A run asks its arithmetic for three things: values made from the numbers of tables and of the source, operations on
values, and library functions of numbers.  Everything else (names, branches, lists, dicts) is the interpreter's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from refdp.sensitivities.language.concrete.exact_operations import exact_operation, measured
from refdp.sensitivities.language.concrete.numeric_library import EXACT_CALLS

Operation = Callable[..., Any]
PLAIN: Mapping[str, Operation] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_,
    "|": operator.or_, "^": operator.xor, "neg": operator.neg, "pos": operator.pos, "invert": operator.invert,
}  # fmt: skip
"""The operations on numbers that Python writes with operators; "neg", "pos" and "invert" take one value."""


class Arithmetic(Protocol):
    """How a run computes with numbers.

    Values are whatever `number` and `operate` return, and Python ints (lengths, counters of loops) and bools; they can
    be compared, hashed, used as truth values and, where they are whole numbers, as indices.
    """

    @property
    def name(self) -> str:
        """What verdicts call it, such as "exact arithmetic" or "float64"."""

    @property
    def calls(self) -> Mapping[str, Operation]:
        """Library functions by full name, such as "math.fsum"; "abs" for a builtin.

        Tables arrive as Python lists of values.  An exception that a function raises is one that the user's function
        raises, except NotRational and NoOutcome: then the run has no outcome.
        """

    def number(self, value: Fraction, is_integer: bool) -> Any:
        """The value of a number of the table or of the source; a float literal is the decimal that it writes."""

    def operate(self, symbol: str, *values: Any) -> Any:
        """One of PLAIN on numbers; it raises what Python raises, ZeroDivisionError for one."""

    def exact(self, value: Any) -> Fraction | str:
        """The value as a rational number; "nan", "inf" or "-inf" where it is none."""


@dataclass(frozen=True, slots=True)
class ExactArithmetic:
    """Rational numbers: an int is an int, every other number a Fraction; infinities and nan as Python's float has them.

    A number of a table is an int where it is whole, as a reader would write it down.
    """

    name: str = "exact arithmetic"
    calls: Mapping[str, Operation] = field(default_factory=lambda: EXACT_CALLS, repr=False)

    def number(self, value: Fraction, is_integer: bool) -> int | Fraction:
        """An int where it is one."""
        return measured(int(value) if is_integer else value)

    def operate(self, symbol: str, *values: Any) -> Any:
        """Exactly."""
        return exact_operation(symbol, *values)

    def exact(self, value: Any) -> Fraction | str:
        """Itself, or the name of an infinity or nan."""
        return str(value) if isinstance(value, float) else Fraction(value)


EXACT = ExactArithmetic()
