"""A file as far as proofs look at it: what its names stand for, its constants and its functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from refdp.logic.python_text import python_tree
from refdp.programs.language.allowed import insist_on_allowed
from refdp.programs.language.errors import Refusal

HOME = "refdp.programs"
DRAWS = frozenset(
    {"laplace", "discrete_laplace", "exponential", "gaussian", "bernoulli", "choice", "uniform"},
)
FUNCTIONS = DRAWS | {"claim", "each", "exp", "log", "argmax"}
"""The names of refdp.programs that are functions."""
ADJACENCIES = frozenset(["ALL", "ONE", "L1", "L2", "MONO", "ADD_REMOVE"])
BUILTINS = frozenset({"len", "range", "enumerate", "max", "min", "abs", "sum", "any", "all", "float", "int", "bool"})
"""Python's own functions that are read."""


@dataclass(frozen=True, slots=True)
class Module:
    """The names of a file."""

    file: str
    text: str
    imported: Mapping[str, str]
    """Names that stand for something of refdp.programs, or for that module itself ("")."""
    foreign: Mapping[str, str]
    """Names that stand for something of another module, with what they stand for."""
    constants: Mapping[str, ast.expr]
    functions: Mapping[str, ast.FunctionDef]

    def own(self, node: ast.expr) -> str | None:
        """What a name or attribute is called in refdp.programs, None if it is not from there."""
        match node:
            case ast.Name(name):
                return self.imported.get(name) or None
            case ast.Attribute(ast.Name(name), attribute) if self.imported.get(name) == "":
                return attribute
            case ast.Attribute(ast.Attribute(ast.Name(name), "programs"), attribute) if self.foreign.get(name) == HOME:
                return attribute
        return None

    def builtin(self, node: ast.expr) -> str | None:
        """The function of Python's own that a name is, None if it is none or stands for something else here."""
        if not isinstance(node, ast.Name) or node.id not in BUILTINS:
            return None
        taken = {*self.imported, *self.foreign, *self.constants, *self.functions}
        return None if node.id in taken else node.id

    def called(self, node: ast.expr) -> str | None:
        """The full name of a function that is not of this file."""
        return self.own(node) or self.builtin(node) or self.other(node)

    def other(self, node: ast.expr) -> str | None:
        """What a name of another module, or an attribute of one, is."""
        match node:
            case ast.Name(name):
                return self.foreign.get(name)
            case ast.Attribute(ast.Name(name), attribute) if name in self.foreign:
                return f"{self.foreign[name]}.{attribute}"
        return None


def module(text: str, file: str) -> Module:
    """The names of a file.  Refusal where a name is bound twice, or something is done besides naming."""
    imported: dict[str, str] = {}
    foreign: dict[str, str] = {}
    constants: dict[str, ast.expr] = {}
    functions: dict[str, ast.FunctionDef] = {}
    bound: set[str] = set()
    tree = parsed(text)
    for statement in tree.body:
        for name in _bound(statement):
            if name in bound:
                raise Refusal(statement, f"{name} is bound twice", "give each thing a name of its own")
            bound.add(name)
        match statement:
            case ast.FunctionDef(name):
                functions[name] = statement
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), value=ast.expr() as value):
                constants[name] = value
            case ast.Import() | ast.ImportFrom():
                ours, others = _imports(statement)
                imported |= ours
                foreign |= others
    found = Module(file, text, imported, foreign, constants, functions)
    insist_on_allowed(tree, bound | FUNCTIONS | ADJACENCIES | BUILTINS, found.called)
    return found


def parsed(text: str) -> ast.Module:
    """The syntax tree; each decimal keeps how it is written as its `kind`."""
    tree = python_tree(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            node.kind = ast.get_source_segment(text, node)
    return tree


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement at the top of the file binds."""
    match statement:
        case ast.FunctionDef(name) | ast.ClassDef(name):
            yield name
        case ast.Assign(targets):
            yield from (n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name))
        case ast.AnnAssign(ast.Name(name)):
            yield name
        case ast.ImportFrom(module, names=[ast.alias(name="*")], level=0):
            yield from sorted(FUNCTIONS | ADJACENCIES) if module == HOME else ()
        case ast.Import(names) | ast.ImportFrom(names=names):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in names)


def _imports(statement: ast.Import | ast.ImportFrom) -> tuple[dict[str, str], dict[str, str]]:
    """The names that an import binds to something of refdp.programs, and to something else."""
    ours: dict[str, str] = {}
    others: dict[str, str] = {}
    for alias in statement.names:
        name = alias.asname or alias.name
        if isinstance(statement, ast.Import):
            home = alias.name == HOME and alias.asname is not None
        elif alias.name == "*" and (statement.module != HOME or statement.level):
            raise Refusal(statement, "import of all names of another module", "import the names that are used")
        else:
            home = statement.module == HOME and statement.level == 0
        if home and alias.name == "*":
            ours |= {one: one for one in FUNCTIONS | ADJACENCIES}
        elif home:
            ours[name] = "" if isinstance(statement, ast.Import) else alias.name
        elif isinstance(statement, ast.ImportFrom) and (statement.module, alias.name) == ("refdp", "programs"):
            ours[name] = ""
        else:
            home_of = f"{statement.module}." if isinstance(statement, ast.ImportFrom) else ""
            others[name.split(".")[0]] = f"{home_of}{alias.name}"
    return ours, others
