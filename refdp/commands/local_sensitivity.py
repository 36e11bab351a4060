"""`refdp sensitivity --at TABLE`: how far an answer moves from one given table, and smooth bounds of that.

A local sensitivity depends on the table: noise scaled to it is not private.  A smooth bound may be used.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from refdp.commands.judgements import complete, written_certificate
from refdp.commands.rows import read_rows
from refdp.kernel.certificate import answer_certificate
from refdp.provers.processes import processor_seconds
from refdp.sensitivities.declaring import declaration, declared
from refdp.sensitivities.judgement import answer_text, distance_text, row_text
from refdp.sensitivities.language.source import read_source
from refdp.sensitivities.local import INTERPRETER, LocalSensitivity, local_sensitivity
from refdp.sensitivities.question import Neighbours, Norm
from refdp.sensitivities.records import Number
from refdp.sensitivities.request import Request
from refdp.sensitivities.smooth import SmoothSensitivity, smooth_sensitivity
from refdp.sensitivities.smoothing.believing import trusted, why_unproved
from refdp.sensitivities.smoothing.own_bounds import OwnBound, own_bound
from refdp.terms.leaves import is_number


def local(asked: Request, table: str, timeout: float) -> dict[str, Any]:
    """The local sensitivity of a user's function at the table in a CSV file."""
    start = processor_seconds()
    source = read_source(asked.target)
    given = declared(asked, source)
    neighbours, norm = cast(Neighbours, asked.neighbours), cast(Norm, asked.norm)
    found = local_sensitivity(source, given, read_rows(table, given.record), neighbours, norm, timeout)
    return complete(local_data(found, asked, table), start)


def local_data(found: LocalSensitivity, asked: Request, table: str) -> dict[str, Any]:
    """A local sensitivity as plain data."""
    norm = cast(Norm, asked.norm)
    pair = None
    if found.pair is not None:
        pair = {
            "first": [row_text(row) for row in found.pair.first],
            "second": [row_text(row) for row in found.pair.second],
            "parameters": {name: str(value) for name, value in found.pair.parameters.items()},
            "answers": [answer_text(one) for one in found.pair.outcomes],
            "distance": distance_text(found.pair.distance, norm),
        }
    return {
        "verdict": found.verdict,
        "function": asked.target.rpartition(":")[2],
        "at": table,
        "neighbours": asked.neighbours,
        "norm": asked.norm,
        "bound": None if found.bound is None else distance_text(found.bound, norm),
        "attained": found.is_attained,
        "pair": pair,
        "trusts": found.trusts,
    } | ({"reason": found.reason} if found.verdict == "UNKNOWN" else {})


def smooth(
    statistic: str,
    asked: Request,
    table: str,
    beta: str,
    empty: str | None = None,
    certificates: str | Path | None = None,
    timeout: float = 10.0,
) -> dict[str, Any]:
    """A beta-smooth bound of the sensitivity of a statistic at the table in a CSV file; records are bounded numbers."""
    start, given = processor_seconds(), declaration(asked.record, asked.values, asked.symbols, asked.assume)
    kind, neighbours = given.record, cast(Neighbours, asked.neighbours)
    if not isinstance(kind, Number) or not all(b is not None and is_number(b) for b in (kind.lower, kind.upper)):
        raise ValueError(f"records must be numbers between two bounds for a smooth bound, got {asked.record}")
    lower, upper = (bound.rational for bound in (kind.lower, kind.upper) if bound is not None)
    rows = [Fraction(row) for row in read_rows(table, kind) if isinstance(row, Fraction)]
    found = smooth_sensitivity(statistic, rows, lower, upper, beta, neighbours, empty, timeout)
    data, name = smooth_data(found, table), statistic.replace(" ", "_").replace("/", "_")
    text = answer_certificate(found.certificate.question(), data["trusts"]) if data["verdict"] == "PROVED" else None
    return complete(data | {"certificate": written_certificate(text, f"smooth.{name}", certificates)}, start)


def smooth_data(found: SmoothSensitivity, table: str) -> dict[str, Any]:
    """A smooth bound as plain data; PROVED where all lemmas are, by each solver, and noise may be scaled to it."""
    reason = found.reason or why_unproved(found.statistic, found.neighbours)
    return {
        "verdict": "UNKNOWN" if reason else "PROVED",
        "statistic": found.statistic,
        "at": table,
        "neighbours": found.neighbours,
        "beta": str(found.beta),
        "bound": str(found.upper),
        "lower": str(found.lower),
        "local": str(found.local) if found.is_least else None,
        "local_at_most": None if found.is_least else str(found.local),
        "least": found.is_least,
        "reaches": [{"distance": k, "sensitivity": str(value)} for k, value in found.reaches],
        "trusts": () if reason else trusted(),
    } | ({"reason": reason} if reason else {})


def own(asked: Request, bound: str, beta: str, timeout: float) -> dict[str, Any]:
    """Whether two tables refute that the user's function `bound` is a beta-smooth bound of the other's sensitivity."""
    start, given = processor_seconds(), declaration(asked.record, asked.values, asked.symbols, asked.assume)
    neighbours, norm = cast(Neighbours, asked.neighbours), cast(Norm, asked.norm)
    found = own_bound(read_source(bound), read_source(asked.target), given, beta, neighbours, norm, timeout)
    return complete(own_data(found, asked, bound, beta), start)


def own_data(found: OwnBound, asked: Request, bound: str, beta: str) -> dict[str, Any]:
    """The judgement of a smooth bound as plain data."""
    wrong = found.violation
    pair = None
    if wrong is not None:
        pair = {
            "first": [row_text(row) for row in wrong.first],
            "second": [row_text(row) for row in wrong.second],
            "parameters": {},
            "answers": ["none" if value is None else str(value) for value in wrong.bounds],
            "distance": distance_text(wrong.distance, cast(Norm, asked.norm)),
        }
    return {
        "verdict": found.verdict,
        "function": asked.target.rpartition(":")[2],
        "bound_function": bound.rpartition(":")[2],
        "beta": beta,
        "neighbours": asked.neighbours,
        "norm": asked.norm,
        "pair": pair,
        "trusts": (INTERPRETER,) if wrong is not None else (),
    } | ({"reason": found.reason} if wrong is None else {"violation": wrong.what})
