"""A charge that stands is never denied: from the charge on, whatever goes wrong says so.

Before the charge an error means that nothing was charged.  After it, an error of any kind (a draw that fails, a full
disk, a reader that is gone, an interrupt) becomes `Charged`, or an interrupt with the same sentence: how much was
charged, to which file, what is left, and where the answers are.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from refdp.logic.internal_errors import reason
from refdp.releases.errors import Charged


class Standing:
    """What is known of one release: nothing until it is charged."""

    __slots__ = ("answers", "budget", "is_charged", "left", "spent")

    def __init__(self, spent: str, budget: Path | None) -> None:
        self.spent = spent
        """What is spent, in words: epsilon 1."""
        self.budget = budget
        """None where no budget is kept."""
        self.is_charged = False
        self.left: str | None = None
        self.answers: Path | None = None
        """The file that the answers are in, once they are."""

    def charged(self, left: str | None) -> None:
        """The charge stands, and so much is left; None where no budget is kept."""
        self.left = left
        self.is_charged = True

    def sentence(self, why: str) -> str:
        """What is true after the charge, and what went wrong."""
        if self.budget is None:
            spent = f"{self.spent} is spent, though no budget file was named that says so"
        else:
            spent = f"{self.spent} was charged to {self.budget}, where {self.left} is left"
        where = "no answer was kept" if self.answers is None else f"the answers are in {self.answers}"
        return f"{spent}; {where}; what went wrong: {why}"


@contextmanager
def never_denied(spent: str, budget: Path | None) -> Iterator[Standing]:
    """Within the block, errors and interrupts that come after the charge say that it was made."""
    standing = Standing(spent, budget)
    try:
        yield standing
    except KeyboardInterrupt:
        if not standing.is_charged:
            raise
        raise KeyboardInterrupt(standing.sentence("interrupted")) from None
    except Exception as error:
        if not standing.is_charged:
            raise
        raise Charged(standing.sentence(why(error))) from error


def why(error: Exception) -> str:
    """What went wrong, in words: of a file what the system says, of an internal error that it is one."""
    if isinstance(error, BrokenPipeError):
        return "nobody reads on"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error) if isinstance(error, ValueError) else reason(error)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """An interrupt (Ctrl-C, or SIGTERM where it is one) that comes within the block is handled when the block ends.

    Python raises it in the main thread only, and only where its handler is one of Python's.
    """
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    held = [number for number, handler in handlers.items() if callable(handler)]
    if threading.current_thread() is not threading.main_thread():
        held = []
    came: list[int] = []
    for number in held:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number in held:
            signal.signal(number, handlers[number])
        if came:
            signal.raise_signal(came[0])
