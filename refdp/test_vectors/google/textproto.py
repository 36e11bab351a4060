"""Protocol buffers in text: fields, messages and lists, as plain data; numbers stay text.

Every field is repeated: name -> the values in order.  Source: the text format of protocol buffers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from refdp.test_vectors.numbers import VectorError

LARGEST = 4_000_000
"""Most characters of a text."""
DEEPEST = 16
TOKEN = re.compile(
    r"""\s+|\#[^\n]*|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<word>[-+]?[A-Za-z0-9_.][A-Za-z0-9_.+-]*)|(?P<sign>[{}\[\]:,;<>])"""
)
Message = dict[str, list[Any]]


class Reader:
    """The tokens of a text, one after another."""

    def __init__(self, text: str) -> None:
        if len(text) > LARGEST:
            raise VectorError(f"a text of messages must have at most {LARGEST} characters, got {len(text)}")
        self._tokens, self._next = list(tokens(text)), 0

    @property
    def ahead(self) -> str:
        """The next token, "" at the end."""
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def take(self) -> str:
        """The next token; VectorError at the end."""
        token = self.ahead
        if not token:
            raise VectorError("a text of messages must not end within a message")
        self._next += 1
        return token

    def message(self, end: str, depth: int = 0) -> Message:
        """The fields up to `end`."""
        if depth > DEEPEST:
            raise VectorError(f"messages must be nested at most {DEEPEST} deep, got more")
        found: Message = {}
        while self.ahead != end:
            name = self.take()
            if not name[0].isalpha():
                raise VectorError(f"a field must have a name, got {name[:40]}")
            found.setdefault(name, []).extend(self._values(depth))
            if self.ahead in (",", ";"):
                self.take()
        return found

    def _values(self, depth: int) -> list[Any]:
        """What stands after a field's name: one value, or a list of them."""
        if self.ahead == ":":
            self.take()
        if self.ahead != "[":
            return [self._value(depth)]
        self.take()
        values: list[Any] = []
        while self.ahead != "]":
            values.append(self._value(depth))
            if self.ahead == ",":
                self.take()
        self.take()
        return values

    def _value(self, depth: int) -> Any:
        """A message, or a word or a string as text."""
        token = self.take()
        if token in ("{", "<"):
            end = "}" if token == "{" else ">"
            found = self.message(end, depth + 1)
            self.take()
            return found
        if token[0] in "]}>:,;[":
            raise VectorError(f"a value must stand where {token} does")
        return token[1:-1] if token[0] in "\"'" else token


def tokens(text: str) -> Iterator[str]:
    """Words, strings and signs; comments and spaces are dropped."""
    place = 0
    while place < len(text):
        found = TOKEN.match(text, place)
        if found is None:
            raise VectorError(f"a text of messages must have fields, got {text[place : place + 20]!r}")
        if found.lastgroup is not None:
            yield found.group()
        place = found.end()


def read(text: str) -> Message:
    """The message that a text is.

    >>> read('a: 1 b { c: "x" } a: [2, 3]  # three')
    {'a': ['1', '2', '3'], 'b': [{'c': ['x']}]}
    """
    return Reader(text).message("")
