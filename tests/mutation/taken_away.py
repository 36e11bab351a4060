"""Checks that are taken away: one condition, look-up, side condition or clause less of a checker or a reader.

They are drawn by a published seed; those that are shown to let nothing wrong through are left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from dataclasses import replace

from tests.mutation.harmless import HARMLESS, Key
from tests.mutation.operators import Change, changes
from tests.mutation.sites import ROOT, Site, differs, numbered, rank, tree

SEED = "refdp unsound 1"
PROGRAM, QUERY, FORGED = "program", "query", "certificate"
FILES = {
    "refdp/programs/checking/*.py": (PROGRAM, FORGED),
    "refdp/programs/language/*.py": (PROGRAM, FORGED),
    "refdp/sensitivities/checking/*.py": (QUERY, FORGED),
    "refdp/sensitivities/language/*.py": (QUERY, FORGED),
    "refdp/logic/file_tops.py": (PROGRAM, QUERY, FORGED),
}
"""The checkers and readers, and which claims are judged by them.

Refdp's interpreter of Python (`language/concrete`) is neither: it is an oracle, which `trusts` names where a verdict
rests on it, and its answers are held against what was read and against CPython.
"""
DEMANDING = ("forbid(", "insist_", "insist(")
JOINING = frozenset({"conjunction", "all_of", "disjunction"})


def files() -> dict[str, tuple[str, ...]]:
    """The files, and which claims are judged by them."""
    return {
        path.relative_to(ROOT).as_posix(): kinds
        for pattern, kinds in FILES.items()
        for path in sorted(ROOT.glob(pattern))
    }


def is_removal(change: Change) -> bool:
    """Whether a change takes a check away: a refusal, something demanded, an operand of a test, checks gone through.

    Without an operand of `and` a test holds more often, and without one of `or` less often: before a refusal the second
    takes something away, elsewhere the first; the other way about, more is refused or fewer cases have a rule of their
    own.  Of what a function returns, and of `not (...)`, either may.
    """
    holder, field, index = change.place
    if change.operator == "operand dropped":
        if isinstance(holder, ast.Return | ast.UnaryOp):
            return True
        if not isinstance(holder, ast.If | ast.IfExp | ast.While | ast.comprehension):
            return False
        test = getattr(holder, field) if index is None else getattr(holder, field)[index]
        return isinstance(test.op, ast.Or if isinstance(holder, ast.If) and demands(holder.body[-1]) else ast.And)
    if change.operator == "loop skipped":
        return isinstance(holder, ast.For) and refuses(holder.body)
    if change.operator == "condition" and change.after == "if False":
        return isinstance(holder, ast.If) and refuses(holder.body)
    if change.operator == "statement deleted":
        return change.before.startswith(("raise", "yield", "insist", "self.insist", "self.require", "require"))
    return False


def demands(statement: ast.stmt) -> bool:
    """Whether a statement refuses, or insists on something."""
    is_call = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    return isinstance(statement, ast.Raise) or (is_call and any(word in ast.unparse(statement) for word in DEMANDING))


def refuses(body: list[ast.stmt]) -> bool:
    """Whether something is refused or demanded in statements."""
    demanding = ast.Raise | ast.Yield | ast.YieldFrom
    return any(isinstance(node, demanding) for one in body for node in ast.walk(one))


def clauses(file: str) -> Iterator[Change]:
    """One argument of a conjunction less."""
    for top in changes(tree(file)):
        if top.operator != "early return":
            continue
        function = top.place[0]
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in JOINING:
                for k in range(len(node.args)) if len(node.args) > 1 else ():
                    kept = [*node.args[:k], *node.args[k + 1 :]]
                    new = ast.fix_missing_locations(ast.copy_location(ast.Call(node.func, kept, []), node))
                    yield replace(
                        top, operator="clause dropped", place=(node, "args", None), new=new.args,
                        line=node.lineno, last=node.end_lineno or node.lineno,
                        before=ast.unparse(node), after=ast.unparse(new),
                    )  # fmt: skip


def drawn(seed: str = SEED, without: Set[Key] = HARMLESS.keys()) -> Iterator[Site]:
    """Every change that takes a check away, in the order of the seed."""
    found = [
        site
        for file in files()
        for site in numbered("unsound", file, (*filter(is_removal, changes(tree(file))), *clauses(file)))
    ]
    found.sort(key=lambda site: rank(site, seed))
    return (one for one in found if differs(one) and one.key not in without)
