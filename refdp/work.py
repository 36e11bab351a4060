"""Work, counted: what limits every search, so that an answer is the same however busy the machine is.

A limit is given in seconds and means work: what takes about so long on a machine that has nothing else to do.  Counted
are steps of Python that searches are made of (terms, evaluated expressions, tables, looks at the limit) and the units
that a solver counts itself: z3's rlimit, cvc5's resource units, the looks of bitwuzla at its terminator.  None of them
depends on the machine or on its load.  The clock decides nothing: it stops what has taken PATIENCE times as long, and
the answer then says so.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

STEPS = 1 << 19
"""Steps that count as a second: the time that a term takes to be made, about.

A power of two: then the seconds of so many steps are a float, and so is what is left of them, with nothing rounded.
"""
LOOK = 20
"""Steps that a look at the limit counts as: there is one for each round of a search."""
UNITS = {"z3": 3_000_000, "cvc5": 500_000, "bitwuzla": 30_000}
"""Units of each solver that count as a second, as measured over the library of programs and the corpora of queries.

sympy counts nothing: the clock alone stops it.
"""
MOST_UNITS = 4_000_000_000
"""Most units that a solver can be given: z3 counts them in 32 bits."""
PATIENCE = 20
"""How many times as long as its limit work may take before the clock stops it."""
GRACE = 5.0
"""Seconds on the clock that are added for the start of processes."""
EVER = 1e12
"""The work spent, in seconds, once the clock has stopped it: more than any limit."""


class OutOfWork(BaseException):
    """The limit is reached amid a computation; not an Exception, so that nothing takes it for a failure of its own."""


class Count(threading.local):
    """The work of this thread: what one does is not charged to another."""

    steps: int = 0
    most: float = float("inf")
    """The steps at which a computation is broken off."""
    until: float = float("inf")
    """When the clock stops all work, by time.monotonic."""
    is_stopped: bool = False
    """Whether the clock has stopped anything since the outermost block began."""


COUNT = Count()


def step(number: int = 1) -> None:
    """Count steps.  OutOfWork where the block that is running may make no more."""
    COUNT.steps += number
    if COUNT.steps > COUNT.most:
        raise OutOfWork


def charge(solver: str, units: int) -> None:
    """Count what a solver has done."""
    COUNT.steps += units * STEPS // UNITS.get(solver, STEPS)


def units(solver: str, seconds: float) -> int:
    """The units that a solver may take for work of so many seconds."""
    return max(1, int(min(MOST_UNITS, seconds * UNITS.get(solver, STEPS))))


def until(seconds: float) -> float:
    """What `spent` says once work of so many more seconds is done, in whole steps.

    So what is left does not depend on what was spent before: no digit of it is rounded away.
    """
    return (COUNT.steps + math.floor(min(seconds, EVER) * STEPS)) / STEPS


def spent() -> float:
    """The work of this thread so far, in seconds that it counts as; EVER once the clock has stopped it."""
    COUNT.steps += LOOK
    if time.monotonic() > COUNT.until:
        COUNT.is_stopped = True
        return EVER
    return COUNT.steps / STEPS


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Within the block, OutOfWork is raised once it has done work of so many seconds; blocks within it share that."""
    outer, COUNT.most = COUNT.most, min(COUNT.most, COUNT.steps + max(seconds, 0.0) * STEPS)
    try:
        with patient(seconds):
            yield
    finally:
        COUNT.most = outer


@contextmanager
def patient(seconds: float) -> Iterator[None]:
    """Within the block the clock stops all work once PATIENCE times the seconds have passed."""
    outer, now = COUNT.until, time.monotonic()
    if outer == float("inf"):
        COUNT.is_stopped = False
    COUNT.until = min(outer, now + PATIENCE * max(seconds, 0.0) + GRACE)
    try:
        yield
    finally:
        COUNT.until = outer


def on_the_clock(seconds: float) -> float:
    """How long work of so many seconds may take on the clock."""
    return max(0.0, min(PATIENCE * seconds, COUNT.until - time.monotonic()))


def stopped_by_clock() -> bool:
    """Whether the clock stopped something: on a machine that is less busy the answer may be another."""
    return COUNT.is_stopped
