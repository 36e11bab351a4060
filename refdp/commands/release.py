"""`refdp release`: a differentially private release of a real table, with its theorem."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from refdp.commands.check import check
from refdp.commands.files import require_folder, writable, write_whole
from refdp.commands.judgements import seconds_since
from refdp.commands.values import by_name, listed
from refdp.kernel.certificate import DERIVED, certificate, text_of
from refdp.kernel.theorem import Theorem
from refdp.numerics.exact import NotExact
from refdp.pipeline import PipelineError
from refdp.provers.processes import processor_seconds
from refdp.releases.answer_files import AnswerFile, answer_file
from refdp.releases.budget import Budget
from refdp.releases.declarations import read_declarations
from refdp.releases.errors import BudgetExceeded, Charged, ChargeStands, InputError
from refdp.releases.queries import Declarations, OwnFunction, Query, read_query
from refdp.releases.records import Limits
from refdp.releases.release import (
    ASSUMPTIONS,
    CONFIDENCE,
    Agreed,
    Plan,
    answers,
    budget_of,
    charge_text,
    name_of,
    plan,
    require_system_entropy,
    sequence_theorem,
    table_of,
)
from refdp.releases.spending import positive, read_spending
from refdp.releases.standing import Standing, interrupts_held, never_denied, why
from refdp.releases.tables import Table

ROOM = 20
"""Bytes set aside for the answers, for each character of the claim, which names every query and label."""
FINENESS = 1_000
"""A real answer is rounded to a grid of a power of ten that is at most this part of the bound."""


def release(
    data: str | Path,
    query: str | Sequence[str],
    epsilon: int | Fraction | str | None = None,
    neighbours: str = "",
    *,
    rho: int | Fraction | str | None = None,
    delta: int | Fraction | str | None = None,
    order: int | Fraction | str | None = None,
    budget: str | Path | None = None,
    total: int | Fraction | str | None = None,
    total_delta: int | Fraction | str | None = None,
    promise: str | None = None,
    bounds: str | Sequence[str] = (),
    granularity: str | Sequence[str] = (),
    categories: str | Sequence[str] = (),
    column: Mapping[str, str] | None = None,
    set: Mapping[str, object] | None = None,  # noqa: A002
    claim: str | Sequence[str] | Mapping[str, object] = (),
    missing: str | None = None,
    missing_marker: str | Sequence[str] = (),
    maximum_rows: int = Limits().maximum_rows,
    certificates: str | Path = "refdp-certificates",
    timeout: float = 20.0,
    run: bool = True,
    shown: Callable[[dict[str, Any]], object] | None = None,
) -> dict[str, Any]:
    """Answer the queries about the CSV file `data`, spending epsilon in equal parts; the object of `--json`.

    What is spent is epsilon, with discrete Laplace noise, or rho, epsilon and delta, or epsilon at a Renyi order, with
    discrete Gaussian noise.  A query FILE.py:FUNCTION is a function of one's own, of rows with a `column` of some kind
    each; its bound is proved, or what is claimed of it, and it runs exactly, as it was read, never in Python.  A budget
    in rho or at an order may `promise` an epsilon and a delta, "E,D", that it is converted to.

    The charge is in the budget file before an answer exists, and the answers are in a file beside the certificate
    before they are given, to `shown` too.  Raises InputError, PipelineError or OSError (nothing was charged),
    BudgetExceeded (the file says what is left), KernelError where a proof fails or does not replay; Charged, or an
    interrupt with the same sentence, for whatever goes wrong after the charge, in `shown` too.
    """
    start, spent = processor_seconds(), read_spending(epsilon, rho, delta, order)
    agreed = Agreed(
        None if total is None else positive(total, "total"),
        None if total_delta is None else positive(total_delta, "total_delta"),
        None if promise is None else read_promise(promise),
    )
    writable(budget)
    require_folder(certificates)
    queries = read_queries(listed(query))
    said = read_declarations(
        neighbours, listed(bounds), listed(granularity), listed(categories), missing, by_name(column, "column"),
        by_name(set, "set"), by_name(claim, "claim") if isinstance(claim, Mapping) else listed(claim),
    )  # fmt: skip
    require_used(queries, said)
    table = filled(table_of(str(data), queries, said, listed(missing_marker), Limits(maximum_rows=maximum_rows)), data)
    found = plan(queries, said, table.size, spent, partial(own_function, said, timeout, run))
    trusts = replayed(found, timeout)
    require_system_entropy()
    with never_denied(spent.text, None if budget is None else Path(budget)) as standing, ExitStack() as files:
        with budget_of(found, table, said, standing.budget, agreed) as opened:
            whole = None if opened is None else sequence_theorem(found, opened.terms)
            path, kept = files.enter_context(written_first(found, whole, Path(certificates)))
            with interrupts_held():
                charge(opened, found, standing)
        drawn = answers(found, table)
        left = None if budget is None else {"file": str(budget), "left": standing.left}
        told = {"answers": drawn, **grounds(found, trusts), "certificate": str(path), "budget": left}
        told |= {} if whole is None else {"together": str(whole.claim.term)}
        told |= kept_answers(kept, told, standing) | {"seconds": seconds_since(start)}
        if shown is not None:
            shown(told)
    return told


def read_promise(written: str) -> tuple[Fraction, Fraction]:
    """E,D: the epsilon and the delta that a budget promises."""
    parts = written.split(",")
    if len(parts) != 2:
        raise InputError(f"promise must be E,D, an epsilon and a delta, got {written!r}")
    return positive(parts[0], "promise"), positive(parts[1], "promise")


def require_used(queries: Sequence[Query], said: Declarations) -> None:
    """InputError where something is said of functions of one's own that none of the queries is."""
    functions = {q.function for q in queries if q.target}
    for parameter, given in (("column", said.kinds), ("set", said.fixed)):
        if given and not functions:
            raise InputError(
                f"{parameter} must be left out where no query is FILE.py:FUNCTION, got {next(iter(given))}"
            )
    if stray := [name for name in said.claims if name not in functions]:
        raise InputError(f"claim must be about a function that is queried, got {stray[0]}")


def own_function(
    said: Declarations, timeout: float, run: bool, query: Query, neighbours: str, size: int | None, norm: str
) -> OwnFunction:
    """A function of one's own, proved for rows as they are declared; PipelineError where nothing is proved of it."""
    from refdp.commands.own_query import proved_query

    if not said.kinds:
        raise InputError(f"column must say what the cells are that {query.text} reads: --column COLUMN=KIND")
    if query.column and query.column not in said.kinds:
        raise InputError(f"column must say what the cells of {query.column} are: --column {query.column}=KIND")
    rows = said.kinds[query.column] if query.column else dict(said.kinds)
    wanted = {"l1": "L1", "l2": "L2", "linf": "Linf"}[norm]
    step = said.granularity.get(query.function)
    made, labels = proved_query(
        query.target, neighbours, rows, said.claims.get(query.function), wanted, size, said.fixed, timeout, run,
        None if query.is_selection else lambda bound: step or grid_for(bound),
    )  # fmt: skip
    return OwnFunction(made, labels)


def grid_for(bound: Fraction) -> Fraction:
    """The grid for answers that are real numbers: a power of ten, at most a part of the bound, whatever the data.

    1 for answers that no neighbour changes, whose bound is 0.
    """
    step = Fraction(1)
    if bound == 0:
        return step
    while step * FINENESS > bound:
        step /= 10
    while step * 10 * FINENESS <= bound:
        step *= 10
    return step


@contextmanager
def written_first(found: Plan, whole: Theorem | None, folder: Path) -> Iterator[tuple[Path, AnswerFile]]:
    """What must not fail for want of a place once epsilon is charged: the certificates, and room for the answers."""
    name = name_of(found)
    path = folder / f"{name}.json"
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path, text_of(certificate(found.privacy, DERIVED)))
    if whole is not None:
        write_whole(folder / f"{name}-budget.json", text_of(certificate(whole, DERIVED)))
    with answer_file(folder, name, ROOM * len(str(found.claim.term))) as kept:
        yield path, kept


def charge(opened: Budget | None, found: Plan, standing: Standing) -> None:
    """Charge the budget, if one is kept; from here on the charge is not denied."""
    if opened is None:
        standing.charged(None)
        return
    amount, text, delta = found.spending.amount, charge_text(found), found.spending.delta
    left = opened.after(amount, text, delta).left
    try:
        opened.charge(amount, text, delta)
        standing.charged(left)
    except ChargeStands as error:
        standing.charged(str(error.left))
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


__all__ = ["BudgetExceeded", "Charged", "InputError", "NotExact", "PipelineError", "release"]
