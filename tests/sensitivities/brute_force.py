"""How far a Python function moves between neighbouring small tables, by running it: Python itself is the oracle.

The source is run as it stands but for what makes Python inexact: a float literal is the decimal it writes, `/` divides
exactly, and a square root is exact or has no value.  Nothing of refdp is used.
"""

import ast
import copy
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

RAISED = (ArithmeticError, LookupError, ValueError, TypeError, StopIteration, AssertionError, UnboundLocalError)
Outcome = Mapping[object, Fraction] | str
"""The coordinates of an answer by their labels, or the name of what was raised."""


class NotExact(Exception):
    """The function leaves the rational numbers on this table."""


class _Exact(ast.NodeTransformer):
    """Python without floats."""

    def visit_Constant(self, node):
        return _call("_exact", ast.Constant(repr(node.value))) if isinstance(node.value, float) else node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        helper = {ast.Div: "_quotient", ast.Pow: "_power"}.get(type(node.op))
        return _call(helper, node.left, node.right) if helper else node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        target = copy.deepcopy(node.target)
        for part in ast.walk(target):
            if isinstance(part, ast.Name | ast.Attribute | ast.Subscript) and part is target:
                part.ctx = ast.Load()
        return ast.Assign([node.target], _call("_quotient", target, node.value))

    def visit_Call(self, node):
        self.generic_visit(node)
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        helper = {"sqrt": "_root", "hypot": "_length"}.get(called)
        return _call(helper, *node.args) if helper else node


def _call(name, *arguments):
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def quotient(a: Any, b: Any) -> Any:
    """a / b, exact where both are whole numbers, too."""
    return (Fraction(a) if isinstance(a, int) else a) / b


def power(a: Any, b: Any) -> Any:
    """a ** b, exact where b is negative, too."""
    return (Fraction(a) if isinstance(a, int) and b < 0 else a) ** b


def root(x: Any) -> Fraction:
    """The square root; NotExact where it is irrational, ValueError where there is none."""
    if x < 0:
        raise ValueError("math domain error")
    top, bottom = math.isqrt(Fraction(x).numerator), math.isqrt(Fraction(x).denominator)
    if Fraction(top, bottom) ** 2 != x:
        raise NotExact(f"sqrt({x})")
    return Fraction(top, bottom)


def length(*values: Any) -> Fraction:
    """The root of the sum of the squares; NotExact where it is irrational."""
    return root(sum((Fraction(x) ** 2 for x in values), Fraction(0)))


def exact_function(text: str, name: str) -> Callable[..., Any]:
    """The function of that name in the text, run over exact numbers."""
    names: dict[str, Any] = {
        "__name__": "query",
        "__file__": __file__,
        "_exact": Fraction,
        "_quotient": quotient,
        "_power": power,
        "_root": root,
        "_length": length,
    }
    exec(_compiled(text), names)
    return names[name]


@cache
def _compiled(text: str) -> Any:
    """The text without floats, as code."""
    module = ast.fix_missing_locations(_Exact().visit(ast.parse(text)))
    return compile(module, "<query>", "exec")


def outcome(function: Callable[..., Any], rows: Sequence[Any], values: Mapping[str, Any] | None = None) -> Outcome:
    """What the function does on these rows, of which it gets a copy."""
    try:
        answer = function([copy.deepcopy(row) for row in rows], **(values or {}))
    except RAISED as error:
        return type(error).__name__
    return dict(coordinates(answer))


def coordinates(answer: Any, label: tuple[object, ...] = ()) -> Iterator[tuple[object, Fraction]]:
    """Every number of an answer with its label."""
    if isinstance(answer, Mapping):
        for key, value in answer.items():
            yield from coordinates(value, (*label, key))
    elif isinstance(answer, list | tuple):
        yield (*label, "length"), Fraction(0)
        for key, value in enumerate(answer):
            yield from coordinates(value, (*label, key))
    elif isinstance(answer, int | Fraction):
        yield label, Fraction(answer)
    else:
        raise NotExact(f"an answer must be made of exact numbers, got {answer!r}")


def distance(first: Outcome, second: Outcome, norm: str) -> Fraction | float:
    """How far apart two outcomes are, squared under L2; infinitely where their kinds or labels differ."""
    if isinstance(first, str) or isinstance(second, str):
        return Fraction(0) if first == second else math.inf
    if first.keys() != second.keys():
        return math.inf
    sizes = [abs(first[key] - second[key]) for key in first]
    if norm == "L2":
        return sum((s * s for s in sizes), Fraction(0))
    return sum(sizes, Fraction(0)) if norm == "L1" else max(sizes, default=Fraction(0))


def neighbouring(
    size: int, rows: int, neighbours: str, tables: str = "lists"
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every pair of tables that one edit leads between, of at most `rows` rows, each the place of a value below `size`.

    The first is the smaller one under add_remove.
    """
    for length in range(1, rows + 1):
        for table in product(range(size), repeat=length):
            for place in range(length):
                before, after = table[:place], table[place + 1 :]
                others = [before + after] if neighbours == "add_remove" else [
                    (*before, x, *after) for x in range(size)
                ]  # fmt: skip
                for other in others:
                    orders = {other} if tables == "lists" else set(permutations(other))
                    yield from ((order, table) for order in orders)


def moves(
    function: Callable[..., Any],
    domain: Sequence[Any],
    rows: int,
    neighbours: str,
    norm: str,
    tables: str = "lists",
    values: Mapping[str, Any] | None = None,
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], Fraction | float]]:
    """Every pair of small neighbouring tables over the domain, with the distance of what the function does on them."""
    known: dict[tuple[int, ...], Outcome | None] = {}

    def found(table):
        if table not in known:
            try:
                known[table] = outcome(function, [domain[place] for place in table], values)
            except NotExact:
                known[table] = None
        return known[table]

    for first, second in neighbouring(len(domain), rows, neighbours, tables):
        one, other = found(first), found(second)
        if one is not None and other is not None:
            yield first, second, distance(one, other, norm)


def sensitivity(
    function: Callable[..., Any],
    domain: Sequence[Any],
    rows: int,
    neighbours: str,
    norm: str = "L1",
    tables: str = "lists",
    values: Mapping[str, Any] | None = None,
) -> Fraction | float:
    """The largest distance (squared under L2) between neighbouring tables of at most `rows` rows over the domain."""
    found = moves(function, domain, rows, neighbours, norm, tables, values)
    return max((size for _, _, size in found), default=Fraction(0))


def edits_between(first: Sequence[Any], second: Sequence[Any], neighbours: str, tables: str) -> float:
    """The least number of edits that lead from one table to the other; infinity where none do."""
    one, other = [repr(row) for row in first], [repr(row) for row in second]
    if neighbours == "change_one" and len(one) != len(other):
        return math.inf
    if tables == "multisets":
        apart = (Counter(one) - Counter(other)).total() + (Counter(other) - Counter(one)).total()
        return apart if neighbours == "add_remove" else apart // 2
    if neighbours == "change_one":
        return sum(a != b for a, b in zip(one, other, strict=True))
    return len(one) + len(other) - 2 * common(one, other)


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    best = [0] * (len(other) + 1)
    for a in one:
        row = [0]
        for place, b in enumerate(other):
            row.append(best[place] + 1 if a == b else max(row[-1], best[place + 1]))
        best = row
    return best[-1]
