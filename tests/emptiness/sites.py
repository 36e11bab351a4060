"""Every condition over something that may be empty, in the files that decide what is proved.

A site is a loop that refuses, returns or demands, an `all` or `any`, a `min`, `max` or `sum`, a conjunction of terms,
a comparison of sets, a `zip` that is not strict, or a comprehension that a check is handed.  It is named by its file,
its function and its text, not by its line.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.meta.repository import ROOT

WATCHED = (
    "refdp/kernel", "refdp/spec", "refdp/programs/checking", "refdp/programs/certificates",
    "refdp/programs/counterexample.py", "refdp/programs/question.py", "refdp/programs/execution.py",
    "refdp/programs/steps.py", "refdp/programs/events.py", "refdp/sensitivities/question.py",
    "refdp/sensitivities/records.py", "refdp/sensitivities/limits.py", "refdp/sensitivities/checking",
    "refdp/sensitivities/smoothing/certificates.py", "refdp/sensitivities/smoothing/believing.py",
    "refdp/sensitivities/smoothing/parts.py", "refdp/sensitivities/machine/certificates.py",
    "refdp/sensitivities/machine/function_certificates.py", "refdp/checking.py", "refdp/commands/check.py",
    "refdp/commands/earlier_certificates.py", "refdp/logic/strict_json.py", "refdp/logic/asking.py", "refdp/terms",
    "refdp/numerics", "refdp/programs/probabilities", "refdp/programs/theorems.py", "refdp/sensitivities/theorems.py",
    "refdp/sensitivities/row_domains.py", "refdp/sensitivities/machine/theorems.py",
)  # fmt: skip
"""The files and folders that are audited."""
FOLDS = frozenset({"all", "any", "min", "max", "sum"})
TERMS = frozenset({"conjunction", "disjunction", "total", "all_of", "multiply_all"})
"""Functions whose arguments are taken together: of none they are true, false or 0."""
COMPARED = frozenset({"issubset", "issuperset", "isdisjoint", "keys", "items"})
REFUSING = ("insist", "require", "refuse", "check")
LONGEST = 110
"""Longest text of a site, in characters."""


class Sites(ast.NodeTransformer):
    """Finds the sites of a file, and has each say when it is asked about nothing."""

    def __init__(self, file: str) -> None:
        self.file, self.where, self.found, self.taken = file, [""], list[str](), Counter[str]()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Inside of a function sites are called by it."""
        outer = self.where[-1]
        self.where.append(f"{outer}.{node.name}" if outer else node.name)
        self.generic_visit(node)
        self.where.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """And inside of a class by it."""
        self.where.append(node.name)
        self.generic_visit(node)
        self.where.pop()
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """A loop that refuses, returns, or demands something."""
        text = f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
        decides = any(map(decisive, (inner for part in node.body for inner in ast.walk(part))))
        self.generic_visit(node)
        if decides:
            node.iter = self.watched(text, node.iter)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """What takes all elements together."""
        name, text = name_of(node), ast.unparse(node)
        starred = [place for place, one in enumerate(node.args) if isinstance(one, ast.Starred)]
        comprehended = [
            place
            for place, one in enumerate(node.args)
            if isinstance(one, ast.GeneratorExp | ast.ListComp | ast.SetComp)
        ]
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and name in FOLDS and len(node.args) == 1 and not starred:
            node.args[0] = self.watched(text, node.args[0])
        elif name in TERMS and starred and len(node.args) == 1:
            node.args[0] = ast.Starred(self.watched(text, node.args[0].value), ast.Load())  # type: ignore[attr-defined]
        elif name in TERMS and comprehended:
            node.args[comprehended[0]] = self.watched(text, node.args[comprehended[0]])
        elif isinstance(node.func, ast.Name) and name == "zip" and node.args and not is_strict(node):
            node.args[0] = self.watched(text, node.args[0])
        elif name in COMPARED - {"keys", "items"} and isinstance(node.func, ast.Attribute):
            node.func.value = self.watched(text, node.func.value)
        elif name.lstrip("_").startswith(REFUSING) and comprehended:
            node.args[comprehended[0]] = self.watched(text, node.args[comprehended[0]])
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Sets that are compared."""
        text, sides = ast.unparse(node), [node.left, *node.comparators]
        sets = [place for place, side in enumerate(sides) if is_set(side)]
        ordered = not any(isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot) for op in node.ops)
        self.generic_visit(node)
        if sets and ordered:
            sides = [node.left, *node.comparators]
            sides[sets[0]] = self.watched(text, sides[sets[0]])
            node.left, *node.comparators = sides
        return node

    def watched(self, text: str, found: ast.expr) -> ast.expr:
        """The expression, which says when it is empty."""
        named = f"{self.file}:{self.where[-1]}: {shortened(text)}"
        self.taken[named] += 1
        named += f" ({self.taken[named]})" if self.taken[named] > 1 else ""
        self.found.append(named)
        return ast.Call(ast.Name("__watched__", ast.Load()), [ast.Constant(named), found], [])


def shortened(text: str) -> str:
    """A text of bounded length in one line."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."


def decisive(node: ast.AST) -> bool:
    """Whether a part of a loop's body decides something."""
    if isinstance(node, ast.Raise | ast.Return | ast.Yield | ast.YieldFrom):
        return True
    return isinstance(node, ast.Call) and name_of(node).lstrip("_").startswith(REFUSING)


def name_of(node: ast.Call) -> str:
    """The name of the function that is called."""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def is_strict(node: ast.Call) -> bool:
    """Whether a zip refuses lists of different length."""
    return any(one.arg == "strict" and getattr(one.value, "value", None) is True for one in node.keywords)


def is_set(node: ast.expr) -> bool:
    """Whether an expression is seen to be a set."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub):
        return is_set(node.left) or is_set(node.right)
    if isinstance(node, ast.Call):
        return name_of(node) in ("set", "frozenset", "keys", "items") and not (
            name_of(node) in ("keys", "items") and bool(node.args)
        )
    return isinstance(node, ast.Set | ast.SetComp)


def files() -> Iterator[Path]:
    """The files that are audited."""
    for name in WATCHED:
        yield from sorted((ROOT / name).rglob("*.py")) if (ROOT / name).is_dir() else [ROOT / name]


def rewritten(path: Path) -> tuple[ast.Module, list[str]]:
    """The file with its sites watched, and their names."""
    finder = Sites(path.relative_to(ROOT).as_posix())
    tree = finder.visit(ast.parse(path.read_text(encoding="utf-8")))
    return ast.fix_missing_locations(tree), finder.found


def sites() -> list[str]:
    """The names of all sites."""
    return [one for path in files() for one in rewritten(path)[1]]
