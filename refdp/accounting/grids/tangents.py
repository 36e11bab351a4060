"""From lines below a profile to heights at the points of a grid.  Lemma 4.6 of docs/accounting_proofs.md."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb

from refdp.accounting.grids.chords import floor
from refdp.accounting.grids.tails import ALWAYS, Event

CLOSE = 16
"""A line that is lower than the next one by less than 1 / CLOSE of it is kept."""


@dataclass(frozen=True, slots=True)
class Chord:
    """Heights of one line at both ends of a cell."""

    line: Event
    left: int
    right: int


def lower_heights(
    points: list[arb], lines: list[Event], before: Event, last: Event, work: int
) -> tuple[int, int, list[int]]:
    """(infinite, top, heights >= 0): each chord between them is below one line less the infinite mass.

    lines[i] is for the cell from points[i] to points[i + 1], and `before` for what is left of them (or the line of the
    event that always happens, or that of the first cell, whichever is highest at points[0]); `last` is that of infinite
    losses.  The last height is 0.
    """
    scale = arb(2) ** work
    infinite = max(floor(last.p * scale), 0)

    def height(line: Event, x: arb) -> int:
        return floor(line.height(x) * scale) - infinite

    chords = _chords(points, lines, last, height)
    front, line = max(((height(line, points[0]), line) for line in (before, ALWAYS)), key=lambda found: found[0])
    if front < chords[0].left - chords[0].left // CLOSE:
        front, line = chords[0].left, chords[0].line
    top = min(floor(line.p * scale), 1 << work) - infinite
    ends = [front, *(chord.right for chord in chords)]
    return infinite, top, [*(min(end, chord.left) for end, chord in zip(ends, chords, strict=False)), 0]


def _chords(points: list[arb], lines: list[Event], last: Event, height: Callable[[Event, arb], int]) -> list[Chord]:
    """A line for each cell, from the last one to the first: its own, or the next one where that is better.

    Its own may be far below where the cell has an atom.
    """
    chords: list[Chord] = []
    after = Chord(last, 0, 0)
    for line, x, end in zip(lines[::-1], points[-2::-1], points[:0:-1], strict=True):
        own = Chord(line, height(line, x), height(line, end))
        if min(own.left, own.right) < 0 or own.right < after.left - after.left // CLOSE:
            next_one = Chord(after.line, height(after.line, x), after.left)
            own = _better(own, next_one)
        after = own
        chords.append(own)
    return chords[::-1]


def _better(own: Chord, other: Chord) -> Chord:
    """The one that loses less in proportion; none that is negative."""
    if min(own.left, own.right) < 0:
        return other
    return other if (other.right - own.right) * own.left > (own.left - other.left) * other.right else own
