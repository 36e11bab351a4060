"""Tapes: octets that stand for random ones, the same on every machine, so that a sampler's output is determined.

Flips are the bits of the octets, of each octet the most significant first.
"""

from __future__ import annotations

import re
from hashlib import sha256

from refdp.sampling.entropy import flips
from refdp.sampling.tree import Tape
from refdp.sampling.words import Recorded
from refdp.test_vectors.numbers import VectorError, shown

MOST_OCTETS = 4096
HEXADECIMAL = re.compile(r"([0-9a-f]{2})*")
PATTERNS = ("zeros", "ones", "alternating")


def made(label: str, size: int) -> bytes:
    """The octets of a pattern, or else SHA-256 of "label/0", "label/1", ... one after another, cut to the size."""
    if label in PATTERNS:
        return bytes([{"zeros": 0, "ones": 255, "alternating": 170}[label]]) * size
    blocks = (sha256(f"{label}/{i}".encode()).digest() for i in range(size // 32 + 1))
    return b"".join(blocks)[:size]


def octets_of(text: object) -> bytes:
    """The octets of a tape; VectorError where it is no hexadecimal text of even length in lower case, or too long."""
    if not isinstance(text, str) or len(text) > 2 * MOST_OCTETS or not HEXADECIMAL.fullmatch(text):
        raise VectorError(f"tape must be at most {MOST_OCTETS} octets in hexadecimal, got {shown(text)}")
    return bytes.fromhex(text)


def tape_of_flips(content: bytes) -> Tape:
    """The flips of the octets, in order."""
    return Tape(flips(content) if content else b"")


def record_of(content: bytes) -> Recorded:
    """The octets, for samplers that read words."""
    return Recorded(content)
