"""Names of the module around the function: imports, functions and constants, as data; nothing is executed.

A constant is read where its one definition stands.  It must be the same whenever the function is called: it is bound
once, and if it is a list, dict or set then no place in the file can change it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from refdp.sensitivities.language.concrete.values import Exceptional, Library, Module
from refdp.sensitivities.language.source import Source

MODULES = frozenset(
    {
        "math",
        "statistics",
        "numpy",
        "collections",
        "itertools",
        "functools",
        "operator",
        "fractions",
        "typing",
        "bisect",
        "heapq",
    }
)
"""Modules some of whose functions are known."""
POWERFUL = frozenset(
    {"exec", "eval", "setattr", "delattr", "globals", "vars", "__import__", "__builtins__", "builtins"}
)
"""Names with which a file can change what other names mean."""
READING_CALLS = frozenset(
    {"len", "sum", "min", "max", "sorted", "enumerate", "zip", "list", "tuple", "set", "dict", "range", "any", "all"}
)
READING_METHODS = frozenset({"get", "items", "keys", "values", "index", "count"})
INNER = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
    ast.ClassDef,
)  # fmt: skip
"""What has names of its own."""
Definition = ast.FunctionDef | ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign


class Unclear(ValueError):
    """The meaning of a name cannot be read from the text."""


@dataclass(frozen=True, slots=True)
class Bindings:
    """Which statements bind the names of the module."""

    places: Mapping[str, tuple[ast.AST, ...]]
    rebound: frozenset[str]
    """Names that a function declares global."""
    powerful: str
    """A name with which the file can change what names mean; empty where there is none."""


@lru_cache(maxsize=100)
def bindings(source: Source) -> Bindings:
    """What binds each name outside functions, or sets an attribute of it anywhere."""
    nodes = list(ast.walk(source.module))
    inner = {id(node) for function in nodes if isinstance(function, INNER) for node in ast.walk(function)}
    inner -= {id(node) for node in source.module.body}
    places: dict[str, tuple[ast.AST, ...]] = {}
    for node in nodes:
        if id(node) not in inner or any(isinstance(t, ast.Attribute) for t in _targets(node)):
            for name in binds(node):
                places[name] = (*places.get(name, ()), node)
    rebound = frozenset(name for node in nodes if isinstance(node, ast.Global) for name in node.names)
    powerful = sorted(POWERFUL & {node.id for node in nodes if isinstance(node, ast.Name)})
    return Bindings(places, rebound, powerful[0] if powerful else "")


def definition(source: Source, name: str) -> Definition | None:
    """The one statement of the module that binds the name; None where none does.  Unclear where several do."""
    known = bindings(source)
    if known.powerful:
        raise Unclear(f"{known.powerful}, which can change what a name means,")
    if "*" in known.places:
        raise Unclear("import *")
    found = known.places.get(name, ())
    if len(found) > 1 or name in known.rebound or found and not any(node is found[0] for node in source.module.body):
        raise Unclear(f"{name}, which is bound more than once or within a branch,")
    if found and not isinstance(found[0], Definition):
        raise Unclear(f"{name}, which is not a constant, a function or an import,")
    return found[0] if found and isinstance(found[0], Definition) else None


def binds(node: ast.AST) -> set[str]:
    """The names that a statement (or := or an exception handler) binds, and those whose attributes it sets."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.ExceptHandler):
        return {node.name} if node.name else set()
    targets = _targets(node)
    names = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names | {n.value.id for t in targets for n in ast.walk(t)
                    if isinstance(n, ast.Attribute | ast.Subscript) and isinstance(n.value, ast.Name)}  # fmt: skip


def _targets(node: ast.AST) -> list[ast.expr]:
    """What a node assigns to or deletes."""
    if isinstance(node, ast.Assign | ast.Delete):
        return node.targets
    if isinstance(node, ast.AnnAssign | ast.AugAssign | ast.For | ast.AsyncFor | ast.NamedExpr):
        return [node.target]
    if isinstance(node, ast.With | ast.AsyncWith):
        return [item.optional_vars for item in node.items if item.optional_vars is not None]
    return []


def imported(node: ast.Import | ast.ImportFrom, name: str) -> Any:
    """What an import binds the name to.  Unclear where that is not known."""
    for alias in node.names:
        if (alias.asname or alias.name.partition(".")[0]) != name:
            continue
        whole = alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"
        root = whole.partition(".")[0]
        if root not in MODULES or isinstance(node, ast.ImportFrom) and node.level:
            raise Unclear(f"{whole}, which is not known,")
        if isinstance(node, ast.Import) and "." in whole:
            raise Unclear(f"{whole}, which may not be there,")
        if isinstance(node, ast.Import):
            return Module(whole if alias.asname else root)
        return Exceptional("StatisticsError", True) if whole == "statistics.StatisticsError" else Library(whole)
    raise Unclear(name)


@lru_cache(maxsize=1_000)
def is_only_read(source: Source, name: str) -> bool:
    """Whether no place in the file can change the list, dict or set that the name stands for.

    Every mention reads it: NAME[...], `for x in NAME`, `x in NAME`, len(NAME), NAME.get(...) and the like.
    """
    parents = _parents(source)
    for node in ast.walk(source.module):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            parent = parents[id(node)]
            if not _reads(node, parent, parents.get(id(parent))):
                return False
    return True


@lru_cache(maxsize=10)
def _parents(source: Source) -> Mapping[int, ast.AST]:
    """What each node stands in; nodes live as long as the source."""
    return {id(child): node for node in ast.walk(source.module) for child in ast.iter_child_nodes(node)}


def _reads(node: ast.Name, parent: ast.AST, above: ast.AST | None) -> bool:
    """Whether this mention only reads."""
    if isinstance(parent, ast.Subscript):
        return parent.value is not node or isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.For | ast.comprehension):
        return parent.iter is node
    if isinstance(parent, ast.Compare):
        return True
    if isinstance(parent, ast.Attribute):
        return parent.attr in READING_METHODS and isinstance(above, ast.Call) and above.func is parent
    return isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id in READING_CALLS


def is_fixed(value: Any) -> bool:
    """Whether nothing can change the value."""
    if isinstance(value, tuple | frozenset):
        return all(map(is_fixed, value))
    return not isinstance(value, list | dict | set)


def is_flat(value: Any) -> bool:
    """Whether the value is fixed, or a list, dict or set of fixed values."""
    if isinstance(value, dict):
        return all(is_fixed(v) for v in value.values())
    return is_fixed(value) or isinstance(value, list | set) and all(map(is_fixed, value))


def builtin(name: str) -> Any:
    """The builtin of that name; Unclear where there is none."""
    found = getattr(builtins, name, None)
    if isinstance(found, type) and issubclass(found, BaseException):
        return Exceptional(name, True)
    if found is None or not callable(found):
        raise Unclear(f"the name {name}")
    return Library(name)
