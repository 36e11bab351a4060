"""Progress of a campaign on standard error: a bar for all targets, and a line for each that is worked at."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refdp.auditing.campaigns.running import Watch
    from refdp.auditing.campaigns.standing import Standing

MOST = 6
"""Most lines of targets at once."""
PAUSE = 1.0
"""Seconds between two counts of samples."""


@contextmanager
def progress() -> Iterator[Watch]:
    """A function that shows where the targets stand; silent where nobody looks."""
    if not sys.stderr.isatty():
        yield lambda standings: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(20),
        TextColumn("{task.fields[said]}", markup=False),
    )
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bars:
        yield _Shown(bars).show


class _Shown:
    """The bars, and which target each belongs to."""

    def __init__(self, bars: Any) -> None:
        self.bars, self.all = bars, bars.add_task("targets", total=None, said="")
        self.lines: dict[str, _Line] = {}

    def show(self, standings: Sequence[Standing]) -> None:
        """Move the bars on."""
        over = sum(one.over for one in standings)
        self.bars.update(self.all, total=len(standings), completed=over, said=f"{over} of {len(standings)}")
        active = [one for one in standings if one.asked and not one.over][:MOST]
        for key in self.lines.keys() - {one.item.key for one in active}:
            self.bars.remove_task(self.lines.pop(key).task)
        for one in active:
            if one.item.key not in self.lines:
                self.lines[one.item.key] = _Line(self.bars.add_task(one.item.name[:40], total=None, said="opening"))
            line = self.lines[one.item.key]
            self.bars.update(line.task, said=line.said(one))


class _Line:
    """The line of one target; its samples are counted anew only now and then, as that takes the judge's time."""

    def __init__(self, task: Any) -> None:
        self.task, self.samples, self.next = task, 0, 0.0

    def said(self, one: Standing) -> str:
        """How many chunks were looked at, and how many samples they hold."""
        if one.opening is None:
            return "opening"
        if one.chunks and time.monotonic() > self.next:
            began = time.monotonic()
            self.samples = one.result().samples
            self.next = time.monotonic() + max(PAUSE, 20 * (time.monotonic() - began))
        return f"{len(one.chunks)} chunks, {self.samples:,} samples"
