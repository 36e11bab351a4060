"""What the commands print: one JSON object, or a table."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

COLOURS = {"PROVED": "green", "REFUTED": "cyan", "REJECTED": "bold red", "UNKNOWN": "yellow"}
SHORT = {"refdp SMT-LIB encoder": "encoder", "refdp sympy translator": "translator"}


def print_json(found: Mapping[str, Any]) -> None:
    """One JSON object on standard output."""
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


def console() -> Console:
    """Standard output; as wide as needed where nobody looks."""
    return Console() if sys.stdout.isatty() else Console(width=140)


def verdict(word: str) -> Text:
    """The verdict in its colour."""
    return Text(word, style=COLOURS.get(word, ""))


def short(trusts: Sequence[str]) -> str:
    """Who is trusted, in few words."""
    return ", ".join(SHORT.get(t, t) for t in trusts) or "nothing"


def grid(*columns: str) -> Table:
    """An empty table with these columns."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column == "seconds" else "left", overflow="fold")
    return table


def print_verdicts(found: Mapping[str, Any]) -> None:
    """The table of `refdp verify`."""
    table, out = grid("claim", "verdict", "trusts", "seconds"), console()
    for c in found["claims"]:
        surprise = "" if c["verdict"] == c["expected"] else f"  expected {c['expected']}"
        reason = f"  {c['reason']}" if "reason" in c else ""
        table.add_row(c["id"], verdict(c["verdict"]) + Text(surprise + reason), short(c["trusts"]), c["seconds"])
    out.print(table)
    counts = {v: sum(c["verdict"] == v for c in found["claims"]) for v in ("PROVED", "REFUTED", "UNKNOWN")}
    out.print(
        f"\n{len(found['claims'])} claims: {counts['PROVED']} proved, {counts['REFUTED']} refuted, "
        f"{counts['UNKNOWN']} unknown; {found['surprises']} surprises",
        highlight=False,
    )
    print_trust(found, out)


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
    lines += [f"CONTRADICTED: {one['obligation']}: {one['reason']}" for one in o["contradicted"]]
    for line in lines:
        out.print(f"  {line}", highlight=False, markup=False, soft_wrap=True)
    if o["once"]:
        out.print("  why no second oracle decides those: refdp verify --json", highlight=False)
    out.print(f"\n{found['seconds']} s of processor time, solvers included", highlight=False)


def about(certificate: Mapping[str, Any]) -> str:
    """What a certificate is of, where the name of its file does not say so."""
    if Path(certificate["path"]).stem == certificate["claim"]:
        return ""
    return f"  of {certificate['claim'] or certificate['conclusion']}"


def print_replays(found: Mapping[str, Any]) -> None:
    """The table of `refdp check`."""
    table, out = grid("certificate", "verdict", "trusts", "seconds"), console()
    for c in found["certificates"]:
        said = Text(f"  {c['reason']}" if "reason" in c else about(c))
        table.add_row(Text(c["path"]), verdict(c["verdict"]) + said, Text(short(c["trusts"])), c["seconds"])
    out.print(table)
    alone = sum("without_smt_lib" in c for c in found["certificates"])
    out.print(
        f"\n{found['replayed']} replayed, {found['rejected']} rejected, {found['unknown']} unknown; "
        f"{alone} with an obligation that has no SMT-LIB text and was asked of sympy; "
        f"{found['seconds']} s of processor time, solvers included",
        highlight=False,
    )
    for c in found["certificates"]:
        for statement in c.get("without_smt_lib", ()):
            out.print(f"  {c['claim']}: {statement}", highlight=False, markup=False)


def print_release(found: Mapping[str, Any]) -> None:
    """The answers of `refdp release`, the theorem they satisfy, and what is assumed."""
    out = console()
    for a in found["answers"]:
        out.print(f"[bold]{a['query']}[/bold]  (epsilon {a['epsilon']})", highlight=False)
        values = a["answer"] if isinstance(a["answer"], dict) else {"": a["answer"]}
        for label, value in values.items():
            out.print(f"  {label + ': ' if label else ''}{value}  +- {a['accuracy']}", highlight=False, markup=False)
    t, left = found["theorem"], found["budget"]
    facts = {
        "accuracy": f"each number is within +- of the true one with probability at least {found['confidence']}",
        "theorem": f"{t['metric']}({t['d_in']}) |-> {t['measure']}({', '.join(t['d_out'])})",
        "claim": t["claim"],
        "samplers": ", ".join(found["samplers"]),
        "trusts": short(t["trusts"]),
        "assumes": "; ".join(found["assumptions"]),
        "certificate": found["certificate"],
        "budget": "not kept" if left is None else f"{left['left']} left in {left['file']}",
    }
    table = Table.grid(padding=(0, 2))
    for key, fact in facts.items():
        table.add_row(Text(key, style="bold"), Text(fact))
    out.print()
    out.print(table)
