"""Tables of declared records, and how many edits lead from one to another: checked on the values themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

from refdp.sensitivities.limits import upper_bound
from refdp.sensitivities.question import Neighbours, Tables
from refdp.sensitivities.records import Category, Concrete, Kind, Missing, Number
from refdp.terms.operations import negate
from refdp.terms.term import Term, Value

Table = tuple[Concrete, ...]


def key(record: Concrete) -> Hashable:
    """A record as something that can be counted; different records have different keys."""
    if isinstance(record, dict):
        return ("fields", tuple((name, key(part)) for name, part in record.items()))
    if isinstance(record, tuple):
        return ("places", tuple(map(key, record)))
    if type(record) is Fraction:  # its own hash takes an inverse
        return ("Fraction", *record.as_integer_ratio())
    return (type(record).__name__, record)


def keys(table: Sequence[Concrete]) -> tuple[Hashable, ...]:
    """The keys of all records."""
    return tuple(map(key, table))


def belongs(record: Concrete, kind: Kind, values: Mapping[Term, Value]) -> bool:
    """Whether a record is of the declared kind, where parameters have these values."""
    if isinstance(kind, Missing):
        return record is None or belongs(record, kind.kind, values)
    if isinstance(kind, Category):
        wanted = [Fraction(x) if isinstance(x, int) and not isinstance(x, bool) else x for x in kind.labels]
        return any(type(record) is type(label) and record == label for label in wanted)
    if isinstance(kind, Number):
        return isinstance(record, Fraction) and _is_within(record, kind, values)
    names = [name for name, _ in kind.kinds]
    if isinstance(record, tuple):
        inner: list[Concrete] = list(record)
        fits = names == list(range(len(inner)))
    else:
        inner = list(record.values()) if isinstance(record, dict) else []
        fits = isinstance(record, dict) and [*record] == names
    return fits and all(belongs(part, k, values) for part, (_, k) in zip(inner, kind.kinds, strict=True))


def _is_within(value: Fraction, kind: Number, values: Mapping[Term, Value]) -> bool:
    """Whether a number is within its bounds, and whole where it has to be."""
    if kind.is_integer and value.denominator != 1:
        return False
    if kind.lower is not None:
        least = upper_bound(kind.lower, values)
        if least is None or value < least:
            return False
    if kind.upper is None:
        return True
    largest = upper_bound(negate(kind.upper), values)
    return largest is not None and value <= -largest


def edits_between(first: Table, second: Table, neighbours: Neighbours, tables: Tables) -> int | None:
    """The fewest rows to add, remove or change that lead from one table to the other; None where none do."""
    a, b = keys(first), keys(second)
    if neighbours == "change_one":
        if len(a) != len(b):
            return None
        if tables == "lists":
            return sum(x != y for x, y in zip(a, b, strict=True))
        return len(a) - (Counter(a) & Counter(b)).total()
    shared = _longest_common(a, b) if tables == "lists" else (Counter(a) & Counter(b)).total()
    return len(a) + len(b) - 2 * shared


def _longest_common(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """The length of the longest list that both contain in order."""
    row = [0] * (len(b) + 1)
    for x in a:
        before = row
        row = [0]
        for j, y in enumerate(b):
            row.append(before[j] + 1 if x == y else max(row[j], before[j + 1]))
    return row[-1]
