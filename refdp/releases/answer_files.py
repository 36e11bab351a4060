"""The file that keeps the answers of one release: its place is taken before the charge, filled before they are shown.

The answers were paid for, so they must outlive a standard output that fails.  Only the owner may read the file.  It
stands under a hidden name until it is whole, and no release overwrites the answers of another.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SUFFIX = ".answers"
"""Not .json: `refdp check FOLDER` reads every .json as a certificate."""
LEAST_ROOM = 2**16
"""Bytes that are set aside at least."""


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """The place of a file of answers, taken under its hidden name."""

    path: Path

    @property
    def hidden(self) -> Path:
        """The name of the file until it is whole."""
        return hidden(self.path)

    def fill(self, text: str) -> None:
        """Write the answers, whole and on the disk before this returns, in the room that was set aside."""
        with open(os.open(self.hidden, os.O_WRONLY | os.O_NOFOLLOW), "wb") as file:
            file.write(text.encode("utf-8"))
            file.truncate()
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.hidden, self.path)
        flush_folder(self.path.parent)


@contextmanager
def answer_file(folder: Path, stem: str, room: int) -> Iterator[AnswerFile]:
    """A place for answers in the folder, with room for so many bytes; given up at the end if it was not filled.

    OSError where the disk has no such room: better said before the charge than after it.
    """
    found = AnswerFile(_taken(folder, stem))
    try:
        with open(found.hidden, "r+b") as file:
            file.write(b" " * max(room, LEAST_ROOM))
            file.flush()
            os.fsync(file.fileno())
        yield found
    finally:
        if found.hidden.exists():
            found.hidden.unlink()


def _taken(folder: Path, stem: str) -> Path:
    """The first free name STEM-NUMBER.answers, its hidden file made.

    A name is free if neither it nor its hidden one is there.  The hidden file is made first: whoever else takes or
    fills this name meanwhile has had it, and then the visible one stands there.
    """
    number = 0
    while True:
        number += 1
        path = folder / f"{stem}-{number}{SUFFIX}"
        if os.path.lexists(path):
            continue
        try:
            os.close(os.open(hidden(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        except FileExistsError:
            continue
        if not os.path.lexists(path):
            return path
        hidden(path).unlink()


def hidden(path: Path) -> Path:
    """The name of a file of answers until it is whole."""
    return path.with_name(f".{path.name}")


def flush_folder(folder: Path) -> None:
    """The names in the folder are on the disk when this returns."""
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(place)
    finally:
        os.close(place)
