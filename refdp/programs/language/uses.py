"""What the lists of a function are used for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from refdp.programs.language.module import Module

MEASURES = frozenset({"max", "min", "sum", "len", "any", "all", "argmax", "choice", "argmax.", "argmin."})


def list_uses(body: Iterable[ast.stmt], home: Module) -> Mapping[str, frozenset[str]]:
    """Each variable that a list is assigned to, with "output", "choice", "max", "sum" and so on as it is used."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    found: dict[str, set[str]] = {}
    for node in nodes:
        match node:
            case ast.Assign([ast.Name(name)], ast.List()) | ast.AnnAssign(ast.Name(name), value=ast.List()):
                found[name] = set()
    for node in nodes:
        for name, use in _uses(node, home):
            if name in found:
                found[name].add(use)
    return {name: frozenset(uses) for name, uses in found.items()}


def _uses(node: ast.AST, home: Module) -> Iterable[tuple[str, str]]:
    """The uses of lists at a node, whatever a function of refdp.programs is called in this file."""
    match node:
        case ast.Call(ast.Name(written) | ast.Attribute(attr=written) as called, [ast.Name(name)]):
            function = home.own(called) or written
            if function in MEASURES:
                yield name, function.removesuffix(".")
        case ast.Return(value):
            for one in value.elts if isinstance(value, ast.Tuple) else [value]:
                if isinstance(one, ast.Name):
                    yield one.id, "output"
        case ast.If(test) | ast.While(test) | ast.IfExp(test) | ast.UnaryOp(ast.Not(), test):
            if isinstance(test, ast.Name):
                yield test.id, "len"
