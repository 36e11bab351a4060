"""How far a rounded sum may be from the exact one: for every table of at most so many numbers, as exact rationals.

Rounding is to nearest in binary, so that for floats a and b, unless a + b overflows,

    |fl(a + b) - (a + b)| <= min(|a|, |b|, w |a + b|, u |fl(a + b)|),     u = 2^-precision,     w = u / (1 + u):

a and b are floats themselves, and a sum so small that it would be subnormal is exact.  Every other step is arithmetic,
done by the lemmas of `sum_lemmas`.  Proofs: docs/machine_arithmetic.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from fractions import Fraction

from refdp.sensitivities.machine.formats import BFLOAT16, FLOAT16, FLOAT32, FLOAT64
from refdp.sensitivities.machine.heights import numpy_height, pairwise_height
from refdp.sensitivities.machine.sum_lemmas import BY_HEIGHT, BY_SIZES, COMPENSATED_END, IN_ANY_ORDER, KAHAN
from refdp.sensitivities.machine.summands import NoBound, SumError, Summands, power_of_two, rounding_error


def sum_error(order: str, numbers: Summands, quantum: Fraction | None = None) -> SumError:
    """The error of a sum in that order.  `quantum`: all numbers are its whole multiples.  NoBound where none is proved.

    Sums of multiples of a power of two q, of size at most q 2^precision, are floats, and so no addition rounds.
    """
    step = max(power_of_two(quantum or numbers.form.smallest), numbers.form.smallest)
    if numbers.total <= min(step / numbers.form.unit, numbers.form.largest):
        return SumError(Fraction(0), Fraction(0), numbers.total, ())
    found = _bound_of(order)(numbers)
    if found.reach > numbers.form.largest:
        raise NoBound(f"{numbers.count} rows of size {numbers.largest} may sum beyond the largest {numbers.form.name}")
    return found


def in_any_order(numbers: Summands) -> SumError:
    """c (n (n + 1) / 2 - 1) with c = w M / (1 - w n / 2); or (n - 1) u times the sizes, where that is less.

    Both are proved in docs/machine_arithmetic.md.  Source: JR13 for the second.
    """
    w, n = numbers.relative, numbers.count
    by_sizes = max(n - 1, 0) * numbers.form.unit * numbers.total
    if w * n >= 2:
        error, lemmas = by_sizes, BY_SIZES
    else:
        by_count = w * numbers.largest / (1 - w * n / 2) * max(Fraction(n * (n + 1), 2) - 1, Fraction(0))
        error, lemmas = min((by_count, IN_ANY_ORDER), (by_sizes, BY_SIZES), key=lambda found: found[0])
    return SumError(error, error / max(n, 1), numbers.total + error, lemmas)


def by_height(height: Callable[[int], int]) -> Callable[[Summands], SumError]:
    """(1 + w)^h - 1 times the sizes, where every number goes through at most h additions."""

    def bound(numbers: Summands) -> SumError:
        factor = (1 + numbers.relative) ** height(numbers.count) - 1
        error, other = factor * numbers.total, in_any_order(numbers)
        if other.error <= error:
            return other
        return SumError(error, error / max(numbers.count, 1), numbers.total + error, (BY_HEIGHT,))

    return bound


def kahan(numbers: Summands) -> SumError:
    """About (2 n + 3) w M + O(n^2 w^2 M): the constants of the lemmas, solved for."""
    w, u, n, largest = numbers.relative, numbers.form.unit, numbers.count, numbers.largest

    def sizes(reach: Fraction) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """Y, I, H and the size of the sums, where no addition exceeds `reach`."""
        lost = w * reach
        corrected = (1 + w) * (largest + lost)
        each = w * (largest + lost) + w * corrected + w * w * reach
        height = 2 * w * corrected + n * each
        return corrected, each, height, n * largest + height + lost

    start, slope = sizes(Fraction(0)), sizes(Fraction(1))
    grown, rise = start[3] + start[0], slope[3] + slope[0] - start[3] - start[0]
    eightfold, climb = 8 * start[0], 8 * (slope[0] - start[0])
    if rise >= 1 or climb >= 1 or w > Fraction(1, 8):
        raise NoBound(f"Kahan's sum of {n} rows has no proved bound in {numbers.form.name}")
    reach = max(grown / (1 - rise), eightfold / (1 - climb))
    corrected, each, _, size = sizes(reach)
    if size + corrected > reach or 8 * corrected > reach:
        raise NoBound("the sizes of Kahan's sum do not bound each other")
    last = w * corrected * (1 + 2 * w + Fraction(13, 4) * w)
    apart = 2 * w * corrected + (u - w) * size + last
    return SumError(n * each + apart, each + apart, 2 * reach, KAHAN)


def neumaier(numbers: Summands) -> SumError:
    """w S + (1 + w) (n - 1) u B, where B is the error of the naive sum and S of the exact sum's size."""
    w, naive = numbers.relative, in_any_order(numbers)
    lost = max(numbers.count - 1, 0) * numbers.form.unit * naive.error
    error = lost + w * (numbers.total + lost)
    lemmas = tuple(dict.fromkeys((*naive.lemmas, *BY_SIZES, COMPENSATED_END)))
    return SumError(error, error / max(numbers.count, 1), 2 * (naive.reach + lost), lemmas)


def fsum(numbers: Summands) -> SumError:
    """The exact sum, rounded once."""
    error = rounding_error(numbers.form, numbers.total)
    each = numbers.relative * max(numbers.largest, numbers.total / max(numbers.count, 1))
    return SumError(min(error, numbers.relative * numbers.total), each, numbers.total, ())


def numpy(numbers: Summands) -> SumError:
    """Blocks of eight lanes; float16 is summed as float32 and rounded once; bfloat16 from left to right."""
    if numbers.form == BFLOAT16:
        return in_any_order(numbers)
    if numbers.form != FLOAT16:
        return by_height(numpy_height)(numbers)
    wide = by_height(numpy_height)(Summands(FLOAT32, numbers.count, numbers.largest, numbers.total))
    return SumError(
        wide.error + numbers.relative * (numbers.total + wide.error),
        wide.per_row + numbers.relative * (numbers.largest + wide.per_row),
        wide.reach,
        wide.lemmas,
    )


def compensated(numbers: Summands) -> SumError:
    """Python's `sum` from 3.12 on: of doubles Neumaier's, of other floats naive."""
    return (neumaier if numbers.form == FLOAT64 else in_any_order)(numbers)


def mixed(numbers: Summands) -> SumError:
    """Python's `sum` of ints and floats: an int that is added to a float goes uncompensated.

    At worst nothing is compensated, and an int sum, the total and its compensation are each rounded once more.
    """
    w, naive = numbers.relative, in_any_order(numbers)
    lost = max(numbers.count - 1, 0) * numbers.form.unit * naive.error
    error = naive.error + lost + 2 * w * (numbers.total + naive.error + lost)
    lemmas = tuple(dict.fromkeys((*naive.lemmas, *BY_SIZES, COMPENSATED_END)))
    return SumError(error, error / max(numbers.count, 1), 2 * (naive.reach + lost), lemmas)


BOUNDS: Mapping[str, Callable[[Summands], SumError]] = {
    "any": in_any_order, "naive": in_any_order, "pairwise": by_height(pairwise_height(1)), "kahan": kahan,
    "neumaier": neumaier, "mixed": mixed, "numpy": numpy, "fsum": fsum, "python3.11": in_any_order,
    "python3.12": compensated,
    "python": compensated if sys.version_info >= (3, 12) else in_any_order,
}  # fmt: skip
"""The bound of each order; "any" is every order and every way to split a sum into partial sums."""


def _bound_of(order: str) -> Callable[[Summands], SumError]:
    """The bound of the order of that name.  ValueError where there is none."""
    known, _, base = order.partition(":")
    if known == "pairwise" and base.isdecimal() and int(base) >= 1:
        return by_height(pairwise_height(int(base)))
    if order not in BOUNDS:
        raise ValueError(f"sum must be one of {', '.join(BOUNDS)}, pairwise:BASE, got {order}")
    return BOUNDS[order]
