"""What a file may hold around the functions that are read: a list of what is allowed, all else is refused.

Python runs the top of a file before any function of it is called.  Whatever is allowed there binds names that no other
statement binds, works out plain values, and cannot reach anything else: so each name stands for what it seems to.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Set

from refdp.programs.language.errors import Refusal

LIBRARIES = frozenset({"refdp", "numpy", "scipy", "pandas", "pytest", "hypothesis"}) | sys.stdlib_module_names
"""The modules whose import is known to change no name of the file, nor what Python's own functions do."""
PURE = frozenset(
    {"exp", "log", "each", "claim", "abs", "min", "max", "float", "int", "bool", "len"}
    | {"math.exp", "math.log", "math.sqrt", "fractions.Fraction", "decimal.Decimal"}
)
"""What may be called at the top of a file, by its full name."""
PLAIN = (
    ast.Constant, ast.Name, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple, ast.List, ast.Dict,
    ast.Attribute, ast.Subscript, ast.Slice, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip
"""What plain values and annotations are made of."""
Called = Callable[[ast.expr], str | None]
"""The full name of what an expression stands for in the file, None where it is not known."""
REACHING = frozenset({"setattr", "delattr", "exec", "eval", "globals", "vars", "locals", "__import__", "compile"})
"""Functions of Python's own that reach names which are not written."""


def insist_on_allowed(tree: ast.Module, bound: Set[str], called: Called) -> None:
    """Refusal where a file that binds these names holds anything but what is allowed."""
    for node in ast.walk(tree):
        _insist_on_reach(node)
    for place, statement in enumerate(tree.body):
        _insist(statement, bound, called, is_last=place == len(tree.body) - 1)


def _insist_on_reach(node: ast.AST) -> None:
    """Refusal of what reaches names elsewhere, wherever it stands: another function could be called by anything."""
    if isinstance(node, ast.Global | ast.Nonlocal):
        raise Refusal(node, type(node).__name__.lower(), "give the function what it needs as parameters")
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
        raise Refusal(node, "an assignment to an attribute", "keep values in variables")
    if isinstance(node, ast.Attribute) and node.attr.startswith("__"):
        raise Refusal(node, f"the attribute {node.attr}", "leave what is Python's own alone")
    if isinstance(node, ast.Name) and node.id in REACHING:
        raise Refusal(node, node.id, "write names as they are")


def _insist(statement: ast.stmt, bound: Set[str], called: Called, is_last: bool) -> None:
    """Refusal of a statement at the top of a file that is not allowed."""
    match statement:
        case ast.FunctionDef():
            _insist_on_heading(statement, called)
        case ast.Assign([ast.Name()], value):
            _insist_on_plain(value, called)
        case ast.AnnAssign(ast.Name(), annotation, value, simple=1):
            _insist_on_annotation(annotation)
            if value is not None:
                _insist_on_plain(value, called)
        case ast.Import(names):
            _insist_on_known(statement, [one.name for one in names])
        case ast.ImportFrom(module, level=0):
            _insist_on_known(statement, [module or ""])
        case ast.Expr(ast.Constant(str())) | ast.Pass():
            pass
        case ast.If(ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__")]), body, []) if is_last:
            if taken := sorted(set(_stored(body)) & bound):
                raise Refusal(statement, f"{taken[0]} is bound twice", "give each thing a name of its own")
        case _:
            raise Refusal(
                statement, "a statement at the top of the file", "write imports, constants and functions only"
            )


def _insist_on_heading(function: ast.FunctionDef, called: Called) -> None:
    """Refusal of decorators, defaults and annotations that do anything."""
    for one in function.decorator_list:
        if not isinstance(one, ast.Call):
            raise Refusal(one, f"the decorator {ast.unparse(one)}", "write @claim(...) only")
        _insist_on_decorator(one, called)
    arguments = function.args
    for default in (*arguments.defaults, *(one for one in arguments.kw_defaults if one is not None)):
        if not _is_constant(default):
            raise Refusal(default, f"the default {ast.unparse(default)}", "write a number, a text, True, False or None")
    for given in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if given is not None and given.annotation is not None:
            _insist_on_annotation(given.annotation)
    if function.returns is not None:
        _insist_on_annotation(function.returns)
    if getattr(function, "type_params", ()):
        raise Refusal(function, "parameters for types", "leave them out")


def _insist_on_decorator(node: ast.Call, called: Called) -> None:
    """Refusal of a decorator that is no claim, or whose words are worked out."""
    if called(node.func) != "claim":
        raise Refusal(node, f"the decorator {ast.unparse(node)}", "write @claim(...) only")
    for word in (*node.args, *(one.value for one in node.keywords)):
        _insist_on_plain(word, called)


def _insist_on_plain(node: ast.expr, called: Called) -> None:
    """Refusal of an expression that does more than working out a plain value."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            if called(part.func) not in PURE:
                raise Refusal(
                    part, f"a call of {ast.unparse(part.func)} at the top of the file", "call it in a function"
                )
        elif not isinstance(part, (*PLAIN, ast.keyword)):
            raise Refusal(part, f"{type(part).__name__} at the top of the file", "write numbers and texts there")


def _insist_on_annotation(node: ast.expr) -> None:
    """Refusal of an annotation that is worked out."""
    for part in ast.walk(node):
        if not isinstance(part, PLAIN):
            raise Refusal(part, f"{type(part).__name__} in an annotation", "write list[float], float, int and so on")


def _insist_on_known(statement: ast.stmt, modules: list[str]) -> None:
    """Refusal of the import of a module that could change what names stand for."""
    for one in modules:
        if one.partition(".")[0] not in LIBRARIES:
            raise Refusal(statement, f"an import of {one}", "import refdp.programs and modules of Python's own alone")


def _is_constant(node: ast.expr) -> bool:
    """Whether it is a number, a text, a truth value or None as it is written."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant | ast.Name)


def _stored(body: list[ast.stmt]) -> Iterator[str]:
    """The names that statements bind."""
    for node in (n for one in body for n in ast.walk(one)):
        match node:
            case ast.Name(name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef(name) | ast.ClassDef(name) | ast.AsyncFunctionDef(name):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
            case ast.alias(name, asname):
                yield (asname or name).partition(".")[0]
