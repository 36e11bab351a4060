"""What `refdp sample` prints: the draws in short, beside their law, and how they were made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from refdp.report.tables import console, facts, grid, short, verdict

TELLING = 10_000
"""Fewer draws do not tell how fast draws are: making ready takes longer."""


def print_sample(found: Mapping[str, Any]) -> None:
    """The summary of a file of draws."""
    out = console()
    said = ", ".join(f"{name} = {value}" for name, value in found["parameters"].items())
    where = found["input"] if isinstance(found["input"], str) else f"({', '.join(found['input'])})"
    out.print(f"{found['stem']}  {said}, at {where}", highlight=False, markup=False)
    out.print(f"{found['n']} draws in {found['file']}", highlight=False, markup=False)
    out.print()
    out.print(moments_table(found))
    out.print()
    out.print(facts_table(found))


def moments_table(found: Mapping[str, Any]) -> Table:
    """Mean and variance of the draws and of the law; the least and the greatest draw."""
    table = grid("", "draws", "law at least", "law at most")
    for name in ("mean", "variance"):
        law = found["law"][name] or {"lower": "", "upper": ""}
        about = "about " if name in found["sample"]["rounded"] else ""
        table.add_row(name, f"{about}{found['sample'][name] or ''}", law["lower"], law["upper"])
    for name in ("least", "greatest"):
        table.add_row(name, found["sample"][name])
    return table


def facts_table(found: Mapping[str, Any]) -> Table:
    """Which law is proved, how the draws were made, from which digits, and how fast."""
    way = "in arrays" if found["path"] == "bulk" else "one by one"
    page = "docs/sampler_laws.md" if found["path"] == "scalar" else "docs/bulk_sampling.md"
    digits = f"{found['digits']} of {found['entropy']}"
    rate = f"; {found['nanoseconds_per_draw']} ns a draw" if found["n"] >= TELLING else ""
    said: dict[str, str | Text] = {
        "claim": Text(f"{found['claim']}  ") + verdict(found["verdict"]),
        "trusts": Text(short(found["trusts"])),
        "sampler": Text(f"{found['sampler']}, {way}: {page}"),
        "digits": Text(digits if found["random"] else f"NOT RANDOM: {digits}", style="" if found["random"] else "red"),
        "seconds": Text(f"{found['seconds']}{rate}"),
    }
    return facts(said)
