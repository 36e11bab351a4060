"""A question of a campaign put to brute force: its small tables, its claim as a number, and the worst pair there is."""

import ast
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from refdp.sensitivities.request import Request
from tests.sensitivities.brute_force import NotExact, distance, edits_between, exact_function, neighbouring, outcome

MOST_PAIRS = 1_200
SETTINGS = {
    ("lower", "upper"): [(Fraction(0), Fraction(100)), (Fraction(-50), Fraction(100)), (Fraction(-7), Fraction(-2))],
    ("threshold",): [(Fraction(0),), (Fraction(5),)],
    ("point",): [(Fraction(0),), (Fraction(5),)],
    ("bound",): [(Fraction(1),), (Fraction(5, 2),)],
}
"""Values for the symbols."""
GRADIENTS = [(0, 0, 0, 0), (1, 0, 0, 0), (-1, 0, 0, 0), (3, 4, 0, 0), (-3, -4, 0, 0), (1, 1, 1, 1), (-1, -1, -1, -1)]


@dataclass(frozen=True)
class Move:
    """Two neighbouring tables, how far the answer moves between them and how far it may; squares under L2."""

    first: tuple[Any, ...]
    second: tuple[Any, ...]
    moved: Fraction | float
    allowed: Fraction | float

    @property
    def is_violation(self) -> bool:
        """Further than is allowed, by more than a root is rounded."""
        slack = 0 if isinstance(self.allowed, Fraction) else 1e-9 * abs(self.allowed)
        return self.moved > self.allowed + slack


def moves(request: Request, rows: int = 7) -> Iterator[Move]:
    """Every small pair of neighbouring tables that the question is about."""
    path, _, name = request.target.rpartition(":")
    text = Path(path).read_text(encoding="utf-8")
    function = exact_function(text, name)
    fixed = {key: number(value) for key, value in request.values.items()}
    for chosen in settings(request.symbols):
        known = {**fixed, **{key: value for key, value in chosen.items() if key in parameters(function)}}
        domain = records(request.record, chosen, columns_read(text, name))
        outcomes = {}
        for one, other in pairs(request, len(domain), rows):
            if request.assume and not _read(request.assume, chosen, len(one)):
                continue
            tables = tuple(tuple(domain[place] for place in table) for table in (one, other))
            for table, rows_of_it in zip((one, other), tables, strict=True):
                if table not in outcomes:
                    outcomes[table] = _outcome(function, rows_of_it, known)
            if None in (outcomes[one], outcomes[other]):
                continue
            moved = distance(outcomes[one], outcomes[other], request.norm)
            claim = _read(request.claim, chosen, len(one))
            yield Move(*tables, moved, claim * abs(claim) if request.norm == "L2" else claim)


def pairs(request: Request, size: int, rows: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The pairs that the question's edits lead between, the smaller table first."""
    tables = request.tables or "lists"
    if tables == "multisets":
        yield from relabelled(neighbouring(2, 5, request.neighbours, tables), size)
    elif request.edits == 1:
        while rows > 1 and rows * size**rows * (1 if request.neighbours == "add_remove" else size) > MOST_PAIRS:
            rows -= 1
        yield from neighbouring(size, rows, request.neighbours)
    else:
        yield from distant(request, size, 3)


def relabelled(found: Any, size: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of tables of the first and the last record only."""
    for pair in found:
        yield tuple(tuple(0 if place == 0 else size - 1 for place in table) for table in pair)


def distant(request: Request, size: int, rows: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The pairs of lists that several edits lead between."""
    everything = [table for length in range(rows + 1) for table in product(range(min(size, 3)), repeat=length)]
    for one, other in product(everything, repeat=2):
        if len(one) <= len(other) and edits_between(one, other, request.neighbours, "lists") <= request.edits:
            yield one, other


def settings(symbols: Any) -> list[Mapping[str, Fraction]]:
    """A few values of the symbols."""
    names = tuple(symbols)
    return [dict(zip(names, values, strict=True)) for values in SETTINGS[names]] if names else [{}]


def records(kind: Any, known: Mapping[str, Fraction], read: Sequence[str]) -> list[Any]:
    """A few records of a kind: of the columns that are not read, each has one value only."""
    if isinstance(kind, str):
        return list(values(kind, known))
    if list(kind) == ["numbers"] * len(kind):
        return [tuple(map(Fraction, gradient[: len(kind)])) for gradient in GRADIENTS]
    if not isinstance(kind, Mapping):
        return list(product(*(values(text, known) for text in kind)))
    columns = [values(text, known)[: None if key in read else 1] for key, text in kind.items()]
    return [dict(zip(kind, row, strict=True)) for row in product(*columns)]


def columns_read(text: str, name: str) -> list[str]:
    """The texts that stand in the function's definition: its columns are among them."""
    (tree,) = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == name)
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def values(text: str, known: Mapping[str, Fraction]) -> tuple[Any, ...]:
    """A few values of a kind."""
    if text.endswith(" or missing"):
        return (*values(text.removesuffix(" or missing"), known), None)
    if "|" in text:
        return tuple(label(part.strip()) for part in text.split("|"))
    if text in ("numbers", "integers"):
        return (Fraction(-3 * 10**7), Fraction(0), Fraction(10**7))
    low, high = (_read(part, known, 0) for part in text.removeprefix("integers ").split(".."))
    if text.startswith("integers "):
        places = (low, low + 1, (low + high) // 2, high - 1, high)
        return tuple(dict.fromkeys(int(place) for place in places))
    return tuple(dict.fromkeys((low, (low + high) / 2, high)))


def label(text: str) -> Any:
    """A category as the function sees it."""
    return {"true": True, "false": False}.get(text) if text in ("true", "false") else number(text)


def number(text: str) -> Any:
    """A number where the text is one."""
    try:
        return Fraction(text)
    except ValueError:
        return text


def parameters(function: Any) -> tuple[str, ...]:
    """The names of the function's parameters."""
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def _outcome(function: Any, rows: Any, known: Mapping[str, Any]) -> Any:
    """What the function does, None where it leaves the rational numbers."""
    try:
        return outcome(function, rows, known)
    except NotExact:
        return None


def _read(text: str, known: Mapping[str, Fraction], size: int) -> Any:
    """What a claim, a bound or an assumption says; exact unless it has a root."""
    names = {**known, "Fraction": Fraction, "n": Fraction(size), "sqrt": math.sqrt, "abs": abs, "max": max, "min": min}
    found = eval(_fractions(text), names)
    return Fraction(found) if isinstance(found, int) and not isinstance(found, bool) else found


@cache
def _fractions(text: str) -> Any:
    """The expression with every whole number a Fraction."""

    class Exact(ast.NodeTransformer):
        def visit_Constant(self, node):
            return ast.Call(ast.Name("Fraction", ast.Load()), [ast.Constant(str(node.value))], [])

    tree = Exact().visit(ast.parse(text.strip(), mode="eval"))
    return compile(ast.fix_missing_locations(tree), "<claim>", "eval")
