"""What `refdp train` prints: epsilon and its theorem, the model beside its twin, judged loops, and the audit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from refdp.report.tables import console, facts, grid, last_line, short, verdict


def print_train(found: Mapping[str, Any]) -> None:
    """The run in full."""
    out = console()
    said = ", ".join(f"{key} = {value}" for key, value in found["parameters"].items())
    out.print(Text(f"{found['model']}  {said}"), soft_wrap=True)
    out.print()
    out.print(facts(facts_of(found)))
    for key, table in (("variants", variants_table), ("audit", audit_table)):
        if key in found:
            out.print()
            out.print(table(found[key]))
    for one in found.get("audit", ()):
        if one["loop"] == "none":
            out.print()
            for judge in one["judges"]:
                out.print(Text(f"{judge['judge']}: {judge['found']}"), soft_wrap=True)
    out.print()
    for sentence in found["not_covered"]:
        out.print(Text(f"not covered: {sentence}"), soft_wrap=True)
    out.print()
    rows = [found["verdict"], *(one["verdict"] for key in ("variants", "audit") for one in found.get(key, ()))]
    out.print(last_line("judgement", rows, seconds=found["seconds"]))


def facts_of(found: Mapping[str, Any]) -> dict[str, str]:
    """The privacy of the run, and how well the model does."""
    epsilon = found["epsilon"]
    told = {
        "epsilon": f"{epsilon['lower']} to {epsilon['upper']} at delta {found['delta']}, {found['neighbours']}",
        "theorem": found.get("said") or f"none: {found.get('without_certificate')}",
        "certificate": str(found.get("certificate")),
        **({"sum": f"{found['sum']['conclusion']}, {found['sum']['certificate']}"} if "sum" in found else {}),
        "trusts": short(found["trusts"]),
        found["measure"]: f"{found['private']}, without noise {found['plain']}",
        "weights": " ".join(found["weights"][:MOST]) + (" ..." if len(found["weights"]) > MOST else ""),
        "entropy": found["entropy"],
    }
    return told | ({"picture": found["picture"]["path"]} if "picture" in found else {})


MOST = 8
"""Weights that are printed; --json has all."""


def variants_table(rows: list[Mapping[str, Any]]) -> Table:
    """Each judged loop with its claim and its witness."""
    table = grid("loop", "claim", "verdict", "by")
    for row in rows:
        table.add_row(Text(row["name"]), Text(row["claim"]), verdict(row["verdict"]), Text(row["witness"]))
    return table


def audit_table(rows: list[Mapping[str, Any]]) -> Table:
    """Each audited loop: which judges saw it, and which could not."""
    table = grid("loop", "verdict", "seen by", "not seen by")
    for row in rows:
        cells = (", ".join(row[key]) or "-" for key in ("saw", "did_not"))
        table.add_row(Text(row["loop"]), verdict(row["verdict"]), *map(Text, cells))
    return table
