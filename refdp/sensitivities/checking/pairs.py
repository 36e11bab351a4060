"""Whether two tables are neighbours, and whether what a function does on them is further apart than claimed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Sized
from fractions import Fraction

from refdp.sensitivities.language.concrete.answers import Answer, distance
from refdp.sensitivities.limits import upper_bound
from refdp.sensitivities.question import SIZE, Neighbours, Norm, Tables
from refdp.sensitivities.records import Category, Concrete, Fields, Kind, Missing, Number
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import integer, rational, truth
from refdp.terms.operations import substitute
from refdp.terms.term import Term, Value

Record = tuple[Value, ...]
"""A row as the values of its slots; equal rows are equal tuples."""


def slot_values(kind: Kind, value: Concrete) -> Record:
    """The values of the slots of a record.  ValueError where it is not of the kind, bounds aside."""
    if isinstance(kind, Number) and isinstance(value, Fraction) and (value.denominator == 1 or not kind.is_integer):
        return (value,)
    if isinstance(kind, Category):
        for place, label in enumerate(kind.labels):
            if isinstance(label, bool) == isinstance(value, bool) and label == value:
                return (Fraction(place),)
    if isinstance(kind, Missing):
        inner = kind.kind.slots("")
        return (True, *(Fraction(0) for _ in inner)) if value is None else (False, *slot_values(kind.kind, value))
    if isinstance(kind, Fields) and isinstance(value, tuple | dict):
        named = value if isinstance(value, dict) else dict(enumerate(value))
        if list(named) == [key for key, _ in kind.kinds]:
            return tuple(v for key, inner in kind.kinds for v in slot_values(inner, named[key]))  # type: ignore[index]
    raise ValueError(f"a row must be as declared, got {str(value)[:80]}")


def records(kind: Kind, rows: Sequence[Concrete], parameters: Mapping[Term, Value]) -> list[Record]:
    """The rows by their slots.  ValueError where a row is not as declared, its bounds included."""
    slots, allowed = kind.slots("row"), kind.constraint("row")
    found = [slot_values(kind, row) for row in rows]
    for row, record in zip(rows, found, strict=True):
        if not evaluate(allowed, {**parameters, **dict(zip(slots, record, strict=True))}):
            raise ValueError(f"a row must be within its bounds, got {str(row)[:80]}")
    return found


def edits_apart(first: Sequence[Record], second: Sequence[Record], neighbours: Neighbours, tables: Tables) -> int:
    """How many rows must be added or removed, or changed, to make one table the other.  ValueError where none do."""
    if neighbours == "change_one":
        if len(first) != len(second):
            raise ValueError(f"tables must have as many rows under change_one, got {len(first)} and {len(second)}")
        if tables == "lists":
            return sum(a != b for a, b in zip(first, second, strict=True))
        return (Counter(first) - Counter(second)).total()
    common = (Counter(first) & Counter(second)).total() if tables == "multisets" else _in_both(first, second)
    return len(first) + len(second) - 2 * common


def are_within(edits: int, apart: int, first: Sized, neighbours: Neighbours) -> bool:
    """Whether tables that are so many edits apart are neighbours, or are within `edits` of them.

    A row is changed, perhaps into an equal one, where there is one.  To add or remove a row makes another table, of
    which an order of the same rows is none; to add one and remove it takes two edits.
    """
    return apart <= edits and (len(first) > 0 if neighbours == "change_one" else apart > 0 or edits > 1)


def _in_both(first: Sequence[Record], second: Sequence[Record]) -> int:
    """The length of the longest list that is in both, in order."""
    best = [0] * (len(second) + 1)
    for one in first:
        before = best
        best = [0]
        for place, other in enumerate(second):
            best.append(before[place] + 1 if one == other else max(best[-1], before[place + 1]))
    return best[-1]


def is_too_far(answers: tuple[Answer, Answer], norm: Norm, claim: Term, known: Mapping[Term, Value]) -> bool:
    """Whether the answers are further apart than the claim, where parameters and SIZE have their known values.

    A claim that is irrational is rounded up; one that has no value is not exceeded.
    """
    first, second = answers
    if first.exception != second.exception:
        return True
    found = distance(first, second, norm)
    limit = upper_bound(substitute(claim, {v: _alike(v, value) for v, value in known.items()}), {})
    if limit is None:
        return False
    return found is None or limit < 0 or found > (limit * limit if norm == "L2" else limit)


def _alike(one: Term, value: Value) -> Term:
    """A value as a constant of the sort of a variable."""
    if isinstance(value, bool):
        return truth(value)
    return integer(int(value)) if one.sort == "Int" else rational(value)


def sized(parameters: Mapping[Term, Value], *tables: Sequence[Record]) -> Mapping[Term, Value]:
    """The parameters, and SIZE: the number of rows of the smaller table."""
    return {**parameters, SIZE: Fraction(min(map(len, tables)))}
