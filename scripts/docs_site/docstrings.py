"""Docstrings as Markdown.  They are plain text: mathematics in them must come out as it was written."""

import re
from collections.abc import Iterator
from inspect import cleandoc

SPECIAL = re.compile(r"([\\*_\[\]<>#|$~])")
CODE = re.compile(r"(`+[^`]+`+)")


def markdown(docstring: str) -> str:
    """Paragraphs, with what is set apart (an example, a line of inference, a list) as it stands.

    >>> markdown("P[x] <= 1 by `f_1`.")
    'P\\\\[x\\\\] \\\\<= 1 by `f_1`.'
    """
    return "\n\n".join(block for paragraph in paragraphs(docstring) for block in blocks(paragraph))


def paragraphs(docstring: str) -> list[list[str]]:
    """What empty lines part, as lines."""
    return [part.split("\n") for part in re.split(r"\n\s*\n", cleandoc(docstring)) if part.strip()]


def blocks(lines: list[str]) -> Iterator[str]:
    """A paragraph: an example, text that was set apart by its indentation, or sentences."""
    if lines[0].lstrip().startswith(">>>"):
        yield fenced("pycon", cleandoc("\n".join(lines)))
    elif any(line.startswith(("  ", "---")) for line in lines):
        yield fenced("text", "\n".join(lines))
    else:
        yield escaped(" ".join(lines))


def fenced(language: str, text: str) -> str:
    """A block of code."""
    return f"```{language}\n{text}\n```"


def escaped(text: str) -> str:
    """The text with what Markdown would read as its own; `code` stays code."""
    return "".join(part if part.startswith("`") else SPECIAL.sub(r"\\\1", part) for part in CODE.split(text))
