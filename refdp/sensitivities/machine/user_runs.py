"""A user's function, run as a machine runs it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from refdp import work
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.concrete.answers import Leaf
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.machine.arithmetic import MachineArithmetic
from refdp.sensitivities.machine.formats import Format, IntegerFormat
from refdp.sensitivities.machine.pair import MachineOutcome, MachineRow, Run, machine_number
from refdp.sensitivities.machine.runs import Runs
from refdp.sensitivities.records import Category, Concrete, Kind, Missing, Number

STEPS = 300_000
"""Most steps of one run."""
ROW = 2
"""Steps of work that a row counts as, though the function looks at none: each is made anew for every run."""


def integral(declaration: Declaration, form: Format) -> Declaration:
    """The declaration; in a format of integers all its numbers are whole."""
    return replace(declaration, record=_whole(declaration.record)) if isinstance(form, IntegerFormat) else declaration


def user_run(source: Source, declaration: Declaration, arithmetic: MachineArithmetic) -> Run:
    """The function of a table of rows, each of which is written as `user.row_values` writes it."""
    arithmetic = replace(arithmetic, compares_as_numpy="numpy" in source.text)  # whatever the file calls it

    def run(table: Runs) -> MachineOutcome:
        work.step(ROW * len(table))
        rows = [concrete(declaration.record, row, arithmetic.format_) for row in table.rows()]
        found = answer_of(source, rows, declaration.values, arithmetic, STEPS, declaration.record)
        places = tuple(path for path, _ in found.values)
        return MachineOutcome(tuple(_measured(leaf) for _, leaf in found.values), found.exception, places)

    return run


def concrete(kind: Kind, row: MachineRow, form: Format) -> Concrete:
    """The record as the function sees it; a number that is NaN or its like is one of the machine already."""
    if isinstance(kind, Number) and isinstance(row, str):
        return machine_number(row, form)  # type: ignore[no-any-return]
    if isinstance(kind, Number | Category) or row is None:
        return row
    if isinstance(kind, Missing):
        return concrete(kind.kind, row, form)
    if not isinstance(row, tuple):
        raise ValueError(f"row must have fields, got {row}")
    found = [(key, concrete(inner, part, form)) for (key, inner), part in zip(kind.kinds, row, strict=True)]
    if all(isinstance(key, int) for key, _ in found):
        return tuple(value for _, value in found)
    return {str(key): value for key, value in found}


def _whole(kind: Kind) -> Kind:
    """The kind with integers for numbers."""
    if isinstance(kind, Number):
        return replace(kind, is_integer=True)
    if isinstance(kind, Missing):
        inner = _whole(kind.kind)
        return Missing(inner) if isinstance(inner, Number | Category) else kind
    if isinstance(kind, Category):
        return kind
    return replace(kind, kinds=tuple((key, _whole(inner)) for key, inner in kind.kinds))


def _measured(leaf: Leaf) -> Fraction | str:
    """A number of an answer; text for what is none."""
    return Fraction(leaf) if isinstance(leaf, Fraction | bool) else str(leaf)
