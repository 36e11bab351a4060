"""Where a function may use numpy: numpy's numbers become Python's own at once, as in `float(numpy.clip(row, 0, 5))`.

numpy's truth values add as "or" does and have no minus; its numbers are divided by 0 without an exception, are no
instances of int, have no negative powers and equal lists of themselves.  None of them gets further than the call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from refdp.sensitivities.language.source import Source

CONVERSIONS = ("float", "int")
CONSTANTS = ("inf", "nan", "pi", "e")
"""Names of numpy that are numbers of Python's own."""
ADVICE = "write float(...) or int(...) around its call"


def insist_on_own_numbers(source: Source) -> None:
    """Unsupported where the function, or what it reaches, uses numpy other than directly within float() or int()."""
    modules, functions = _numpy_names(source.module)
    if not modules and not functions:
        return
    converted: set[int] = set()
    for node in ast.walk(source.module):
        for name in _given_a_meaning(node):
            if name in CONVERSIONS or name in modules | functions:
                raise source.unsupported(node, f"another meaning of {name} beside numpy", "choose another name")
        match node:
            case ast.Call(ast.Name(name), [ast.Call(function)], []) if name in CONVERSIONS:
                converted |= {id(function), id(function.value) if isinstance(function, ast.Attribute) else 0}
            case ast.Attribute(ast.Name() as module, name) if name in CONSTANTS:
                converted.add(id(module))
    for statement in _reached(source):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and node.id in modules | functions and id(node) not in converted:
                raise source.unsupported(node, "a number of numpy that is kept", ADVICE)


def _numpy_names(module: ast.Module) -> tuple[frozenset[str], frozenset[str]]:
    """The names that any import, wherever it stands, binds to numpy or a part of it, and to its functions."""
    modules: set[str] = set()
    functions: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            modules |= {
                (one.asname or one.name).partition(".")[0]
                for one in node.names
                if one.name.partition(".")[0] == "numpy"
            }
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "numpy":
            functions |= {one.asname or one.name for one in node.names if one.name not in CONSTANTS}
    return frozenset(modules), frozenset(functions)


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
    """The names that a statement at the top of a file binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        inner = (node for node in ast.walk(statement) if isinstance(node, ast.Global))
        return {statement.name, *(name for node in inner for name in node.names)}
    return {name for node in ast.walk(statement) for name in _given_a_meaning(node)}


def _given_a_meaning(node: ast.AST) -> Iterator[str]:
    """The names to which a node gives a meaning, imports of numpy apart."""
    match node:
        case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name):
            yield name
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name) | ast.ExceptHandler(_, str(name)):
            yield name
        case ast.Import(names) | ast.ImportFrom(_, names):
            root = getattr(node, "module", None)
            for one in names:
                if (root or one.name).partition(".")[0] != "numpy":
                    yield (one.asname or one.name).partition(".")[0]
        case ast.MatchAs(_, str(name)) | ast.MatchStar(str(name)) | ast.MatchMapping(_, _, str(name)):
            yield name
        case ast.Global(names):
            yield from names
