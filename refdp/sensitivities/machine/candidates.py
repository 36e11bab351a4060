"""Pairs of neighbouring tables that are likely to move a machine far: runs of values about the edges of a format."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from refdp.sensitivities.machine.formats import FloatFormat, Format, spacing
from refdp.sensitivities.machine.pair import MachineRow, nearest_number
from refdp.sensitivities.machine.runs import Runs, runs
from refdp.sensitivities.question import Neighbours

SIZES = (0, 1, 2, 3, 5, 8, 17, 65, 129, 257, 1025, 4097)
LONGEST = 1 << 62
"""Most rows of a table written as runs."""
Changes = Neighbours | Literal["reorder"]
"""What sets the two tables apart; "reorder": nothing but the order of their rows."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Shared runs of rows, which the second table may have in another order, and the edited rows of each table."""

    shared: tuple[tuple[MachineRow, int], ...]
    first_row: MachineRow | None = None
    second_row: MachineRow | None = None
    first_place: int = 0
    """How many shared runs stand before the edited row."""
    second_place: int = 0
    order: tuple[int, ...] = ()
    """The places of the shared runs in the second table; empty where it is the same order."""
    edits: int = 1
    """How many times the edited row stands in its table."""

    def tables(self) -> tuple[Runs, Runs]:
        """Both tables."""
        other = [self.shared[i] for i in self.order] if self.order else list(self.shared)
        return (
            _inserted(list(self.shared), self.first_row, self.first_place, self.edits),
            _inserted(other, self.second_row, self.second_place, self.edits),
        )


def _inserted(shared: list[tuple[MachineRow, int]], row: MachineRow | None, place: int, edits: int) -> Runs:
    return runs(shared if row is None else [*shared[:place], (row, edits), *shared[place:]])


def atoms(form: Format, lower: Fraction, upper: Fraction) -> list[Fraction]:
    """Values of the format between the bounds, the most telling first.  ValueError where it has none there."""
    if isinstance(form, FloatFormat):
        wished = _float_atoms(form, lower, upper)
    else:
        middle = (lower + upper) / 2
        wished = [lower, upper, *map(Fraction, (0, 1, -1, form.highest, form.lowest, form.highest // 2 + 1)), lower + 1]
        wished += [upper - 1, middle, upper / 3, Fraction(form.highest // 2), Fraction(form.lowest // 2)]
    found = [nearest_number(value, form) for value in dict.fromkeys(wished)]
    within = [value for value in dict.fromkeys(found) if lower <= value <= upper]
    if not within:
        raise ValueError(f"bounds must have numbers of {form.name} between them, got {lower} and {upper}")
    return within


def _float_atoms(form: FloatFormat, lower: Fraction, upper: Fraction) -> list[Fraction]:
    """The bounds and their neighbours, what a sum near them loses or rounds up, powers of two, ends of the format."""
    large = max(abs(lower), abs(upper))
    step, width = spacing(large, form), upper - lower
    found = [lower, upper, (lower + upper) / 2, lower + step, upper - step]
    found += [lower + width * Fraction(i, 4) for i in (1, 3)]
    found += [step / 2, step * 3 / 4, step / 2 + step / 2 * form.unit * 2, step / 4, step, -step / 2]
    found += [lower + spacing(lower, form), upper / 3, Fraction(0), form.unit, form.smallest, Fraction(1), Fraction(-1)]
    found += [lower + Fraction(2) ** e for e in (0, -1, -2, 1) if Fraction(2) ** e < width]
    return [value for value in found if abs(value) <= form.largest]


def sizes(form: Format, lower: Fraction, upper: Fraction, maximum_rows: int) -> list[int]:
    """Numbers of shared rows to try: small ones, and those about which a sum leaves the range or loses a row."""
    large = max(abs(lower), abs(upper), Fraction(1, 1 << 1200))
    edge = form.largest if isinstance(form, FloatFormat) else Fraction(form.highest)
    wanted = {*SIZES, maximum_rows, maximum_rows - 1, int(edge / large), int(edge / large) - 1, int(edge / large) + 1}
    if isinstance(form, FloatFormat):
        wanted |= {1 << e for e in (form.precision - 2, form.precision, form.precision + 1)}
    return sorted(n for n in wanted if 0 <= n <= min(maximum_rows, LONGEST))


def candidates(
    values: Sequence[MachineRow], widest: int, count: int, changes: Changes, may_reorder: bool, edits: int = 1
) -> Iterator[Candidate]:
    """Candidates with `count` shared rows of at most two values, and the `widest` edits at each place between runs."""
    changed = list(itertools.islice(_widest_first(values, changes), widest))
    for a, b in itertools.product(values, repeat=2) if count else [(values[0], values[0])]:
        splits = {0} if a == b else {k for k in (1, 2, count // 2, count - 1) if 0 < k < count}
        for k in sorted(splits):
            shared = tuple(part for part in ((a, k), (b, count - k)) if part[1])
            yield from _edited(Candidate(shared, edits=edits), changed, changes, may_reorder)


Rows = tuple[MachineRow | None, MachineRow | None]
"""The edited row of each table; None where the other table has one row more."""


def _edited(base: Candidate, changed: Sequence[Rows], changes: Changes, may_reorder: bool) -> Iterator[Candidate]:
    """The base with each edit at each place; and with the runs of the second table turned round."""
    runs_ = len(base.shared)
    is_near = changes == "reorder" or may_reorder and (changes == "change_one" or base.edits > 1)
    if is_near and runs_ > 1:
        yield replace(base, order=tuple(reversed(range(runs_))))
    if changes == "reorder":
        return
    for place in range(runs_ + 1):
        for x, y in changed:
            edited = replace(base, first_row=x, second_row=y, first_place=place, second_place=place)
            yield edited
            if may_reorder and runs_ > 1:
                yield replace(edited, order=tuple(reversed(range(runs_))))
            if may_reorder and runs_:
                yield replace(edited, second_place=runs_ - place)


def _widest_first(values: Sequence[MachineRow], changes: Changes) -> list[Rows]:
    """The edits, those of numbers that are furthest apart first."""
    found: list[Rows] = (
        [(None, y) for y in values] if changes == "add_remove" else list(itertools.combinations(values, 2))
    )

    return sorted(found, key=lambda rows: _apart(*rows), reverse=True)


def _apart(x: MachineRow, y: MachineRow) -> Fraction:
    """How far apart the numbers of two rows are, field by field; a missing row or value counts as 0."""
    if isinstance(x, tuple) or isinstance(y, tuple):
        parts = itertools.zip_longest(x if isinstance(x, tuple) else (), y if isinstance(y, tuple) else ())
        return sum((_apart(a, b) for a, b in parts), Fraction(0))
    return abs((x if isinstance(x, Fraction) else Fraction(0)) - (y if isinstance(y, Fraction) else 0))
