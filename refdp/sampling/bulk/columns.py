"""Tables of one column, an array of whole numbers: what transformations make of it is what they make of its rows.

The formulas are those of the registry, in the arithmetic of arrays of int64, where bounds show that nothing wraps.
What is not sure to be whole and an int64 is worked out row by row, as everything else is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np

from refdp.sampling.bulk.addition import GREATEST, LEAST
from refdp.sampling.bulk.tables import Integers
from refdp.spec import registry
from refdp.spec.domains import number, step_of
from refdp.spec.rows import RowFunction, RowSum
from refdp.terms.evaluation import COMPARE, evaluate
from refdp.terms.term import Term, TermError, names

FEW_VALUES = 1 << 16
"""Values are counted where they span no more than these."""


class Unfit(TermError):
    """Something is not sure to be whole and an int64."""


@dataclass(frozen=True, slots=True)
class Column:
    """A whole number for each row, or one for all of them; all are from `least` to `greatest`."""

    numbers: Any
    least: int
    greatest: int

    def __post_init__(self) -> None:
        _ends(self.least, self.greatest)


def is_member(domain: Term, x: Any) -> bool:
    """Whether an array of int64 is a table of that closed domain."""
    if x.ndim != 1 or domain.operator not in ("table", "sized_table"):
        return False
    if domain.operator == "sized_table" and x.size != number(domain, 1):
        return False
    rows = domain.arguments[0]
    if rows.operator not in ("reals", "grid", "bounded", "finite", "category") or names(rows):
        return False
    return x.size == 0 or _are_members(rows, x)


def _are_members(rows: Term, x: Integers) -> bool:
    """Whether all elements are members of a domain of numbers."""
    least, greatest = int(x.min()), int(x.max())
    match rows.operator:
        case "grid" | "bounded":
            step = step_of(rows)
            if step.denominator != 1 or step > GREATEST:  # such as 1/3, of which whole numbers are multiples, and 5/2
                whole = 1 / step
                on_grid = whole.denominator == 1 or not any(Fraction(one) % step for one in np.unique(x).tolist())
            else:
                on_grid = step == 1 or not (x % int(step)).any()
            within = rows.operator == "grid" or number(rows, 1) <= least <= greatest <= number(rows, 2)
            return bool(on_grid and within)
        case "finite" | "category":
            return (0 if rows.operator == "finite" else -1) <= least <= greatest < number(rows, 0)
    return True


def value(subject: Term, x: Integers) -> Any:
    """T(x) for a closed transformation of a table: an array for a table, else what `spec.semantics.value` gives.

    Unfit where arrays do not suit it.
    """
    if subject.operator == "chain":
        inner = value(subject.arguments[0], x)
        if not isinstance(inner, np.ndarray):
            raise Unfit("a transformation follows that is of no table")
        return value(subject.arguments[1], inner)
    kind = registry.kind_of(subject.operator)
    if isinstance(kind, RowFunction) and kind.formula is not None:
        found = worked_out(kind.formula.term, {**registry.values(kind, subject), "row": column(x)})
        return np.broadcast_to(np.asarray(found.numbers, np.int64), x.shape).copy()
    if isinstance(kind, RowSum):
        return summed(kind, subject, x)
    raise Unfit(f"{subject.operator} is no function of numbers")


def column(x: Integers) -> Column:
    """An array with its ends."""
    return Column(x, int(x.min()), int(x.max())) if x.size else Column(x, 0, 0)


def summed(kind: RowSum, subject: Term, x: Integers) -> Any:
    """The sum over the rows, finished: a number, or a tuple of them."""
    values = registry.values(kind, subject)
    if kind.is_sized and x.size != values["size"]:
        raise TermError(f"{subject} reads tables of {values['size']} rows, got {x.size}")
    rows, counts = counted(x) if kind.is_vector else (x, None)
    known: dict[str, Column | Fraction] = {**values, "row": column(rows)}
    if not kind.is_vector:
        return _finished(kind, _total(kind.contribution.term, known, counts, x.size), values)
    totals = (
        _total(kind.contribution.term, known | {"coordinate": Column(j, j, j)}, counts, x.size)
        for j in range(int(values["dimension"]))
    )
    return tuple(_finished(kind, total, values) for total in totals)


def counted(x: Integers) -> tuple[Integers, Integers | None]:
    """The values that occur, and how often each does, where they span few numbers; else the rows as they are."""
    if not x.size or int(x.max()) - int(x.min()) >= FEW_VALUES:
        return x, None
    least = x.min()
    counts = np.bincount(x - least)
    occurring = np.flatnonzero(counts)
    return occurring + least, counts[occurring]


def _total(contribution: Term, known: Mapping[str, Column | Fraction], counts: Integers | None, n: int) -> Fraction:
    """The sum of what n rows contribute."""
    found = worked_out(contribution, known)
    if not isinstance(found.numbers, np.ndarray):
        return Fraction(found.numbers * n)
    _ends(found.least * n, found.greatest * n)  # no partial sum lies beyond 0 and these
    return Fraction(int(found.numbers.sum() if counts is None else found.numbers @ counts))


def _finished(kind: RowSum, total: Fraction, values: Mapping[str, Fraction]) -> Fraction:
    """What becomes of a sum."""
    return total if kind.finish is None else Fraction(evaluate(kind.finish.term, {**values, "total": total}))


def worked_out(t: Term, known: Mapping[str, Column | Fraction]) -> Column:
    """The formula for every row; Unfit where it is not sure to be whole and an int64."""
    match t.operator:
        case "number":
            return _constant(t.rational)
        case "name":
            found = known.get(str(t.value))
            return found if isinstance(found, Column) else _constant(found)
        case "indicator":
            (condition,) = t.arguments
            holds = _holds(condition, known)
            return Column(holds.astype(np.int64) if isinstance(holds, np.ndarray) else int(holds), 0, 1)
    if t.operator not in ("+", "-", "*", "negate", "abs", "min", "max"):
        raise Unfit(f"{t.operator} need not be whole")
    parts = [worked_out(a, known) for a in t.arguments]
    return _of_one(t.operator, *parts) if len(parts) == 1 else _of_two(t.operator, *parts)


def _constant(one: Fraction | None) -> Column:
    """The same number for all rows."""
    if one is None or one.denominator != 1:
        raise Unfit("a number is not whole")
    return Column(int(one), int(one), int(one))


def _of_one(operator: str, a: Column) -> Column:
    """-a or |a|, of which the ends are worked out first."""
    if operator == "negate":
        ends = _ends(-a.greatest, -a.least)
        return Column(-a.numbers, *ends)
    if operator != "abs":
        raise Unfit(f"{operator} of one number")
    ends = _ends(max(0, a.least, -a.greatest), max(-a.least, a.greatest))
    return Column(abs(a.numbers), *ends)


def _of_two(operator: str, a: Column, b: Column) -> Column:
    """a op b, of which the ends are worked out first: they are sure to be int64 before anything is."""
    match operator:
        case "+":
            ends = _ends(a.least + b.least, a.greatest + b.greatest)
            return Column(a.numbers + b.numbers, *ends)
        case "-":
            ends = _ends(a.least - b.greatest, a.greatest - b.least)
            return Column(a.numbers - b.numbers, *ends)
        case "*":
            products = [x * y for x in (a.least, a.greatest) for y in (b.least, b.greatest)]
            ends = _ends(min(products), max(products))
            return Column(a.numbers * b.numbers, *ends)
        case "min":
            return Column(_chosen(np.minimum, min, a, b), min(a.least, b.least), min(a.greatest, b.greatest))
        case "max":
            return Column(_chosen(np.maximum, max, a, b), max(a.least, b.least), max(a.greatest, b.greatest))
    raise Unfit(f"{operator} of two numbers")


def _ends(least: int, greatest: int) -> tuple[int, int]:
    """Both, where they are int64."""
    if not LEAST <= least <= greatest <= GREATEST:
        raise Unfit("a number is not sure to be an int64")
    return least, greatest


def _chosen(arrays: Any, scalars: Any, a: Column, b: Column) -> Any:
    """The lesser or the greater of two columns."""
    both = isinstance(a.numbers, int) and isinstance(b.numbers, int)
    return scalars(a.numbers, b.numbers) if both else arrays(a.numbers, b.numbers)


def _holds(statement: Term, known: Mapping[str, Column | Fraction]) -> Any:
    """Where a comparison, or all of several, hold."""
    if statement.operator == "all_of":
        return reduce(lambda a, b: a & b, (_holds(a, known) for a in statement.arguments))
    if statement.operator not in COMPARE:
        raise Unfit(f"{statement.operator} is no comparison of numbers")
    a, b = (worked_out(x, known) for x in statement.arguments)
    return COMPARE[statement.operator](a.numbers, b.numbers)


__all__ = ["Column", "Unfit", "is_member", "value"]
