"""Reads a page of Markdown as a sequence of things to run: its fenced blocks, and the commands in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, lines, and the line before it, a comment that says what to do with the block.

    `<!-- not run -->` leaves it out, `<!-- exits 1 -->` is the exit code of its last command, and `<!-- file: NAME -->`
    makes it a file that the commands below may use.
    """

    language: str
    lines: tuple[str, ...]
    before: str

    @property
    def is_run(self) -> bool:
        """Whether the page does not say that the block is not run."""
        return self.before != "<!-- not run -->"

    @property
    def file(self) -> str | None:
        """The name of the file that the block is, from the folder where the commands run."""
        said = re.fullmatch(r"<!-- file: (\S+) -->", self.before)
        return said[1] if said else None

    @property
    def exit_code(self) -> int:
        """What the last command of the block exits with."""
        said = re.fullmatch(r"<!-- exits (\d+) -->", self.before)
        return int(said[1]) if said else 0


@dataclass(frozen=True, slots=True)
class Command:
    """A command after `$ `, and the output that the page shows below it (none: any output will do)."""

    text: str
    output: str


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of the page, in order."""
    before, language, lines = "", None, []
    for line in page.splitlines():
        if language is None and line.startswith("```"):
            language, lines = line.removeprefix("```").strip(), []
        elif language is not None and line.startswith("```"):
            yield Block(language, tuple(lines), before)
            before, language = "", None
        elif language is not None:
            lines.append(line)
        elif line.strip():
            before = line.strip()


def commands(block: Block) -> Iterator[Command]:
    """The commands of a block; a line that ends in a backslash goes on in the next."""
    rest = list(block.lines)
    while rest:
        first = rest.pop(0)
        if not first.startswith("$ "):
            raise ValueError(f"a console block must begin with '$ ', got {first!r}")
        text = [first.removeprefix("$ ")]
        while text[-1].endswith("\\") and rest:
            text.append(rest.pop(0))
        end = next((i for i, line in enumerate(rest) if line.startswith("$ ")), len(rest))
        yield Command("\n".join(text), "\n".join(rest[:end]))
        del rest[:end]


def agrees(shown: str, got: str) -> bool:
    """Whether the output is the one shown: `...` stands for anything, white space and seconds do not count."""
    if not shown.strip():
        return True
    want, have = (re.sub(r"\b\d+(\.\d+)?( ?s| seconds)\b", "0 s", text).strip() for text in (shown, got))
    return OutputChecker().check_output(want, have, ELLIPSIS | NORMALIZE_WHITESPACE)
