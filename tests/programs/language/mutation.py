"""Programs that are changed at random: expressions exchanged, statements dropped or exchanged, comparisons replaced."""

from __future__ import annotations

import ast
from copy import deepcopy
from random import Random

COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
CONSTANTS = (0, 1, 2, None, True)


class Replaced(ast.NodeTransformer):
    """Replaces one node."""

    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def mutated(text: str, random: Random) -> str:
    """The last function of the text with one or two changes; it need not be Python any more."""
    tree = ast.parse(text)
    function = [one for one in tree.body if isinstance(one, ast.FunctionDef)][-1]
    for _ in range(random.randint(1, 2)):
        random.choice((exchanged, exchanged, moved, compared))(function, random)
    return ast.unparse(ast.fix_missing_locations(tree))


def exchanged(function: ast.FunctionDef, random: Random) -> None:
    """One expression in the place of another."""
    found = [node for one in function.body for node in ast.walk(one) if isinstance(node, ast.expr) and is_read(node)]
    if len(found) > 1:
        old, new = random.choice(found), deepcopy(random.choice([*found, ast.Constant(random.choice(CONSTANTS))]))
        function.body = [Replaced(old, new).visit(one) for one in function.body]


def is_read(node: ast.expr) -> bool:
    """Whether a node is an expression that is worked out."""
    return not isinstance(node, ast.Tuple | ast.List) and not isinstance(getattr(node, "ctx", None), ast.Store)


def moved(function: ast.FunctionDef, random: Random) -> None:
    """A statement less, or two in the other order."""
    blocks = [getattr(node, part, None) for node in ast.walk(function) for part in ("body", "orelse")]
    block = random.choice([one for one in blocks if isinstance(one, list) and one])
    if len(block) > 1 and random.random() < 0.5:
        block.pop(random.randrange(len(block)))
    else:
        a, b = random.randrange(len(block)), random.randrange(len(block))
        block[a], block[b] = block[b], block[a]


def compared(function: ast.FunctionDef, random: Random) -> None:
    """Other comparisons, and `or` for `and`."""
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and random.random() < 0.3:
            node.ops = [random.choice(COMPARISONS)() for _ in node.ops]
        elif isinstance(node, ast.BoolOp) and random.random() < 0.3:
            node.op = random.choice((ast.And, ast.Or))()
