"""Random numbers that wait in memory of which a forked process has zeros, however it was forked.

A fork below Python (a server's, a C library's) runs none of Python's hooks, and process identifiers may be the same on
both sides, in PID namespaces.  The kernel is believed to wipe a private page in every child (MADV_WIPEONFORK of Linux
4.14).  Where it does not say that it will, nothing waits in memory at all.
"""

from __future__ import annotations

import mmap
import sys
from collections.abc import Callable
from typing import Literal, final

SIZE = 4096
"""Octets of a page."""
WIPE_ON_FORK = 18
"""MADV_WIPEONFORK of <linux/mman.h>, which `mmap` of Python 3.11 does not name."""
NO_ADVICE = -1
"""No advice of any kernel: who says yes to it (emulators do) promises nothing by saying yes."""


@final
class Page:
    """Numbers of one width, each taken once by one caller; those of another process are never taken.

    `numbers[0]` is 1 until a fork wipes the page.  No lock, which a fork could leave locked for ever: `list.pop` is
    atomic, so no two callers get the same place, and a page is filled once.
    """

    __slots__ = ("_numbers", "_places")

    def __init__(self, numbers: memoryview, places: list[int]) -> None:
        self._numbers, self._places = numbers, places

    def take(self) -> int | None:
        """The next number, of which the page keeps nothing; None where none is left, or where a fork wiped them."""
        try:
            place = self._places.pop()
        except IndexError:
            return None
        numbers = self._numbers
        number: int = numbers[place]
        numbers[place] = 0
        return number if numbers[0] else None  # asked last: a fork before this line is seen


EMPTY = Page(memoryview(b""), [])
"""A page with nothing on it."""


def page(fetch: Callable[[int], bytes], letter: Literal["B", "Q"]) -> Page:
    """A page of the numbers that `fetch` brings, SIZE octets or fewer; `letter` is their width, as `struct` calls it.

    The first number makes room for the mark, which is set before anything is fetched: so numbers that both sides of a
    fork have in hand are taken on one side only.
    """
    numbers = memoryview(_wiped_on_fork()).cast("B").cast(letter)
    numbers[0] = 1
    content = memoryview(fetch(SIZE)).cast("B").cast(letter)
    count = len(content)
    numbers[1:count] = content[1:]
    return Page(numbers, list(PLACES[: count - 1]))


PLACES = tuple(range(1, SIZE))


def _wiped_on_fork() -> mmap.mmap:
    """Private memory that is zeros in every child; OSError or AttributeError where the system has none."""
    memory = mmap.mmap(-1, SIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(WIPE_ON_FORK)
    return memory


def can_wait() -> bool:
    """Whether the kernel promises to wipe pages on a fork; where a kernel says yes to anything, it does not."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        memory = _wiped_on_fork()
    except (OSError, AttributeError):
        return False
    try:
        memory.madvise(NO_ADVICE)
    except OSError:
        return True
    return False


CAN_WAIT = can_wait()
"""Whether random numbers may wait in memory, in this process."""
