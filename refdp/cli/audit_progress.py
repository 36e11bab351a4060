"""Progress of a campaign on standard error: a bar for all targets, and a line for each that is worked at."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refdp.auditing.campaigns.running import Watch
    from refdp.auditing.campaigns.standing import Standing

MOST = 6
"""Most lines of targets at once."""


@contextmanager
def progress() -> Iterator[Watch]:
    """A function that shows where the targets stand; silent where nobody looks."""
    if not sys.stderr.isatty():
        yield lambda standings: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn())
    told = (TextColumn("{task.fields[said]}"), TimeElapsedColumn())
    with Progress(*columns, *told, console=Console(stderr=True), transient=True) as bars:
        yield _Shown(bars).show


class _Shown:
    """The bars, and which target each belongs to."""

    def __init__(self, bars: Any) -> None:
        self.bars, self.all = bars, bars.add_task("targets", total=None, said="")
        self.lines: dict[str, Any] = {}

    def show(self, standings: Sequence[Standing]) -> None:
        """Move the bars on."""
        over = sum(one.over for one in standings)
        self.bars.update(self.all, total=len(standings), completed=over)
        active = [one for one in standings if one.asked and not one.over][:MOST]
        for key in self.lines.keys() - {one.item.key for one in active}:
            self.bars.remove_task(self.lines.pop(key))
        for one in active:
            if one.item.key not in self.lines:
                self.lines[one.item.key] = self.bars.add_task("", total=None, said="")
            self.bars.update(self.lines[one.item.key], description=one.item.name[:40], **shown(one))


def shown(one: Standing) -> dict[str, Any]:
    """Chunks that were looked at, and draws, where the judge counts them."""
    draws = sum(int(chunk["samples"]) for chunk in one.chunks if isinstance(chunk.get("samples"), int))
    said = f"{draws:,} samples" if draws else "opening" if one.opening is None else ""
    return {"completed": len(one.chunks), "said": said}
