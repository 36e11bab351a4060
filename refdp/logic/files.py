"""Files of strangers, read only as far as they may be long."""

from __future__ import annotations

from pathlib import Path


def content_of(path: Path, most: int, named: str = "", refusal: type[Exception] = ValueError) -> bytes:
    """The octets of the file; the refusal, which speaks of it as `named`, where there are more than `most`."""
    with path.open("rb") as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise refusal(f"{named or path} must have at most {most} bytes, got more")
    return found
