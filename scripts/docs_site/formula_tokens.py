"""LaTeX as a row of tokens, read from the left."""

import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<row>\\\\(?:\[(?P<gap>[0-9.]+em)\])?)"
    r"|(?P<text>\\(?:text|mathrm)\{(?P<inside>(?:[^{}\\$]|\\_)*)\})"
    r"|(?P<environment>\\(?:begin|end)\{aligned\})"
    r"|(?P<command>\\[A-Za-z]+|\\.)"
    r"|(?P<number>(?<=frac)[0-9]|[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<sign>.)",
    re.DOTALL,
)
Token = re.Match[str]


class NotUnderstood(ValueError):
    """LaTeX that the tables of formula_words do not hold."""


def tokens(latex: str) -> list[Token]:
    """The tokens of a formula; spaces between them say nothing."""
    return [token for token in TOKEN.finditer(latex) if token.lastgroup and not token["space"]]


@dataclass
class Tokens:
    """Tokens, and how far they are read."""

    tokens: list[Token]
    at: int = 0

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def take(self) -> Token:
        if self.at >= len(self.tokens):
            raise NotUnderstood("the formula ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, sign: str) -> None:
        if (token := self.take())[0] != sign:
            raise NotUnderstood(f"{sign} was expected, got {token[0]}")
