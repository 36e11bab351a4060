"""Progress on standard error, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(verb: str) -> Iterator[Callable[[int, int, str], None]]:
    """A function (done, total, what) that shows how far the work has come; silent where nobody looks."""
    if not sys.stderr.isatty():
        yield lambda done, total, what: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(verb, total=None)
        yield lambda done, total, what: bar.update(
            task, completed=done, total=total if total > 1 else None, description=f"{verb} {what}"
        )
