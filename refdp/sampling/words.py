"""Random digits many at a time: the protocol, the operating system's source of them, and replays.

`entropy` hands out single flips; samplers of many numbers read words.  Single words and short records are the operating
system's own (`os.urandom`).  Long records come from OpenSSL's generator (`ssl.RAND_bytes`), to which the operating
system's digits are added before each: besides, AES-CTR is trusted to look random.
There is no seed anywhere, and a release insists on `is_system`; as in `entropy`, that check stops mistakes only.
"""

from __future__ import annotations

import os
import ssl
from struct import unpack
from typing import ClassVar, Protocol

from refdp.sampling import pages
from refdp.sampling.entropy import Bits
from refdp.sampling.tree import OutOfBits

WORD = 64
LETTERS = {16: "H", 32: "I", 64: "Q"}
"""Widths of words, and what `struct` calls them."""
LONG = 1 << 12
"""Octets from which OpenSSL is faster than the operating system."""
SEED = 32
"""Octets of the operating system that OpenSSL's generator gets before each long record."""
STIRS = ssl.OPENSSL_VERSION.startswith("OpenSSL ") and ssl.OPENSSL_VERSION_INFO[:3] >= (1, 1, 1)
"""Whether `ssl.RAND_add` seeds the generators of all threads anew: LibreSSL and BoringSSL ignore it."""


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
    """The operating system's digits; of every call, the digits left over of a word are dropped.

    Words wait on a page that every fork wipes; where there is no such page, none waits, and each is fetched alone.
    """

    __slots__ = ("_page",)
    step: ClassVar[int] = WORD

    def __init__(self) -> None:
        self._page = pages.EMPTY

    def digits(self, count: int) -> int:
        """The next `count` digits."""
        if count <= WORD:
            return self.word() >> WORD - count
        value = 0
        for _ in range((count - 1) // WORD):
            value = value << WORD | self.word()
        left = (count - 1) % WORD + 1
        return value << left | self.word() >> WORD - left

    def word(self) -> int:
        """The next 64 digits."""
        while True:
            if (word := self._page.take()) is not None:
                return word
            if not pages.CAN_WAIT:
                return int.from_bytes(os.urandom(WORD // 8))
            self._page = pages.page(os.urandom, "Q")

    def octets(self, size: int) -> bytes:
        """The next 8 * size digits, past the page.

        OpenSSL knows a forked child by its process identifier alone, which is its parent's where both are the first of
        their PID namespaces: so its generator is seeded anew for each record.
        """
        if size < LONG or not STIRS:
            return os.urandom(size)
        ssl.RAND_add(os.urandom(SEED), SEED)
        return ssl.RAND_bytes(size)

    def __repr__(self) -> str:
        return "refdp.sampling.words.SYSTEM_WORDS"

    def __reduce__(self) -> str:
        """A copy, or the other side of a pickle, is the source of the process it lands in."""
        return "SYSTEM_WORDS"


SYSTEM_WORDS = SystemWords()
"""The operating system's digits: one source a process, safe under threads; a forked child, however forked, has none.

Not covered: digits drawn by the program before it forked, and a virtual machine resumed twice from one snapshot.
"""


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
