"""Recipes: what to call, written as a user would write it, read with `ast` and never evaluated here.

A recipe consists of names, numbers, texts, lists, tuples, dictionaries, calls, attributes, items, `+ - * / // **` and
`>>`.  `x` stands for the input and `n` for the number of draws; other free names are filled in by `with_values`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

SIGNS: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Pow: "**", ast.RShift: ">>",
}  # fmt: skip
"""Operations of a recipe and their signs."""
LONGEST = 100_000
"""Most characters of a recipe."""

Tree = dict[str, Any]
"""A recipe as plain data."""


class RecipeError(ValueError):
    """A text is no recipe."""


def recipe(text: str, values: Mapping[str, Any] | None = None) -> Tree:
    """The tree of a recipe, with values for some of its names; RecipeError says what it must not contain.

    >>> recipe("f(1)")["arguments"]
    [{'is': 'constant', 'value': 1}]
    """
    if len(text) > LONGEST:
        raise RecipeError(f"a recipe must have at most {LONGEST} characters, got {len(text)}")
    try:
        return _Reader(values or {}).tree(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, RecipeError):
            raise
        raise RecipeError(f"a recipe must be an expression of Python, got {text[:80]}: {error}") from None


class _Reader:
    """Reads syntax trees as recipes."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def tree(self, node: ast.expr) -> Tree:
        """The recipe of a node."""
        reader = getattr(self, "_" + type(node).__name__.lower(), None)
        if reader is None:
            raise RecipeError(f"a recipe must not contain {type(node).__name__}, got {ast.unparse(node)[:80]}")
        found: Tree = reader(node)
        return found

    def _constant(self, node: ast.Constant) -> Tree:
        if not isinstance(node.value, (bool, int, float, str, bytes, type(None))):
            raise RecipeError(f"a recipe must not contain {node.value!r}")
        return {"is": "constant", "value": node.value}

    def _name(self, node: ast.Name) -> Tree:
        if node.id in self.values:
            return {"is": "constant", "value": self.values[node.id]}
        return {"is": "name", "name": node.id}

    def _attribute(self, node: ast.Attribute) -> Tree:
        if node.attr.startswith("_"):
            raise RecipeError(f"a recipe must not reach names with an underscore in front, got {node.attr}")
        return {"is": "attribute", "of": self.tree(node.value), "attribute": node.attr}

    def _call(self, node: ast.Call) -> Tree:
        if any(keyword.arg is None for keyword in node.keywords):
            raise RecipeError("a recipe must not contain **")
        keywords = [[keyword.arg, self.tree(keyword.value)] for keyword in node.keywords]
        arguments = [self.tree(argument) for argument in node.args]
        return {"is": "call", "function": self.tree(node.func), "arguments": arguments, "keywords": keywords}

    def _subscript(self, node: ast.Subscript) -> Tree:
        return {"is": "item", "of": self.tree(node.value), "index": self.tree(node.slice)}

    def _list(self, node: ast.List) -> Tree:
        return {"is": "list", "items": [self.tree(item) for item in node.elts]}

    def _tuple(self, node: ast.Tuple) -> Tree:
        return {"is": "tuple", "items": [self.tree(item) for item in node.elts]}

    def _dict(self, node: ast.Dict) -> Tree:
        if None in node.keys:
            raise RecipeError("a recipe must not contain **")
        keys = [key for key in node.keys if key is not None]
        return {"is": "dict", "items": [[self.tree(k), self.tree(v)] for k, v in zip(keys, node.values, strict=True)]}

    def _binop(self, node: ast.BinOp) -> Tree:
        if type(node.op) not in SIGNS:
            raise RecipeError(f"a recipe must not contain {ast.unparse(node)[:80]}")
        sides = {"left": self.tree(node.left), "right": self.tree(node.right)}
        return {"is": "binary", "sign": SIGNS[type(node.op)], **sides}

    def _unaryop(self, node: ast.UnaryOp) -> Tree:
        if not isinstance(node.op, ast.USub):
            raise RecipeError(f"a recipe must not contain {ast.unparse(node)[:80]}")
        return {"is": "negative", "of": self.tree(node.operand)}
