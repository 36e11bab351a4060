"""The text of a program, rewritten so that a run of it tells where it is, for the second judge.

It tells at the head of each loop, at the end of each loop, where a comprehension makes a value, and where it releases.
The names that it calls for this begin with two underscores: no text that is run can write them.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

READERS = ("sum", "max", "min")
"""What reads all of the data at once, as a loop would."""


class NotFollowed(Exception):
    """A text whose steps are not told."""


def telling(tree: ast.Module, name: str, labels: dict[int, str]) -> ast.Module:
    """The text, in which the function tells where it is; `labels` get what the list is called that each loop makes.

    NotFollowed where there are other loops than those that count.
    """
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            teller = _Teller(node)
            node.body = teller.block(node.body)
            labels.update(teller.labels)
    return tree


class _Teller(ast.NodeTransformer):
    """Rewrites one function."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.loops, self.nameless = 0, 0
        self.labels: dict[int, str] = {}
        self.data = function.args.args[0].arg
        within = [node for one in function.body for node in ast.walk(one)]
        self.yields = any(isinstance(node, ast.Yield | ast.YieldFrom) for node in within)
        returned = [node.value for node in within if isinstance(node, ast.Return)]
        self.lists = {node.id for node in returned if isinstance(node, ast.Name) and self._is_list(node.id, within)}
        self.depth = 0

    @staticmethod
    def _is_list(name: str, nodes: Sequence[ast.AST]) -> bool:
        return any(
            isinstance(node, ast.Assign | ast.AnnAssign)
            and any(isinstance(one, ast.Name) and one.id == name for one in _targets(node))
            and isinstance(node.value, ast.List | ast.ListComp)
            for node in nodes
        )

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Statements, rewritten: after a loop one more, that it is left."""
        return [one for found in map(self.visit, body) for one in (found if isinstance(found, list) else [found])]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        raise NotFollowed("a function within the function")

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        node.iter = self.visit(node.iter)
        return self.loop(node)

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        return self.loop(node)

    def loop(self, node: ast.For | ast.While) -> list[ast.stmt]:
        """A loop tells of each round, of its end, and that it is left, by its end or by break."""
        if self.depth:
            raise NotFollowed("a loop within a loop")
        self.loops += 1
        number = self.loops
        self.depth += 1
        node.body = [_told(node, "__head__", number), *self.block(node.body)]
        self.depth -= 1
        node.orelse = [_told(node, "__done__", number), *self.block(node.orelse)]
        return [node, _told(node, "__left__", number)]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        reads = isinstance(node.func, ast.Name) and node.func.id in READERS and len(node.args) == 1
        if reads and isinstance(node.args[0], ast.Name) and node.args[0].id == self.data:
            element = ast.Name("__element__", ast.Load())
            over = ast.comprehension(ast.Name("__element__", ast.Store()), node.args[0], [], 0)
            node.args[0] = ast.copy_location(ast.ListComp(element, [over]), node)
        is_lazy = len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp)
        if is_lazy:
            number = self.told_comprehension(node.args[0], False)
            return _called(node, "__done__", ast.Constant(number), node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "append":
            of = node.func.value
            self.generic_visit(node)
            if isinstance(of, ast.Name) and of.id in self.lists and len(node.args) == 1:
                node.args[0] = _called(node, "__release__", node.args[0])
            return node
        self.generic_visit(node)
        return node

    def visit_ListComp(self, node: ast.ListComp, releases: bool = False, name: str = "") -> ast.AST:
        number = self.told_comprehension(node, releases, name)
        return _called(node, "__done__", ast.Constant(number), node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        raise NotFollowed("a generator")

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        raise NotFollowed("a set")

    def told_comprehension(self, node: Any, releases: bool, name: str = "") -> int:
        """A comprehension over data is a loop, too."""
        if self.depth or len(node.generators) != 1:
            raise NotFollowed("a loop within a loop")
        self.loops += 1
        number = self.loops
        self.nameless += not name and not releases
        self.labels[number] = name or ("" if releases else f"list.{self.nameless}")
        value = _called(node.elt, "__release__", node.elt) if releases else node.elt
        node.elt = _called(node.elt, "__item__", ast.Constant(number), value)
        node.generators[0].ifs.insert(0, _called(node.elt, "__head__", ast.Constant(number)))
        return number

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        return self.assigned(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return self.assigned(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        is_output = isinstance(node.target, ast.Name) and node.target.id in self.lists
        self.generic_visit(node)
        if is_output and isinstance(node.value, ast.List):
            node.value = _called(node, "__release_each__", node.value)
        return node

    def assigned(self, node: ast.Assign | ast.AnnAssign) -> ast.AST:
        """An output list that is written down releases each of its elements."""
        names = [one.id for one in _targets(node) if isinstance(one, ast.Name)]
        if isinstance(node.value, ast.ListComp) and len(names) == 1:
            node.value = self.visit_ListComp(node.value, names[0] in self.lists, names[0])  # type: ignore[assignment]
            return node
        is_output = isinstance(node.value, ast.List) and any(one in self.lists for one in names)
        self.generic_visit(node)
        if is_output and node.value is not None:
            node.value = _called(node, "__release_each__", node.value)
        return node

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        self.generic_visit(node)
        node.value = _called(node, "__release__", node.value or ast.Constant(None))
        return node

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:
        raise NotFollowed("yield from")

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if isinstance(node.value, ast.ListComp):
            node.value = self.visit_ListComp(node.value, True)  # type: ignore[assignment]
            return node
        is_list = isinstance(node.value, ast.Name) and node.value.id in self.lists
        is_display = isinstance(node.value, ast.List)
        self.generic_visit(node)
        if is_display and node.value is not None and not self.yields:
            # Each element is an output of its own, released when all of them are known.
            node.value = _called(node, "__release_each__", node.value)
        elif not self.yields and not is_list:
            node.value = _called(node, "__release__", node.value or ast.Constant(None))
        return node


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    """What an assignment assigns to."""
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _called(node: ast.AST, name: str, *arguments: ast.expr) -> ast.Call:
    """A call at the place of a node."""
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), list(arguments), []), node)


def _told(node: ast.stmt, name: str, number: int) -> ast.Expr:
    """A statement that tells."""
    return ast.copy_location(ast.Expr(_called(node, name, ast.Constant(number))), node)
