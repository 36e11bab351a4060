"""Work that is counted, where a test says how much is done: the same however busy the machine is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class Calls:
    """How many functions were called, those written in C among them."""

    number: int = 0


@contextmanager
def counted() -> Iterator[Calls]:
    """Count the calls that this thread makes within the block."""
    found, before = Calls(), sys.getprofile()

    def seen(frame: object, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            found.number += 1

    sys.setprofile(seen)
    try:
        yield found
    finally:
        sys.setprofile(before)
