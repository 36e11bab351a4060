"""The ranges of a function's names before it is read: of its defaults, its parameters and its rows."""

from __future__ import annotations

import ast
import math
from fractions import Fraction

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.machine.formats import IntegerFormat
from refdp.sensitivities.machine.ranges import Fields as Columns
from refdp.sensitivities.machine.ranges import NotRecognised, Range, Ranges
from refdp.sensitivities.records import Fields, Number
from refdp.sensitivities.records import Kind as Record
from refdp.terms.leaves import is_number
from refdp.terms.term import Term

Row = Range | Columns


def default_ranges(source: Source, ranges: Ranges) -> dict[str, Row]:
    """The parameters whose defaults are numbers."""
    given = source.tree.args
    places = [a.arg for a in (*given.posonlyargs, *given.args)]
    pairs = [*zip(reversed(places), reversed(given.defaults), strict=False),
             *zip((a.arg for a in given.kwonlyargs), given.kw_defaults, strict=True)]  # fmt: skip
    return {name: ranges.of(value) for name, value in pairs if isinstance(value, ast.Constant | ast.UnaryOp)
            and not isinstance(getattr(value, "value", 0), str | bool | None)}  # fmt: skip


def parameter_ranges(ranges: Ranges, declaration: Declaration) -> dict[str, Range | Columns]:
    """The public parameters that are numbers, rounded to the format where they are not whole."""
    if declaration.symbolic:
        raise NotRecognised(f"parameters must have values, got {', '.join(declaration.symbolic)}")
    numbers = {name: value for name, value in declaration.values.items() if isinstance(value, Fraction)}
    return {
        name: ranges.whole(value, value, False) if value.denominator == 1 else ranges.written(value)
        for name, value in numbers.items()
    }


def row_ranges(record: Record, ranges: Ranges) -> Range | Columns:
    """The range of a row, or of its fields."""
    if isinstance(record, Number):
        if not _bounded(record):
            raise NotRecognised(
                "no bound is proved where rows have no bounds that are numbers, such as 0 100 or integers 0..120"
            )
        return _number(record, ranges)
    if isinstance(record, Fields):
        numeric = {key: kind for key, kind in record.kinds if isinstance(kind, Number) and _bounded(kind)}
        return {key: _number(numeric[key], ranges) if key in numeric else None for key, _ in record.kinds}
    raise NotRecognised("the rows must be numbers, or have fields that are numbers")


def _bounded(kind: Number) -> bool:
    """Whether both bounds are numbers."""
    return all(isinstance(end, Term) and is_number(end) for end in (kind.lower, kind.upper))


def _number(kind: Number, ranges: Ranges) -> Range:
    """The range of a number between its bounds."""
    low, high = (end.rational if end is not None else Fraction(0) for end in (kind.lower, kind.upper))
    if kind.is_integer or isinstance(ranges.form, IntegerFormat):
        return ranges.whole(Fraction(math.ceil(low)), Fraction(math.floor(high)), False)
    return Range(low, high, False, True)
