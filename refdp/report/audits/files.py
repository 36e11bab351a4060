"""Files of reports are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write(path: str | Path, content: str) -> None:
    """Write the file beside its place, then move it there."""
    place = Path(path)
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        part.write_text(content, encoding="utf-8")
        os.replace(part, place)
    finally:
        part.unlink(missing_ok=True)
