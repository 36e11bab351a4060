"""The names at the top of a file: its functions, constants and imports; and the names that Python brings."""

from __future__ import annotations

import ast
import builtins
from collections import Counter

from refdp.sensitivities.language.objects import Listing, Mapped
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.source import Unsupported
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import Named, Value

BUILTINS = frozenset(dir(builtins))
MODULES = ("math", "statistics", "numpy", "collections", "itertools", "functools", "operator")
REACHING = {"exec", "eval", "globals", "locals", "vars", "setattr", "delattr", "__import__", "__builtins__", "builtins"}
"""Names by which a file can change what another name means."""


def not_builtin(x: Reader, name: str, node: ast.AST) -> None:
    """Refuses to give a name of Python's another meaning."""
    if name in BUILTINS:
        raise x.unsupported(node, f"a new meaning of {name}", f"choose another name than {name}")


def module_value(x: Reader, node: ast.Name) -> Value:
    """The value of a name that the function does not bind itself."""
    if node.id in x.module:
        found = x.module[node.id]
        if isinstance(found, Exception):
            raise found
        return found
    if node.id in BUILTINS:
        return Named(node.id)
    raise x.unsupported(node, f"the name {node.id}, which is not defined", "define it in the function or in the file")


def read_module(x: Reader, state: State) -> None:
    """Notes what the statements at the top of the file bind; nothing is run."""
    counts = Counter(name for statement in x.source.module.body for name in _bound(statement))
    changed = {name for node in ast.walk(x.source.module) if isinstance(node, ast.Global) for name in node.names}
    imports = [node for node in ast.walk(x.source.module) if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {name for node in imports for name in _bound(node)}
    for node in ast.walk(x.source.module):
        _refuse_reaching(x, node, imported)
    for statement in x.source.module.body:
        for name in _bound(statement):
            not_builtin(x, name, statement)
            again = counts[name] > 1 and not isinstance(statement, ast.Import | ast.ImportFrom)
            if again or name in changed:
                advice = "give each name one meaning, at the top of the file"
                x.module[name] = x.unsupported(statement, f"the name {name}, which is bound more than once", advice)
            else:
                x.module[name] = _meaning(x, state, statement, name)


def _root(node: ast.AST) -> str:
    """The name at the left of a.b.c."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _refuse_reaching(x: Reader, node: ast.AST, imported: set[str]) -> None:
    """Refuses what could change the meaning of other names."""
    name = node.id if isinstance(node, ast.Name) else ""
    names = [one.name for one in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
    if name in REACHING or "builtins" in names or "*" in names:
        raise x.unsupported(node, f"{name or 'this import'}", "import and call functions by their names")
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del) and _root(node) in imported:
        raise x.unsupported(node, "an assignment to an attribute", "assign to names")


def _bound(statement: ast.stmt) -> list[str]:
    """The names that a statement at the top of the file binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [(one.asname or one.name).partition(".")[0] for one in statement.names]
    found = []
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            found.append(node.id)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.append(node.name)
        if isinstance(node, ast.Import | ast.ImportFrom):
            found += [(one.asname or one.name).partition(".")[0] for one in node.names]
    return found


def _meaning(x: Reader, state: State, statement: ast.stmt, name: str) -> Value | Exception:
    """What a name at the top of the file means, or why it is not read."""
    if isinstance(statement, ast.FunctionDef) and not statement.decorator_list:
        try:
            found: Value = x.services["closure"](x, state, statement)
        except Unsupported as error:
            return error
        return found
    if isinstance(statement, ast.Import):
        one = next(each for each in statement.names if (each.asname or each.name).partition(".")[0] == name)
        path = one.name if one.asname else name
        return _imported(x, statement, path)
    if isinstance(statement, ast.ImportFrom) and statement.level == 0:
        one = next(each for each in statement.names if (each.asname or each.name) == name)
        return _imported(x, statement, f"{statement.module}.{one.name}")
    if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
        return _constant(x, state, statement, name)
    return x.unsupported(statement, f"the name {name}, which is bound here", "bind it by NAME = constant")


def _imported(x: Reader, statement: ast.stmt, path: str) -> Value | Exception:
    """A module, or a function of one, that is read."""
    if path.partition(".")[0] not in MODULES:
        return x.unsupported(statement, f"the import of {path}", f"use {', '.join(MODULES)}")
    return Named(path)


def _constant(x: Reader, state: State, statement: ast.Assign | ast.AnnAssign, name: str) -> Value | Exception:
    """The value of NAME = expression; lists and dicts in it may not be changed."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    if len(targets) != 1 or not isinstance(targets[0], ast.Name) or statement.value is None:
        return x.unsupported(statement, f"this way of binding {name}", "bind it by NAME = constant")
    before = set(state.heap)
    try:
        found = x.value(state, statement.value)
    except Unsupported as error:
        return error
    for address in sorted(state.heap.keys() - before):
        content = state.heap[address]
        reason = f"{name}, which stands at the top of the file"
        if isinstance(content, Listing):
            state.heap[address] = Listing(content.pieces, reason)
        elif isinstance(content, Mapped):
            state.heap[address] = Mapped(content.kind, content.items, content.default, content.loose, reason)
    if state.has_certainly_raised():
        return x.unsupported(statement, f"{name}, whose value raises", "bind it to a constant")
    return found


def refuse_generator(x: Reader, node: ast.FunctionDef | ast.Lambda) -> None:
    """Refuses a generator: a yield makes one of a function wherever it stands, also where no run comes."""
    waiting: list[ast.AST] = list(node.body) if isinstance(node, ast.FunctionDef) else [node.body]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Yield | ast.YieldFrom):
            raise x.unsupported(one, "yield", "append to a list and return it")
        waiting += outside(one)


def outside(node: ast.AST) -> list[ast.AST]:
    """The parts of a node but the body of a function or a class: defaults and decorators belong to what is around."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [one for one in ast.iter_child_nodes(node) if one not in node.body]
    if isinstance(node, ast.Lambda):
        return [one for one in ast.iter_child_nodes(node) if one is not node.body]
    return list(ast.iter_child_nodes(node))


def locals_of(node: ast.FunctionDef | ast.Lambda) -> set[str]:
    """The names that a function binds itself, wherever in it: also by := in a comprehension, and where no run comes."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(node.body) if isinstance(node, ast.FunctionDef) else [node.body]
    while waiting:
        one = waiting.pop()
        match one:
            case ast.Name(name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                found.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.MatchMapping(rest=str(name)):
                found.add(name)
            case ast.alias(name, asname):
                found.add(asname or name.partition(".")[0])
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                inner = [n for n in ast.walk(one) if isinstance(n, ast.NamedExpr)]
                found |= {n.target.id for n in inner}
                continue
        waiting += outside(one)
    return found
