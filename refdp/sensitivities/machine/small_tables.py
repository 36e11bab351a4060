"""Solvers asked about tables of very few rows, where no bound is proved and no pair was found.

"No violation for n <= N" is said only if every n up to N was settled; n is the size of the smaller table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from refdp import work
from refdp.provers.processes import WORKERS, SolverMissing, WorkerLost
from refdp.sensitivities.machine.adjusted import MachineQuery
from refdp.sensitivities.machine.float_questions import FloatQuestion
from refdp.sensitivities.machine.float_solvers import FLOAT_SOLVERS, ask_solvers
from refdp.sensitivities.machine.formats import BFLOAT16, FLOAT16, fitted
from refdp.sensitivities.machine.integer_questions import IntegerQuestion
from refdp.sensitivities.machine.integers import IntegerQuery
from refdp.sensitivities.machine.pair import MachinePair
from refdp.sensitivities.machine.runs import Runs
from refdp.sensitivities.machine.search import MachineQuestion
from refdp.sensitivities.machine.summands import NoBound

LONGEST_FLOATS = 3
LONGEST_INTEGERS = 4
LEFT_TO_RIGHT = ("naive", "python", "python3.11", "python3.12")
"""Sums that are naive in narrow formats."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A pair that refutes, or up to how many rows there is none; None where not even that is known."""

    pair: MachinePair | None = None
    rows: int | None = None
    solver: str = ""

    @property
    def sentence(self) -> str:
        """What is known, in words."""
        return "" if self.rows is None else f"no violation for n <= {self.rows}, exactly ({self.solver})"


Tables = tuple[Runs, Runs]
Asked = tuple[str, str, Tables | None]
"""unsat, sat or unknown; the solver; and the tables of a model."""


def settled(query: MachineQuery | IntegerQuery, claim: Fraction, asked: MachineQuestion, seconds: float) -> Settled:
    """What solvers find of tables of few numbers; a pair is believed only if the user's function, run, refutes."""
    if query.edits != 1 or query.tables != "lists" or claim < 0:
        return Settled()
    ask, longest, end, known = _asker(query, claim), LONGEST_INTEGERS, work.spent() + seconds, Settled()
    if isinstance(query, MachineQuery):
        longest = LONGEST_FLOATS
    most = min(longest, longest if query.maximum_rows is None else query.maximum_rows)
    for rows in range(1, most + 1 - (query.neighbours == "add_remove")):
        left = end - work.spent()
        if ask is None or left <= 0:
            break
        answer, solver, tables = ask(rows, left)
        if tables is not None and (pair := _replayed(asked, tables)) is not None:
            return Settled(pair)
        if answer != "unsat":
            break
        known = Settled(None, rows, solver)
    empty = query.neighbours == "add_remove" and max(abs(Fraction(query.lower)), abs(Fraction(query.upper))) > claim
    return Settled() if empty and asked.counts(0) else known


def _asker(query: MachineQuery | IntegerQuery, claim: Fraction) -> Callable[[int, float], Asked] | None:
    """What is asked of n rows; None where the question cannot be written."""
    if isinstance(query, IntegerQuery):
        return None if query.split else lambda rows, left: _integers(query, claim, rows, left)
    if query.form not in (FLOAT16, BFLOAT16) or query.kind == "deviations" or query.order not in LEFT_TO_RIGHT:
        return None  # in another order a row that is left out is not a row 0
    return lambda rows, left: _floats(query, claim, rows, left)


def _floats(query: MachineQuery, claim: Fraction, rows: int, seconds: float) -> Asked:
    """Of a sum or mean of floats."""
    try:
        question = FloatQuestion(query.form, "naive", query.lower, query.upper, query.neighbours, rows, claim,
                                 query.kind == "mean")  # fmt: skip
    except ValueError as refused:
        raise NoBound(str(refused)) from None
    found = ask_solvers(question, seconds, FLOAT_SOLVERS if query.form == FLOAT16 else ("z3",))
    if found.pair is not None:
        return "sat", found.solver, (found.pair.first, found.pair.second)
    return ("unsat" if found.verdict == "PROVED" else "unknown"), found.solver, None


def _integers(query: IntegerQuery, claim: Fraction, rows: int, seconds: float) -> Asked:
    """Of a sum of integers, by z3's bit-vectors."""
    question, worker = IntegerQuestion(query, rows, claim), WORKERS["z3"]
    try:
        reply = worker.ask({"text": question.text, "engine": "default"}, seconds)
    except (WorkerLost, SolverMissing):
        return "unknown", "", None
    tables = None
    for model in reply.get("models", ()):
        values = [Fraction(fitted(int(model.get(name, "0")), query.form)) for name in question.names]
        tables = question.tables(values, int(model.get("place", "0")))
    return str(reply["answer"]), worker.version, tables


def _replayed(asked: MachineQuestion, tables: Tables) -> MachinePair | None:
    """The pair, run, where the rows of the user's function are numbers and it moves further than claimed."""
    rows = [row for table in tables for row, _ in table.parts]
    if not all(isinstance(one, Fraction) for one in asked.values) or not all(
        asked.lower <= row <= asked.upper for row in rows
    ):
        return None
    if not asked.counts(min(map(len, tables))):
        return None
    pair = asked.judged(*tables, (asked.run(tables[0]), asked.run(tables[1])))
    return pair if pair.refutes else None
