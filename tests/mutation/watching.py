"""Which changes could alter a run: those whose place comes out otherwise in it, seen without putting any in place.

The package is imported with a watch at the place of every change: what stands there is worked out as before, and what
would stand there besides; a change that comes out the same each time cannot alter what the run ends with.
"""

from __future__ import annotations

import ast
import builtins
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from types import CodeType
from typing import Any

from tests.mutation.sites import ROOT, Site, tree

NAME = "_watch_of_changes"


class Watch:
    """The numbers of the changes that could alter the run."""

    def __init__(self) -> None:
        self.seen: set[int] = set()
        self.is_comparing = False

    def reached(self, number: int) -> None:
        """A statement that the change leaves out."""
        self.seen.add(number)

    def fulfilled(self, number: int, value: Any) -> Any:
        """A condition that the change takes for False."""
        if number not in self.seen and value:
            self.seen.add(number)
        return value

    def gone_through(self, number: int, items: Iterable[Any]) -> Iterator[Any]:
        """What the change does not go through."""
        for one in items:
            self.seen.add(number)
            yield one

    def either(self, number: int, now: Callable[[], Any], instead: Callable[[], Any], by_truth: bool) -> Any:
        """A value, and what the change makes of it; within the second nothing is compared again."""
        value = now()
        if number in self.seen or self.is_comparing:
            return value
        self.is_comparing = True
        try:
            other = instead()
            is_same = bool(value) == bool(other) if by_truth else value is other or bool(value == other)
        except Exception:
            is_same = False
        finally:
            self.is_comparing = False
        if not is_same:
            self.seen.add(number)
        return value


def call(method: str, number: int, *arguments: ast.expr) -> ast.Call:
    """A call of the watch."""
    function = ast.Attribute(ast.Name(NAME, ast.Load()), method, ast.Load())
    return ast.Call(function, [ast.Constant(number), *arguments], [])


def later(node: ast.expr) -> ast.Lambda:
    """The expression as a function."""
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), node)


def binds(node: ast.AST) -> bool:
    """Whether an expression binds a name or ends a run, so that it is worked out where it stands."""
    return any(isinstance(one, ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Await) for one in ast.walk(node))


def acts(node: ast.AST) -> bool:
    """Whether the first operand is called for what it does: then what comes out does not tell."""
    return isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and isinstance(node.values[0], ast.Call)


def watched(file: str, parsed: ast.Module, numbered: Iterable[tuple[int, Site]]) -> CodeType:
    """The code of a file with a watch at each of the changes, which are put into its tree."""
    calls: dict[int, list[tuple[int, list[ast.expr]]]] = {}
    for number, site in numbered:
        change = site.change
        holder, field, index = change.place
        if change.operator == "clause dropped":
            calls.setdefault(id(holder), []).append((number, change.new))  # type: ignore[arg-type]
            continue
        old = getattr(holder, field) if index is None else getattr(holder, field)[index]
        new: ast.AST
        if change.operator == "statement deleted":
            new = ast.If(ast.Constant(True), [ast.Expr(call("reached", number)), old], [])
        elif change.operator == "condition":
            new = call("fulfilled", number, old)
        elif change.operator == "loop skipped":
            new = call("gone_through", number, old)
        elif binds(old) or (isinstance(holder, ast.Return) and acts(old)):
            new = call("fulfilled", number, ast.Tuple([ast.Constant(0)], ast.Load()))
            new = ast.IfExp(new, old, ast.Constant(False))
        else:
            by_truth = ast.Constant(not isinstance(holder, ast.Return))
            new = call("either", number, later(old), later(change.new), by_truth)  # type: ignore[arg-type]
        new = ast.fix_missing_locations(ast.copy_location(new, old))
        set_at(holder, field, index, new)
    found = ast.fix_missing_locations(WatchedCalls(calls).visit(parsed))
    return compile(found, str(ROOT / file), "exec", dont_inherit=True)


def set_at(holder: ast.AST, field: str, index: int | None, new: Any) -> None:
    """Puts a node in its place."""
    if index is None:
        setattr(holder, field, new)
    else:
        getattr(holder, field)[index] = new


class WatchedCalls(ast.NodeTransformer):
    """Calls, and the same with an argument less."""

    def __init__(self, calls: dict[int, list[tuple[int, list[ast.expr]]]]) -> None:
        self.calls = calls

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The watched call, if one argument of it may be dropped."""
        self.generic_visit(node)
        found: ast.expr = node
        for number, fewer in self.calls.get(id(node), ()):
            instead = ast.Call(node.func, fewer, [])
            found = call("either", number, later(found), later(instead), ast.Constant(False))
        return ast.fix_missing_locations(ast.copy_location(found, node))


class Importer(importlib.machinery.SourceFileLoader):
    """Imports files of the package with watches in them; it is made before the package is imported."""

    def __init__(self, sites: list[Site], watch: Watch) -> None:
        setattr(builtins, NAME, watch)
        by_file: dict[str, list[tuple[int, Site]]] = {}
        for number, site in enumerate(sites):
            by_file.setdefault(site.file, []).append((number, site))
        self.codes = {
            file.removesuffix(".py").replace("/", ".").removesuffix(".__init__"): watched(file, tree(file), found)
            for file, found in by_file.items()
        }
        tree.cache_clear()  # the trees hold the watches now
        early = self.codes.keys() & sys.modules.keys()
        if early:
            raise RuntimeError(f"{', '.join(sorted(early))} must not be imported before it is watched")
        sys.meta_path.insert(0, self)  # type: ignore[arg-type]

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """The module, if it is watched."""
        if name not in self.codes:
            return None
        code = self.codes[name]

        class Loader(importlib.machinery.SourceFileLoader):
            def get_code(self, fullname: str) -> CodeType:
                return code

        found = importlib.machinery.PathFinder.find_spec(name, path, target)
        return importlib.util.spec_from_file_location(name, found.origin, loader=Loader(name, found.origin))  # type: ignore[return-value]
