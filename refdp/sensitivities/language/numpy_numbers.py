"""What a function that uses numpy may hold, so that numpy's numbers mean what Python's own do.

numpy's truth values add as "or" does, have no minus, and are no index; its numbers are divided by 0 without an
exception, are no instances of int, and have no negative powers.  A function that could see the difference is not read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

from refdp.sensitivities.language.source import Source
from refdp.sensitivities.records import Category, Fields, Kind, Missing

MODULES = ("math", "numpy", "collections", "itertools", "typing", "__future__", "refdp")
TRUTHS = ("bool", "any", "all", "callable", "hasattr", "issubclass")
"""Functions whose answers are truth values."""
TAKES_TRUTHS = ("sum", "any", "all", "len")
"""Functions that take numpy's truth values in a list for what Python's own are."""
FLAGS = ("reverse", "strict")


@lru_cache(maxsize=100)
def mentions_numpy(source: Source) -> bool:
    """Whether some numbers may be numpy's."""
    return "numpy" in source.text


def insist_on_plain_numbers(source: Source, kind: Kind | None, values: Mapping[str, object]) -> None:
    """Unsupported where the function, or what it calls in its file, uses numpy, and something that numpy changes.

    Records of that kind, and parameters of those values, hold no truth values either.
    """
    if not mentions_numpy(source):
        return
    parts = _reached(source)
    imported = {
        (one.asname or one.name).partition(".")[0]: name
        for node in ast.walk(source.module)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
        for name in [(getattr(node, "module", None) or one.name).partition(".")[0]]
    }
    used = {imported[n.id] for part in parts for n in ast.walk(part) if isinstance(n, ast.Name) and n.id in imported}
    local = any(isinstance(n, ast.Import | ast.ImportFrom) for part in parts for n in ast.walk(part))
    if "numpy" not in used and not (local and "numpy" in imported.values()):
        return
    if _has_truths(kind) or any(isinstance(value, bool) for value in values.values()):
        raise source.unsupported(source.tree, "True and False beside numpy", "let the kind be integers 0..1")
    for name in sorted(used - set(MODULES)):
        raise source.unsupported(source.tree, f"{name} beside numpy", "use one of them")
    for part in parts:
        numpy_names = {name for name, module in imported.items() if module == "numpy"}
        for refused, construct, instead in _refused(part, numpy_names):
            raise source.unsupported(refused, f"{construct}, in a function that uses numpy,", instead)


def _has_truths(kind: Kind | None) -> bool:
    """Whether records of that kind may hold a truth value."""
    match kind:
        case Category(labels):
            return any(isinstance(one, bool) for one in labels)
        case Missing(inner):
            return _has_truths(inner)
        case Fields():
            return any(_has_truths(inner) for _, inner in kind.kinds)
    return False


def _reached(source: Source) -> list[ast.stmt]:
    """The statements at the top of the file that the function reaches by name, itself among them."""
    found: list[ast.stmt] = []
    waiting: list[ast.stmt] = [source.tree]
    while waiting:
        one = waiting.pop()
        if any(one is other for other in found):
            continue
        found.append(one)
        names = {n.id for n in ast.walk(one) if isinstance(n, ast.Name)}
        waiting += [s for s in source.module.body if names & _bound(s)]
    return [s for s in found if not isinstance(s, ast.Import | ast.ImportFrom)]


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement at the top of a file binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _refused(part: ast.stmt, numpy_names: set[str]) -> Iterator[tuple[ast.AST, str, str]]:
    """The nodes that are not read, each with its name and what to write instead."""
    conditions = {id(one) for node in ast.walk(part) for one in _conditions(node, numpy_names)}
    for node in ast.walk(part):
        match node:
            case ast.Try():
                yield node, "try", "test for 0 before a division"
            case ast.Compare(_, operators, others) if any(isinstance(o, ast.Is | ast.IsNot) for o in operators):
                if not all(isinstance(one, ast.Constant) and one.value is None for one in others):
                    yield node, "`is` with anything but None", "write =="
            case ast.Call(ast.Name("isinstance" | "type" | "pow" as name)):
                yield node, name, "compare values"
            case ast.Call(ast.Attribute(_, "index" | "count" | "remove" as name)):
                yield node, f"the method {name}", "write a loop"
            case ast.UnaryOp(ast.Invert()):
                yield node, "the operator ~", "write not x"
            case ast.BinOp(_, ast.Pow(), power) | ast.AugAssign(_, ast.Pow(), power):
                if not (isinstance(power, ast.Constant) and isinstance(power.value, int) and power.value >= 0):
                    yield node, "this power", "write x ** k with a whole number k >= 0"
        if _is_truth(node) and id(node) not in conditions:
            yield node, "a truth value that is used as a value", "write 1 if ... else 0"


def _is_truth(node: ast.AST) -> bool:
    """Whether an expression is a truth value."""
    match node:
        case ast.Compare() | ast.UnaryOp(ast.Not()):
            return True
        case ast.Constant(value):
            return isinstance(value, bool)
        case ast.Call(ast.Name(name)):
            return name in TRUTHS
        case ast.Call(ast.Attribute(_, name)):
            return name.startswith(("is", "starts", "ends"))
    return False


def _conditions(node: ast.AST, numpy_names: set[str]) -> Iterator[ast.expr]:
    """The expressions within a node of which no more is asked than whether they hold."""
    found: list[ast.expr] = []
    match node:
        case ast.If(test) | ast.While(test) | ast.IfExp(test) | ast.Assert(test):
            found = [test]
        case ast.comprehension(_, _, tests):
            found = list(tests)
        case ast.UnaryOp(ast.Not(), operand):
            found = [operand]
        case ast.Call(ast.Name("bool"), [one]):
            found = [one]
        case ast.Call(called, [ast.GeneratorExp(element) | ast.ListComp(element)], []) if _takes_truths(
            called, numpy_names
        ):
            found = [element]
        case ast.keyword(str(name), value) if name in FLAGS:
            found = [value]
    while found:
        one = found.pop()
        yield one
        if isinstance(one, ast.BoolOp):
            found += one.values


def _takes_truths(called: ast.expr, numpy_names: set[str]) -> bool:
    """Whether a function takes numpy's truth values in a list for what Python's own are."""
    match called:
        case ast.Name(name):
            return name in TAKES_TRUTHS
        case ast.Attribute(ast.Name(module), name):
            return module in numpy_names and name in ("sum", "mean")
    return False
