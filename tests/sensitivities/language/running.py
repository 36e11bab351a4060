"""What real Python does with a function on a table, for comparison with what was read."""

import ast
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.bounded import bounded_outcome
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.program import EXCEPTIONS, ROW, Outcome, Program, outcome
from refdp.sensitivities.records import Category, Fields, Kind, Missing
from refdp.terms.exact_values import evaluate
from refdp.terms.term import Term, Value


def assignment(kind: Kind, record: Any, name: str) -> dict[Term, Value]:
    """The values of the variables of a record."""
    if isinstance(kind, Missing):
        missing, *inner = kind.slots(name)
        if record is None:
            return {missing: True, **{v: Fraction(0) for v in inner}}
        return {missing: False, **assignment(kind.kind, record, name)}
    if isinstance(kind, Category):
        places = [i for i, one in enumerate(kind.labels) if one == record and type(one) is type(record)]
        return {kind.slots(name)[0]: Fraction(places[0])}
    if isinstance(kind, Fields):
        found: dict[Term, Value] = {}
        for key, one, inner_name in kind.inner(name):
            found |= assignment(one, record[key], inner_name)
        return found
    return {kind.slots(name)[0]: Fraction(record)}


def random_record(kind: Kind, random: Random) -> Any:
    """A record as the function sees it."""
    if isinstance(kind, Missing):
        return None if random.random() < 0.3 else random_record(kind.kind, random)
    if isinstance(kind, Category):
        return random.choice(kind.labels)
    if isinstance(kind, Fields):
        values = [random_record(one, random) for _, one in kind.kinds]
        if all(isinstance(key, int) for key, _ in kind.kinds):
            return tuple(values)
        return {key: value for (key, _), value in zip(kind.kinds, values, strict=True)}
    low, high = (None if end is None else end.rational for end in (kind.lower, kind.upper))
    found = Fraction(random.randint(-4, 6) if kind.is_integer else random.randint(-12, 24))
    found = found if kind.is_integer else found / random.choice((1, 2, 4))
    found = found if low is None else max(low, found)
    found = found if high is None else min(high, found)
    return int(found) if kind.is_integer else found


def flattened(answer: Any, label: str = "") -> list[tuple[str, Fraction]]:
    """Labels and numbers of an answer."""
    if isinstance(answer, int | float | Fraction):
        return [(label, Fraction(answer))]
    items = answer.items() if isinstance(answer, Mapping) else enumerate(answer)
    found = []
    for key, one in items:
        text = ",".join(map(str, key)) if isinstance(key, tuple) else str(key)
        found += flattened(one, f"{label}.{text}" if label else text)
    return found


def really(function: Any, rows: Sequence[Any], arguments: Mapping[str, Any]) -> tuple[dict[str, Fraction], str]:
    """What Python does: the answer by labels, or the name of the exception."""
    try:
        answer = function([dict(r) if isinstance(r, dict) else r for r in rows], **arguments)
    except Exception as error:
        name = type(error).__name__
        if name not in EXCEPTIONS:
            raise
        return {}, name
    if answer in (float("inf"), float("-inf")):
        return {}, f"{answer} returned"
    return ({}, "None returned") if answer is None else (dict(flattened(answer)), "")


def by_label(found: Outcome, labels: Sequence[str]) -> tuple[dict[str, Fraction], str]:
    """An outcome as `really` gives it."""
    numbers = [Fraction(one) for one in found.numbers]
    return dict(zip(labels or ("",), numbers, strict=False)), found.exception


class Exact(ast.NodeTransformer):
    """Division of whole numbers is exact, and 0.1 is a Fraction."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.Call(ast.Name("_divided", ast.Load()), [node.left, node.right], [])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or not isinstance(node.target, ast.Name):
            return node
        old = ast.Name(node.target.id, ast.Load())
        return ast.Assign([node.target], ast.Call(ast.Name("_divided", ast.Load()), [old, node.value], []))

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, float):
            return node
        return ast.Call(ast.Name("_Fraction", ast.Load()), [ast.Constant(repr(node.value))], [])


def divided(a: Any, b: Any) -> Any:
    """a / b without rounding."""
    whole = isinstance(a, int) and isinstance(b, int)
    return Fraction(a) / b if whole else a / b


def compiled(text: str, name: str) -> Any:
    """The function, as Python makes it, in exact arithmetic."""
    names: dict[str, Any] = {"_divided": divided, "_Fraction": Fraction}
    tree = ast.fix_missing_locations(Exact().visit(ast.parse(text)))
    exec(compile(tree, "<test>", "exec"), names)
    return names[name]


def agrees(
    text: str,
    kind: Kind,
    tables: Sequence[Sequence[Any]],
    arguments: Mapping[str, Any] | None = None,
    name: str = "f",
    fold: bool = True,
    bounded: bool = True,
) -> Program | None:
    """Reads the function and compares it with Python on every table; the program that was read."""
    given = dict(arguments or {})
    fixed = {k: Fraction(v) if isinstance(v, int) and not isinstance(v, bool) else v for k, v in given.items()}
    declaration = Declaration(kind, fixed)
    source, function = parse_source(text, name), compiled(text, name)
    program = read_program(source, declaration) if fold else None
    for rows in tables:
        expected = really(function, rows, given)
        if program is not None:
            assigned = [assignment(kind, row, ROW) for row in rows]
            require(by_label(outcome(program, assigned, {}), program.labels), expected, (text, rows))
        if bounded:
            require(bounded_result(source, declaration, rows), expected, ("bounded", text, rows))
    return program


def bounded_result(source: Any, declaration: Declaration, rows: Sequence[Any]) -> tuple[dict[str, Fraction], str]:
    """What is read of the function on variables, at these rows."""
    kind = declaration.record
    slots = [kind.slots(f"row{i}") for i in range(len(rows))]
    numbers, exception, labels, _ = bounded_outcome(source, declaration, slots)
    values: dict[Term, Value] = {}
    for place, row in enumerate(rows):
        values |= assignment(kind, row, f"row{place}")
    raised = EXCEPTIONS[int(evaluate(exception, values))]
    found = Outcome((), raised) if raised else Outcome(tuple(evaluate(one, values) for one in numbers))
    return by_label(found, labels)


def tables(kind: Kind, seed: int, count: int = 12, longest: int = 5) -> list[list[Any]]:
    """Random tables, with the empty one and those of one row."""
    random = Random(seed)
    sizes = [0, 1, 1, *(random.randint(0, longest) for _ in range(count))]
    return [[random_record(kind, random) for _ in range(size)] for size in sizes]


def require(found, expected, where):
    """AssertionError, also under -O, unless both are the same."""
    if found != expected:
        raise AssertionError(f"{found} instead of {expected}: {where}")
