"""Sums of runs in time that grows with the number of runs, not of rows; the same bits as row by row.

The naive sum of a run grows, within one binade, by the same rounded step each time, so that it may jump to the next
binade.  In a sum by halves, a part of one run depends on its length alone, and is computed once.
"""

from __future__ import annotations

import bisect
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from refdp.sensitivities.machine import sums
from refdp.sensitivities.machine.formats import BFLOAT16, FLOAT16, FLOAT32, FLOAT64, FloatFormat, fitted
from refdp.sensitivities.machine.narrow import Narrow, machine_float, nearest
from refdp.sensitivities.machine.runs import Runs
from refdp.sensitivities.machine.wholes import Whole

Quick = Callable[[Runs, Any], Any]


def repeated(total: float, x: float, count: int, form: FloatFormat) -> float:
    """((total + x) + x) + ... with `count` additions, each rounded to the format."""
    while count >= 4:
        first = nearest(total + x, form)
        if math.isnan(first) or first == total != 0:
            return first  # what does not move once never moves again
        second = nearest(first + x, form)
        total = nearest(second + x, form)
        count -= 3
        jump = min(count, _steady(first, second, total, x))
        if jump > 0:
            total = float(Fraction(total) + jump * (Fraction(total) - Fraction(second)))
            count -= jump
    for _ in range(count):
        total = nearest(total + x, form)
    return total


def _steady(first: float, second: float, third: float, x: float) -> int:
    """How many further additions of x surely move the last of three sums as the last addition did.

    Within a binade of one sign all sums are multiples of one spacing, and an addition moves by the multiple nearest to
    x.  If x lies in the middle of two, the even sum is taken, and every addition to an even sum moves alike.  The
    second sum is even then, so that the third addition is like those after it, until a sum could leave the binade.
    """
    if not math.isfinite(third) or not 0 < first * second or not 0 < second * third or second == third:
        return 0
    exponent = math.frexp(third)[1]
    if exponent != math.frexp(second)[1] or exponent != math.frexp(first)[1]:
        return 0
    top, size, step = Fraction(2) ** exponent, abs(Fraction(third)), abs(Fraction(third) - Fraction(second))
    room = top - size if abs(third) > abs(second) else size - top / 2
    return int((room - abs(Fraction(x))) // step)


def naive(table: Runs, zero: Any) -> Any:
    """The sum from left to right."""
    if isinstance(zero, Whole):
        return _naive_wholes(table, zero)
    form, total = (zero.format_, zero.number) if isinstance(zero, Narrow) else (FLOAT64, zero)
    for value, count in table.parts:
        total = repeated(total, float(value), count, form)
    return Narrow(total, form) if isinstance(zero, Narrow) else total


def _naive_wholes(table: Runs, zero: Whole) -> Whole:
    """A run counts as its product: wrapping forgets nothing modulo 2^bits, and within a run a sum goes one way."""
    total = zero.number
    for value, count in table.parts:
        total = fitted(total + int(value) * count, zero.format_)
    return Whole(total, zero.format_)


def halves(table: Runs, zero: Any, longest: int, middle: Callable[[int], int], short: sums.Sum) -> Any:
    """A sum by halves, of which those of one run and one length are summed once; `short` sums up to `longest` rows."""
    ends = table.ends()
    known: dict[tuple[int, int], Any] = {}

    def part(start: int, stop: int) -> Any:
        run = bisect.bisect_right(ends, start)
        same, key = ends[run] >= stop, (run, stop - start)
        if same and key in known:
            return known[key]
        if stop - start <= longest:
            found = short(table.slice(start, stop), zero)
        else:
            cut = start + middle(stop - start)
            found = part(start, cut) + part(cut, stop)
        if same:
            known[key] = found
        return found

    return part(0, ends[-1]) if ends else zero


def pairwise(base: int) -> Quick:
    """As sums.pairwise."""
    leaf = sums.pairwise(base)
    return lambda table, zero: halves(table, zero, base, lambda count: count // 2, leaf)


def numpy_sum(table: Runs, zero: Any) -> Any:
    """As sums.numpy_sum."""
    if isinstance(zero, Whole) or isinstance(zero, Narrow) and zero.format_ == BFLOAT16:
        return naive(table, zero)
    if isinstance(zero, Narrow) and zero.format_ == FLOAT16:
        total = _blocks(table.mapped(lambda x: Narrow(x.number, FLOAT32)), Narrow(0.0, FLOAT32))
        return Narrow(nearest(total.number, FLOAT16), FLOAT16)
    return _blocks(table, zero)


def _blocks(table: Runs, zero: Any) -> Any:
    return halves(table, zero, sums.BLOCK, lambda count: count // 2 // sums.LANES * sums.LANES, sums.blocks)


def fsum(table: Runs, zero: Any) -> Any:
    """As sums.fsum."""
    values = [float(value) for value, _ in table.parts]
    if not all(map(math.isfinite, values)):
        return sums.fsum([value for value, _ in table.parts], zero)
    form = zero.format_ if isinstance(zero, Narrow) else FLOAT64
    exactly = sum((Fraction(value) * count for value, (_, count) in zip(values, table.parts, strict=True)), Fraction())
    result = machine_float(exactly, form)
    if math.isinf(result) and form == FLOAT64:
        raise OverflowError("intermediate overflow in fsum")
    return Narrow(result, form) if isinstance(zero, Narrow) else result


def compensated(table: Runs, zero: Any) -> Any:
    """As sums.compensated."""
    return sums.compensated(table.rows(), zero) if isinstance(zero, float) else naive(table, zero)


QUICK: Mapping[str, Quick] = {
    "naive": naive, "pairwise": pairwise(1), "numpy": numpy_sum, "fsum": fsum, "python3.11": naive,
    "python3.12": compensated, "python": compensated if sys.version_info >= (3, 12) else naive,
}  # fmt: skip


def quick_sum(name: str) -> sums.Sum:
    """The sum of that name, of rows or of Runs.  ValueError where there is none."""
    plain, (known, _, base) = sums.sum_named(name), name.partition(":")
    quick = pairwise(int(base)) if known == "pairwise" and base else QUICK.get(name)

    def total(numbers: Sequence[Any] | Runs, zero: Any) -> Any:
        if not isinstance(numbers, Runs):
            return plain(numbers, zero)
        return quick(numbers, zero) if quick else plain(numbers.rows(), zero)

    return total
