"""Where a function may use numpy: numpy's numbers become Python's own at once, as in `float(numpy.clip(row, 0, 5))`.

numpy's truth values add as "any_of" does and have no minus; its numbers are divided by 0 without an exception, are no
instances of int, have no negative powers and equal lists of themselves.  None of them gets further than the call.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache

from refdp.sensitivities.language.source import Source, bound_by

CONVERSIONS = ("float", "int")
CONSTANTS = ("inf", "nan", "pi", "e")
"""Names of numpy that are numbers of Python's own."""
ADVICE = "write float(...) or int(...) around its call"


@dataclass(frozen=True, slots=True)
class Imported:
    """What a file imports of numpy, wherever the import stands."""

    names: frozenset[str]
    """The names that stand for numpy, a part of it or one of its functions; constants are numbers of Python's own."""
    aliases: frozenset[int]
    """The identities of the nodes that bind them."""


@lru_cache(maxsize=100)
def numpy_of(source: Source) -> Imported:
    """What the file imports of numpy; the tree is asked, as Python takes wide letters in an import for plain ones."""
    names: set[str] = set()
    aliases: set[int] = set()
    for node in ast.walk(source.module):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for one in node.names:
                path = f"{node.module}.{one.name}" if isinstance(node, ast.ImportFrom) else one.name
                if path.partition(".")[0] == "numpy":
                    aliases.add(id(one))
                    names |= set() if path in {f"numpy.{name}" for name in CONSTANTS} else set(bound_by(one))
    return Imported(frozenset(names), frozenset(aliases))


@lru_cache(maxsize=100)
def insist_on_own_numbers(source: Source) -> None:
    """Unsupported where the function, or what it reaches, uses numpy other than directly within float() or int()."""
    imported = numpy_of(source)
    if not imported.names:
        return
    own: set[int] = set()
    """The nodes that name numpy where none of its numbers is kept."""
    for node in ast.walk(source.module):
        for name in (node.arg,) if isinstance(node, ast.arg) else bound_by(node):
            if name in CONVERSIONS or (name in imported.names and id(node) not in imported.aliases):
                raise source.unsupported(node, f"another meaning of {name} beside numpy", "choose another name")
        match node:
            case ast.Call(ast.Name(name), [ast.Call(ast.Name() as function)], []) if name in CONVERSIONS:
                own.add(id(function))
            case ast.Call(ast.Name(name), [ast.Call(ast.Attribute(module))], []) if name in CONVERSIONS:
                own.add(id(module))
            case ast.Attribute(ast.Name() as module, name) if name in CONSTANTS:
                own.add(id(module))
    for statement in _reached(source):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and node.id in imported.names and id(node) not in own:
                raise source.unsupported(node, "a number of numpy that is kept", ADVICE)


def _reached(source: Source) -> list[ast.stmt]:
    """The statements at the top of the file that the function reaches by name, itself among them."""
    found: list[ast.stmt] = []
    waiting: list[ast.stmt] = [source.tree]
    while waiting:
        one = waiting.pop()
        if not any(one is other for other in found):
            found.append(one)
            names = {node.id for node in ast.walk(one) if isinstance(node, ast.Name)}
            waiting += [other for other in source.module.body if not names.isdisjoint(_bound(other))]
    return found


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement at the top of a file binds there, those that it calls global among them."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        inner = (node for node in ast.walk(statement) if isinstance(node, ast.Global))
        return {statement.name, *(name for node in inner for name in node.names)}
    return {name for node in ast.walk(statement) for name in bound_by(node)}
