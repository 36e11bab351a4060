"""What tells one text from every other."""

from __future__ import annotations

import hashlib


def digest(text: str) -> str:
    """The SHA-256 of a text, and that it is one.

    >>> digest("")[:20]
    'sha256 e3b0c44298fc1'
    """
    return f"sha256 {hashlib.sha256(text.encode()).hexdigest()}"
