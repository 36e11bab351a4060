"""A function as the text in a file: found by name, parsed, never run."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

LARGEST_FILE = 1_000_000
"""Largest source file that is read, in bytes."""


class Unsupported(ValueError):
    """A construct that is not read, with its place and what to write instead."""


class NotAFold(ValueError):
    """A function that is read, but is not passes over the rows that keep a state of fixed size."""


@dataclass(frozen=True, slots=True)
class Source:
    """A function's definition within the text of a file."""

    path: str
    """Where the text comes from, for messages."""
    text: str
    name: str
    tree: ast.FunctionDef
    module: ast.Module

    def unsupported(self, node: ast.AST, construct: str, instead: str) -> Unsupported:
        """`query.py:12:4: a while loop is not read; write ...`."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
        return Unsupported(f"{self.path}:{line}:{column}: {construct} is not read; {instead}")

    def not_a_fold(self, node: ast.AST, reason: str) -> NotAFold:
        """`query.py:12:4: sorted(rows) needs all rows at once`."""
        return NotAFold(f"{self.path}:{getattr(node, 'lineno', 1)}:{getattr(node, 'col_offset', 0) + 1}: {reason}")


def read_source(target: str) -> Source:
    """The function that FILE.py:FUNCTION names.  ValueError where there is no such file or function."""
    path, colon, name = target.rpartition(":")
    if not colon or not path.endswith(".py") or not name.isidentifier():
        raise ValueError(f"the query must be FILE.py:FUNCTION, got {target}")
    with Path(path).open("rb") as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise ValueError(f"{path} must have at most {LARGEST_FILE} bytes")
    try:
        return parse_source(content.decode("utf-8-sig"), name, path)
    except UnicodeDecodeError:
        raise ValueError(f"{path} must be UTF-8 text") from None


def parse_source(text: str, name: str, path: str = "<text>") -> Source:
    """The function `name` that stands at the top level of the text.  ValueError where there is none."""
    try:
        module = ast.parse(text, path)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f":{error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise ValueError(f"{path}{line} must be Python, got {error.args[0] if error.args else error}") from None
    found = [n for n in module.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) and n.name == name]
    defined = [n.name for n in module.body if isinstance(n, ast.FunctionDef)]
    if not found:
        raise ValueError(f"{path} must define the function {name}, got {', '.join(defined) or 'no function'}")
    if not isinstance(found[-1], ast.FunctionDef):
        raise ValueError(f"{path} must define {name} as an ordinary function, got an async one")
    return Source(path, text, name, found[-1], module)
