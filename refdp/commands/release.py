"""`refdp release`: a differentially private release of a real table, with its theorem."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

from refdp.commands.check import DERIVED, check
from refdp.commands.files import require_folder, writable, write_whole
from refdp.commands.judgements import seconds_since
from refdp.commands.values import listed
from refdp.kernel.certificate import certificate, text_of
from refdp.kernel.theorem import Theorem
from refdp.numerics.exact import NotExact, exact
from refdp.pipeline import PipelineError
from refdp.provers.processes import processor_seconds
from refdp.releases.answer_files import AnswerFile, answer_file
from refdp.releases.budget import Budget
from refdp.releases.declarations import read_declarations
from refdp.releases.errors import BudgetExceeded, Charged, ChargeStands, InputError
from refdp.releases.queries import Query, read_query
from refdp.releases.records import Limits
from refdp.releases.release import (
    ASSUMPTIONS,
    CONFIDENCE,
    Plan,
    answers,
    budget_of,
    charge_text,
    name_of,
    plan,
    require_system_entropy,
    table_of,
)
from refdp.releases.standing import Standing, interrupts_held, never_denied, why
from refdp.releases.tables import Table

MOST = 10**6
"""Greatest epsilon: beyond that nothing is private."""
ROOM = 20
"""Bytes set aside for the answers, for each character of the claim, which names every query and label."""


def release(
    data: str | Path,
    query: str | Sequence[str],
    epsilon: int | Fraction | str,
    neighbours: str,
    *,
    budget: str | Path | None = None,
    total: int | Fraction | str | None = None,
    bounds: str | Sequence[str] = (),
    granularity: str | Sequence[str] = (),
    categories: str | Sequence[str] = (),
    missing: str | None = None,
    missing_marker: str | Sequence[str] = (),
    maximum_rows: int = Limits().maximum_rows,
    certificates: str | Path = "refdp-certificates",
    timeout: float = 20.0,
    shown: Callable[[dict[str, Any]], object] | None = None,
) -> dict[str, Any]:
    """Answer the queries about the CSV file `data`, spending epsilon in equal parts; the object of `--json`.

    The charge is in the budget file before an answer exists, and the answers are in a file beside the certificate
    before they are given, to `shown` too.  Raises InputError, PipelineError or OSError (nothing was charged),
    BudgetExceeded (the file says what is left), KernelError where a proof fails or does not replay; Charged, or an
    interrupt with the same sentence, for whatever goes wrong after the charge, in `shown` too.
    """
    start, spent = processor_seconds(), _positive(epsilon, "epsilon")
    agreed = None if total is None else _positive(total, "total")
    writable(budget)
    require_folder(certificates)
    queries = read_queries(listed(query))
    said = read_declarations(neighbours, listed(bounds), listed(granularity), listed(categories), missing)
    table = filled(table_of(str(data), queries, said, listed(missing_marker), Limits(maximum_rows=maximum_rows)), data)
    found = plan(queries, said, table.size, spent)
    trusts = replayed(found, timeout)
    require_system_entropy()
    with never_denied(spent, None if budget is None else Path(budget)) as standing, ExitStack() as files:
        with budget_of(found, table, said, standing.budget, agreed) as opened:
            path, kept = files.enter_context(written_first(found, Path(certificates)))
            with interrupts_held():
                charge(opened, found, standing)
        drawn = answers(found, table, said)
        left = None if budget is None else {"file": str(budget), "left": str(standing.left)}
        told = {"answers": drawn, **grounds(found, trusts), "certificate": str(path), "budget": left}
        told |= kept_answers(kept, told, standing) | {"seconds": seconds_since(start)}
        if shown is not None:
            shown(told)
    return told


@contextmanager
def written_first(found: Plan, folder: Path) -> Iterator[tuple[Path, AnswerFile]]:
    """What must not fail for want of a place once epsilon is charged: the certificate, and room for the answers."""
    name = name_of(found)
    path = folder / f"{name}.json"
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path, text_of(certificate(found.privacy, DERIVED)))
    with answer_file(folder, name, ROOM * len(str(found.claim.term))) as kept:
        yield path, kept


def charge(opened: Budget | None, found: Plan, standing: Standing) -> None:
    """Charge the budget, if one is kept; from here on the charge is not denied."""
    try:
        standing.charged(None if opened is None else opened.charge(found.epsilon, charge_text(found)))
    except ChargeStands as error:
        standing.charged(error.left)
        raise


def kept_answers(kept: AnswerFile, told: dict[str, Any], standing: Standing) -> dict[str, Any]:
    """Where the answers are kept, or why they are not: then they are shown all the same."""
    with interrupts_held():
        try:
            kept.fill(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
        except OSError as error:
            return {"answers_file": None, "not_kept": why(error)}
        standing.answers = kept.path
    return {"answers_file": str(kept.path)}


def read_queries(query: Sequence[str]) -> list[Query]:
    """The queries, of which there must be one."""
    if not query:
        raise InputError("query must be given at least once")
    return [read_query(q) for q in query]


def filled(table: Table, data: str | Path) -> Table:
    """The table, which must have a row."""
    if table.size == 0:
        raise InputError(f"the table {data} must have at least one row")
    return table


def grounds(found: Plan, trusts: Sequence[str]) -> dict[str, Any]:
    """What the answers rest on: a theorem about them together, the laws of the samplers, assumptions."""
    return {
        "confidence": str(CONFIDENCE),
        "theorem": theorem_object(found, trusts),
        "samplers": [str(t.claim.term) for t in found.samplers.values()],
        "assumptions": list(ASSUMPTIONS),
    }


def theorem_object(found: Plan, trusts: Sequence[str]) -> dict[str, Any]:
    """What the answers satisfy together."""
    claim = found.claim
    return {
        "claim": str(claim.term),
        "metric": claim.metric,
        "d_in": str(claim.d_in),
        "measure": claim.measure,
        "d_out": [str(t) for t in claim.d_out],
        "trusts": list(trusts),
    }


def replayed(found: Plan, timeout: float) -> list[str]:
    """Who is trusted, once the privacy theorem and every sampler theorem have replayed in a fresh process."""
    theorems: dict[str, Theorem] = {"privacy": found.privacy, **found.samplers}
    with tempfile.TemporaryDirectory() as folder:
        for key, t in theorems.items():
            write_whole(Path(folder) / f"{key}.json", text_of(certificate(t, DERIVED)))
        checked = check(folder, timeout=timeout)
    for judged in checked["certificates"]:
        if judged["verdict"] != "PROVED":
            raise InputError(f"the theorem of this release does not replay: {judged.get('reason')}")
    return sorted({t for judged in checked["certificates"] for t in judged["trusts"]})


def _positive(value: int | Fraction | str, parameter: str) -> Fraction:
    """An exact number > 0."""
    found = exact(value, parameter)
    if found <= 0:
        raise InputError(f"{parameter} must be > 0, got {found}")
    if found > MOST:
        raise InputError(f"{parameter} must be at most {MOST}, got {str(value)[:60]}")
    return found


__all__ = ["BudgetExceeded", "Charged", "InputError", "NotExact", "PipelineError", "release"]
