"""Docstrings as Markdown.  They are plain text: mathematics in them must come out as it was written."""

import re
from collections.abc import Iterator
from inspect import cleandoc

SPECIAL = re.compile(r"([\\*_\[\]#])")
LIST = re.compile(r"^([-+]|\d+(?=[.)]))(?=\S?\s)")
ENTITIES = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;", "$": "&#36;"})
CODE = re.compile(r"(`+[^`]+`+)")


def markdown(docstring: str) -> str:
    """Paragraphs, with what is set apart (an example, a line of inference, a list) as it stands.

    >>> markdown("P[x] <= 1 by `f_1`.")
    'P\\\\[x\\\\] &lt;= 1 by `f_1`.'
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
        yield fenced("text", "\n".join(["  " + lines[0].lstrip(), *lines[1:]] if is_inference(lines) else lines))
    else:
        yield escaped(" ".join(lines))


def is_inference(lines: list[str]) -> bool:
    """Whether the lines are an inference line, whose first line loses its indentation with the quotes before it."""
    return any(line.startswith("---") for line in lines[1:])


def fenced(language: str, text: str) -> str:
    """A block of code."""
    return f"```{language}\n{text}\n```"


def escaped(text: str) -> str:
    """The text with what Markdown would read as its own; `code` stays code."""
    parts = (part if part.startswith("`") else plain(part) for part in CODE.split(text))
    return LIST.sub(lambda sign: f"{sign[0]}\\" if sign[0].isdigit() else f"\\{sign[0]}", "".join(parts))


def plain(text: str) -> str:
    """Text without code, escaped."""
    return SPECIAL.sub(r"\\\1", text).translate(ENTITIES)
