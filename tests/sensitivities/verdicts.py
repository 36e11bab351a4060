"""Whether a verdict can be true: a pair must be one under Python itself, and a proof must not be contradicted."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from refdp.sensitivities.judging import Judgement, judge
from refdp.sensitivities.request import Request
from tests.sensitivities.brute_force import distance, edits_between, exact_function, outcome
from tests.sensitivities.grammar import Query


def request(query: Query, folder: Path, claim: Fraction, factor: str = "1") -> Request:
    """The question whether the query moves by at most factor * claim, where claim is a square under L2."""
    path = folder / "query.py"
    path.write_text(query.text, encoding="utf-8")
    text = f"sqrt({claim})" if query.norm == "L2" else f"{claim}"
    return Request(
        target=f"{path}:query",
        record=query.rows.declared,
        neighbours=query.neighbours,
        claim=f"{text} * {factor}",
        norm=query.norm,
        tables=query.tables,
    )


def judged(query: Query, folder: Path, claim: Fraction, factor: str = "1", seconds: float = 4.0) -> Judgement:
    """What is said about it."""
    return judge(request(query, folder, claim, factor), seconds)


def contradiction(query: Query, found: Judgement, claim: Fraction, factor: Fraction, true: Fraction | float) -> str:
    """What is wrong with the verdict, where the query moves by `true` on small tables; empty where nothing is."""
    allowed = claim * factor**2 if query.norm == "L2" else claim * factor
    if found.verdict == "PROVED" and true > allowed:
        return f"proved {allowed}, but small tables move by {true}"
    if found.verdict == "UNKNOWN" and not found.reason:
        return "unknown without a reason"
    return wrong_pair(query, found, allowed) if found.verdict == "REFUTED" else ""


def wrong_pair(query: Query, found: Judgement, allowed: Fraction) -> str:
    """What is wrong with the pair of a refutation."""
    if found.pair is None:
        return "refuted without a pair"
    tables = [seen(query.rows.domain, rows) for rows in (found.pair.first, found.pair.second)]
    if any(row is NotImplemented for table in tables for row in table):
        return f"rows are not as declared: {found.pair.first} and {found.pair.second}"
    edits = edits_between(*tables, query.neighbours, query.tables)
    if edits > 1:
        return f"{tables} are {edits} edits apart"
    function = exact_function(query.text, "query")
    moved = distance(outcome(function, tables[0]), outcome(function, tables[1]), query.norm)
    return "" if moved > allowed else f"{tables} move by {moved}, not more than {allowed}"


def seen(domain: Sequence[Any], rows: Sequence[Any]) -> list[Any]:
    """The rows as Python sees them, NotImplemented for one that is not in the domain."""
    return [next((x for x in domain if same(x, row)), NotImplemented) for row in rows]


def same(x: Any, row: Any) -> bool:
    """Whether a record is this value of the domain, where a truth value is no number."""
    if isinstance(x, dict):
        return isinstance(row, dict) and all(same(value, row.get(key)) for key, value in x.items())
    if isinstance(x, tuple):
        return isinstance(row, tuple) and all(map(same, x, row))
    return isinstance(x, bool) == isinstance(row, bool) and x == row
