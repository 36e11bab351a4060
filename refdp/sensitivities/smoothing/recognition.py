"""Whether a user's function is an order statistic: compared as terms on all tables of a few rows.

Equality on tables of up to N rows says nothing about longer ones; the result says N.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

from refdp.logic.asking import valid
from refdp.logic.operations import conjunction, equal, larger, multiply, real, smaller, total
from refdp.logic.terms import Term, rational
from refdp.provers.processes import SolverMissing
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.nearby.reading import Reader
from refdp.sensitivities.nearby.small import some_records
from refdp.sensitivities.smoothing.statistics import PLAIN, OrderMean, order_mean

SOLVERS = ("z3", "cvc5")
SHARE = 0.4
"""What part of the time left one solver may take for one number of rows."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """The function answers what the statistic does on every table of 1 to `rows` rows; 0: on none for certain."""

    statistic: str
    rows: int
    reason: str = ""
    """Why no more rows were checked."""


def plausible_statistic(source: Source, declaration: Declaration) -> str | None:
    """A statistic without a parameter that answers what the function does on some tables of one to five rows."""
    records = [x for x in some_records(source, declaration, 6) if isinstance(x, Fraction)]
    tables = [[records[(i * i * step + i + step) % len(records)] for i in range(size)] for size in range(1, 6)
              for step in range(4)] if records else []  # fmt: skip
    for name in PLAIN:
        if tables and all(_answers(source, declaration, table, order_mean(name, len(table))) for table in tables):
            return name
    return None


def recognised(
    read: Reader, declaration: Declaration, statistic: str, most: int = 5, seconds: float = 20
) -> Recognised:
    """Up to how many rows, `most` at most, z3 and cvc5 both prove that the function is the statistic."""
    deadline = monotonic() + seconds
    for size in range(1, most + 1):
        try:
            wanted = order_mean(statistic, size)
        except ValueError:  # so few rows have no such rank
            continue
        reason = _difference(read, declaration, wanted, size, deadline)
        if reason:
            return Recognised(statistic, size - 1, reason)
    return Recognised(statistic, most)


def in_order(values: Sequence[Term]) -> list[Term]:
    """The values sorted, by exchanges of neighbours."""
    found = list(values)
    for end in range(len(found) - 1, 0, -1):
        for i in range(end):
            found[i], found[i + 1] = smaller(found[i], found[i + 1]), larger(found[i], found[i + 1])
    return found


def _difference(read: Reader, declaration: Declaration, wanted: OrderMean, size: int, deadline: float) -> str:
    """Why the function is not proved to be the statistic on tables of that size; empty where it is."""
    names = [f"row{i}" for i in range(size)]
    rows = [declaration.record.slots(name) for name in names]
    outcome = read(rows)
    if len(outcome.numbers) != 1:
        return f"the function returns {len(outcome.numbers)} numbers"
    chosen = in_order([real(row[0]) for row in rows])[wanted.first - 1 : wanted.first - 1 + wanted.count]
    mean = multiply(rational(Fraction(1, wanted.count)), total(chosen))
    goal = conjunction(outcome.returns, equal(real(outcome.numbers[0]), mean))
    known = (declaration.assumption, outcome.side, *(declaration.record.constraint(name) for name in names))
    for solver in SOLVERS:
        try:
            answer = valid(solver, known, goal, max(0.0, deadline - monotonic()) * SHARE)
        except SolverMissing as missing:
            return str(missing)
        if answer.verdict != "unsat":
            how = "differs" if answer.verdict == "sat" else f"is not compared by {solver} ({answer.reason})"
            return f"for {size} rows the function {how}"
    return ""


def _answers(source: Source, declaration: Declaration, table: Sequence[Fraction], wanted: OrderMean) -> bool:
    """Whether the function answers at this table what the statistic does."""
    try:
        found = answer_of(source, table, declaration.values, record=declaration.record).outcome
    except ArithmeticError:
        return False
    rows = sorted(table)[wanted.first - 1 : wanted.first - 1 + wanted.count]
    return not found.exception and found.numbers == (sum(rows, Fraction(0)) / wanted.count,)
