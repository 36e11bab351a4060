"""Recipes: trees of names, constants, calls, attributes and items, built with the names of one library.

A recipe is never evaluated as Python.  A name is one that the family offers; nothing that starts with an underscore is
reached; what is taken from a module must belong to the library.  `x` is the input, `n` the number of draws.
"""

from __future__ import annotations

import operator
import types
from typing import Any

FREE = ("x", "n")
"""The names that are bound at each call."""
TYPES = {"bool": bool, "float": float, "int": int, "str": str}
"""The types that every recipe may name."""
BINARY = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow,
    ">>": operator.rshift, "//": operator.floordiv,
}  # fmt: skip
"""Sign -> operation."""


class RecipeError(ValueError):
    """A recipe asks for what the family does not offer."""


def names_in(tree: Any) -> set[str]:
    """The names in a recipe."""
    if isinstance(tree, dict):
        mine = {tree["name"]} if tree.get("is") == "name" else set()
        return mine.union(*map(names_in, tree.values()))
    return set().union(*map(names_in, tree)) if isinstance(tree, (list, tuple)) else set()


def free_names(tree: Any) -> set[str]:
    """The names of FREE in a recipe."""
    return names_in(tree) & set(FREE)


def built(tree: dict[str, Any], names: dict[str, Any], library: str) -> Any:
    """What the recipe gives with these names; RecipeError where it asks for what is not offered."""
    return Builder(names, library).value(tree)


class Builder:
    """Builds recipes with the names of one library."""

    def __init__(self, names: dict[str, Any], library: str) -> None:
        self.names, self.library = {**TYPES, **names}, library

    def value(self, tree: dict[str, Any]) -> Any:
        """The value of a tree."""
        return getattr(self, "_" + str(tree["is"]))(tree)

    def _constant(self, tree: dict[str, Any]) -> Any:
        return tree["value"]

    def _name(self, tree: dict[str, Any]) -> Any:
        if tree["name"] not in self.names:
            raise RecipeError(f"{self.library} has no {tree['name']}")
        return self.names[tree["name"]]

    def _attribute(self, tree: dict[str, Any]) -> Any:
        owner, name = self.value(tree["of"]), str(tree["attribute"])
        if name.startswith("_"):
            raise RecipeError(f"names with an underscore in front are not reached, got {name}")
        if not hasattr(owner, name):
            raise RecipeError(f"{getattr(owner, '__name__', type(owner).__name__)} has no {name}")
        found = getattr(owner, name)
        if isinstance(owner, types.ModuleType) and not self._at_home(found):
            raise RecipeError(f"{name} does not belong to {self.library}")
        return found

    def _at_home(self, found: Any) -> bool:
        """Whether something taken from a module belongs to the library."""
        home = found.__name__ if isinstance(found, types.ModuleType) else getattr(found, "__module__", None)
        return isinstance(home, str) and home.split(".")[0] == self.library.split(".")[0]

    def _call(self, tree: dict[str, Any]) -> Any:
        keywords = {name: self.value(argument) for name, argument in tree["keywords"]}
        return self.value(tree["function"])(*[self.value(a) for a in tree["arguments"]], **keywords)

    def _item(self, tree: dict[str, Any]) -> Any:
        return self.value(tree["of"])[self.value(tree["index"])]

    def _list(self, tree: dict[str, Any]) -> Any:
        return [self.value(t) for t in tree["items"]]

    def _tuple(self, tree: dict[str, Any]) -> Any:
        return tuple(self.value(t) for t in tree["items"])

    def _dict(self, tree: dict[str, Any]) -> Any:
        return {self.value(k): self.value(v) for k, v in tree["items"]}

    def _binary(self, tree: dict[str, Any]) -> Any:
        return BINARY[tree["sign"]](self.value(tree["left"]), self.value(tree["right"]))

    def _negative(self, tree: dict[str, Any]) -> Any:
        return -self.value(tree["of"])
