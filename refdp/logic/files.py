"""Files that a user names, and those of a folder that is walked: what is no file is refused, never read or waited for.

A pipe that is named, as a shell does for <(...), is a way to hand over a text; one that lies in a folder is not.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

STANDARD_INPUT = 0
"""The descriptor of the standard input."""


def opened(path: str | Path) -> BinaryIO:
    """The file that is named, or a pipe, opened for reading.  OSError where it is missing, a folder or a device."""
    require_readable(path)
    return open(path, "rb")


def content_of(path: str | Path, most: int, named: str = "", refusal: type[Exception] = ValueError) -> bytes:
    """What is in it; the refusal, which speaks of it as `named`, where that is more than `most` bytes."""
    with opened(path) as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise refusal(f"{named or path} must have at most {most} bytes, got more")
    return found


def require_readable(path: str | Path) -> None:
    """OSError where a path that is named leads to a device or a socket, or to nothing."""
    found = os.stat(path)
    is_named_text = stat.S_ISREG(found.st_mode) or stat.S_ISFIFO(found.st_mode) or _is_typed(found)
    if not is_named_text and not stat.S_ISDIR(found.st_mode):  # of a folder the system says so itself
        raise OSError(errno.EINVAL, "It is a device, not a file", os.fspath(path))


def _is_typed(found: os.stat_result) -> bool:
    """Whether it is the terminal at which somebody types the standard input."""
    try:
        return os.isatty(STANDARD_INPUT) and os.path.samestat(found, os.fstat(STANDARD_INPUT))
    except OSError:
        return False


def files_inside(folder: Path, pattern: str) -> list[Path]:
    """The files of a folder whose names match, sorted.  ValueError where one is a pipe, a device or a folder."""
    found = sorted(folder.glob(pattern))
    for path in found:
        if path.exists() and not path.is_file():
            raise ValueError(f"{path} must be a file, as what a folder holds is read, got a pipe, a device or a folder")
    return found
