"""Fair coin flips: the protocol, and the operating system's source of them.

There is no seed anywhere.  A test supplies its own flips (`refdp.sampling.tree.Tape`); a release insists on
`is_system`.  That check stops mistakes; it is no defence against code that rebinds names inside this process.
"""

from __future__ import annotations

import os
from typing import Protocol

from refdp.sampling import pages

DIGITS_TO_FLIPS = bytes.maketrans(b"01", b"\x00\x01")


class Bits(Protocol):
    """A source of independent fair flips: every call returns 0 or 1, each with probability 1/2."""

    def __call__(self) -> int:
        """The next flip."""


class SystemBits:
    """The operating system's random bits (`os.urandom`, as in `secrets`), each handed out once.

    They wait on a page that every fork wipes; where there is no such page, none waits, and each is fetched alone.
    """

    __slots__ = ("_page",)

    def __init__(self) -> None:
        self._page = pages.EMPTY

    def __call__(self) -> int:
        """The next flip."""
        while True:
            if (flip := self._page.take()) is not None:
                return flip
            if not pages.CAN_WAIT:
                return int.from_bytes(os.urandom(1)) & 1
            self._page = pages.page(fetched, "B")

    def __repr__(self) -> str:
        return "system_bits()"

    def __reduce__(self) -> str:
        """A copy, or the other side of a pickle, is the source of the process it lands in."""
        return "SYSTEM"


def flips(content: bytes) -> bytes:
    """The bits of `content` as a string of bytes 0 and 1, eight times as long.

    >>> list(flips(b"\\x05"))
    [0, 0, 0, 0, 0, 1, 0, 1]
    """
    return format(int.from_bytes(content), f"0{8 * len(content)}b").encode().translate(DIGITS_TO_FLIPS)


def fetched(size: int) -> bytes:
    """So many of the operating system's bits, as a string of bytes 0 and 1."""
    return flips(os.urandom(size // 8))


SYSTEM = SystemBits()


def system_bits() -> SystemBits:
    """The operating system's bits: one source a process, safe under threads; a forked child, however forked, has none.

    Not covered: flips drawn by the program before it forked, and a virtual machine resumed twice from one snapshot.
    """
    return SYSTEM


def is_system(bits: Bits) -> bool:
    """Whether `bits` is the operating system's source itself, not a wrapper, a subclass or a look-alike."""
    return bits is SYSTEM
