"""Two tables side by side: the rows that differ are marked, many equal ones are folded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

MOVED = "bold"
Pair = tuple[str | None, str | None]
"""A row of the first table and one of the second; None for a gap."""
MOST_EQUAL, ENDS = 12, 3
"""More equal rows than so many are folded, but for so many at each end."""


def print_pair(pair: Mapping[str, Any], out: Console) -> None:
    """Two tables side by side, the rows that differ marked, and both answers."""
    first, second = pair["first"], pair["second"]
    for name, value in pair.get("parameters", {}).items():
        out.print(f"  {name} = {value}", highlight=False, markup=False)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 3, 0, 2))
    table.add_column("first table")
    table.add_column("second table")
    for one, other in folded(list(zip_longest(*aligned(first, second), fillvalue=None))):
        style = "" if one == other else MOVED
        table.add_row(
            Text("-" if one is None else one, style=style), Text("-" if other is None else other, style=style)
        )
    table.add_section()
    answers = [Text(f"answers {answer}") for answer in pair["answers"]]
    table.add_row(*answers)
    out.print(table)


def folded(rows: Sequence[Pair]) -> Iterator[Pair]:
    """The rows; of many that are equal in both tables, the first and the last, and between them how many more."""
    for equal, run in groupby(rows, lambda row: row[0] == row[1]):
        found = list(run)
        if not equal or len(found) <= MOST_EQUAL:
            yield from found
            continue
        told = f"... {len(found) - 2 * ENDS} equal rows"
        yield from (*found[:ENDS], (told, told), *found[-ENDS:])


def aligned(first: list[str], second: list[str]) -> tuple[list[str | None], list[str | None]]:
    """Both tables with a gap where one has a row more, so that equal rows stand side by side."""
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    gap: list[str | None] = [None] * abs(len(first) - len(second))
    left: list[str | None] = [*first[:start], *(gap if len(first) < len(second) else []), *first[start:]]
    right: list[str | None] = [*second[:start], *(gap if len(second) < len(first) else []), *second[start:]]
    return left, right
