"""What all commands print alike: one JSON object, verdicts in their colours, tables, facts, and the last line."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

COLOURS = {
    "PROVED": "green", "REFUTED": "red", "NOT_REFUTED": "blue", "MEASURED": "blue", "REJECTED": "bold red",
    "UNKNOWN": "yellow",
}  # fmt: skip
"""The verdicts, in the order in which they are counted, and the colour of each, on every command."""
WIDE = 100
"""Columns of a terminal from which on a row has one line; on a narrower one details stand below the name."""
NUMBERS = ("seconds", "draws", "law at least", "law at most", "cases", "claims", "line")
"""Columns of numbers, whose last digits stand below each other."""
SHORT = {"refdp SMT-LIB encoder": "encoder", "refdp sympy translator": "translator"}


def print_json(found: Mapping[str, Any]) -> None:
    """One JSON object on standard output."""
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


class Terminal(Console):
    """Standard output, which somebody may stop reading: the commands see to that, and to the exit code."""

    def on_broken_pipe(self) -> None:
        """As any other write, in place of ending the process with a code that means something else."""
        raise BrokenPipeError


def console() -> Console:
    """Standard output; as wide as needed where nobody looks."""
    return Terminal(emoji=False) if sys.stdout.isatty() else Terminal(width=140, emoji=False)


def verdict(word: str) -> Text:
    """The verdict in its colour."""
    return Text(word, style=COLOURS.get(word, ""))


def judged(one: Mapping[str, Any]) -> Text:
    """The verdict of a row, with what was expected where that is something else."""
    expected = one.get("expected")
    surprise = "" if expected in (None, one["verdict"]) else f"  expected {expected}"
    return verdict(one["verdict"]) + Text(surprise, style="bold")


def print_reasons(out: Console, found: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
    """Below a table: of each row that has a reason its name, its verdict and the reason."""
    for name, one in found:
        if one.get("reason"):
            out.print(Text(f"\n{name}: ") + verdict(one["verdict"]) + Text(f": {one['reason']}"))


def short(trusts: Sequence[str]) -> str:
    """Who is trusted, in few words."""
    return ", ".join(SHORT.get(t, t) for t in trusts) or "nothing"


def grid(*columns: str) -> Table:
    """An empty table with these columns."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in NUMBERS else "left", overflow="fold")
    return table


def below(name: str, detail: str) -> Text:
    """A name with details below it, for narrow terminals."""
    return Text(name) + Text(f"\n{detail}", style="dim")


def facts(found: Mapping[str, str | Text]) -> Table:
    """Facts, each after its name."""
    table = Table.grid(padding=(0, 2))
    for key, fact in found.items():
        table.add_row(Text(key, style="bold"), Text(fact) if isinstance(fact, str) else fact)
    return table


def evidence(found: Mapping[str, Any]) -> dict[str, str]:
    """The last facts of every judgement: whom it trusts, its certificate, and the seconds it took."""
    again = {"second judge": second_judge(found["second_judge"])} if "second_judge" in found else {}
    return again | {
        "trusts": short(found["trusts"]), "certificate": found.get("certificate") or "none",
        "seconds": str(found["seconds"]),
    }  # fmt: skip


def second_judge(said: Mapping[str, Any]) -> str:
    """What the second judge did, and whether it agrees.

    >>> second_judge({"pairs": 190, "tried": 200, "agrees": True, "reason": "an irrational power"})
    'agrees on 190 of 200 pairs of data; the others show nothing: an irrational power'
    """
    pairs = f"{said['pairs']} of {said['tried']} pairs of data"
    if said["agrees"] is False:
        return f"contradicts the verdict (it ran {pairs})"
    if said["pairs"] == 0:
        return f"did not run the file: {said.get('reason', 'no data fulfil the conditions')}"
    why = f"; the others show nothing: {said['reason']}" if "reason" in said else ""
    return f"agrees on {pairs}{why}"


def print_judged_again(out: Console, found: Iterable[Mapping[str, Any]]) -> None:
    """How many of these verdicts the second judge looked at, and on how many pairs, where it was asked about any."""
    said = [one["second_judge"] for one in found if "second_judge" in one]
    if said:
        ran = [one["pairs"] for one in said if one["pairs"]]
        idle = f", {len(said) - len(ran)} without a run" if len(ran) < len(said) else ""
        out.print(f"second judge: {len(ran)} judged again on {sum(ran)} pairs of data{idle}", highlight=False)


def counted(count: int, noun: str) -> str:
    """1 target, 2 targets."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def last_line(noun: str, verdicts: Sequence[str], *more: str, seconds: str) -> Text:
    """The last line of a table: how many things, how many of each verdict, what else there is to say, and the time.

    >>> str(last_line("claim", ["PROVED", "UNKNOWN", "PROVED"], "2 as expected, 0 surprises", seconds="1.5"))
    '3 claims: 2 PROVED, 1 UNKNOWN; 2 as expected, 0 surprises; 1.5 s of processor time'
    """
    counts = Counter(verdicts)
    judged = ", ".join(f"{counts[word]} {word}" for word in COLOURS if counts[word])
    start = counted(len(verdicts), noun) + (f": {judged}" if judged else "")
    return Text("; ".join([start, *more, f"{seconds} s of processor time"]))


def expected_line(noun: str, found: Sequence[Mapping[str, Any]], totals: Mapping[str, Any], *more: str) -> Text:
    """The last line where verdicts are expected."""
    surprises = f"{totals['as_expected']} as expected, {counted(totals['surprises'], 'surprise')}"
    return last_line(noun, [one["verdict"] for one in found], *more, surprises, seconds=totals["seconds"])
