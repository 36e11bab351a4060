"""The records of a CSV file, read strictly, one at a time, in bounded memory.

Strictly: UTF-8 (a byte order mark is skipped), comma, double quotes as in RFC 4180, a header of unique names, as many
fields in every record as in the header, no NUL.  Anything else is an error: a guess would change the data silently.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from refdp.releases.errors import InputError, RowError

MAXIMUM_RECORD = 1_000_000
"""Longest record in bytes, its line breaks included."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a table is read; more is refused, never cut off."""

    maximum_rows: int = 500_000
    maximum_field: int = 10_000
    """In characters."""
    maximum_bytes: int = 2**28
    """Of the file."""

    def __post_init__(self) -> None:
        for limit in ("maximum_rows", "maximum_field", "maximum_bytes"):
            value = getattr(self, limit)
            if type(value) is not int or value < 1:
                raise InputError(f"{limit} must be an int >= 1, got {value!r}")


class Records:
    """The records of an open file: `header`, then by iteration (line, fields); `digest` is of the bytes read so far."""

    __slots__ = ("_bytes", "_file", "_hash", "_limits", "_reader", "_record_bytes", "header", "name")

    def __init__(self, file: BinaryIO, name: str, limits: Limits) -> None:
        self._file, self._limits, self.name = file, limits, name
        self._hash, self._bytes, self._record_bytes = hashlib.sha256(), 0, 0
        self._reader = csv.reader(self._lines(), strict=True)
        self.header = self._header()

    @property
    def digest(self) -> str:
        """`sha256:` and the SHA-256 of the bytes read: of the whole file after the last record."""
        return f"sha256:{self._hash.hexdigest()}"

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        """Every record below the header with the number of its last line; RowError at the first that is wrong."""
        rows = 0
        while (fields := self._record()) is not None:
            line, rows = self._reader.line_num, rows + 1
            if len(fields) != len(self.header):
                raise RowError(f"{self.name} must have as many fields in every row as in the header, see line {line}")
            if rows > self._limits.maximum_rows:
                raise RowError(
                    f"{self.name} must have at most {self._limits.maximum_rows} rows, got more; raise maximum_rows"
                )
            yield line, fields

    def _header(self) -> tuple[str, ...]:
        fields = self._record()
        if not fields:
            raise InputError(f"{self.name} must begin with a header line, got none")
        for place, field in enumerate(fields):
            if field in fields[:place]:
                raise InputError(
                    f"{self.name} must have unique column names, got the same in fields "
                    f"{fields.index(field) + 1} and {place + 1} of the header"
                )
        return tuple(fields)

    def _record(self) -> list[str] | None:
        """The next record, or None after the last one."""
        self._record_bytes = 0
        try:
            fields = next(self._reader, None)
        except csv.Error:
            raise RowError(f"{self.name} must be well-formed CSV, see line {self._reader.line_num}") from None
        except OSError as error:
            raise InputError(f"{self.name} cannot be read: {error.strerror}") from None
        if fields and max(map(len, fields)) > self._limits.maximum_field:
            raise RowError(
                f"{self.name} must have at most {self._limits.maximum_field} characters in a field, "
                f"see line {self._reader.line_num}; raise maximum_field"
            )
        return fields

    def _lines(self) -> Iterator[str]:
        """The lines of the file as text, each checked and entered into the digest before it is parsed."""
        number = 0
        while raw := self._file.readline(MAXIMUM_RECORD + 1):
            number += 1
            self._hash.update(raw)
            self._bytes += len(raw)
            self._record_bytes += len(raw)
            if self._bytes > self._limits.maximum_bytes:
                limit = self._limits.maximum_bytes
                raise RowError(f"{self.name} must have at most {limit} bytes, got more; raise maximum_bytes")
            if self._record_bytes > MAXIMUM_RECORD:
                raise RowError(f"{self.name} must have at most {MAXIMUM_RECORD} bytes in a row, see line {number}")
            yield self._decoded(raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw, number)

    def _decoded(self, raw: bytes, number: int) -> str:
        if b"\0" in raw:
            raise RowError(f"{self.name} must be text, got a NUL byte in line {number}")
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise RowError(f"{self.name} must be UTF-8 text, got other bytes in line {number}") from None


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """The file opened for reading; InputError where it is missing, unreadable, a directory or a device."""
    if "\0" in os.fspath(path):
        raise InputError("the path of a table must not hold NUL, got one")
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise InputError(f"the table {os.fspath(path)} must be a regular file")
        return open(path, "rb")
    except OSError as error:
        raise InputError(
            f"the table must be a file that can be read, got {os.fspath(path)}: {error.strerror}"
        ) from None
