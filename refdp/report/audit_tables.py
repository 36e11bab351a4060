"""What `refdp audit` prints: target, claim, verdict, witness, seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rich.table import Table
from rich.text import Text

from refdp.auditing.campaigns.documents import as_expected, is_open
from refdp.auditing.judges.rounding import upwards
from refdp.report.tables import COLOURS, console, counted

NO_REPORT = " REPORT "
"""Stands in a command that replays where no report was written."""
REPORTS = "no report was written; with --html report.html, refdp audit --replay report.html works this out again"
WIDE = 120
"""Columns of a terminal from which on claims and witnesses stand in one line each, mostly."""


def print_audit(found: Mapping[str, Any]) -> None:
    """A row for each target, then the surprises and what is not decided, in words."""
    out = console()
    several = len({one["campaign"] for one in found["targets"]}) > 1
    out.print(audit_table(found["targets"], out.width, several))
    for one in found["targets"]:
        if is_open(one):
            out.print(told(f"\n{one['target']}: UNKNOWN: {one['reason']}"))
        elif not as_expected(one):
            expected = f", expected {one['expected']}" if one["expected"] else ""
            out.print(told(f"\n{one['target']}: {one['verdict']}{expected}. {one['sentence']}"), soft_wrap=False)
            if one["source"]:
                out.print(told(f"  {one['source']}"))
            if one["verdict"] == "REFUTED" and NO_REPORT not in one["replay"]:
                out.print(told(f"  {one['replay']}"))
    for one in found["targets"]:
        if one["kind"] == "training":
            out.print(told(f"\n{one['target']}"))
            for row in one["evidence"].get("rows", ()):
                out.print(told(f"  {row['question']}: {row['answer']}. {row['verdict']}"))
    if any(one["verdict"] == "REFUTED" and NO_REPORT in one["replay"] for one in found["targets"]):
        out.print(told(f"\n{REPORTS}"))
    out.print()
    out.print(told(last_line(found)))


def audit_table(targets: list[dict[str, Any]], width: int, several: bool = False) -> Table:
    """The table; on a narrow terminal the claim stands below the target."""
    wide = width >= WIDE
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("target", overflow="fold", ratio=3, min_width=16)
    if wide:
        table.add_column("claim", overflow="fold", ratio=4)
    table.add_column("verdict", no_wrap=True)
    table.add_column("witness", overflow="fold", ratio=4, min_width=12)
    table.add_column("seconds", justify="right", no_wrap=True)
    for one in targets:
        name = told(f"{one['campaign']}: {one['target']}" if several else one["target"])
        claim = told(one["claim"])
        first = [name, claim] if wide else [name + told(f"\n{one['claim']}", style="dim")]
        table.add_row(*first, marked(one), told(detail(one)), one["seconds"])
    return table


def told(text: str, style: str = "") -> Text:
    """The text, escaped where it cannot be printed: no target writes lines or colours of its own on the terminal."""
    start = "\n" if text.startswith("\n") else ""
    rest = text[len(start) :]
    return Text(start + "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in rest), style)


def marked(one: Mapping[str, Any]) -> Text:
    """The verdict in its colour, with what was expected where that is something else."""
    verdict, expected = one["verdict"], one["expected"]
    word = told(verdict, style=COLOURS.get(verdict, ""))
    return word if expected in (None, verdict) else word + told(f"\nexpected {expected}", style="bold")


def detail(one: Mapping[str, Any]) -> str:
    """The witness; without one, the power, or why it is not decided."""
    said = one["witness"] or (one["reason"] if one["verdict"] == "UNKNOWN" else one["power"])
    return str(said)[:200]


def last_line(found: Mapping[str, Any]) -> str:
    """The sum, in words."""
    parts = [f"{found['verdicts'][name]} {name}" for name in COLOURS if name in found["verdicts"]]
    own = sum(Fraction(one["error"]) for one in found["targets"] if one["record"]["task"]["alpha"] == "0")
    alpha = Fraction(found["campaign"]["alpha"]) + own
    work = sum(float(one["seconds"]) for one in found["targets"])
    error = f"error of all statistics together at most {upwards(alpha)}" if alpha else "no statistics"
    return (
        f"{counted(len(found['targets']), 'target')}: {', '.join(parts)}; {found['as_expected']} as expected, "
        f"{counted(len(found['surprises']), 'surprise')}; {error}; "
        f"{work:.2f} s of work in {found['campaign']['seconds']} s"
    )


def print_audit_replay(found: Mapping[str, Any]) -> None:
    """A row for each target of a report: what it says, and what came of working it out again."""
    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("target", "verdict", "witness", "from its record", "in fresh processes", "drawn anew"):
        table.add_column(name, overflow="fold")
    for one in found["targets"]:
        cells = [one[key].partition(": ")[0] or "-" for key in ("recomputed", "again", "fresh")]
        word = told(one["verdict"], style=COLOURS.get(one["verdict"], ""))
        table.add_row(told(one["target"]), word, told(one["witness"][:200] or "-"), *map(told, cells))
    out.print(table)
    for one in found["targets"]:
        for said in (one[key] for key in ("recomputed", "again", "fresh") if ": " in one[key]):
            out.print(told(f"\n{one['target']}: {said}"))
    out.print(told(f"\n{replay_line(found)}"))


def replay_line(found: Mapping[str, Any]) -> str:
    """The sum of a replay, in words."""
    counts = Counter(str(one["verdict"]) for one in found["targets"])
    parts = [f"{counts[name]} {name}" for name in COLOURS if counts[name]]
    return (
        f"{counted(len(found['targets']), 'target')}: {', '.join(parts)}; "
        f"{len(found['targets']) - len(found['surprises'])} reproduced, {len(found['surprises'])} not reproduced; "
        f"in {found['campaign']['seconds']} s"
    )
