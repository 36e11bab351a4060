"""A uniform choice among few things, by digits of the operating system."""

from __future__ import annotations

from refdp.sampling.words import SYSTEM_WORDS, Source


def below(count: int, source: Source = SYSTEM_WORDS) -> int:
    """A whole number from 0 to count - 1, each as likely: digits are drawn until they are one.

    >>> below(1)
    0
    """
    if count < 1:
        raise ValueError(f"count must be >= 1, got {count}")
    size = (count - 1).bit_length()
    while True:
        found = source.digits(size) if size else 0
        if found < count:
            return found
