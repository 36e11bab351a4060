"""Numbers as they are written: 1, 1.0 and True are equal in Python, and print differently.

Computed numbers are compared by value.  Where a function may release a number as it is written, and elsewhere an equal
one of another type, they are different outputs: each is then released as the text that it prints, or the function is
refused where they go through a variable or a choice.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from refdp.programs.language.errors import Refusal

NUMERIC = (bool, int, float)
CHOOSING = frozenset({"max", "min"})
"""Functions that are worth one of their arguments."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A number as it is written, where it may be released."""

    value: bool | int | float
    node: ast.expr
    is_direct: bool
    """Whether it is released where it stands, and goes through nothing."""


def ambiguous(function: ast.FunctionDef, constants: Mapping[str, ast.expr], functions: Mapping[str, ast.FunctionDef]) -> frozenset[str]:
    """What is printed of the numbers that may be released together with an equal one of another type.

    Refusal where one of them goes through a variable or a choice.
    """
    leaves = _Leaves(function, constants, functions)
    found = [one for node in _released(function) for one in leaves.of(node, True, frozenset())]
    clashing = [one for one in found if any(_clash(one, other) for other in found)]
    if (hidden := next((one for one in clashing if not one.is_direct), None)) is not None:
        others = ", ".join(sorted({repr(one.value) for one in clashing if one.value == hidden.value}))
        raise Refusal(hidden.node, f"{others}, which are equal and print differently", "write them all in one way")
    return frozenset(repr(one.value) for one in clashing)


def literal(node: ast.expr) -> bool | int | float | None:
    """The number that an expression writes."""
    match node:
        case ast.Constant(bool() | int() | float() as value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(value)) if type(value) in (int, float):
            return -value  # type: ignore[operator, no-any-return]
        case ast.UnaryOp(ast.UAdd(), ast.Constant(value)) if type(value) in (int, float):
            return value  # type: ignore[return-value]
    return None


def _clash(one: Literal, other: Literal) -> bool:
    """Whether they are equal and print differently."""
    return one.value == other.value and repr(one.value) != repr(other.value)


def _released(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """The expressions that may be released."""
    for node in ast.walk(function):
        match node:
            case ast.Return(ast.expr() as value) | ast.Yield(ast.expr() as value):
                yield value
            case ast.Call(ast.Attribute(_, "append"), [value]):
                yield value


@dataclass(frozen=True, slots=True)
class _Leaves:
    """The numbers that expressions of a function may be, as they are written."""

    function: ast.FunctionDef
    constants: Mapping[str, ast.expr]
    functions: Mapping[str, ast.FunctionDef]

    def of(self, node: ast.expr, is_direct: bool, seen: Set[str]) -> Iterator[Literal]:
        """Those of one expression; names that were `seen` on the way are not asked again."""
        written = literal(node)
        if written is not None:
            yield Literal(written, node, is_direct)
            return
        match node:
            case ast.Tuple(elements) | ast.List(elements):
                for one in elements:
                    yield from self.of(one, is_direct, seen)
            case ast.ListComp(element):
                yield from self.of(element, is_direct, seen)
            case ast.IfExp(_, yes, no):
                for one in (yes, no):
                    yield from self.of(one, False, seen)
            case ast.BoolOp(_, values):
                for one in values:
                    yield from self.of(one, False, seen)
            case ast.Name(name) if name not in seen:
                for one in self.assigned(name):
                    yield from self.of(one, False, {*seen, name})
            case ast.Call(ast.Name(name), arguments):
                yield from self.called(name, arguments, seen)

    def called(self, name: str, arguments: list[ast.expr], seen: Set[str]) -> Iterator[Literal]:
        """Those of a call of a function of the file, or of one that chooses."""
        if name not in self.functions and name not in CHOOSING:
            return
        for one in arguments:
            yield from self.of(one, False, seen)
        if name in self.functions and name not in seen:
            for one in _released(self.functions[name]):
                yield from self.of(one, False, {*seen, name})

    def assigned(self, name: str) -> Iterator[ast.expr]:
        """What may be assigned to a name."""
        if name in self.constants:
            yield self.constants[name]
        for node in ast.walk(self.function):
            match node:
                case ast.Assign(targets, value):
                    for target in targets:
                        yield from _matched(target, value, name)
                case ast.AnnAssign(ast.Name(target), _, ast.expr() as value) if target == name:
                    yield value


def _matched(target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
    """What of a value an assignment gives to a name."""
    match target, value:
        case ast.Name(one), _ if one == name:
            yield value
        case ast.Tuple(targets), ast.Tuple(values) if len(targets) == len(values):
            for one, other in zip(targets, values, strict=True):
                yield from _matched(one, other, name)
