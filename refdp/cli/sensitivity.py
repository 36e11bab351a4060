"""The command `refdp sensitivity`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from refdp.cli import sensitivity_options as options
from refdp.cli.errors import sentences
from refdp.cli.options import CERTIFICATES, Json, Neighbours, Run, keywords
from refdp.cli.showing import ended, is_open, show


def sensitivity(
    target: options.Target = "",
    neighbours: Neighbours = None,
    bounds: options.Bounds = None,
    column: options.Column = None,
    claim: options.Claim = None,
    certificates: options.Certificates = CERTIFICATES,
    timeout: options.Timeout = "60",
    json: Json = False,
    records: options.Records = None,
    edits: options.Edits = "1",
    norm: options.Norm = "L1",
    tables: options.Tables = None,
    set_: options.Set = None,
    symbol: options.Symbol = None,
    assume: options.Assume = None,
    at: options.At = None,
    smooth: options.Smooth = None,
    statistic: options.Statistic = None,
    empty: options.Empty = None,
    smooth_bound: options.SmoothBound = None,
    score: options.Score = None,
    candidates: options.Candidates = None,
    arithmetic: options.Arithmetic = "exact",
    sum_: options.Sum = "python",
    rows_at_most: options.RowsAtMost = None,
    rows_at_least: options.RowsAtLeast = "0",
    specials: options.Specials = False,
    attacks: options.Attacks = False,
    run: Run = True,
) -> None:
    """Prove or refute how far a function of a table moves when rows are added, removed or changed.

    Prints the verdict with the bound, or two tables that are further apart.
    Exits 0 if proved or as expected, 1 if refuted, 2 for bad input, 3 if UNKNOWN.

    Example: refdp sensitivity query.py:mean_income --neighbours add_remove --bounds 0 100 --claim 100
    """
    with sentences():
        answered(keywords(locals()), json)


def answered(asked: dict[str, Any], json: bool) -> None:
    """Judge what is asked, show it, and end with its exit code."""
    from refdp.cli.progress import progress
    from refdp.commands.sensitivity import sensitivity as run

    with progress("judging") as step:
        found = run(**asked, step=step)
    is_plain = asked["arithmetic"] == "exact" and not any(asked.get(one) for one in ("at", "smooth", "score"))
    show(found, json, table_of(found, is_plain))
    if "questions" in found:
        ended(found, refuted=found["surprises"] > 0, unknown=any(map(is_open, found["questions"])))
    elif "attacks" not in found:
        ended(found, refuted=found["verdict"] == "REFUTED", unknown=found["verdict"] == "UNKNOWN")


def table_of(found: Mapping[str, Any], is_plain: bool) -> Callable[[Any], None]:
    """How an answer is printed."""
    from refdp.report.sensitivity_tables import print_attacks, print_campaign, print_facts, print_judgement

    if "attacks" in found:
        return print_attacks
    if "questions" in found:
        return print_campaign
    return print_judgement if is_plain else print_facts
