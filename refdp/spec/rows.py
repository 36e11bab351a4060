"""Row by row: transformations of tables that treat each row alone, and sums of what each row contributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.domains import domain
from refdp.spec.formulas import Formula, require_whole
from refdp.spec.statements import Statement, equal
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, TermError, apply, both, name, names, term


@dataclass(frozen=True, slots=True)
class RowFunction:
    """T(table) = the tuple of run(row, arguments) over the rows; a row that gives None is dropped (filters only).

    With a `formula` (in `row`), the rows are numbers: rows of grid(granularity) go to bounded(granularity, lower,
    upper), which is an obligation.  Without one, `run` builds its outputs in `output_rows` by construction.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    input_rows: Term
    output_rows: Term
    run: Callable[[Any, Mapping[str, Any]], Any] | None = None
    formula: Formula | None = None
    keeps_rows: bool = True
    is_user_code: bool = False
    """Whether `run` is the user's: that it reads only its row is then a named assumption."""
    reserved: ClassVar[str] = "row d_in size"

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Its formula, if it has one, and the name of the row."""
        return () if self.formula is None else ((self.formula, "row"),)

    def apply(self, subject: Term, table: tuple[Any, ...]) -> tuple[Any, ...]:
        """The transformed table."""
        arguments = registry.bound(self, subject)
        if self.formula is not None:
            values, f = registry.values(self, subject), self.formula.term
            return tuple(evaluate(f, {**values, "row": row}) for row in table)
        if self.run is None:
            raise TermError(f"{self.stem} has neither a formula nor a function")
        rows = (self.run(row, arguments) for row in table)
        return tuple(rows) if self.keeps_rows else tuple(r for r in rows if r is not None)


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of a table moves the sum of rows by at most `bound` in a norm (by its square root in L2).

    For vectors, prefix(..., coordinate) bounds the part of the first `coordinate` coordinates (squared in L2).
    """

    bound: Formula
    prefix: Formula | None = None


NUMBERS = frozenset({"reals", "grid", "bounded", "finite", "category"})
"""The domains whose members are numbers: only of such rows, or of their vectors, may a contribution speak."""


@dataclass(frozen=True, slots=True)
class RowSum:
    """T(table) = the sum over rows of contribution(row), for vectors of contribution(row, coordinate) each.

    edits[neighbours, norm] bounds one edit.  `units` is the contribution as a whole multiple of `output_step`
    where the row, and bounds that are multiples of the granularity, count grid steps: it keeps the output on a grid.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    input_rows: Term
    contribution: Formula
    units: Formula
    output_step: Formula
    edits: Mapping[tuple[str, str], Edit]
    is_vector: bool = False
    is_sized: bool = False
    finish: Formula | None = None
    """Applied to the sum, coordinate by coordinate, in `total`: it moves no farther than the sum does."""
    unbounded_row: Formula | None = None
    """For sums without a finite sensitivity: a row that contributes more than the whole number `bound`..."""
    unbounded_units: Formula | None = None
    """...and that row in grid steps."""
    reserved: ClassVar[str] = "row other coordinate bound d_in total other_total"

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        rows = self.input_rows.operator
        row = "row" if rows in NUMBERS or rows == "vector" else ""
        row = f"{row} coordinate" if self.is_vector else row
        edits = [(e.bound, "") for e in self.edits.values()]
        # Where rows are, or may be, vectors, `row` is another entry in each coordinate: no prefix may speak of it.
        entry = "row other coordinate" if rows in NUMBERS else "coordinate"
        edits += [(e.prefix, entry) for e in self.edits.values() if e.prefix is not None]
        beyond = [(f, "bound") for f in (self.unbounded_row, self.unbounded_units) if f is not None]
        beyond += [] if self.finish is None else [(self.finish, "total")]
        return (self.contribution, row), (self.units, row), (self.output_step, ""), *edits, *beyond

    @property
    def input_domain(self) -> Term:
        """The tables it reads."""
        sized = (self.input_rows, name("size")) if self.is_sized else (self.input_rows,)
        return domain("sized_table" if self.is_sized else "table", *sized)

    @property
    def output_domain(self) -> Term:
        """The grid, or the vectors over it, that the sum lies in."""
        grid = domain("grid", self.output_step.at())
        return domain("vector", grid, name("dimension")) if self.is_vector else grid

    def apply(self, subject: Term, table: tuple[Any, ...]) -> Any:
        """The sum over the rows of the table, finished."""
        values = registry.values(self, subject)
        if self.is_sized and len(table) != values["size"]:
            raise TermError(f"{subject} reads tables of {values['size']} rows, got {len(table)}")
        reads = "row" in self.contribution.parameters
        counts = Counter(table) if reads else {Fraction(0): len(table)}  # else any row stands for all
        if not self.is_vector:
            return self._total(counts, values)
        return tuple(self._coordinate(j, counts, values) for j in range(int(values["dimension"])))

    def _coordinate(self, j: int, counts: Mapping[Any, int], values: Mapping[str, Fraction]) -> Fraction:
        """Coordinate j of a vector sum: a row that is itself a vector contributes its entry j."""
        entries = Counter[Any]()
        for row, count in counts.items():
            entries[row[j] if isinstance(row, tuple) else row] += count
        return self._total(entries, {**values, "coordinate": Fraction(j)})

    def _total(self, counts: Mapping[Any, int], values: Mapping[str, Fraction]) -> Fraction:
        """What rows contribute together, finished; equal ones contribute the same, which is worked out once."""
        term, total = self.contribution.term, Fraction(0)
        for row, count in counts.items():
            total += count * Fraction(evaluate(term, {**values, "row": row}))
        return self._finished(total, values)

    def _finished(self, total: Fraction, values: Mapping[str, Fraction]) -> Fraction:
        """What becomes of a coordinate of the sum."""
        return total if self.finish is None else Fraction(evaluate(self.finish.term, {**values, "total": total}))


def row_step(rows: Term) -> Term | None:
    """The step of the grid that numbers in the rows lie on; None where rows are records or of a domain left open."""
    match rows.operator:
        case "grid" | "bounded":
            return rows.arguments[0]
        case "category" | "finite":
            return term(1)
        case "vector":
            return row_step(rows.arguments[0])
    return None


def grid_positions(kind: registry.Kind, rows: Term) -> dict[str, Term]:
    """The row, and every parameter that the conditions put on the rows' grid, with the step that it counts."""
    step = row_step(rows)
    if step is None:
        return {}
    others = (p for p in kind.parameters if p not in names(step))  # the step itself counts nothing
    multiples = (p for p in others if apply("multiple", name(p), step) in kind.conditions)
    return dict.fromkeys(("row", *multiples), step)


def stays_on_grid(kind: registry.Kind, f: Formula, units: Formula, steps: Mapping[str, Term], step: Term) -> Statement:
    """f at points of the input grid is a whole multiple, `units`, of the output step; integer-valued by its shape."""
    require_whole(units, tuple(steps))
    points = {v: s * name(v) for v, s in steps.items() if v in f.parameters}
    given = tuple(c for c in registry.hypotheses(kind) if not names(c) & set(steps))
    return Statement(given, both(equal(f.at(**points), step * units.at()), 0 < step), frozenset(steps))


def function_obligations(m: RowFunction) -> dict[str, Statement]:
    """A formula keeps rows on the grid and inside its bounds; a function without a formula has no obligation."""
    if m.formula is None:
        return {}
    step, outputs = name("granularity"), domain("bounded", name("granularity"), name("lower"), name("upper"))
    if m.input_rows != domain("grid", step) or m.output_rows != outputs:
        raise TermError(f"{m.stem} must lead from {domain('grid', step)} to {outputs}")
    inside = both(name("lower") <= m.formula.at(), m.formula.at() <= name("upper"))
    return {
        "rows_stay_on_the_grid": stays_on_grid(m, m.formula, m.formula, grid_positions(m, m.input_rows), step),
        "rows_stay_inside": Statement(registry.hypotheses(m), inside),
    }


NORMS: Mapping[str, bool] = {"absolute": False, "l1": True, "l2": True, "linf": True}
"""The metrics of sums, and whether they are of vectors."""


def sum_obligations(m: RowSum, neighbours: str, norm: str) -> dict[str, Statement]:
    """What must hold for one edit to move the sum by at most its bound, by name, in order."""
    if (neighbours, norm) not in m.edits or NORMS.get(norm) is not m.is_vector:
        raise TermError(f"{m.stem} has no stability map from {neighbours} to {norm}")
    _require_sizes(m)
    edit, at = m.edits[neighbours, norm], f"{neighbours}.{norm}"
    step = m.output_step.at()
    counted = {p: term(1) for p in m.units.parameters if registry.is_integer_parameter(m, p)}
    places = grid_positions(m, m.input_rows) | counted
    found = {"sum_stays_on_the_grid": stays_on_grid(m, m.contribution, m.units, places, step)}
    found |= _finish_obligations(m)
    if norm not in ("l1", "l2"):
        return found | {f"edit_is_bounded.{at}": _statement(m, _moved(m, neighbours) <= edit.bound.at())}
    if edit.prefix is None:
        raise TermError(f"{m.stem} must have a prefix for {norm}: the coordinates add up")
    whole = edit.prefix.at(coordinate=name("dimension"))
    return found | {
        f"prefix_starts_at_0.{at}": _statement(m, 0 <= edit.prefix.at(coordinate=0)),
        f"prefix_grows_by_the_edit.{at}": _prefix_grows(m, neighbours, norm, edit.prefix),
        f"prefix_ends_at_the_bound.{at}": _statement(m, whole <= edit.bound.at()),
    }


def _finish_obligations(m: RowSum) -> dict[str, Statement]:
    """The finish keeps multiples of the output step, and two totals come no farther apart by it."""
    if m.finish is None:
        return {}
    step, total, other = m.output_step.at(), name("total"), name("other_total")
    moved = abs(m.finish.at() - m.finish.at(total=other))
    return {
        "finish_stays_on_the_grid": stays_on_grid(m, m.finish, m.finish, {"total": step}, step),
        "finish_moves_no_farther": Statement(registry.hypotheses(m), moved <= abs(total - other)),
    }


def _require_sizes(m: RowSum) -> None:
    """Vectors have a whole dimension >= 1; categories are whole in number, and there is one.

    Then no bound of one edit is below 0, and the greatest category is one below their number.
    """
    if m.is_vector:
        registry.require_conditions(m, apply("integer", name("dimension")), 1 <= name("dimension"))
    if m.input_rows.operator == "category":
        registry.require_conditions(m, apply("integer", m.input_rows.arguments[0]), 1 <= m.input_rows.arguments[0])


def unbounded_obligations(m: RowSum) -> dict[str, Statement]:
    """One row added moves the sum by more than any whole number of grid steps: no finite d_out exists."""
    step = m.input_rows.arguments[0] if m.input_rows.operator == "grid" else None  # every point of a grid may be a row
    plain = not m.is_vector and not m.is_sized and m.finish is None
    if m.unbounded_row is None or m.unbounded_units is None or step is None or not plain:
        raise TermError(f"{m.stem} has no row that exceeds every bound")
    on_grid = stays_on_grid(m, m.unbounded_row, m.unbounded_units, {"bound": term(1)}, step)
    exceeds = m.output_step.at() * name("bound") < abs(m.contribution.at(row=m.unbounded_row.at()))
    shown = both(0 < m.output_step.at(), exceeds)
    given = (*registry.hypotheses(m), 0 <= name("bound"))
    return {"row_is_on_the_grid": on_grid, "row_exceeds_every_bound": Statement(given, shown)}


def _moved(m: RowSum, neighbours: str) -> Term:
    """How far one edit moves one coordinate: the contribution, or the difference of two, in absolute value."""
    other = m.contribution.at(row=name("other")) if "row" in m.contribution.parameters else m.contribution.at()
    return abs(m.contribution.at()) if neighbours == "add_remove" else abs(m.contribution.at() - other)


def _prefix_grows(m: RowSum, neighbours: str, norm: str, prefix: Formula) -> Statement:
    """One coordinate more adds at least what the edit moves it by (squared in L2)."""
    coordinate, moved = name("coordinate"), _moved(m, neighbours)
    show = prefix.at() + (moved**2 if norm == "l2" else moved) <= prefix.at(coordinate=coordinate + 1)
    return _statement(m, show, 0 <= coordinate, coordinate <= name("dimension") - 1)


def _statement(m: RowSum, show: Term, *more: Term) -> Statement:
    """The statement under the conditions of the transformation and the range of its rows."""
    whole = {p for p in m.parameters if registry.is_integer_parameter(m, p)}
    rows = {"row", "other"} if m.input_rows.operator == "category" else set()
    coordinate = {"coordinate"} if m.is_vector else set()
    return Statement((*registry.hypotheses(m), *_row_range(m), *more), show, frozenset(whole | rows | coordinate))


def _row_range(m: RowSum) -> tuple[Term, ...]:
    """The range that the row domain gives to `row` and `other`."""
    if m.input_rows.operator != "category":
        return ()
    top = m.input_rows.arguments[0]
    return tuple(c for v in ("row", "other") for c in (-1 <= name(v), name(v) <= top - 1))
