"""Two tables row by row: which rows only one of them has, and which were changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, zip_longest

Cells = tuple[str, ...]
REMOVED, ADDED, CHANGED, SAME = "\N{MINUS SIGN}", "+", "~", ""
MOST_EQUAL = 4
"""Longer stretches of equal rows are cut short."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the first table beside one of the second, None where there is none, and the sign of the difference."""

    first: Cells | None
    second: Cells | None
    sign: str


@dataclass(frozen=True, slots=True)
class TablePair:
    """What is drawn of two tables."""

    title: str
    caption: str
    columns: Cells
    rows: tuple[Row, ...]
    answers: tuple[str, str]
    verdict: str
    names: tuple[str, str] = ("table x", "table x'")


def paired(first: Sequence[Cells], second: Sequence[Cells], is_change: bool, in_order: bool) -> tuple[Row, ...]:
    """The rows beside each other; `is_change`: rows may be changed, not added or removed.

    >>> [row.sign for row in paired([("2",)], [("2",), ("1",)], is_change=False, in_order=False)]
    ['', '+']
    """
    if in_order and is_change and len(first) == len(second):
        return tuple(Row(a, b, SAME if a == b else CHANGED) for a, b in zip(first, second, strict=True))
    blocks = ordered(first, second) if in_order else unordered(first, second)
    return tuple(row for old, new, equal in blocks for row in rows(old, new, equal, is_change))


def rows(old: Sequence[Cells], new: Sequence[Cells], equal: bool, is_change: bool) -> Iterator[Row]:
    """The rows of one stretch, which are equal or all differ."""
    if equal:
        yield from (Row(a, b, SAME) for a, b in zip(old, new, strict=True))
    elif is_change:
        signs = {(True, False): REMOVED, (False, True): ADDED}
        for a, b in zip_longest(old, new):
            yield Row(a, b, signs.get((b is None, a is None), CHANGED))
    else:
        yield from (Row(a, None, REMOVED) for a in old)
        yield from (Row(None, b, ADDED) for b in new)


Block = tuple[Sequence[Cells], Sequence[Cells], bool]


def ordered(first: Sequence[Cells], second: Sequence[Cells]) -> Iterator[Block]:
    """Stretches of both tables that are equal, or differ, in order."""
    for way, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        yield first[a:b], second[c:d], way == "equal"


def unordered(first: Sequence[Cells], second: Sequence[Cells]) -> Iterator[Block]:
    """The rows that both tables have, and then those that one has, whatever their order."""
    common = Counter(first) & Counter(second)
    old, new = (list((Counter(rows) - common).elements()) for rows in (first, second))
    for is_common, stretch in groupby(first, key=lambda row: taken(row, common)):
        kept = list(stretch)
        if is_common:
            yield kept, kept, True
        else:
            yield kept, new[: len(kept)] if len(old) == len(new) else [], False
            new = new[len(kept) :] if len(old) == len(new) else new
    yield [], new, False


def taken(row: Cells, common: Counter[Cells]) -> bool:
    """Whether the row is one that both tables have; each is counted once."""
    found = common[row] > 0
    common[row] -= found
    return found


def shortened(found: Iterable[Row]) -> list[Row | int]:
    """The rows, of long stretches of equal ones the first and the last, and between these how many there are."""
    shown = list[Row | int]()
    for sign, stretch in groupby(found, key=lambda row: row.sign):
        kept = list(stretch)
        if sign == SAME and len(kept) > MOST_EQUAL:
            shown += [kept[0], len(kept) - 2, kept[-1]]
        else:
            shown += kept
    return shown
