"""What a file may hold around the functions that are read: a list of what is allowed, all else is forbidden.

Python runs the top of a file before any function of it is called.  What is allowed there binds names to values that
are worked out from plain values, and reaches nothing else: no list that another statement made is changed, and no
name of another module.  So each name stands for what its one statement says.
"""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from importlib import import_module
from typing import NoReturn

Called = Callable[[ast.expr], str | None]
"""The full name of what an expression stands for in the file, None where it is not known."""
LIBRARIES = frozenset({"refdp", "numpy", "scipy", "pandas", "pytest", "hypothesis"}) | sys.stdlib_module_names
"""The modules whose import is known to change no name of the file, nor what Python's own functions do."""
PLAIN_MODULES = frozenset(
    {"abc", "bisect", "cmath", "collections", "copy", "dataclasses", "decimal", "enum", "fractions", "functools"}
    | {"heapq", "itertools", "math", "numbers", "operator", "random", "statistics", "string", "types", "typing"}
)
"""Modules of Python's own that are asked whether they have a name: to load one does nothing else."""
PLAIN = (
    ast.Constant, ast.Name, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple, ast.List, ast.Dict,
    ast.Attribute, ast.Subscript, ast.Slice, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
    ast.keyword,
)  # fmt: skip
"""What plain values are made of."""
IN_ANNOTATIONS = (
    ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Attribute, ast.Subscript, ast.expr_context, ast.BitOr,
    ast.UnaryOp, ast.USub,
)  # fmt: skip
"""What annotations are made of, besides kinds that are joined by |."""
BUILDING = (ast.Set, ast.Starred, ast.ListComp, ast.SetComp, ast.DictComp, ast.comprehension)
"""What makes lists, sets and dicts anew."""
REACHING = frozenset({"setattr", "delattr", "exec", "eval", "globals", "vars", "locals", "__import__", "compile"})
"""Functions of Python's own that reach names which are not written."""
METHODS = frozenset({"init", "post_init", "repr", "str", "eq", "hash", "lt", "len", "iter", "call", "enter", "exit"})
"""The methods with two underscores that a class may have: none of them runs while the class is made."""

TEXT_METHODS = frozenset({"split", "strip", "lower", "upper", "replace", "join"})
PATH_METHODS = frozenset({"resolve", "absolute", "parent", "joinpath", "with_name", "with_suffix", "name", "stem"})


class Forbidden(Exception):
    """A construct at a node that may not stand there, and what to write instead."""

    def __init__(self, node: ast.AST, construct: str, instead: str) -> None:
        super().__init__(construct)
        self.node, self.construct, self.instead = node, construct, instead


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is allowed in one kind of file."""

    pure: Set[str]
    """What may be called at the top, by its full name: it reads its arguments and makes something new."""
    decorators: Set[str]
    """The decorators that a function may have, by their full names."""
    advice: str
    """What to write instead of another decorator."""
    bases: Set[str] = frozenset()
    """What a class may derive from; where this is empty, a file has no classes."""
    strict: bool = True
    """Whether also the inside of functions that are not read is kept from reaching other names, the file's own tests
    stand last, a default is a single word, and a value is no list that is worked out."""


def insist_on_allowed(tree: ast.Module, bound: Set[str], called: Called, allowance: Allowance) -> None:
    """Forbidden where a file that binds these names holds anything but what is allowed."""
    classes = {one.name for one in tree.body if isinstance(one, ast.ClassDef) and not _counts(one, called)}
    top = _Top(bound, called, allowance, classes)
    for node in ast.walk(tree) if allowance.strict else _run_at_the_top(tree):
        top.reach(node)
    for place, statement in enumerate(tree.body):
        top.statement(statement, is_last=place == len(tree.body) - 1)


def _run_at_the_top(tree: ast.Module) -> Iterator[ast.AST]:
    """Every node but those inside functions, and what runs only where the file is the main one."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        inner = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or is_main(node)
        body = node.body if inner else []  # type: ignore[attr-defined]
        waiting += (one for one in ast.iter_child_nodes(node) if not any(one is part for part in body))


def _counts(node: ast.ClassDef, called: Called) -> bool:
    """Whether it is a class of named values, which are made with the class."""
    return any((called(base) or "").startswith("enum.") for base in node.bases)


def is_main(node: ast.AST) -> bool:
    """Whether it is `if __name__ == "__main__":` without another branch."""
    match node:
        case ast.If(ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__")]), orelse=[]):
            return True
    return False


def _forbid(node: ast.AST, construct: str, instead: str) -> NoReturn:
    raise Forbidden(node, construct, instead)


@dataclass(frozen=True, slots=True)
class _Top:
    """The top of one file."""

    bound: Set[str]
    called: Called
    allowance: Allowance
    classes: Set[str]

    def reach(self, node: ast.AST) -> None:
        """Forbids what reaches names elsewhere."""
        if isinstance(node, ast.Global | ast.Nonlocal):
            _forbid(node, type(node).__name__.lower(), "give the function what it needs as parameters")
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            _forbid(node, "an assignment to an attribute", "keep values in variables")
        if isinstance(node, ast.Attribute) and node.attr.startswith("__"):
            _forbid(node, f"the attribute {node.attr}", "leave what is Python's own alone")
        if isinstance(node, ast.Attribute) and (path := self.called(node)) is not None and _lacks(path):
            _forbid(node, f"{path}, which its module does not have", "use a name that is there")
        if isinstance(node, ast.Name) and node.id in REACHING:
            _forbid(node, node.id, "write names as they are")

    def statement(self, statement: ast.stmt, is_last: bool) -> None:
        """Forbids a statement that is not on the list."""
        match statement:
            case ast.FunctionDef():
                self.heading(statement)
            case ast.Assign([target], value) if _is_target(target, self.allowance.strict):
                self.value(value)
            case ast.AnnAssign(ast.Name(), annotation, value, simple=1):
                _insist_on_annotation(annotation)
                if value is not None:
                    self.value(value)
            case ast.Import() | ast.ImportFrom():
                _insist_on_known(statement)
                if (gone := _missing(statement)) is not None:
                    _forbid(statement, f"an import of {gone}, which is not there,", "import a name that is there")
            case ast.Expr(ast.Constant(str() | types.EllipsisType())) | ast.Pass():
                pass
            case ast.If(body=body) if is_main(statement) and (is_last or not self.allowance.strict):
                if taken := sorted(set(stored(body)) & self.bound):
                    _forbid(statement, f"{taken[0]} is bound twice", "give each thing a name of its own")
            case ast.If(test, body, []) if not self.allowance.strict and self.called(test) == "typing.TYPE_CHECKING":
                _insist_on_imports(body)
            case ast.Try(body, [ast.ExceptHandler(kind, None, otherwise)], [], []) if not self.allowance.strict:
                _insist_on_imports(body)
                self.value(kind or ast.Constant(None))
                for one in otherwise:
                    if not isinstance(one, ast.Raise | ast.Pass | ast.Import | ast.ImportFrom | ast.Assign):
                        _forbid(
                            one, "a statement at the top of the file", "write imports, constants and functions only"
                        )
                    if not isinstance(one, ast.Raise):
                        self.statement(one, is_last=False)
            case ast.ClassDef() if self.allowance.bases:
                self.class_(statement)
            case _:
                _forbid(statement, "a statement at the top of the file", "write imports, constants and functions only")

    def heading(self, function: ast.FunctionDef) -> None:
        """Forbids decorators, defaults and annotations that do anything."""
        for one in function.decorator_list:
            self.decorator(one)
        arguments = function.args
        for default in (*arguments.defaults, *(one for one in arguments.kw_defaults if one is not None)):
            if not self.allowance.strict:
                self.value(default)
            elif not _is_constant(default):
                _forbid(default, f"the default {ast.unparse(default)}", "write a number, a text, True, False or None")
        for given in (
            *arguments.posonlyargs,
            *arguments.args,
            *arguments.kwonlyargs,
            arguments.vararg,
            arguments.kwarg,
        ):
            if given is not None and given.annotation is not None:
                _insist_on_annotation(given.annotation)
        if function.returns is not None:
            _insist_on_annotation(function.returns)
        if getattr(function, "type_params", ()):
            _forbid(function, "parameters for types", "leave them out")

    def decorator(self, node: ast.expr) -> None:
        """Forbids a decorator that is not on the list, or whose words are worked out."""
        name = self.called(node.func if isinstance(node, ast.Call) else node)
        if name not in self.allowance.decorators or self.allowance.strict and not isinstance(node, ast.Call):
            _forbid(node, f"the decorator {ast.unparse(node)}", self.allowance.advice)
        if isinstance(node, ast.Call):
            for word in (*node.args, *(one.value for one in node.keywords)):
                self.value(word)

    def class_(self, node: ast.ClassDef) -> None:
        """Forbids a class whose making runs anything."""
        for word in node.decorator_list:
            self.decorator(word)
        plain = all(self.called(b) in self.allowance.bases or self._is_class(b) for b in node.bases)
        if not plain or node.keywords or getattr(node, "type_params", None):
            _forbid(node, f"what the class {node.name} derives from", "derive from nothing, or write functions")
        counts = _counts(node, self.called)
        for one in node.body:
            if not isinstance(one, ast.FunctionDef | ast.Assign | ast.AnnAssign | ast.Expr | ast.Pass):
                _forbid(one, "a statement within a class", "write methods and constants only")
            self.statement(one, is_last=False)
            if isinstance(one, ast.FunctionDef) and (counts or not _is_method(one.name)):
                _forbid(one, f"the method {one.name}", "write a function")
            if isinstance(one, ast.Assign) and any(name.startswith("_") for name in stored([one])):
                _forbid(one, "a name of Python's own within a class", "choose another name")

    def _is_class(self, base: ast.expr) -> bool:
        """Whether it is a class of the file that is made like any other."""
        return isinstance(base, ast.Name) and base.id in self.classes

    def value(self, node: ast.expr, is_argument: bool = False) -> None:
        """Forbids an expression that does more than working out a plain value."""
        strict = self.allowance.strict
        if isinstance(node, ast.Call):
            if self.called(node.func) not in self.allowance.pure and not self._is_of_a_text(node.func):
                _forbid(node, f"a call of {ast.unparse(node.func)} at the top of the file", "call it in a function")
            is_argument = True
        elif isinstance(node, ast.Lambda) and not strict and not is_argument:
            for default in (*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)):
                self.value(default)
            return
        elif not isinstance(node, PLAIN) and (strict or not isinstance(node, (*BUILDING, *_within(is_argument)))):
            _forbid(node, f"{type(node).__name__} at the top of the file", "write numbers and texts there")
        for part in ast.iter_child_nodes(node):
            self.value(part, is_argument)  # type: ignore[arg-type]

    def _is_of_a_text(self, node: ast.expr) -> bool:
        """Whether it is a method of a text or a path that is written there: neither can be changed."""
        match node:
            case ast.Attribute(ast.Constant(str()), method):
                return method in TEXT_METHODS
            case ast.Attribute(inner, method) if method in PATH_METHODS and not self.allowance.strict:
                while isinstance(inner, ast.Attribute) and inner.attr in PATH_METHODS:
                    inner = inner.value
                return isinstance(inner, ast.Call) and (
                    self.called(inner.func) == "pathlib.Path" or self._is_of_a_text(inner.func)
                )
        return False


def _within(is_argument: bool) -> tuple[type[ast.AST], ...]:
    """What may stand within the arguments of a call besides."""
    return (ast.GeneratorExp, ast.Lambda, ast.arguments, ast.arg) if is_argument else ()


def _is_target(target: ast.expr, strict: bool) -> bool:
    """Whether it is a name, or several."""
    if isinstance(target, ast.Tuple) and not strict:
        return all(isinstance(one, ast.Name) for one in target.elts)
    return isinstance(target, ast.Name)


def _is_method(name: str) -> bool:
    """Whether a method of that name runs only when it is called."""
    inner = name.removeprefix("__").removesuffix("__")
    return inner in METHODS if name.startswith("__") else not name.startswith("_") or not name.endswith("_")


def _insist_on_imports(body: list[ast.stmt]) -> None:
    """Forbids everything but imports."""
    for one in body:
        if not isinstance(one, ast.Import | ast.ImportFrom):
            _forbid(one, "a statement at the top of the file", "write imports, constants and functions only")
        _insist_on_known(one)


def _insist_on_annotation(node: ast.expr) -> None:
    """Forbids an annotation that is worked out, but for kinds that are joined by |."""
    for part in ast.walk(node):
        joined = isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr)
        if not joined and not isinstance(part, IN_ANNOTATIONS):
            _forbid(part, f"{type(part).__name__} in an annotation", "write list[float], float, int and so on")


def _insist_on_known(statement: ast.Import | ast.ImportFrom) -> None:
    """Forbids the import of a module that could change what names stand for."""
    if isinstance(statement, ast.Import):
        modules = [one.name for one in statement.names]
    elif statement.level:
        _forbid(statement, "an import from the folder of the file", "write what is needed into the file")
    else:
        modules = [statement.module or ""]
    for one in modules:
        if one.partition(".")[0] not in LIBRARIES:
            _forbid(statement, f"an import of {one}", "import modules of Python's own and of its known libraries alone")


def _missing(statement: ast.Import | ast.ImportFrom) -> str | None:
    """What is imported and is not there; None where all of it is, or that is not known."""
    if isinstance(statement, ast.Import):
        plain = [one.name for one in statement.names if one.name.partition(".")[0] in PLAIN_MODULES]
        return next((one for one in plain if _module(one) is None), None)
    names = [f"{statement.module}.{one.name}" for one in statement.names if one.name != "*"]
    return next(filter(_lacks, names), None)


def _module(path: str) -> object:
    """The module of that full name, which is loaded; None where there is none."""
    try:
        return import_module(path)
    except ImportError:
        return None


def _lacks(path: str) -> bool:
    """Whether a full name stands for nothing, of a module of `PLAIN_MODULES`; of other modules that is not known."""
    module, _, name = path.rpartition(".")
    if path.partition(".")[0] not in PLAIN_MODULES or not module:
        return False
    found = _module(module)
    if found is None:  # a name of a name, of which the first tells
        return _lacks(module)
    return not hasattr(found, name) and _module(path) is None


def _is_constant(node: ast.expr) -> bool:
    """Whether it is a number, a text, a truth value or None as it is written."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant | ast.Name)


def stored(body: list[ast.stmt]) -> Iterator[str]:
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
