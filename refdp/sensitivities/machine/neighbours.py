"""Whether two tables of a machine are neighbours, and whether their rows are as declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from refdp.sensitivities.machine.formats import FloatFormat, Format, representable
from refdp.sensitivities.machine.pair import SPECIALS, MachineRow
from refdp.sensitivities.machine.runs import Runs
from refdp.sensitivities.question import Neighbours, Tables
from refdp.sensitivities.records import Category, Fields, Kind, Missing, Number
from refdp.terms.exact_values import evaluate
from refdp.terms.term import Term


def require_row(kind: Kind, row: MachineRow, form: Format, specials: bool) -> None:
    """ValueError unless the row is of the kind, within its bounds, and made of numbers of the format."""
    if isinstance(kind, Missing):
        if row is not None:
            require_row(kind.kind, row, form, specials)
        return
    if isinstance(kind, Fields):
        if not isinstance(row, tuple) or len(row) != len(kind.kinds):
            raise ValueError(f"a row must have {len(kind.kinds)} fields, got {str(row)[:80]}")
        for (_, inner), part in zip(kind.kinds, row, strict=True):
            require_row(inner, part, form, specials)
        return
    if not (_is_label(kind, row) if isinstance(kind, Category) else _is_number(kind, row, form, specials)):
        raise ValueError(f"a row must be as declared and of {form.name}, got {str(row)[:80]}")


def _is_label(kind: Category, row: MachineRow) -> bool:
    """Whether the row is one of the labels; True is not 1."""
    return any(isinstance(label, bool) == isinstance(row, bool) and label == row for label in kind.labels)


def _is_number(kind: Number, row: MachineRow, form: Format, specials: bool) -> bool:
    """Whether the row is a number of the kind; whole numbers beside floats are Python's, of any size."""
    if isinstance(row, str):
        return specials and row in SPECIALS and not kind.is_integer and isinstance(form, FloatFormat)
    if not isinstance(row, Fraction) or (kind.is_integer and row.denominator != 1):
        return False
    is_int = kind.is_integer and isinstance(form, FloatFormat)
    return (is_int or representable(row, form)) and _end(kind.lower, row) <= row <= _end(kind.upper, row)


def _end(bound: Term | None, row: Fraction) -> Fraction:
    """The bound as a number; the row where there is none."""
    return row if bound is None else Fraction(evaluate(bound, {}))


def machine_edits(first: Runs, second: Runs, neighbours: Neighbours, tables: Tables, most: int) -> int:
    """How many rows must be added or removed, or changed, to make one table the other; most + 1 where it is more.

    Raises:
        ValueError: rows are changed, and the tables have different numbers of rows.
    """
    if neighbours == "change_one" and len(first) != len(second):
        raise ValueError(f"tables must have as many rows under change_one, got {len(first)} and {len(second)}")
    if tables == "multisets":
        ours, theirs = _counted(first), _counted(second)
        more, fewer = sum((ours - theirs).values()), sum((theirs - ours).values())
        return min(more if neighbours == "change_one" else more + fewer, most + 1)
    rows: list[MachineRow] = first.rows()
    others: list[MachineRow] = second.rows()
    if neighbours == "change_one":
        return min(sum(a != b for a, b in zip(rows, others, strict=True)), most + 1)
    return _inserted(rows, others, most)


def _counted(table: Runs) -> Counter[MachineRow]:
    """How often each row stands in the table."""
    found: Counter[MachineRow] = Counter()
    for row, count in table.parts:
        found[row] += count
    return found


def _inserted(first: Sequence[MachineRow], second: Sequence[MachineRow], most: int) -> int:
    """Fewest rows to add or remove, in order; most + 1 where they are more.

    Of i rows of the first table and j of the second, only those with |i - j| <= most are followed.
    """
    far = most + 1
    best = {j: j for j in range(min(most, len(second)) + 1)}
    for i, row in enumerate(first, 1):
        new: dict[int, int] = {}
        for j in range(max(0, i - most), min(len(second), i + most) + 1):
            same = best.get(j - 1, far) if j and row == second[j - 1] else far
            new[j] = min(same, best.get(j, far) + 1, new.get(j - 1, far) + 1, far)
        best = new
    return best.get(len(second), far)
