"""Differences as people write them: a - b, where the text of a term has a + (-1*b)."""

from __future__ import annotations

import re

MINUS = " + (-1*"
NEGATIVE = re.compile(r" \+ -(?=\d)")
"""A negative number that is added."""
PRODUCT = re.compile(r"\(([^()+-]*)\)")
"""What needs no parentheses after a minus sign."""


def differences(text: str) -> str:
    """The text of a term with minus signs; certificates keep the text that is read back.

    >>> differences("(upper + (-1*lower))/n"), differences("a + (-1*(b + (-1*(2*c)))) + -1")
    ('(upper - lower)/n', 'a - (b - 2*c) - 1')
    """
    start = text.rfind(MINUS)
    while start >= 0:
        begin = start + len(MINUS)
        end = closing(text, begin)
        inner = PRODUCT.fullmatch(text[begin:end])
        text = f"{text[:start]} - {inner[1] if inner else text[begin:end]}{text[end + 1 :]}"
        start = text.rfind(MINUS)
    return NEGATIVE.sub(" - ", text)


def closing(text: str, begin: int) -> int:
    """Where the parenthesis ends that is open at `begin`; the end of the text where it is left open."""
    depth = 1
    for place in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return len(text)
