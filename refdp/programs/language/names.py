"""What names stand for, and what they and other nodes are called."""

from __future__ import annotations

import ast

from refdp.programs.adjacency import LENGTH
from refdp.programs.language.context import Context
from refdp.programs.syntax import Data

TAKEN = frozenset({str(LENGTH.value), "draw", "data", "other", "others", "public", "cost", "rest", "change"})
"""Names that conditions use for something else, by themselves or with a number after a dot."""
KINDS = {
    "ListComp": "a list comprehension",
    "GeneratorExp": "a generator",
    "List": "a list",
    "Dict": "a dictionary",
    "Set": "a set",
    "Tuple": "a tuple",
    "Lambda": "lambda",
    "Subscript": "an index into something other than the data",
    "Attribute": "an attribute",
    "JoinedStr": "an f-string",
    "NamedExpr": ":=",
    "Yield": "the value of yield",
    "YieldFrom": "yield from",
    "Await": "await",
    "Starred": "*",
    "Slice": "a slice",
}
"""What nodes are called that are not read."""


def kind(node: ast.AST) -> str:
    """What a node is called."""
    return KINDS.get(type(node).__name__, type(node).__name__)


def own(context: Context, name: str) -> str:
    """What a variable is called: T.own where the parameter T is assigned, own.T where the name T is taken.

    Provers tell draws and data by how names begin.
    """
    if name in TAKEN:
        return f"own.{name}"
    return f"{name}.own" if name in {*context.parameters, context.data.name} else name


def datum(data: Data) -> str:
    """What data that are one number are called in the program."""
    return f"{data.name}.read" if data.name in TAKEN else data.name


def is_data(context: Context, name: str) -> bool:
    """Whether a name stands for data that are a list."""
    return context.bound is None and name == context.data.name and context.data.is_list


def is_list(context: Context, name: str) -> bool:
    """Whether a name stands for a list that is made by the function."""
    return context.bound is None and name in context.lists


def is_local(context: Context, name: str) -> bool:
    """Whether a name stands for a variable or a parameter, and so for no function."""
    if context.bound is not None:
        return name in context.bound
    return name in context.locals or name in context.parameters or name == context.data.name
