"""Definitions as lines of files, with the definitions that they name."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROOFS = f"{(ROOT / 'refdp' / 'proofs').resolve().relative_to(ROOT).as_posix()}/"
"""Where the proofs stand: at the root of a checkout, in the package of a wheel."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Lines first ... last of a file, whose path is from the root."""

    file: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Source:
    """A file: its tree, its definitions at the top level, and the modules or definitions that its imports stand for."""

    file: str
    tree: ast.Module
    defined: Mapping[str, ast.stmt]
    imported: Mapping[str, str]

    def span(self, node: ast.AST) -> Span:
        """The lines of a node, its decorators and all."""
        first = min(one.lineno for one in (node, *getattr(node, "decorator_list", ())))
        return Span(self.file, first, node.end_lineno)  # type: ignore[attr-defined]

    def mentioned(self, node: ast.AST) -> Iterator[tuple[Source, str]]:
        """The definitions, here and in files imported here, that a node names."""
        found = list(ast.walk(node))
        own = {n.id for n in found if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} - self.defined.keys()
        for n in found:
            match n:
                case ast.Name(name) if name in self.defined:
                    yield self, name
                case ast.Name(name) if name in self.imported and name not in own:
                    module, _, member = self.imported[name].rpartition(".")
                    yield from ((other, member) for other in of_module(module))
                case ast.Attribute(ast.Name(name), member) if name in self.imported:
                    yield from ((other, member) for other in of_module(self.imported[name]))


@cache
def source(file: str) -> Source:
    """A file of the checkout."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    defined = {name: node for node in tree.body for name in _bound(node)}
    imports = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    imported = {a.asname or a.name: f"{node.module}.{a.name}" for node in imports for a in node.names}
    return Source(file, tree, defined, imported)


def of_module(module: str) -> list[Source]:
    """The file of a module of this package, none of another."""
    file = f"{module.replace('.', '/')}.py".replace("refdp/proofs/", PROOFS)
    return [source(file)] if (ROOT / file).exists() else []


def files(folder: str) -> list[Source]:
    """The Python files directly in a folder, in order."""
    return [source(path.relative_to(ROOT).as_posix()) for path in sorted((ROOT / folder).glob("*.py"))]


def _bound(node: ast.stmt) -> list[str]:
    """The names that a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [n.id for target in node.targets for n in ast.walk(target) if isinstance(n, ast.Name)]
    return [node.target.id] if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else []


def read_with(
    here: Source, node: ast.AST, folders: Iterable[str] = (), others: frozenset[str] = frozenset()
) -> set[Span]:
    """The lines of a node and of what it names, and so on: in its file and in the folders, but for the `others`."""
    inside = (here.file, *folders)
    found, waiting = {here.span(node)}, list(here.mentioned(node))
    while waiting:
        there, name = waiting.pop()
        if name in there.defined and there.file.startswith(inside) and f"{Path(there.file).stem}.{name}" not in others:
            one = there.defined[name]
            if there.span(one) not in found:
                found.add(there.span(one))
                waiting += there.mentioned(one)
    return found
