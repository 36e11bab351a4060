"""Spaces as campaign files write them.

{table = ROW, size = 3, least = 1, columns = true}, {vector = ROW, dimension = 4} or {number = ROW}, where ROW is
{whole = [0, 10]}, {real = [0.0, "inf"], nan = true}, {choice = ["a", {none = true}]} or {record = [ROW, ROW]}.
"""

from __future__ import annotations

from typing import Any

from refdp.auditing.judges.inputs import read
from refdp.auditing.judges.task import Fields, TaskError
from refdp.auditing.neighbours.spaces import Choice, Real, Record, RowSpace, Space, Table, Vector, Whole

SHAPES, ROWS = ("table", "vector", "number"), ("whole", "real", "choice", "record")


def space(f: Fields, name: str = "space") -> Space:
    """The space that a field describes; TaskError where it describes none."""
    inner = f.table(name)
    shape = _only(inner, SHAPES)
    found = {"table": _table, "vector": _vector, "number": _number}[shape](inner)
    inner.done()
    return found


def _table(f: Fields) -> Space:
    columns = f.of("columns", bool, "true or false", False)
    return Table(row(f, "table"), f.whole("size", None, least=0), columns, f.whole("least", 0, least=0))


def _vector(f: Fields) -> Space:
    return Vector(row(f, "vector"), f.whole("dimension"))


def _number(f: Fields) -> Space:
    return Vector(row(f, "number"))


def row(f: Fields, name: str) -> RowSpace:
    """What a row may be."""
    inner = f.table(name)
    kind = _only(inner, ROWS)
    found = {"whole": _whole, "real": _real, "choice": _choice, "record": _record}[kind](inner)
    inner.done()
    return found


def _whole(f: Fields) -> RowSpace:
    lower, upper = _two(f, "whole")
    try:
        return Whole(_integer(lower), _integer(upper))
    except ValueError as error:
        raise TaskError(f"{f.where}whole must be two whole numbers, the lesser first: {error}") from None


def _real(f: Fields) -> RowSpace:
    lower, upper = _two(f, "real")
    try:
        return Real(_float(lower), _float(upper), f.of("nan", bool, "true or false", False))
    except ValueError as error:
        raise TaskError(f"{f.where}real must be two numbers, the lesser first: {error}") from None


def _choice(f: Fields) -> RowSpace:
    values = f.of("choice", list, "a list of values")
    if not values:
        raise TaskError(f"{f.where}choice must have a value or more, got none")
    return Choice(tuple(read(one, f"{f.where}choice") for one in values))


def _record(f: Fields) -> RowSpace:
    rows = f.of("record", list, "a list of rows")
    if not rows or not all(isinstance(one, dict) for one in rows):
        raise TaskError(f"{f.where}record must be a list of tables, got {rows}")
    named = Fields({str(i): one for i, one in enumerate(rows)}, f"{f.where}record.")
    return Record(tuple(row(named, str(i)) for i in range(len(rows))))


def _two(f: Fields, name: str) -> tuple[Any, Any]:
    """The two ends of an interval."""
    ends = f.of(name, list, "a list of two numbers")
    if len(ends) != 2:
        raise TaskError(f"{f.where}{name} must be a list of two numbers, got {ends}")
    return ends[0], ends[1]


def _integer(end: Any) -> int:
    """An end of an interval of integers: a whole number, or its digits as a text."""
    if isinstance(end, bool) or not isinstance(end, (int, str)):
        raise ValueError(f"got {end!r}")
    return int(end)


def _float(end: Any) -> float:
    """An end of an interval of floats: a number, or a text such as "-inf", "0.1" or "0x1p-1074"."""
    if isinstance(end, bool) or not isinstance(end, (int, float, str)):
        raise ValueError(f"got {end!r}")
    return float.fromhex(end) if isinstance(end, str) and "0x" in end.lower() else float(end)


def _only(f: Fields, words: tuple[str, ...]) -> str:
    """The one of the words that is given."""
    found = [word for word in words if f.has(word)]
    if len(found) != 1:
        raise TaskError(f"{f.where.rstrip('.')} must have one of {', '.join(words)}, got {', '.join(found) or 'none'}")
    return found[0]
