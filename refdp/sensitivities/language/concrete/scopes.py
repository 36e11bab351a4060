"""Where names live: a scope for each call of a function and for each comprehension."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from refdp.sensitivities.language.concrete.failures import Raised

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(slots=True, eq=False)
class Scope:
    """The names that are bound here, and the scope around it; beyond the outermost are the module's names."""

    local: frozenset[str]
    outer: Scope | None = None
    is_comprehension: bool = False
    values: dict[str, Any] = field(default_factory=dict)

    def owner(self, name: str) -> Scope | None:
        """The scope in which the name lives; None for a name of the module."""
        scope: Scope | None = self
        while scope is not None and name not in scope.local:
            scope = scope.outer
        return scope

    def value(self, name: str) -> Any:
        """The value of a name that lives here; Raised where it has none yet."""
        if name not in self.values:
            raise Raised("UnboundLocalError")
        return self.values[name]

    def store(self, name: str, value: Any) -> None:
        """Bind a name where it lives."""
        (self.owner(name) or self).values[name] = value

    def function_scope(self) -> Scope:
        """The scope of the function around this one, where := binds."""
        scope = self
        while scope.is_comprehension and scope.outer is not None:
            scope = scope.outer
        return scope


@lru_cache(maxsize=16)
def within_others(module: ast.Module) -> frozenset[int]:
    """The nodes, by their identity, that stand in a comprehension, a lambda or a function in a function.

    A name of the function around that is read there and has no value yet raises NameError or UnboundLocalError: that
    depends on the version of Python.
    """
    found: set[int] = set()
    for outer in ast.walk(module):
        inner = ast.walk(outer) if isinstance(outer, FUNCTIONS) else ()
        for node in (outer, *inner):
            if isinstance(node, (*COMPREHENSIONS, ast.Lambda)) or (node is not outer and isinstance(node, FUNCTIONS)):
                found.update(map(id, ast.walk(node)))
    return frozenset(found)


NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)
"""What binds its `name`, if it has one."""


def bound_names(body: Iterable[ast.AST]) -> frozenset[str]:
    """The names that statements bind in their own scope: not those of functions and comprehensions within."""
    found: set[str] = set()
    shared: set[str] = set()
    for node in _own(body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            found.add(node.id)
        elif isinstance(node, NAMED):
            found.update([node.name] if node.name else [])
        elif isinstance(node, ast.MatchMapping):
            found.update([node.rest] if node.rest else [])
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.Nonlocal):
            shared.update(node.names)
    return frozenset(found - shared)


def _own(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of one scope."""
    for node in body:
        yield node
        if isinstance(node, COMPREHENSIONS):
            yield from _bound_through(node)
        elif not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield from _own(ast.iter_child_nodes(node))


def _bound_through(node: ast.AST) -> Iterator[ast.AST]:
    """The targets of := within a comprehension."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.NamedExpr):
            yield inner.target
