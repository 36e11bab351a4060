"""Limits that hold whatever is computed: the run is interrupted, by its own count of work or by the clock."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from refdp import work

GRACE = 1.0
"""Seconds that a search which watches the clock itself may be late."""


class OutOfTime(work.OutOfWork):
    """The clock has reached the end."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises OutOfWork within the block once it has done work of so many seconds, or the clock's patience is over."""
    with work.limited(seconds), on_time(work.PATIENCE * seconds + work.GRACE):
        yield


@contextmanager
def on_time(seconds: float) -> Iterator[None]:
    """Raises OutOfTime within the block once the seconds and a little grace are over.

    Only the main thread of a program can be interrupted, and only where the system has such timers; elsewhere the
    searches' own budgets are the only limit.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def late(number: int, frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0) + GRACE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
