"""A function as the text in a file: found by name, parsed, never run."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from refdp.logic.file_tops import Forbidden
from refdp.logic.files import content_of
from refdp.logic.python_text import python_tree
from refdp.sensitivities.language.allowed import insist_on_allowed

LARGEST_FILE = 1_000_000
"""Largest source file that is read, in bytes."""


class Unsupported(ValueError):
    """A construct that is not read, with its place and what to write instead."""


class NotAFold(ValueError):
    """A function that is read, but is not passes over the rows that keep a state of fixed size."""


@dataclass(frozen=True, slots=True)
class Source:
    """A function's definition within the text of a file."""

    path: str
    """Where the text comes from, for messages."""
    text: str
    name: str
    tree: ast.FunctionDef
    module: ast.Module

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters besides the table, as Python has them."""
        taken = self.tree.args
        return tuple(one.arg for one in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs))[1:]

    def insist_on_constants(self, node: ast.stmt) -> None:
        """Unsupported where Python works out a part of the statement, which may raise, that has no place in a reading.

        These are the message of an assert, what an exception is made of, and annotations of a function in a function.
        """
        for part in _aside(node):
            if not isinstance(part, ast.Constant):
                raise self.unsupported(part, "what is worked out here, beside what is answered,", "write a constant")

    def unsupported(self, node: ast.AST, construct: str, instead: str) -> Unsupported:
        """`query.py:12:4: a while loop is not read; write ...`."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
        return Unsupported(f"{self.path}:{line}:{column}: {construct} is not read; {instead}")

    def not_a_fold(self, node: ast.AST, reason: str) -> NotAFold:
        """`query.py:12:4: sorted(rows) needs all rows at once`."""
        return NotAFold(f"{self.path}:{getattr(node, 'lineno', 1)}:{getattr(node, 'col_offset', 0) + 1}: {reason}")


def _aside(node: ast.stmt) -> list[ast.AST]:
    """The parts of a statement that answers do not depend on but for what they raise."""
    match node:
        case ast.Assert(msg=ast.expr() as message):
            return [message]
        case ast.Raise(exc=ast.Call(_, arguments, keywords)):
            return [*arguments, *keywords]
        case ast.AnnAssign(target=ast.Attribute() | ast.Subscript() as target, value=None):
            return [target]
        case ast.FunctionDef(args=taken, returns=returned):
            every = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg]
            said = [one.annotation for one in every if one is not None]
            return [one for one in (*said, returned) if one is not None]
    return []


def read_source(target: str) -> Source:
    """The function that FILE.py:FUNCTION names.  ValueError where there is no such file or function."""
    path, colon, name = target.rpartition(":")
    if not colon or not path.endswith(".py") or not name.isidentifier():
        raise ValueError(f"the query must be FILE.py:FUNCTION, got {target}")
    content = content_of(path, LARGEST_FILE)
    try:
        return parse_source(content.decode("utf-8-sig"), name, path)
    except UnicodeDecodeError:
        raise ValueError(f"{path} must be UTF-8 text") from None


def parse_source(text: str, name: str, path: str = "<text>") -> Source:
    """The function `name` that stands at the top level of the text.  ValueError where there is none."""
    try:
        module = python_tree(text, path)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f":{error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise ValueError(f"{path}{line} must be Python, got {error.args[0] if error.args else error}") from None
    found = [n for n in module.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) and n.name == name]
    defined = [n.name for n in module.body if isinstance(n, ast.FunctionDef)]
    if not found:
        raise ValueError(f"{path} must define the function {name}, got {', '.join(defined) or 'no function'}")
    if not isinstance(found[-1], ast.FunctionDef):
        raise ValueError(f"{path} must define {name} as an ordinary function, got an async one")
    source = Source(path, text, name, found[-1], module)
    for node in ast.walk(module):
        if node not in found and name in bound_by(node) and not _is_local(module, node):
            raise source.unsupported(node, f"the name {name}, which is bound again,", "give the function its own name")
    try:
        insist_on_allowed(module)
    except Forbidden as forbidden:
        raise source.unsupported(forbidden.node, forbidden.construct, forbidden.instead) from None
    return source


def bound_by(node: ast.AST) -> tuple[str, ...]:
    """The names that one node binds or unbinds, "global" statements included."""
    match node:
        case ast.Name(name, ast.Store() | ast.Del()):
            return (name,)
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name) | ast.ExceptHandler(_, str(name)):
            return (name,)
        case ast.alias(name, other):
            return ((other or name).partition(".")[0],)
        case ast.MatchAs(_, str(name)) | ast.MatchStar(str(name)) | ast.MatchMapping(_, _, str(name)):
            return (name,)
        case ast.Global(names):
            return tuple(names)
    return ()


def _is_local(module: ast.Module, node: ast.AST) -> bool:
    """Whether a node stands within a function or a class, where it binds a name of that one; "global" does not."""
    if isinstance(node, ast.Global):
        return False
    scopes = (n for n in ast.walk(module) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef))
    return any(inner is node for scope in scopes for part in scope.body for inner in ast.walk(part))
