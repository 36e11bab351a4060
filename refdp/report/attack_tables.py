"""What `refdp attack` prints: the game, a row without noise and one for each epsilon, and what can be counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from refdp.report.tables import console, facts, grid, last_line, short, verdict

BESIDE = {
    "by_sums": "by sum of losses",
    "if_independent": "if independent",
    "admitted": "answers admitted",
}
"""What a row may have besides, and the name of its column."""


def print_attack(found: Mapping[str, Any]) -> None:
    """The measured rows in full."""
    out = console()
    said = ", ".join(f"{key} = {text(value)}" for key, value in found["parameters"].items())
    out.print(Text(f"{found['attack']}  {said}"), soft_wrap=True)
    out.print(Text(found["sentence"]), soft_wrap=True)
    out.print()
    out.print(rows_table(found["rows"]))
    out.print()
    for one in found["facts"]:
        out.print(Text(f"{one['fact']}: {one['value']}"), soft_wrap=True)
    if found["facts"]:
        out.print()
    out.print(facts(facts_of(found)))
    for reason in dict.fromkeys(row["reason"] for row in found["rows"] if "reason" in row):
        out.print(Text("UNKNOWN", style="yellow") + Text(f": {reason}"))
    out.print()
    out.print(last_line("row", [row["verdict"] for row in found["rows"]], seconds=found["seconds"]))


def rows_table(rows: list[Mapping[str, Any]]) -> Table:
    """Of each row its epsilon and noise, how often the guess was right, the interval, and the bounds."""
    without = any("without" in row for row in rows)
    all_bits = ["of all bits"] if any("share" in row.get("success", ()) for row in rows) else []
    more = [key for key in BESIDE if any(key in row for row in rows)]
    bounds = ["certified bound", *(BESIDE[key] for key in more)]
    ends = ["right", "at least", "at most"]
    others = ["others right", "at least", "at most"] if without else []
    table = grid("epsilon", "scale", *ends, *all_bits, *others, *bounds, "verdict")
    for row in rows:
        cells = [row["epsilon"] or "no noise", row["scale"] or "-", *measured(row.get("success"))]
        cells += [row.get("success", {}).get("share", "-")] if all_bits else []
        cells += measured(row.get("without")) if without else []
        cells += [row.get("bound") or "-", *(str(row.get(key, "-")) for key in more)]
        table.add_row(*map(Text, cells), verdict(row["verdict"]))
    return table


def measured(tally: Mapping[str, Any] | None) -> list[str]:
    """How many of how many guesses were right, and both ends of the interval."""
    if tally is None:
        return ["-", "-", "-"]
    return [f"{tally['right']}/{tally['runs']}", tally["lower"], tally["upper"]]


def facts_of(found: Mapping[str, Any]) -> dict[str, str]:
    """What is bounded, with which error it is measured, and what was counted."""
    told = {
        "bound": found["claim"],
        "intervals": f"hold together but for a chance of {found['error']}",
        "neighbours": found["neighbours"],
    }
    told |= {"trusts": short(found["trusts"])}
    return told | ({"picture": found["picture"]["path"]} if "picture" in found else {})


def text(value: Any) -> str:
    """A parameter in short."""
    return ",".join(value) if isinstance(value, list) else str(value)
