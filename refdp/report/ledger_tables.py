"""What `refdp verify` prints: claim, verdict, trusts, seconds; whom claims trust, and who discharged obligations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from refdp.report.tables import console, expected_line, grid, judged, print_reasons, short


def print_verdicts(found: Mapping[str, Any]) -> None:
    """The table of `refdp verify`."""
    table, out = grid("claim", "verdict", "trusts", "seconds"), console()
    for c in found["claims"]:
        table.add_row(c["id"], judged(c), short(c["trusts"]), c["seconds"])
    out.print(table)
    print_reasons(out, ((c["id"], c) for c in found["claims"]))
    print_trust(found, out)
    out.print()
    out.print(expected_line("claim", found["claims"], found))


def print_trust(found: Mapping[str, Any], out: Console) -> None:
    """How many claims trust whom, and how many obligations were discharged twice, by whom, and which not."""
    table, o = grid("claims", "trusts"), found["obligations"]
    for who, count in found["trusts"].items():
        table.add_row(str(count), Text(who))
    out.print()
    out.print(table)
    out.print(
        f"\n{o['total']} obligations: {o['twice']} discharged twice, {len(o['once'])} once; "
        f"{o['disagreements']} disagreements",
        highlight=False,
    )
    lines = [f"{count} by {pair}" for pair, count in o["pairs"].items()]
    lines += [f"once: {one['obligation']}: {one['reason'].partition('; ')[0]}" for one in o["once"]]
    lines += ["why nobody else decides those: refdp verify --json"] * bool(o["once"])
    lines += [f"CONTRADICTED: {one['obligation']}: {one['reason']}" for one in o["contradicted"]]
    for line in lines:
        out.print(f"  {line}", highlight=False, markup=False, soft_wrap=True)
