"""Replayed bits: chunk n of a target has bits that follow from the seed, the target's name and n alone.

So a campaign's counts are the same whatever executes it, in whatever order, and however often it was killed.
"""

from __future__ import annotations

import hashlib

from refdp.auditing.judges.task import TaskError

LEAST = 16
"""Fewest octets of a seed."""


def seed(text: str) -> str:
    """The seed itself; TaskError unless it is hexadecimal and has LEAST octets or more."""
    try:
        octets = bytes.fromhex(text)
    except ValueError:
        octets = b""
    if len(octets) < LEAST:
        raise TaskError(f"bits must be at least {LEAST} octets in hexadecimal digits, got {text[:80]}")
    return octets.hex()


def of_chunk(text: str, name: str, number: int) -> str:
    """SHAKE-256 of the seed, the name and the chunk's number: the seed of that chunk, as 32 octets.

    The worker of a function makes a stream of it for each input: SHAKE-256(seed of the chunk, SHA-256 of the
    input's repr, i) for i = 0, 1, ...
    """
    parts = (bytes.fromhex(text), name.encode(), str(number).encode())
    return hashlib.shake_256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest(32)
