"""What a file of programs may hold around its functions: imports, plain constants and functions, with @claim(...)."""

from __future__ import annotations

import ast
from collections.abc import Set

from refdp.logic import file_tops
from refdp.logic.file_tops import Allowance, Called, Forbidden
from refdp.logic.names_in_order import insist_on_order
from refdp.programs.language.errors import Refusal

ALLOWANCE = Allowance(
    pure=frozenset({"exp", "log", "each", "claim", "abs", "min", "max", "float", "int", "bool", "len"})
    | {"math.exp", "math.log", "math.sqrt", "fractions.Fraction", "decimal.Decimal"},
    decorators=frozenset({"claim"}),
    advice="write @claim(...) only",
)


def insist_on_allowed(tree: ast.Module, bound: Set[str], called: Called) -> None:
    """Refusal where a file that binds these names holds anything but what is allowed."""
    try:
        file_tops.insist_on_allowed(tree, bound, called, ALLOWANCE)
        insist_on_order(tree, bound - set(file_tops.stored(tree.body)))
    except Forbidden as found:
        if is_parameter_of_claim(tree, found.node):
            construct = f"{ast.unparse(found.node)}, worked out before there are parameters"
            raise Refusal(found.node, construct, "write it as a text") from None
        raise Refusal(found.node, found.construct, found.instead) from None


def is_parameter_of_claim(tree: ast.Module, node: ast.AST) -> bool:
    """Whether a name in the words of a claim is that of a parameter: there it can only be meant as a text."""
    for one in tree.body:
        if isinstance(one, ast.FunctionDef) and any(node in ast.walk(word) for word in one.decorator_list):
            return isinstance(node, ast.Name) and node.id in {given.arg for given in one.args.args}
    return False
