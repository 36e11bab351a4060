"""Numbers as they are written: 1, 1.0 and True are equal in Python, and print differently.

Computed numbers are compared by value.  A function that may release a number as it is written, and elsewhere an equal
one of another type, is refused: whoever sees the output sees which of the two it was.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from refdp.programs.language.errors import Refusal

CHOOSING = frozenset({"max", "min", "sorted", "reversed", "list", "tuple", "next", "iter"})
"""Functions that are worth one of their arguments, or of what is within."""


def insist_on_one_type(
    function: ast.FunctionDef, constants: Mapping[str, ast.expr], functions: Mapping[str, ast.FunctionDef]
) -> None:
    """Refusal where equal numbers of different types may be released."""
    seen: dict[bool | int | float, str] = {}
    for written, node in _written(function, constants, functions):
        first = seen.setdefault(written, repr(written))
        if first != repr(written):
            both = f"{first} and {written!r}, which are equal and print differently"
            raise Refusal(node, both, "write them all in one way")


def _written(
    function: ast.FunctionDef, constants: Mapping[str, ast.expr], functions: Mapping[str, ast.FunctionDef]
) -> Iterator[tuple[bool | int | float, ast.expr]]:
    """The numbers that may be released as they are written: those that nothing is computed with on the way."""
    waiting = [(function, node) for node in _released(function)]
    met: set[tuple[str, int]] = set()
    while waiting:
        home, node = waiting.pop()
        if (home.name, id(node)) in met:
            continue
        met.add((home.name, id(node)))
        written = literal(node)
        if written is not None:
            yield written, node
            continue
        match node:
            case ast.Name(name):
                waiting += [(home, one) for one in (*_assigned(home, name), *_constant(constants, name))]
            case ast.Call(ast.Name(name), arguments, words):
                if name in CHOOSING or name in functions:
                    waiting += [(home, one) for one in (*arguments, *(word.value for word in words))]
                if name in functions:
                    called = functions[name]
                    defaults = (one for one in (*called.args.defaults, *called.args.kw_defaults) if one is not None)
                    waiting += [(called, one) for one in (*_released(called), *defaults)]
            case _:
                waiting += [(home, one) for one in _worth(node)]


def _worth(node: ast.expr) -> Sequence[ast.expr]:
    """The expressions within one that it, or a part of it, may be the value of."""
    match node:
        case ast.Tuple(inner) | ast.List(inner) | ast.Set(inner) | ast.BoolOp(_, inner) | ast.Dict(_, inner):
            return inner
        case ast.ListComp(one) | ast.GeneratorExp(one) | ast.Subscript(one) | ast.Starred(one):
            return [one]
        case ast.IfExp(_, yes, no):
            return [yes, no]
        case ast.BinOp(left, ast.Add() | ast.Mult(), right):
            return [one for one in (left, right) if isinstance(one, ast.List | ast.ListComp)]
    return []


def literal(node: ast.expr) -> bool | int | float | None:
    """The number that an expression writes."""
    match node:
        case ast.Constant(bool() | int() | float() as value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)) if not isinstance(value, bool):
            return -value
        case ast.UnaryOp(ast.UAdd(), ast.Constant(int() | float() as value)) if not isinstance(value, bool):
            return value
    return None


def _released(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """The expressions that may be released."""
    for node in ast.walk(function):
        match node:
            case ast.Return(ast.expr() as value) | ast.Yield(ast.expr() as value) | ast.Lambda(_, value):
                yield value
            case ast.Call(ast.Attribute(_, "append" | "extend"), [value]):
                yield value


def _constant(constants: Mapping[str, ast.expr], name: str) -> Iterator[ast.expr]:
    """What a constant of the file is bound to."""
    if name in constants:
        yield constants[name]


def _assigned(function: ast.FunctionDef, name: str) -> Iterator[ast.expr]:
    """What may be assigned to a name."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets, value):
                for target in targets:
                    yield from _matched(target, value, name)
            case ast.AnnAssign(target, _, ast.expr() as value):
                yield from _matched(target, value, name)
            case ast.For(target, iterable) | ast.comprehension(target, iterable):
                yield from _matched(target, iterable, name)


def _matched(target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
    """What of a value an assignment gives to a name."""
    match target, value:
        case (ast.Tuple(targets), ast.Tuple(values)) if len(targets) == len(values):
            for one, other in zip(targets, values, strict=True):
                yield from _matched(one, other, name)
        case _:
            if any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(target)):
                yield value
