"""Variants of the library's programs, made by replacing parts of their text."""

import ast
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from refdp.programs.question import Question

IMPORTS = """from refdp.programs import (
    ALL, L1, L2, MONO, ONE, bernoulli, choice, claim, discrete_laplace, each, exp, exponential, gaussian, laplace,
    uniform,
)
"""
PREDICATES = """

def two_apart(x, y):
    return abs(x - y) <= 2


def anything(x, y):
    return True


def two_apart_within_one(x, y):
    return abs(x) <= 1 and abs(y) <= 1 and abs(x - y) <= 2


def two_apart_up_to_five(x, y):
    return 0 <= x <= 5 and 0 <= y <= 5 and abs(x - y) <= 2
"""


@dataclass(frozen=True)
class Variant:
    """A program of the library with parts of its text replaced, and what is true of it by thought."""

    function: str
    claim: int
    """Which of its claims, from the top."""
    change: str
    edits: tuple[str, ...]
    """`old -> new`; each old text stands once in the function and its claim."""
    holds: bool = False

    @property
    def name(self) -> str:
        """The program and the change."""
        return f"{self.function}, {self.change}"

    @property
    def question(self) -> Question:
        """What is asked about it.  ValueError where an edit does not fit the text."""
        helpers, text = written(self.function, self.claim)
        for edit in self.edits:
            old, arrow, new = edit.partition(" -> ")
            if not arrow or text.count(old) != 1:
                raise ValueError(f"{old!r} must stand once in {self.function}, got {text.count(old)}")
            text = text.replace(old, new)
        return Question(IMPORTS + PREDICATES + helpers + "\n\n" + text + "\n", self.function, 0)


def wrong(change: str, *edits: str) -> tuple[str, tuple[str, ...], bool]:
    """A change after which the claim is false."""
    return change, edits, False


def right(change: str, *edits: str) -> tuple[str, tuple[str, ...], bool]:
    """A change after which the claim is still true."""
    return change, edits, True


def of(function: str, *changes: tuple[str, tuple[str, ...], bool], claim: int = 0) -> list[Variant]:
    """Variants of one program."""
    return [Variant(function, claim, change, edits, holds) for change, edits, holds in changes]


@cache
def written(function: str, claim: int) -> tuple[str, str]:
    """The predicates beside a function of the library, and its text with one of its claims."""
    text, tree, found = next(
        (text, tree, node)
        for text, tree in library()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == function
    )
    helpers = [one for one in tree.body if isinstance(one, ast.FunctionDef) and not one.decorator_list]
    shown = "".join(f"\n\n{ast.get_source_segment(text, one)}\n" for one in helpers)
    claimed = ast.get_source_segment(text, found.decorator_list[claim])
    return shown, f"@{claimed}\n{ast.get_source_segment(text, found)}"


def expectations() -> list[tuple[str, int, str]]:
    """Every claim of the library with what is expected of it: the function, which of its claims, the verdict."""
    return [
        (function.name, number, ast.literal_eval(word.value))
        for _, tree in library()
        for function in tree.body
        if isinstance(function, ast.FunctionDef)
        for number, decorator in enumerate(function.decorator_list)
        if isinstance(decorator, ast.Call)
        for word in decorator.keywords
        if word.arg == "expected"
    ]


@cache
def library() -> list[tuple[str, ast.Module]]:
    """The text and the syntax of each file of the library."""
    folder = files("refdp.programs.library")
    found = [one.read_text(encoding="utf-8") for one in folder.iterdir() if one.name.endswith(".py")]
    return [(text, ast.parse(text)) for text in found]
