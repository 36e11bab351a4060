"""The numbers that are summed, and what one rounding may do to a number."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.sensitivities.machine.formats import FloatFormat, spacing
from refdp.sensitivities.machine.lemmas import Lemma


class NoBound(ValueError):
    """No bound is proved for this computation; the message says why."""


@dataclass(frozen=True, slots=True)
class Summands:
    """At most `count` floats of a format, each at most `largest` in size."""

    form: FloatFormat
    count: int
    largest: Fraction
    total: Fraction
    """No smaller than the sum of their sizes."""

    @property
    def relative(self) -> Fraction:
        """w = u / (1 + u), the largest relative error of a rounding."""
        return self.form.unit / (1 + self.form.unit)


@dataclass(frozen=True, slots=True)
class SumError:
    """A bound of the error of a sum."""

    error: Fraction
    """Of |computed - exact|, for every number of rows up to the limit."""
    per_row: Fraction
    """Of |computed - exact| / n, for every number n >= 1 of rows up to the limit."""
    reach: Fraction
    """Of the size of everything that is rounded on the way; no larger than the largest float."""
    lemmas: tuple[Lemma, ...]


def summands(form: FloatFormat, count: int, largest: Fraction, total: Fraction | None = None) -> Summands:
    """The numbers that are summed; their sizes are count * largest together unless less is known."""
    product = count * largest
    return Summands(form, count, largest, product if total is None else min(product, total))


def rounding_error(form: FloatFormat, size: Fraction) -> Fraction:
    """The largest error of rounding a real number of at most that size, subnormal results included."""
    half = spacing(size, form) / 2
    at_power = size == spacing(size, form) / (2 * form.unit) and size > form.smallest_normal
    return half / 2 if at_power else half


def power_of_two(quantum: Fraction) -> Fraction:
    """The largest power of two of which all floats that are multiples of the quantum are multiples."""
    if quantum <= 0:
        raise ValueError(f"quantum must be > 0, got {quantum}")
    top, bottom = quantum.numerator, quantum.denominator
    return Fraction(top & -top, bottom & -bottom)
