"""Is there a pair of tables of n floats on which a sum moves further than claimed?  As SMT-LIB text, for one n.

The text is satisfiable exactly where there is such a pair, if the claim is a float: f - g is rounded up, and a number
that exceeds a float still does when rounded up, while one that does not does not.  Of any other claim the float below
it is taken, so that "unsat" still means that there is no pair; a model is believed only after an exact replay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from refdp.sensitivities.machine import sums
from refdp.sensitivities.machine.formats import FLOAT32, FLOAT64, FloatFormat, spacing
from refdp.sensitivities.question import Neighbours

ORDERS: Mapping[str, sums.Sum] = {
    "naive": sums.naive, "kahan": sums.kahan, "pairwise": sums.pairwise(1), "numpy": sums.blocks,
    "python3.11": sums.naive,
}  # fmt: skip
"""The sums that are written as text: those that never branch."""


@dataclass(slots=True)
class Steps:
    """The rounded operations so far, each a definition."""

    form: FloatFormat
    lines: list[str] = field(default_factory=list)

    def defined(self, expression: str) -> Symbol:
        """A name for the value of the expression."""
        name = f"step{len(self.lines)}"
        self.lines.append(f"(define-fun {name} () {_sort(self.form)} {expression})")
        return Symbol(name, self)


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """A float of the text, with the operators that the sums use."""

    name: str
    steps: Steps

    def __add__(self, other: Symbol) -> Symbol:
        return self.steps.defined(f"(fp.add RNE {self.name} {other.name})")

    def __sub__(self, other: Symbol) -> Symbol:
        return self.steps.defined(f"(fp.sub RNE {self.name} {other.name})")

    def __truediv__(self, other: int) -> Symbol:
        return self.steps.defined(f"(fp.div RNE {self.name} {literal(Fraction(other), self.steps.form)})")


@dataclass(frozen=True, slots=True)
class FloatQuestion:
    """Whether the sum, or the mean, of `rows` floats between the bounds moves further than the claim.

    With change_one both tables have so many rows; with add_remove the other has one more, inserted anywhere.
    """

    form: FloatFormat
    order: str
    lower: Fraction
    upper: Fraction
    neighbours: Neighbours
    rows: int
    claim: Fraction
    mean: bool = False

    def __post_init__(self) -> None:
        if self.order not in ORDERS or self.order == "numpy" and self.form not in (FLOAT32, FLOAT64):
            raise ValueError(f"sum must be one of {', '.join(ORDERS)} in {self.form.name}, got {self.order}")
        if self.rows < 1 or self.mean and self.rows >= 1 / self.form.unit:
            raise ValueError(f"rows must be at least 1 and fewer than 1 / u, got {self.rows}")
        if not 0 <= self.claim <= self.form.largest:
            raise ValueError(f"claim must be between 0 and the largest {self.form.name}, got {self.claim}")
        if max(abs(self.lower), abs(self.upper)) > self.form.largest or self.form.emin != 1 - self.form.emax:
            raise ValueError(f"bounds must be numbers of an IEEE format, got {self.lower}, {self.upper}")

    @property
    def text(self) -> str:
        """The SMT-LIB text; row0, row1, ... are the first table, `edited` the row of the second at one place."""
        steps, names = Steps(self.form), [f"value{i}" for i in range(self.rows)]
        first, claim = self._computed(steps, names), below(self.claim, self.form)
        grows, found = self.neighbours == "add_remove", list[str]()
        for place in range(self.rows + grows):
            rest = names[place:] if grows else names[place + 1 :]
            second = self._computed(steps, [*names[:place], "edited_value", *rest])
            found += _apart(first.name, second.name, claim, self.form)
            found += _apart(second.name, first.name, claim, self.form) if grows else []
        rows = [*(f"row{i}" for i in range(self.rows)), "edited"]
        values = zip(rows, [*names, "edited_value"], strict=True)
        given = [line for row, name in values for line in self._row(row, name)]
        goal = f"(assert (or {' '.join(found)}))"
        return "\n".join(["(set-logic QF_BVFP)", *given, *steps.lines, goal, "(check-sat)", ""])

    def _row(self, row: str, name: str) -> tuple[str, ...]:
        """A row as its bits, and its value between the bounds."""
        low, high = -below(-self.lower, self.form), below(self.upper, self.form)
        return (
            f"(declare-const {row} (_ BitVec {_bits(self.form) + self.form.precision}))",
            f"(define-fun {name} () {_sort(self.form)} ((_ to_fp {_bits(self.form)} {self.form.precision}) {row}))",
            f"(assert (fp.leq {literal(low, self.form)} {name} {literal(high, self.form)}))",
        )

    def _computed(self, steps: Steps, names: list[str]) -> Symbol:
        """The answer, from rows of those names."""
        zero = Symbol(literal(Fraction(0), self.form), steps)
        numbers: list[Any] = [Symbol(name, steps) for name in names]
        total: Symbol = ORDERS[self.order](numbers, zero)
        return total / len(names) if self.mean else total


def _apart(first: str, second: str, claim: Fraction, form: FloatFormat) -> list[str]:
    """The first answer exceeds the second by more than the claim, or just one of them is NaN."""
    return [
        f"(fp.lt {literal(claim, form)} (fp.sub RTP {first} {second}))",
        f"(xor (fp.isNaN {first}) (fp.isNaN {second}))",
    ]


def literal(value: Fraction, form: FloatFormat) -> str:
    """A float of the format by its bits; 0 is +0.0."""
    step = spacing(value, form)
    whole = int(abs(value) / step)
    hidden = 1 << form.precision - 1
    exponent = 0 if whole < hidden else int(step / form.smallest).bit_length()
    fraction = whole if whole < hidden else whole - hidden
    return f"(fp #b{int(value < 0)} #b{exponent:0{_bits(form)}b} #b{fraction:0{form.precision - 1}b})"


def number_of(bits: int, form: FloatFormat) -> Fraction:
    """The finite number that the bits write."""
    hidden, exponents = 1 << form.precision - 1, 1 << _bits(form)
    exponent, fraction = bits // hidden % exponents, bits % hidden
    whole = fraction + hidden if exponent else fraction
    size = whole * form.smallest * Fraction(2) ** max(exponent - 1, 0)
    return -size if bits // hidden // exponents else size


def below(value: Fraction, form: FloatFormat) -> Fraction:
    """The largest float that is no larger than the value."""
    step = spacing(value, form)
    return (value / step).__floor__() * step


def _bits(form: FloatFormat) -> int:
    """Bits of the exponent."""
    return (form.emax + 1).bit_length()


def _sort(form: FloatFormat) -> str:
    """The sort of the format's numbers."""
    return f"(_ FloatingPoint {_bits(form)} {form.precision})"
