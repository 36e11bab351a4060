"""Pairs of tables between which an aggregate crosses an edge of machine numbers, found as models by z3.

A table has n rows x and one row y; a row z is added, or takes the place of y.  z3 chooses them, so that the sum, or the
sum of squares, is on this side of an edge for one table and beyond it for the other: where a library wraps around,
saturates or rounds, if it does.  Where the number of rows is free, x is the bound that is furthest from 0, so that no
two unknowns are multiplied but in squares.  What z3 says is a proposal like any other: every pair is tested before it
is run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from refdp.auditing.neighbours import edits
from refdp.auditing.neighbours.spaces import Real, Row, Rows, Space, Table, Whole
from refdp.provers.smt.solvers import ask

BITS = (31, 63, 53, 15, 7, 32, 64, 16, 8)
"""Edges are 2^k - 1 and -2^k, the usual ones first; 2^53 is where floats stop being whole."""
LARGEST = 4096
"""Most rows, where their number is free."""
SECONDS = 0.5
"""Longest time for one question."""
POWERS = (1, 2)
"""Of the rows that are summed."""
WIDEST = 2**20
"""Squares are asked about where rows are less far apart: beyond, z3 rarely finds any in time."""


@dataclass(frozen=True, slots=True)
class Edge:
    """The sum of the rows' powers is at most `most` before and more after; for `sign` -1 that of their negatives."""

    power: int
    sign: int
    most: int


def solved(space: Space, metric: str, d_in: Fraction) -> Iterator[tuple[Rows, Rows]]:
    """A pair for each edge that can be crossed and for which z3 finds one in time."""
    bounds = interval(space)
    adds = edits.additions(space, metric, d_in) > 0
    if bounds is None or not isinstance(space, Table) or not (adds or edits.changes(space, metric, d_in) > 0):
        return
    for edge in edges(*bounds, max(sizes(space))):
        if model := found(question(edge, bounds, sizes(space), adds)):
            yield pair(model, space.row, adds)


def interval(space: Space) -> tuple[int, int] | None:
    """The least and the greatest whole number that a row may be; None where rows are no bounded numbers."""
    row = space.row
    if isinstance(row, Whole):
        return row.lower, row.upper
    if isinstance(row, Real) and math.isfinite(row.lower) and math.isfinite(row.upper):
        low, high = math.ceil(row.lower), math.floor(row.upper)
        return (low, high) if low <= high else None
    return None


def sizes(space: Table) -> tuple[int, int]:
    """The least and the greatest number of rows before."""
    return (space.least, max(LARGEST, space.least)) if space.size is None else (space.size, space.size)


def edges(low: int, high: int, rows: int) -> Iterator[Edge]:
    """The edges within reach of so many rows."""
    for power, bits, sign in product(POWERS, BITS, (1, -1)):
        furthest = max(0, high**power if power == 2 or sign > 0 else 0, sign * low if power == 1 else low**2)
        most = 2**bits - 1 if sign > 0 else 2**bits
        squares = power == 2
        if furthest * (rows + 1) > most and not (squares and (sign < 0 or high - low >= WIDEST)):
            yield Edge(power, sign, most)


def question(edge: Edge, bounds: tuple[int, int], rows: tuple[int, int], adds: bool) -> str:
    """The question as SMT-LIB text: n rows x, the row y, and the row z; n or x is given."""
    low, high = bounds
    least, most = rows
    furthest = high if edge.sign > 0 and (edge.power == 1 or high >= -low) else low
    given = f"(= n {number(least - 1)})" if least == most else f"(= x {number(furthest)})"
    repeated, y, z = f"(* n {term('x', edge)})", term("y", edge), term("z", edge)
    before = f"(+ {repeated} {y})"
    after = f"(+ {before} {z})" if adds else f"(+ {repeated} {z})"
    parts = [given, f"(<= {least} (+ n 1) {most})", *(f"(<= {number(low)} {v} {number(high)})" for v in "xyz")]
    parts += ["(<= 0 n)", f"(<= {before} {edge.most})", f"(> {after} {edge.most})"]
    return "\n".join([*(f"(declare-const {v} Int)" for v in "nxyz"), *(f"(assert {part})" for part in parts)])


def term(row: str, edge: Edge) -> str:
    """What a row adds."""
    power = f"(* {row} {row})" if edge.power == 2 else row
    return power if edge.sign > 0 else f"(- {power})"


def number(value: int) -> str:
    """A whole number of SMT-LIB."""
    return str(value) if value >= 0 else f"(- {-value})"


def found(text: str) -> dict[str, int] | None:
    """The model, if there is one and z3 finds it in time."""
    reply = ask("z3", text, "default", SECONDS)
    if reply["answer"] != "sat":
        return None
    return {v: int(reply["models"][0].get(v, "0")) for v in "nxyz"}


def pair(model: dict[str, int], row: object, adds: bool) -> tuple[Rows, Rows]:
    """The two tables of a model."""
    x, y, z = (rowed(model[v], row) for v in "xyz")
    before = (x,) * model["n"] + (y,)
    return before, (*before, z) if adds else (*before[:-1], z)


def rowed(value: int, row: object) -> Row:
    """The number as a row of the space."""
    return float(value) if isinstance(row, Real) else value
