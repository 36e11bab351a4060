"""Where the digits of draws come from, and how many were read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from refdp.sampling.drawing import require_source
from refdp.sampling.tree import OutOfBits
from refdp.sampling.words import SYSTEM_WORDS, WORD, Source


class Counted:
    """A source that counts the digits that are read."""

    __slots__ = ("source", "used")

    def __init__(self, source: Source) -> None:
        self.source, self.used = source, 0

    @property
    def step(self) -> int:
        """As in the source."""
        return self.source.step

    def digits(self, count: int) -> int:
        """The next `count` digits."""
        self.used += count
        return self.source.digits(count)

    def octets(self, size: int) -> bytes:
        """The next 8 * size digits."""
        self.used += 8 * size
        return self.source.octets(size)


class FileDigits:
    """The octets of an open file, in order, as `words.Recorded` reads a record; OutOfBits after the last one."""

    __slots__ = ("stream", "used")
    step = WORD

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.used = stream, 0

    def digits(self, count: int) -> int:
        """The next `count` digits."""
        return int.from_bytes(self.octets((count + 7) // 8)) >> -count % 8

    def octets(self, size: int) -> bytes:
        """The next `size` octets."""
        found = self.stream.read(size)
        self.used += len(found)
        if len(found) < size:
            raise OutOfBits(f"the record holds {self.used} octets")
        return found


@contextmanager
def digits_of(bits: str | Path | Source | None) -> Iterator[Source]:
    """The digits of a file or of a source; the operating system's without one."""
    if isinstance(bits, str | Path):
        try:
            stream = Path(bits).open("rb")  # noqa: SIM115 (closed below)
        except OSError as error:
            raise ValueError(f"bits must be a file that can be read, got {bits}: {error.strerror}") from None
        with stream:
            yield FileDigits(stream)
    else:
        require_source(bits, "bits")
        yield SYSTEM_WORDS if bits is None else bits
