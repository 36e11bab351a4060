"""Sums in cells: each row lies in at most so many cells, by itself alone, and adds to each 1 and numbers of its own.

The counts of naive Bayes are such sums, and the sizes and sums of the clusters around public centres.  A cell is a
block of coordinates: first the count, then what the row's coordinates contribute, if the sum has a contribution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.domains import domain
from refdp.spec.formulas import Formula
from refdp.spec.linear import matrix_of
from refdp.spec.rows import grid_positions, stays_on_grid
from refdp.spec.statements import Statement
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, TermError, apply, name, number

PLACES: Mapping[str, tuple[str, ...]] = {
    "classes_and_values": ("classes", "values"),
    "nearest": ("centres", "clusters"),
}
"""How a row is placed, with the parameters that say it: by its class, and by its class and each of its other entries;
or with the nearest of the public centres, one for each cluster."""
NORMS = ("l1", "l2")


@dataclass(frozen=True, slots=True)
class CellEdit:
    """One edit moves the sum by at most `bound` in a norm (by its square root in L2).

    alone(..., coordinate) bounds what a row adds to one cell by the count and its first `coordinate` coordinates, in
    absolute value; together(..., coordinate) by how much two rows in one cell differ there (both squared in L2).
    """

    bound: Formula
    alone: Formula
    together: Formula | None = None


@dataclass(frozen=True, slots=True)
class CellSum:
    """T(table) = the sum over rows of what each adds to its cells: 1, and contribution(row_j) for its coordinates.

    Rows are vectors on a grid.  `units` is the contribution as a whole multiple of `output_step`, where the row, and
    bounds that are multiples of the granularity, count grid steps.  Without a contribution a cell is a count alone.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    input_rows: Term
    placed: str
    edits: Mapping[tuple[str, str], CellEdit]
    output_step: Formula
    contribution: Formula | None = None
    units: Formula | None = None
    reserved: ClassVar[str] = "row other coordinate d_in"

    def __post_init__(self) -> None:
        if self.placed not in PLACES:
            raise TermError(f"{self.stem} must place rows by {' or '.join(PLACES)}")
        vectors = self.input_rows.operator == "vector" and self.input_rows.arguments[1] == name("dimension")
        if not vectors or self.input_rows.arguments[0].operator != "grid":
            raise TermError(f"{self.stem} must read vectors of its dimension on a grid")
        if (self.contribution is None) != (self.units is None):
            raise TermError(f"{self.stem} must have a contribution and its units, or neither")

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each of its formulas, with the names that it may read besides the parameters."""
        rows = [(f, "row") for f in (self.contribution, self.units) if f is not None]
        edits = [(e.bound, "") for e in self.edits.values()]
        edits += [(f, "coordinate") for e in self.edits.values() for f in (e.alone, e.together) if f is not None]
        return (self.output_step, ""), *rows, *edits

    @property
    def input_domain(self) -> Term:
        """The tables it reads."""
        return domain("table", self.input_rows)

    @property
    def cells(self) -> Term:
        """How many cells there are."""
        if self.placed == "nearest":
            return name("clusters")
        return name("classes") * (1 + (name("dimension") - 1) * name("values"))

    @property
    def hits(self) -> Term:
        """In how many cells one row lies at most."""
        return number(1) if self.placed == "nearest" else name("dimension")

    @property
    def output_domain(self) -> Term:
        """Vectors of all cells, one after another, over a grid."""
        size = self.cells if self.contribution is None else self.cells * (name("dimension") + 1)
        return domain("vector", domain("grid", self.output_step.at()), size)

    def apply(self, subject: Term, table: tuple[Any, ...]) -> tuple[Fraction, ...]:
        """The sum over the rows of the table."""
        arguments, values = registry.bound(self, subject), registry.values(self, subject)
        cells, dimension = int(evaluate(self.cells, values)), int(values["dimension"])
        width = 1 if self.contribution is None else dimension + 1
        found = [Fraction(0)] * (cells * width)
        centres = matrix_of(arguments["centres"]) if self.placed == "nearest" else ()
        for row, times in Counter(table).items():
            if not isinstance(row, tuple) or len(row) != dimension:
                raise TermError(f"{subject} reads vectors of {dimension} coordinates")
            added = self._added(row, values)
            for cell in [nearest(added, centres)] if centres else classes_and_values(row, values):
                found[cell * width] += times
                for j, one in enumerate(added):
                    found[cell * width + 1 + j] += times * one
        return tuple(found)

    def _added(self, row: Sequence[Fraction], values: Mapping[str, Fraction]) -> tuple[Fraction, ...]:
        """What the row adds to a cell besides 1."""
        if self.contribution is None:
            return ()
        return tuple(Fraction(evaluate(self.contribution.term, {**values, "row": entry})) for entry in row)


def nearest(point: Sequence[Fraction], centres: Sequence[Sequence[Fraction]]) -> int:
    """The place of the centre at the least Euclidean distance, the first of several.

    Numbers that a centre lacks are 0, and those that it has too many are not looked at.

    >>> nearest((Fraction(3), Fraction(0)), ((Fraction(0), Fraction(0)), (Fraction(2), Fraction(1))))
    1
    """
    padded = [(*centre, *[Fraction(0)] * len(point)) for centre in centres]
    squares = [sum(((a - b) ** 2 for a, b in zip(point, c, strict=False)), Fraction(0)) for c in padded]
    return squares.index(min(squares))


def classes_and_values(row: Sequence[Fraction], sizes: Mapping[str, Fraction]) -> list[int]:
    """The cell of the row's class, its first entry, and for each further entry that of the class and the value.

    First come the cells of the classes, then for each further entry those of its values, class by class.  Classes and
    values count from 0; a value that is none lies in no cell, and neither does a row whose class is none.

    >>> classes_and_values((Fraction(1), Fraction(0), Fraction(2)), {"classes": Fraction(2), "values": Fraction(3)})
    [1, 5, 13]
    """
    classes, values = int(sizes["classes"]), int(sizes["values"])
    label, *others = row
    if label not in range(classes):
        return []
    found, first = [int(label)], classes + int(label) * values
    for j, value in enumerate(others):
        if value in range(values):
            found.append(first + j * classes * values + int(value))
    return found


def cell_obligations(m: CellSum, neighbours: str, norm: str) -> dict[str, Statement]:
    """What must hold for one edit to move the sum by at most its bound, by name, in order."""
    if (neighbours, norm) not in m.edits or norm not in NORMS:
        raise TermError(f"{m.stem} has no stability map from {neighbours} to {norm}")
    _require_sizes(m)
    edit, at = m.edits[neighbours, norm], f"{neighbours}.{norm}"
    rows = 1 if neighbours == "add_remove" else 2
    found = _grid(m) | {f"alone_starts_at_1.{at}": _under(m, 1 <= _prefix(edit.alone, number(0)))}
    if m.contribution is not None:
        found[f"alone_grows_by_the_row.{at}"] = _grows(m, norm, edit.alone, m.contribution.at())
    found[f"alone_ends_at_the_bound.{at}"] = _under(m, rows * m.hits * _whole(m, edit.alone) <= edit.bound.at())
    return found | (_together(m, edit, norm, at) if rows == 2 else {})


def _require_sizes(m: CellSum) -> None:
    """Rows have a whole dimension >= 1, and there are as many cells as the placing may speak of, at least one."""
    _, count = PLACES[m.placed]
    sizes = ("dimension", count) if m.placed == "nearest" else ("dimension", *PLACES[m.placed])
    for size in sizes:
        registry.require_conditions(m, apply("integer", name(size)), 1 <= name(size))
    if m.placed == "nearest":
        registry.require_conditions(m, apply("has_length", name("centres"), name("clusters")))
    step = m.output_step.at()
    if step != number(1):
        registry.require_conditions(m, 0 < step, apply("multiple", number(1), step))


def _grid(m: CellSum) -> dict[str, Statement]:
    """What rows contribute are multiples of the output step; so is 1, by a condition."""
    if m.contribution is None or m.units is None:
        return {}
    steps, step = grid_positions(m, m.input_rows), m.output_step.at()
    return {"sum_stays_on_the_grid": stays_on_grid(m, m.contribution, m.units, steps, step)}


def _together(m: CellSum, edit: CellEdit, norm: str, at: str) -> dict[str, Statement]:
    """By how much two rows in one cell differ there, for each cell that they may share, is within the bound, too."""
    if edit.together is None:
        raise TermError(f"{m.stem} must say by how much two rows in one cell differ")
    found = {f"together_starts_at_0.{at}": _under(m, 0 <= _prefix(edit.together, number(0)))}
    if m.contribution is not None:
        moved = m.contribution.at() - m.contribution.at(row=name("other"))
        found[f"together_grows_by_two_rows.{at}"] = _grows(m, norm, edit.together, moved)
    whole = m.hits * _whole(m, edit.together)
    return found | {f"together_ends_at_the_bound.{at}": _under(m, whole <= edit.bound.at())}


def _whole(m: CellSum, prefix: Formula) -> Term:
    """The prefix of all coordinates that a cell has."""
    return _prefix(prefix, number(0) if m.contribution is None else name("dimension"))


def _prefix(prefix: Formula, coordinates: Term) -> Term:
    """The prefix of so many coordinates; it need not read how many."""
    return prefix.at(coordinate=coordinates) if "coordinate" in prefix.parameters else prefix.at()


def _grows(m: CellSum, norm: str, prefix: Formula, moved: Term) -> Statement:
    """One coordinate more adds at least what is moved there (squared in L2)."""
    coordinate = name("coordinate")
    more = moved**2 if norm == "l2" else abs(moved)
    show = _prefix(prefix, coordinate) + more <= _prefix(prefix, coordinate + 1)
    return _under(m, show, 0 <= coordinate, coordinate <= name("dimension") - 1)


def _under(m: CellSum, show: Term, *more: Term) -> Statement:
    """The statement under the conditions of the transformation."""
    whole = {p for p in m.parameters if registry.is_integer_parameter(m, p)}
    return Statement((*registry.hypotheses(m), *more), show, frozenset(whole | {"coordinate"}))


__all__ = ["NORMS", "PLACES", "CellEdit", "CellSum", "cell_obligations", "classes_and_values", "nearest"]
