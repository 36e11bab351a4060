"""Files that commands write: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def writable(path: str | Path | None) -> None:
    """OSError where a file could not be written there: better said before the work than after it."""
    if path is None:
        return
    place = Path(path)
    is_other = place.exists() and not place.is_file()  # renaming a file onto a device or a pipe would remove that
    if is_other or not place.parent.is_dir() or not os.access(place.parent, os.W_OK):
        raise OSError(f"{place} must be a file in a folder that can be written to")


def require_folder(path: str | Path) -> None:
    """OSError where no folder can be there, as some file is."""
    place = Path(path)
    if place.is_symlink() and not place.exists() or place.exists() and not place.is_dir():
        raise OSError(f"{place} must be a folder, got a file")


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file under a temporary name, then rename it: never a partial file."""
    place = Path(path)
    temporary = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        temporary.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        os.replace(temporary, place)
    finally:
        temporary.unlink(missing_ok=True)
