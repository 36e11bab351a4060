"""Random digits many at a time: the protocol, the operating system's source of them, and replays.

`entropy` hands out single flips; samplers of many numbers read words.  The system's digits come from OpenSSL's
generator (`ssl.RAND_bytes`), which the operating system seeds: besides, AES-CTR is trusted to look random.
There is no seed anywhere, and a release insists on `is_system`; as in `entropy`, that check stops mistakes only.
"""

from __future__ import annotations

import os
import ssl
from struct import unpack
from typing import ClassVar, Protocol

from refdp.sampling.entropy import Bits
from refdp.sampling.tree import OutOfBits

WORD = 64
LETTERS = {16: "H", 32: "I", 64: "Q"}
"""Widths of words, and what `struct` calls them."""
CHUNK = 64
"""Words fetched at a time: few, so that little waits in memory; a call costs about 1 us."""


class Source(Protocol):
    """Independent fair binary digits, each handed out once."""

    @property
    def step(self) -> int:
        """How many digits a uniform real had best reveal at a time."""

    def digits(self, count: int) -> int:
        """The next `count` digits, as a number from 0 to 2^count - 1."""

    def octets(self, size: int) -> bytes:
        """The next 8 * size digits; octets(a) + octets(b) are what octets(a + b) would have been."""


class SystemWords:
    """The operating system's digits, through OpenSSL; of every call, the digits left over of a word are dropped.

    No lock, as in `entropy.SystemBits`.  OpenSSL has one generator a thread and seeds it anew in a forked child.
    """

    __slots__ = ("_buffer",)
    step: ClassVar[int] = WORD

    def __init__(self) -> None:
        self._buffer: list[int] = []

    def digits(self, count: int) -> int:
        """The next `count` digits."""
        value = 0
        for _ in range((count - 1) // WORD):
            value = value << WORD | self._word()
        left = (count - 1) % WORD + 1
        return value << left | self._word() >> (WORD - left)

    def _word(self) -> int:
        """A word of the buffer."""
        while True:
            buffer = self._buffer
            try:
                return buffer.pop()
            except IndexError:
                buffer.extend(memoryview(ssl.RAND_bytes(8 * CHUNK)).cast("Q"))

    def octets(self, size: int) -> bytes:
        """The next 8 * size digits, past the buffer."""
        return ssl.RAND_bytes(size)

    def forget(self) -> None:
        """Drop the words that wait in the buffer: a new list, so that a fetch under way fills the old one."""
        self._buffer = []

    def __repr__(self) -> str:
        return "refdp.sampling.words.SYSTEM_WORDS"

    def __reduce__(self) -> str:
        """A copy, or the other side of a pickle, is the source of the process it lands in."""
        return "SYSTEM_WORDS"


SYSTEM_WORDS = SystemWords()
"""The operating system's digits: one source a process, safe under threads; a forked child has none buffered.

Not covered: digits drawn by the program before it forked, and a virtual machine resumed twice from one snapshot.
"""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=SYSTEM_WORDS.forget)


def is_system(source: Source) -> bool:
    """Whether `source` is the operating system's source itself, not a wrapper, a subclass or a look-alike."""
    return source is SYSTEM_WORDS


class Recorded:
    """The octets of a record, in order, as another sampler may have read them; OutOfBits after the last one.

    `digits` takes whole octets, the first the most significant, and drops the digits left over.
    """

    __slots__ = ("content", "used")
    step: ClassVar[int] = WORD

    def __init__(self, content: bytes) -> None:
        self.content, self.used = bytes(content), 0

    def digits(self, count: int) -> int:
        """The next `count` digits."""
        return int.from_bytes(self.octets((count + 7) // 8)) >> -count % 8

    def octets(self, size: int) -> bytes:
        """The next `size` octets."""
        if self.used + size > len(self.content):
            raise OutOfBits(f"the record holds {len(self.content)} octets")
        self.used += size
        return self.content[self.used - size : self.used]


class Flipped:
    """Digits that are single flips, revealed one by one: so the coin-flip tree of a sampler can be walked."""

    __slots__ = ("_bits",)
    step: ClassVar[int] = 1

    def __init__(self, bits: Bits) -> None:
        self._bits = bits

    def digits(self, count: int) -> int:
        """The next `count` flips, the first the most significant."""
        value = 0
        for _ in range(count):
            value = value << 1 | self._bits()
        return value

    def octets(self, size: int) -> bytes:
        """The next 8 * size flips."""
        return bytes(self.digits(8) for _ in range(size))


def words(source: Source, n: int, width: int) -> list[int]:
    """n numbers of `width` digits, each from octets of which the first is the least significant."""
    return list(unpack(f"<{n}{LETTERS[width]}", source.octets(n * width // 8))) if n else []
