"""Five ways in which a sensitivity that holds over the numbers fails on a machine, each with its pair of tables.

Source: CSVW22, for overflow, rounding, repeated rounding and re-ordering.
Every attack is a function of the format, so that the same pair is a pair of any format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp.sensitivities.machine.formats import (
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT32,
    INT64,
    FloatFormat,
    Format,
    IntegerFormat,
    rounded,
    saturating,
)
from refdp.sensitivities.machine.pair import Run, machine_run
from refdp.sensitivities.machine.quick import quick_sum
from refdp.sensitivities.machine.runs import Runs, mapped, runs
from refdp.sensitivities.machine.scripts import script
from refdp.sensitivities.machine.statistics import Algorithm, mean, numpy_variance, two_pass

OVERFLOW = "overflow of integers"
ROUNDING = "rounding"
REPEATED = "repeated rounding"
ORDER = "re-ordering"
INFINITE = "overflow to infinity and NaN"
SUM_WORDS = {"naive": "sum from left to right", "numpy": "numpy.sum", "fsum": "math.fsum", "kahan": "Kahan's sum"}
FAMILIES = (OVERFLOW, ROUNDING, REPEATED, ORDER, INFINITE)


@dataclass(frozen=True, slots=True)
class Attack:
    """Two neighbouring tables for a statement that holds over the rational numbers."""

    family: str
    statement: str
    query: str
    """What is computed, as scripts.QUERIES names it."""
    total: str
    """The sum that it uses."""
    format_: Format
    first: Runs
    second: Runs
    ideal: Fraction
    """How far the answers may be apart by the statement."""

    @property
    def function(self) -> str:
        """What is computed, in words."""
        total = SUM_WORDS.get(self.total, f"{self.total} sum")
        if self.query == "sum":
            return total
        return self.query if self.query == "numpy.var" else f"{self.query} ({total})"

    def run(self) -> Run:
        """The function, as the machine computes it."""
        return machine_run(_algorithm(self.query, self.total), self.format_)

    def script(self) -> str:
        """The pair as a script."""
        return script(self.query, self.total, self.format_, self.first, self.second)


def _algorithm(query: str, total: str) -> Algorithm:
    """The algorithm of scripts.QUERIES."""
    sums = quick_sum(total)
    known: Mapping[str, Algorithm] = {
        "sum": sums,
        "mean": mean(sums),
        "mean of integers": lambda rows, zero: float(sums(rows, zero)) / len(rows),
        "squared deviations": two_pass(sums),
        "numpy.var": numpy_variance(),
        "sum of absolute values": lambda rows, zero: sums(mapped(abs, rows), zero),
    }
    return known[query]


def wrapped_sum(form: IntegerFormat, upper: int) -> Attack:
    """As many rows `upper` as fit, and one more: the sum starts again from below."""
    row = Fraction(upper)
    table = runs([(row, form.highest // upper)])
    said = f"a sum of integers in [0, {_text(row)}] moves by at most {_text(row)} when a row is added"
    return Attack(OVERFLOW, said, "sum", "numpy", form, table, runs([*table.parts, (row, 1)]), row)


def wrapped_mean(form: IntegerFormat) -> Attack:
    """Two rows whose sum just fits; one of them one larger.  The mean of n rows moves by the width over n."""
    upper = Fraction(form.highest // 2 + 1)
    said = f"a mean of 2 integers in [0, {_text(upper)}] moves by at most {_text(upper / 2)} when a row is changed"
    first, second = runs([(upper, 1), (upper - 1, 1)]), runs([(upper, 2)])
    return Attack(OVERFLOW, said, "mean of integers", "numpy", form, first, second, upper / 2)


def absolute_value(form: IntegerFormat) -> Attack:
    """The lowest integer has no absolute value in the format: it stays what it is."""
    low, high = Fraction(form.lowest), Fraction(form.highest)
    ends = f"[{_text(low)}, {_text(high)}]"
    said = f"a sum of absolute values of integers in {ends} moves by at most {_text(-low)} when a row is changed"
    return Attack(OVERFLOW, said, "sum of absolute values", "numpy", form, runs([(low, 1)]), runs([(high, 1)]), -low)


def saturated_order(form: IntegerFormat, upper: int) -> Attack:
    """First all up, then all down, or the other way: what a saturated sum forgets depends on where it has been."""
    count = 2 * (form.highest // upper) + 1
    up, down = (Fraction(upper), count), (Fraction(-upper), count)
    said = f"a sum of integers in [{_text(down[0])}, {_text(up[0])}] is the same in every order"
    return Attack(ORDER, said, "sum", "naive", saturating(form), runs([up, down]), runs([down, up]), Fraction(0))


def tied_sum(form: FloatFormat, total: str) -> Attack:
    """Two rows beside 2^(p - 1), where a sum has room for even numbers only: any sum, even one rounded once."""
    low = Fraction(2) ** (form.precision - 1)
    power = f"2^{form.precision - 1}"
    said = f"a sum of 2 numbers in [{power}, {power} + 1] moves by at most 1 when a row is changed"
    return Attack(ROUNDING, said, "sum", total, form, runs([(low, 1), (low + 1, 1)]), runs([(low + 1, 2)]), Fraction(1))


def rounded_up_sum(form: FloatFormat, total: str) -> Attack:
    """1 beside a row just above half its unit in the last place, which counts as a whole unit."""
    tiny = runs([(_above_half(form), 1)])
    said = "a sum of numbers in [0, 1] moves by at most 1 when a row is added"
    return Attack(ROUNDING, said, "sum", total, form, tiny, runs([(Fraction(1), 1), *tiny.parts]), Fraction(1))


def rounded_mean(form: FloatFormat) -> Attack:
    """The fewest rows n for which 1 / n is rounded up."""
    count = next(n for n in range(3, 1 << form.precision) if _value(Fraction(1, n), form) > Fraction(1, n))
    said = f"a mean of {count} numbers in [0, 1] moves by at most 1/{count} when a row is changed"
    zeros, one = runs([(Fraction(0), count)]), runs([(Fraction(1), 1), (Fraction(0), count - 1)])
    return Attack(ROUNDING, said, "mean", "naive", form, zeros, one, Fraction(1, count))


def lifted_sum(form: FloatFormat, count: int) -> Attack:
    """After a row 1, each of `count` rows just above half a unit counts as a whole unit: about count / 2^p more."""
    said = "a sum of numbers in [0, 1] moves by at most 1 when a row is added"
    rest = runs([(_above_half(form), count)])
    return Attack(REPEATED, said, "sum", "naive", form, rest, runs([(Fraction(1), 1), *rest.parts]), Fraction(1))


def offset_sum(form: FloatFormat, count: int, total: str) -> Attack:
    """Rows beside 2^(p - 1): each binade that the sum crosses doubles what the first row changed."""
    low = Fraction(2) ** (form.precision - 1)
    rest = (low + 1, count - 1)
    power = f"2^{form.precision - 1}"
    said = f"a sum of {count} numbers in [{power}, {power} + 1] moves by at most 1 when a row is changed"
    return Attack(REPEATED, said, "sum", total, form, runs([(low, 1), rest]), runs([(low + 1, 1), rest]), Fraction(1))


def offset_deviations(form: FloatFormat, count: int, total: str) -> Attack:
    """Rows beside 2^(p - 3): one row moves the rounded mean, and with it the deviation of every row.

    Source: https://github.com/opendp/opendp/issues/2923, where the pairwise sum is halved down to single rows.
    """
    power = form.precision - 3
    low = Fraction(2) ** power
    base, moved = low + Fraction(1, 4), low + Fraction(1, 2)
    said = (
        f"squared deviations of {count} numbers in [2^{power}, 2^{power} + 1] from their mean add up to at most "
        f"{count - 1}/{count} more or less when a row is changed"
    )
    first, second = runs([(base, count)]), runs([(moved, 1), (base, count - 1)])
    return Attack(REPEATED, said, "squared deviations", total, form, first, second, Fraction(count - 1, count))


def reordered_sum(form: FloatFormat, count: int, total: str) -> Attack:
    """Rows of half a unit are lost beside 1, and not before it."""
    said = "a sum of numbers in [0, 1] is the same in every order"
    half, one = (form.unit, count), (Fraction(1), 1)
    return Attack(ORDER, said, "sum", total, form, runs([one, half]), runs([half, one]), Fraction(0))


def infinite_sum(form: FloatFormat, total: str) -> Attack:
    """Twice the largest power of two is too much."""
    upper = Fraction(2) ** form.emax
    said = f"a sum of numbers in [0, 2^{form.emax}] moves by at most 2^{form.emax} when a row is added"
    return Attack(INFINITE, said, "sum", total, form, runs([(upper, 1)]), runs([(upper, 2)]), upper)


def nan_sum(form: FloatFormat) -> Attack:
    """One half of the table adds up to infinity, the other to minus infinity, and both to NaN."""
    power = form.emax - 1
    upper = Fraction(2) ** power
    first, second = runs([(upper, 4), (-upper, 4)]), runs([(upper, 4), (-upper, 3), (Fraction(0), 1)])
    said = f"a sum of numbers in [-2^{power}, 2^{power}] moves by at most 2^{power + 1} when a row is changed"
    return Attack(INFINITE, said, "sum", "pairwise", form, first, second, 2 * upper)


def infinite_variance(form: FloatFormat) -> Attack:
    """Rows far from overflow, whose squared deviations are not."""
    power = form.emax // 2 + 2
    upper = Fraction(2) ** power
    said = f"a variance of 8 numbers in [0, 2^{power}] moves by at most 7/64 2^{2 * power} when a row is changed"
    zeros, one = runs([(Fraction(0), 8)]), runs([(Fraction(0), 7), (upper, 1)])
    return Attack(INFINITE, said, "numpy.var", "numpy", form, zeros, one, upper**2 * 7 / 64)


def _text(value: Fraction) -> str:
    """A whole number; long ones by the power of two that they are, or are beside."""
    for more, end in ((0, ""), (1, " - 1")):
        near = abs(value) + more
        if near.denominator == 1 and near > 1000 and near.numerator.bit_count() == 1:
            return f"{'-' if value < 0 else ''}2^{near.numerator.bit_length() - 1}{end}"
    return str(value)


def _above_half(form: FloatFormat) -> Fraction:
    """The number next above half the unit in the last place of 1."""
    return form.unit * (1 + 2 * form.unit)


def _value(exactly: Fraction, form: FloatFormat) -> Fraction:
    found = rounded(exactly, form)
    return found if isinstance(found, Fraction) else Fraction(0)


def attacks() -> tuple[Attack, ...]:
    """All five families: on doubles, on narrower floats where that is closer to practice, and on integers."""
    wide: tuple[str, ...] = ("naive", "numpy", "fsum")
    return (
        wrapped_sum(INT64, 1 << 62), wrapped_sum(INT32, 100_000_000), wrapped_sum(INT8, 1), wrapped_mean(INT64),
        absolute_value(INT64),
        *(tied_sum(FLOAT64, total) for total in (*wide, "kahan")),
        *(rounded_up_sum(FLOAT64, total) for total in wide), rounded_mean(FLOAT64), tied_sum(FLOAT32, "naive"),
        lifted_sum(FLOAT64, 4096), lifted_sum(FLOAT64, 1 << 18), lifted_sum(FLOAT32, 1 << 18),
        lifted_sum(FLOAT16, 1024), offset_sum(FLOAT64, 1000, "naive"), offset_sum(FLOAT64, 1024, "pairwise"),
        offset_sum(FLOAT64, 1024, "numpy"), offset_deviations(FLOAT64, 1024, "pairwise"),
        *(reordered_sum(FLOAT64, 4096, total) for total in ("naive", "pairwise", "numpy")),
        reordered_sum(FLOAT32, 4096, "naive"), saturated_order(INT64, 1 << 62), saturated_order(INT8, 100),
        *(infinite_sum(FLOAT64, total) for total in ("naive", "numpy")), nan_sum(FLOAT64),
        infinite_variance(FLOAT64), infinite_variance(FLOAT16),
    )  # fmt: skip
