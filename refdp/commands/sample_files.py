"""Where draws go: a file of numbers, whole or not there at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO, TextIO

from refdp.sampling.chunks import Chunk, Run

ENDINGS = (".npy", ".csv", ".txt")
HEADER = 64
"""The header of an .npy file is a multiple of so many octets long."""


class Sink:
    """Takes draws, and keeps them as texts."""

    name: str | None = None

    def __init__(self) -> None:
        self.draws: list[str] = []
        self.unit, self.constant = Fraction(1), 0

    def begin(self, run: Run) -> None:
        """What comes before the first draw."""
        self.unit, self.constant = run.unit, run.constant

    def take(self, chunk: Chunk) -> None:
        """The next draws."""
        self.draws += self.texts(chunk)

    def texts(self, chunk: Chunk) -> Iterator[str]:
        """The draws, as exact decimals or fractions."""
        numbers = chunk.plus(self.constant)
        return map(str, numbers) if self.unit == 1 else (number_text(self.unit * k) for k in numbers)


class Lines(Sink):
    """Writes a number on each line; a .csv has the name of the mechanism first."""

    def __init__(self, stream: TextIO, name: str) -> None:
        super().__init__()
        self.stream, self.name, self.has_header = stream, name, name.endswith(".csv")

    def begin(self, run: Run) -> None:
        """The header of a table."""
        super().begin(run)
        if self.has_header:
            self.stream.write(f"{run.subject.operator}\n")

    def take(self, chunk: Chunk) -> None:
        """The next draws."""
        self.stream.write("\n".join(self.texts(chunk)) + "\n")


class Npy(Sink):
    """Writes an array of int64 as numpy does, without numpy.  Source: the .npy format, version 1.0."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        super().__init__()
        self.stream, self.name = stream, name

    def begin(self, run: Run) -> None:
        """The header; ValueError where draws need not be whole."""
        super().begin(run)
        if run.unit.denominator != 1:
            raise ValueError(f"out must end in .csv where granularity is not whole, got {self.name} and {run.unit}")
        self.stream.write(npy_header(run.n))

    def take(self, chunk: Chunk) -> None:
        """The next draws; OverflowError if one is no int64."""
        self.stream.write(chunk.octets(self.constant, int(self.unit)))


def npy_header(n: int) -> bytes:
    """The header of an array of n numbers of int64.

    >>> len(npy_header(10**6)), npy_header(3)[:10]
    (128, b'\\x93NUMPY\\x01\\x00v\\x00')
    """
    said = f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({n},), }}"
    length = -(10 + len(said) + 1) % HEADER + len(said) + 1
    return b"\x93NUMPY\x01\x00" + length.to_bytes(2, "little") + f"{said:<{length - 1}}\n".encode("ascii")


@contextmanager
def draws_into(out: str | Path | TextIO | None) -> Iterator[Sink]:
    """What takes the draws: a list, an open text file, or a file that is there only once all have been written."""
    if out is None:
        yield Sink()
    elif isinstance(out, str | Path):
        with whole_file(_writable(Path(out))) as temporary:
            yield from _opened(temporary, str(out))
    else:
        yield Lines(out, "standard output")


def _opened(temporary: Path, name: str) -> Iterator[Sink]:
    """The file, as what its name says."""
    if name.endswith(".npy"):
        with temporary.open("xb") as octets:
            yield Npy(octets, name)
    else:
        with temporary.open("x", encoding="utf-8", newline="\n") as stream:
            yield Lines(stream, name)


def _writable(out: Path) -> Path:
    """The path; ValueError, before any draw, where no file can stand there."""
    if out.suffix not in ENDINGS:
        raise ValueError(f"out must be a file that ends in {', '.join(ENDINGS)}, got {out}")
    if not out.parent.is_dir() or out.is_dir():
        raise ValueError(f"out must be a file in a folder that exists, got {out}")
    return out


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary name beside `path`, renamed to it in the end; removed where anything goes wrong or is interrupted."""
    temporary = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def number_text(x: Fraction) -> str:
    """An exact number: a decimal where it has one, else a fraction.

    >>> number_text(Fraction(-1, 8)), number_text(Fraction(1, 3)), number_text(Fraction(7))
    ('-0.125', '1/3', '7')
    """
    rest = x.denominator
    places = max((rest & -rest).bit_length() - 1, 0)
    rest >>= places
    fives = 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1 or x.denominator == 1:
        return str(x)
    places = max(places, fives)
    digits = str(abs(x.numerator) * 10**places // x.denominator).rjust(places + 1, "0")
    return f"{'-' if x < 0 else ''}{digits[:-places]}.{digits[-places:]}"
