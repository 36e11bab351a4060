"""Texts that theorems are about, by their digests: a user's file is brought as data, and a rule names it.

A text is known by what it says, so it does not matter who brought it.
"""

from __future__ import annotations

import hashlib

from refdp.kernel.judgements import KernelError

READER = 1
"""The version of refdp's reading of Python: it is raised where a text comes to be read otherwise."""
LARGEST_SOURCE = 500_000
"""Longest text, in bytes."""

_TEXTS: dict[str, str] = {}


def digest_of(text: str) -> str:
    """What tells this text, as this version of refdp reads it, from every other."""
    return hashlib.sha256(f"refdp reads Python {READER}\n{text}".encode()).hexdigest()


def bring(text: str) -> str:
    """Make the text known; its digest.  KernelError where it is too long, or no text that can be written down."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise KernelError("a source must be text that UTF-8 can write") from None
    if size > LARGEST_SOURCE:
        raise KernelError(f"a source must have at most {LARGEST_SOURCE} bytes, got {size}")
    digest = digest_of(text)
    _TEXTS[digest] = text
    return digest


def source_of(digest: str) -> str:
    """The text of that digest; KernelError unless it was brought."""
    if digest not in _TEXTS:
        raise KernelError(f"no source has the digest {digest[:80]}")
    return _TEXTS[digest]
