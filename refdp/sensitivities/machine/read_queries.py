"""The query that a recognised function is, in floats or in integers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.sensitivities.machine.adjusted import MachineQuery
from refdp.sensitivities.machine.formats import FloatFormat, Format, IntegerFormat
from refdp.sensitivities.machine.integers import IntegerQuery
from refdp.sensitivities.machine.ranges import NotRecognised
from refdp.sensitivities.machine.recognising import Recognised
from refdp.sensitivities.question import Neighbours, Tables

LEFT_TO_RIGHT = ("naive", "mixed", "python", "python3.11", "python3.12")
"""The orders in which integers are added from left to right."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Which tables a question is about."""

    neighbours: Neighbours
    maximum_rows: int
    minimum_rows: int
    edits: int
    tables: Tables


def query_of(read: Recognised, form: Format, limits: Limits) -> MachineQuery | IntegerQuery:
    """The query, in the numbers of the format."""
    return float_query(read, form, limits) if isinstance(form, FloatFormat) else integer_query(read, form, limits)


def float_query(read: Recognised, form: FloatFormat, limits: Limits) -> MachineQuery:
    """The query of a sum or mean of floats.  NotRecognised for a mean of no rows."""
    if read.kind == "mean" and limits.minimum_rows < 1 and limits.neighbours == "add_remove":
        raise NotRecognised("the mean of no rows raises; ask for tables of at least 1 row")
    least = max(limits.minimum_rows, 1) if read.kind == "mean" else limits.minimum_rows
    ends, quantum = (read.added.lower, read.added.upper), Fraction(1) if read.added.is_whole else None
    rows = limits.maximum_rows, least, limits.edits
    return MachineQuery(read.kind, read.order, form, *ends, limits.neighbours, *rows, quantum, limits.tables)


def integer_query(read: Recognised, form: IntegerFormat, limits: Limits) -> IntegerQuery:
    """The query of a sum of integers from left to right.  NotRecognised for any other."""
    if read.kind != "sum" or not read.added.is_whole or read.order not in LEFT_TO_RIGHT:
        raise NotRecognised(f"a {read.kind} ({read.order}) has no proved bound in {form.name}")
    ends = int(read.added.lower), int(read.added.upper)
    return IntegerQuery(form, *ends, limits.neighbours, limits.maximum_rows, limits.tables, limits.edits)
