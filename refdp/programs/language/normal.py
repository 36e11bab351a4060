"""A function in simpler Python of the same meaning: lists made by comprehensions are made by loops with append.

What is added has names with a dot, which no user can have written.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TypeVar, cast

from refdp.programs.language.errors import Refusal
from refdp.programs.language.module import Module

Node = TypeVar("Node", bound=ast.AST)
EXTREMES = frozenset({"max", "min"})
FOLDS = frozenset({"sum", "any", "all"}) | EXTREMES


def normal(function: ast.FunctionDef, module: Module, data: str) -> list[ast.stmt]:
    """The body of the function in simpler Python."""
    names = [n.id for n in ast.walk(function) if isinstance(n, ast.Name)]
    return _Simpler(module, data, names).block(function.body)


@dataclass(slots=True)
class _Simpler:
    """Rewrites statements."""

    module: Module
    data: str
    names: list[str]
    """Every name of the function, as often as it is written."""
    before: list[ast.stmt] = field(default_factory=list)
    """Loops that make the lists of the statement that is being rewritten."""

    def block(self, nodes: list[ast.stmt]) -> list[ast.stmt]:
        """Statements, each after the loops that make its lists."""
        return [one for node in nodes for one in self.statement(node)]

    def statement(self, node: ast.stmt) -> Iterator[ast.stmt]:
        """One statement, after the loops that make its lists; lists among several values are assigned apart."""
        match node:
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if _are_apart(targets, values):
                for target, value in zip(targets, values, strict=True):
                    yield from self.statement(_at(ast.Assign([target], value), node))
                return
        kept, self.before = self.before, []
        found = self._rewritten(node)
        before, self.before = self.before, kept
        yield from before
        yield found

    def _rewritten(self, node: ast.stmt) -> ast.stmt:
        """One statement."""
        match node:
            case ast.Assign([ast.Name() as target], ast.ListComp() as made):
                if target.id in _targets(made):
                    raise Refusal(made, f"{target.id} within what is assigned to it", "use two names")
                self._made(made, target.id)
                return _at(ast.Pass(), node)
            case ast.If(test, body, orelse):
                return _at(ast.If(self.expression(test), self.block(body), self.block(orelse)), node)
            case ast.For(target, over, body, orelse):
                return _at(ast.For(target, over, self.block(body), self.block(orelse)), node)
            case ast.While(test, body, orelse):
                return self._while(node, test, self.block(body), self.block(orelse))
        return _Outer(self).visit(deepcopy(node))  # type: ignore[no-any-return]

    def _while(self, node: ast.While, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> ast.stmt:
        """A loop whose condition draws nothing and looks at no data.

        while True: if a: break; ... is while not a: ..., and while a and b: ... is while a: if not b: break; ...
        """
        if orelse:
            return _at(ast.While(test, body, orelse), node)
        conditions = list(test.values) if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
        if isinstance(test, ast.Constant) and test.value is True:
            while body and (left := _left(body[0])) is not None:
                conditions.append(_at(ast.UnaryOp(ast.Not(), left), left))
                body = body[1:]
        plain = next((place for place, one in enumerate(conditions) if self._acts(one)), len(conditions))
        held, broken = conditions[:plain], conditions[plain:]
        for one in reversed(broken):
            body = [_at(ast.If(_at(ast.UnaryOp(ast.Not(), one), one), [_at(ast.Break(), one)], []), one), *body]
        whole = held[0] if len(held) == 1 else ast.BoolOp(ast.And(), held) if held else ast.Constant(True)
        return _at(ast.While(_at(whole, node), body or [_at(ast.Pass(), node)], []), node)

    def _acts(self, node: ast.expr) -> bool:
        """Whether a condition may draw, or looks at data."""
        return any(
            isinstance(one, ast.Subscript) or (isinstance(one, ast.Call) and self.module.builtin(one.func) != "len")
            for one in ast.walk(node)
        )

    def expression(self, node: ast.expr) -> ast.expr:
        """An expression in which lists are names."""
        return _Outer(self).visit(deepcopy(node))  # type: ignore[no-any-return]

    def listed(self, node: ast.ListComp | ast.GeneratorExp) -> ast.expr:
        """The name of a list that is made before the statement."""
        name = f"list.{node.lineno}.{node.col_offset}"
        self._made(node, name)
        return _at(ast.Name(name, ast.Load()), node)

    def _made(self, node: ast.ListComp | ast.GeneratorExp, name: str) -> None:
        """Writes the loop that makes a list."""
        if len(node.generators) != 1:
            raise Refusal(node, "a comprehension with two loops", "write for loops with append")
        (generator,) = node.generators
        renaming = _Renamed(
            {n: f"{n}.within{node.lineno}" for n in _targets(generator.target) if self._elsewhere(n, node)}
        )
        element = renaming.visit(deepcopy(node.elt))
        append = _at(ast.Attribute(_at(ast.Name(name, ast.Load()), node), "append", ast.Load()), node)
        inner: ast.stmt = _at(ast.Expr(_at(ast.Call(append, [element], []), node)), node)
        for test in reversed(generator.ifs):
            inner = _at(ast.If(renaming.visit(deepcopy(test)), [inner], []), node)
        self.before.append(
            _at(ast.Assign([_at(ast.Name(name, ast.Store()), node)], _at(ast.List([], ast.Load()), node)), node)
        )
        loop = ast.For(renaming.visit(deepcopy(generator.target)), deepcopy(generator.iter), self.block([inner]), [])
        self.before.append(_at(loop, node))

    def _elsewhere(self, name: str, node: ast.AST) -> bool:
        """Whether a name is also used outside a comprehension."""
        inside = sum(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))
        return self.names.count(name) > inside


def _folded(node: ast.Call, first: ast.expr, others: list[ast.expr]) -> ast.expr:
    """max(a, b) for max([a, b]), and a + b for sum([a, b])."""
    if isinstance(node.func, ast.Name) and node.func.id != "sum":
        return _at(ast.Call(node.func, [first, *others], []), node)
    total: ast.expr = _at(ast.BinOp(ast.Constant(0), ast.Add(), first), node)
    for one in others:
        total = _at(ast.BinOp(total, ast.Add(), one), node)
    return total


def _left(node: ast.stmt) -> ast.expr | None:
    """The condition of `if condition: break`."""
    match node:
        case ast.If(test, [ast.Break()], []):
            return test
    return None


def _looks_up(node: ast.expr, name: str) -> bool:
    """Whether it is lambda i: name[i]."""
    match node:
        case ast.Lambda(ast.arguments(args=[first]), ast.Subscript(ast.Name(of), ast.Name(index))):
            return of == name != index == first.arg
    return False


def _are_apart(targets: list[ast.expr], values: list[ast.expr]) -> bool:
    """Whether there is a list among values of which none speaks of a target."""
    names = {name for target in targets for name in _targets(target)}
    made = any(isinstance(one, ast.List | ast.ListComp) for one in values)
    return made and len(targets) == len(values) and not names & {n for one in values for n in _targets(one)}


class _Outer(ast.NodeTransformer):
    """Replaces lists that are made within an expression by names."""

    def __init__(self, simpler: _Simpler) -> None:
        self.simpler = simpler

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self.simpler.listed(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """sum(q) is the sum of the list of the elements; values.index(max(values)) is argmax(values)."""
        function, data = node.func, self.simpler.data
        match node:
            case ast.Call(ast.Attribute(ast.Name(name), "index"), [ast.Call(inner, [values], [])], []) if (
                isinstance(values, ast.Name) and name == values.id and self.simpler.module.builtin(inner) in EXTREMES
            ):
                place = ast.Name(f"arg{self.simpler.module.builtin(inner)}.", ast.Load())
                return _at(ast.Call(place, [values], []), node)
        if (keyed := self._keyed(node)) is not None:
            return keyed
        own, builtin = self.simpler.module.own(function), self.simpler.module.builtin(function)
        folds = builtin in FOLDS or own in ("argmax", "choice")
        if folds and len(node.args) == 1 and not node.keywords:
            match node.args[0]:
                case ast.GeneratorExp() | ast.ListComp() as made:
                    return _at(ast.Call(function, [self.simpler.listed(made)], []), node)
                case ast.Name(name) as over if name == data:
                    element = f"{data}.one"
                    over_data = ast.comprehension(ast.Name(element, ast.Store()), over, [], 0)
                    copied = _at(ast.ListComp(_at(ast.Name(element, ast.Load()), node), [over_data]), node)
                    return _at(ast.Call(function, [self.simpler.listed(copied)], []), node)
                case ast.List([first, *others]) if builtin == "sum" or (builtin in EXTREMES and others):
                    return self.visit(_folded(node, first, others))  # type: ignore[no-any-return]
                case ast.List() as made if builtin in FOLDS or own == "argmax":
                    return self._literal(node, made)
        return self.generic_visit(node)  # type: ignore[return-value]

    def _keyed(self, node: ast.Call) -> ast.expr | None:
        """max(range(len(values)), key=lambda i: values[i]) is argmax(values)."""
        builtin = self.simpler.module.builtin
        match node:
            case ast.Call(function, [ast.Call(ranging, [ast.Call(length, [ast.Name(name) as values], [])], [])], [key]):
                called = key.arg, builtin(ranging), builtin(length)
                if called == ("key", "range", "len") and _looks_up(key.value, name) and builtin(function) in EXTREMES:
                    place = _at(ast.Name(f"arg{builtin(function)}.", ast.Load()), node)
                    return _at(ast.Call(place, [values], []), node)
        return None

    def _literal(self, node: ast.Call, made: ast.List) -> ast.expr:
        """A fold over a list that is written out."""
        name = f"list.{made.lineno}.{made.col_offset}"
        filled = cast("ast.expr", self.generic_visit(made))
        target = _at(ast.Name(name, ast.Store()), node)
        self.simpler.before.append(_at(ast.Assign([target], filled), node))
        return _at(ast.Call(node.func, [_at(ast.Name(name, ast.Load()), node)], []), node)


class _Renamed(ast.NodeTransformer):
    """Renames variables."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return _at(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


def _targets(node: ast.expr) -> list[str]:
    """The names that a target binds."""
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]


def _at(node: Node, place: ast.AST) -> Node:
    """The node, said to stand where another one does."""
    return ast.fix_missing_locations(ast.copy_location(node, place))
