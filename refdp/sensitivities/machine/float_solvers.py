"""Solvers of floating-point arithmetic, asked about tables of one size; what they find is replayed exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp import work
from refdp.provers.processes import WORKERS, SolverMissing, WorkerLost
from refdp.sensitivities.machine.float_questions import FloatQuestion, number_of
from refdp.sensitivities.machine.pair import MachinePair, distance, machine_run
from refdp.sensitivities.machine.runs import Runs
from refdp.sensitivities.machine.statistics import mean
from refdp.sensitivities.machine.sums import sum_named
from refdp.verdicts import Verdict

FLOAT_SOLVERS = ("bitwuzla", "z3")


@dataclass(frozen=True, slots=True)
class FloatFinding(Verdict):
    """PROVED is for tables of the question's number of rows only; REFUTED comes with a pair that was replayed."""

    solver: str = ""
    """The solver that proved it, with its version."""
    pair: MachinePair | None = None


def ask_solvers(question: FloatQuestion, seconds: float, solvers: tuple[str, ...] = FLOAT_SOLVERS) -> FloatFinding:
    """What the first solver that can tell finds; the later ones have what is left of the time."""
    end, reasons = work.spent() + seconds, list[str]()
    for place, solver in enumerate(solvers):
        left = end - work.spent()
        if left <= 0:
            break
        found = _asked(solver, question, left if place == len(solvers) - 1 else left * 0.7)
        if found.verdict != "UNKNOWN":
            return found
        reasons.append(f"{solver}: {found.reason}")
    return FloatFinding("UNKNOWN", reason="; ".join(reasons) or "no time")


def _asked(solver: str, question: FloatQuestion, seconds: float) -> FloatFinding:
    """What one solver finds."""
    worker = WORKERS[solver]
    try:
        reply = worker.ask({"text": question.text, "engine": "default"}, seconds)
    except (WorkerLost, SolverMissing) as lost:
        return FloatFinding("UNKNOWN", reason=str(lost))
    if reply["answer"] == "unsat":
        return FloatFinding("PROVED", worker.version)
    if reply["answer"] != "sat":
        return FloatFinding("UNKNOWN", reason=str(reply.get("reason") or "unknown"))
    for model in reply.get("models", ()):
        pair = replayed(question, model)
        if pair is not None:
            return FloatFinding("REFUTED", worker.version, pair=pair)
    return FloatFinding("UNKNOWN", reason="its model is no pair that moves further than the claim")


def replayed(question: FloatQuestion, model: Mapping[str, str]) -> MachinePair | None:
    """The pair of tables of a model, with the edited row where it moves the answer furthest; None if not far enough."""
    form = question.form
    values = [number_of(int(model.get(f"row{i}", "0")), form) for i in range(question.rows)]
    edited = number_of(int(model.get("edited", "0")), form)
    if not all(question.lower <= x <= question.upper for x in (*values, edited)):
        return None
    grows, total = question.neighbours == "add_remove", sum_named(question.order)
    run = machine_run(mean(total) if question.mean else total, form)
    found = list[MachinePair]()
    for place in range(question.rows + grows):
        others = [*values[:place], edited, *(values[place:] if grows else values[place + 1 :])]
        first, second = _table(values), _table(others)
        outcomes = run(first), run(second)
        pair = MachinePair(first, second, outcomes, distance(*outcomes), question.claim)
        found += [pair] if pair.refutes else []
    infinite = [pair for pair in found if pair.distance is None]
    return infinite[0] if infinite else max(found, key=lambda pair: pair.distance or Fraction(0), default=None)


def _table(rows: list[Fraction]) -> Runs:
    """The rows, one by one."""
    return Runs(tuple((row, 1) for row in rows))
