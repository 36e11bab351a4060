"""Reads the programs of a file: every function with a claim."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from refdp.logic.file_tops import stored
from refdp.programs.adjacency import SCALAR
from refdp.programs.language import emissions, expressions, names, statements
from refdp.programs.language.claims import claims, is_claimed
from refdp.programs.language.context import Context, Kinds
from refdp.programs.language.errors import Refusal, Unsupported
from refdp.programs.language.literals import insist_on_one_type
from refdp.programs.language.module import Module, module
from refdp.programs.language.normal import normal
from refdp.programs.language.parameters import Signature, signature
from refdp.programs.language.released_kinds import insist_on_one_kind
from refdp.programs.language.tidying import tidy
from refdp.programs.language.uses import list_uses
from refdp.programs.language.values import special
from refdp.programs.syntax import Look, Program, Statement
from refdp.terms.leaves import variable

LARGEST = 200_000
"""Longest file that is read, in characters."""
MOST_READINGS = 50


@dataclass(frozen=True, slots=True)
class Unread:
    """A function with a claim that is outside the subset."""

    name: str
    line: int
    reason: str
    """Where it is outside, what is not supported and what to write instead."""


def programs_in(text: str, file: str) -> tuple[Program, ...]:
    """The programs of a file, in the order in which they stand.  Unsupported where one is outside the subset."""
    return tuple(_insisted(one) for one in readings_in(text, file))


def readings_in(text: str, file: str) -> tuple[Program | Unread, ...]:
    """Every function with a claim, read by itself.  Unsupported where the file as a whole is outside the subset."""
    home = _module(text, file)
    return tuple(_reading(one, home) for one in home.functions.values() if is_claimed(one, home))


def program_in(text: str, file: str, function: str) -> Program:
    """The program of that name.  Unsupported where there is none or it is outside the subset."""
    home = _module(text, file)
    found = home.functions.get(function)
    if found is None or not is_claimed(found, home):
        known = ", ".join(n for n, f in home.functions.items() if is_claimed(f, home))
        instead = f"one of: {known}" if known else "@claim(epsilon=..., adjacency=...) above its def"
        raise Unsupported(f"{file}:1:1: no function {function} with a claim; write {instead}")
    return _insisted(_reading(found, home))


def _insisted(found: Program | Unread) -> Program:
    """The program.  Unsupported where it is none."""
    if isinstance(found, Unread):
        raise Unsupported(found.reason)
    return found


def _reading(function: ast.FunctionDef, home: Module) -> Program | Unread:
    """One program, or why it is not read."""
    try:
        return _program(function, home)
    except Refusal as refusal:
        return Unread(function.name, function.lineno, str(refusal.located(home.file)))
    except (RecursionError, MemoryError):
        return Unread(function.name, function.lineno, too_deep(home.file, function.lineno))


def too_deep(file: str, line: int = 1) -> str:
    """What is said of what is nested too deeply."""
    return f"{file}:{line}:1: nesting that is too deep; write it with variables of their own"


def _module(text: str, file: str) -> Module:
    """The names of the file.  Unsupported where it has others than are read."""
    if len(text) > LARGEST:
        raise Unsupported(f"{file}:1:1: a file of more than {LARGEST} characters; write a smaller one")
    try:
        return module(text, file)
    except Refusal as refusal:
        raise refusal.located(file) from None
    except (RecursionError, MemoryError):
        raise Unsupported(too_deep(file)) from None
    except (SyntaxError, ValueError) as error:
        line, column = getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 1
        raise Unsupported(
            f"{file}:{line}:{column}: not Python ({getattr(error, 'msg', error)}); write Python"
        ) from None


def _program(function: ast.FunctionDef, home: Module) -> Program:
    """One program."""
    found = signature(function)
    insist_on_one_type(function, home.constants, home.functions)
    body = normal(function, home, found.data.name)
    made = claims(function, home, found)
    statements_read = tidy(_read(function, body, home, found), found.data)
    insist_on_one_kind(function, statements_read)
    return Program(
        function.name,
        found.data,
        found.sorts,
        found.assumption,
        statements_read,
        made,
        found.length,
        home.text,
        function.lineno,
    )


def _read(function: ast.FunctionDef, body: list[ast.stmt], home: Module, found: Signature) -> tuple[Statement, ...]:
    """The statements: read again until nothing new is learnt of any variable."""
    made = {n.id for b in body for n in ast.walk(b) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    uses, kinds = list_uses(body, home), Kinds()
    _insist_on_names(function, found, uses)
    own = frozenset(stored(function.body))
    _insist_on_calls(function, own, home)
    generator = any(isinstance(n, ast.Yield) for b in body for n in ast.walk(b))
    for _ in range(MOST_READINGS):
        before = len(kinds)
        context = Context(
            expressions.evaluated,
            home,
            found.data,
            found.public,
            own | made,
            uses,
            kinds,
            found.assumption,
            generator=generator,
        )
        _whole(context, function, body)
        if len(kinds) == before:
            return tuple(context.block)
    raise Refusal(
        function, "a function whose variables change their kinds endlessly", "use each variable for one thing"
    )


def _insist_on_names(function: ast.FunctionDef, found: Signature, uses: Mapping[str, frozenset[str]]) -> None:
    """Refusal where names are used in a way that is not read."""
    for node in ast.walk(function):
        name = node.id if isinstance(node, ast.Name) else node.arg if isinstance(node, ast.arg) else ""
        if not name.isascii():
            raise Refusal(node, f"the name {name}", "use letters of the English alphabet, digits and _")
        stores = isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and name == found.data.name
        if stores and found.data.is_list or (stores or name in found.public) and name in uses:
            raise Refusal(node, f"an assignment to {name}", "give what is computed a name of its own")
    if sum("output" in one for one in uses.values()) > 1:
        raise Refusal(function, "return of two lists", "return one list, of pairs where it must be")


def _insist_on_calls(function: ast.FunctionDef, own: frozenset[str], home: Module) -> None:
    """Refusal where one of the names is called, or read as a module, that the function binds: anywhere in it."""
    for node in ast.walk(function):
        match node:
            case ast.FunctionDef() | ast.ClassDef() if node is not function:
                raise Refusal(node, "a function within a function", "define it at the top of the file")
            case ast.Call(ast.Name(name)) if name in own:
                raise Refusal(node, f"a call of the variable {name}", "give the variable another name")
            case ast.Attribute(ast.Name(name)) if name in own and (name in home.imported or name in home.foreign):
                raise Refusal(node, f"the variable {name}, which is a module, too", "give the variable another name")


def _whole(context: Context, function: ast.FunctionDef, body: list[ast.stmt]) -> None:
    """The whole body, and that None is returned at its end."""
    data = context.data
    if not data.is_list:
        context.kinds.secret.add(names.datum(data))
        context.write(Look(names.datum(data), SCALAR, function.lineno))
    for name in sorted(context.locals & {*context.parameters, data.name}):
        given = context.parameters.get(name, variable(names.datum(data), data.sort))
        context.assign(f"{name}.own", given, function)
        context.flow = context.here.with_value(name)
    statements.block(context, body)
    if context.flow is None or context.generator:
        return
    if context.shape is not None or any("output" in uses for uses in context.lists.values()):
        last = body[-1]
        raise Refusal(last, "a way to the end of the function without return", "end the function with return")
    emissions.written(context, [special(None)], function)
