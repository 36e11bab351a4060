"""What is changed: one node of a syntax tree at a time, by the operators that tests most often miss.

Left as they are: annotations, decorators, texts, and the words of an exception (whether it is raised is a site).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
PAIRS = (("min", "max"), ("all", "any"), ("floor", "ceil"), ("down", "up"), ("lower", "upper"), ("low", "high"))
SWAPPED = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}
"""Names of which one is taken for the other: the greater and the smaller, and the directions of rounding."""
COMMUTATIVE = frozenset(
    {"min", "max", "gcd", "lcm", "add", "multiply", "conjunction", "disjunction", "equal", "plus", "times"}
)
"""Functions whose arguments have no order."""

LARGE = 32
"""A number from here on is a limit or a precision, of which one more or less is no error: it becomes 0 or 1."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Place = tuple[ast.AST, str, int | None]
"""A node, the field of it that is changed, and where in a list."""


@dataclass(frozen=True)
class Change:
    """One change of a tree: what stands at the place becomes something else."""

    operator: str
    place: Place
    new: object
    line: int
    last: int
    before: str
    after: str
    function: str
    """The outermost function that holds it, with its class; empty at the level of the module."""
    first_line: int

    def put(self) -> object:
        """Changes the tree; what stood there, for `place_back`."""
        holder, field, index = self.place
        if index is None:
            old = getattr(holder, field)
            setattr(holder, field, self.new)
        else:
            old = getattr(holder, field)[index]
            getattr(holder, field)[index] = self.new
        return old

    def place_back(self, old: object) -> None:
        """Changes the tree back."""
        holder, field, index = self.place
        if index is None:
            setattr(holder, field, old)
        else:
            getattr(holder, field)[index] = old


def changes(tree: ast.Module) -> Iterator[Change]:
    """Every change of a module, in the order of its text."""
    for statement in tree.body:
        yield from _of_top(statement, "")


def _of_top(node: ast.AST, prefix: str) -> Iterator[Change]:
    """The changes of a statement of a module or of a class."""
    if isinstance(node, ast.ClassDef):
        for statement in node.body:
            yield from _of_top(statement, f"{prefix}{node.name}.")
    elif isinstance(node, Function):
        first = min((node.lineno, *(one.lineno for one in node.decorator_list)))
        yield from _named(_of_defaults(node.args), "", 0)
        yield from _named(_of_body(node), f"{prefix}{node.name}", first)
    elif not isinstance(node, ast.Import | ast.ImportFrom):
        yield from _named(_walk(node), "", 0)


Found = tuple[str, Place, object, str, str]


def _named(found: Iterator[Found], function: str, first: int) -> Iterator[Change]:
    for operator, place, new, before, after in found:
        yield Change(operator, place, new, *_lines(place), before, after, function, first)


def _lines(place: Place) -> tuple[int, int]:
    """The first line and the last of what is changed, or of what holds it."""
    holder, field, index = place
    old = getattr(holder, field) if index is None else getattr(holder, field)[index]
    held = holder.pattern if isinstance(holder, ast.match_case) else holder
    node = old if hasattr(old, "lineno") else held
    return getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)


def _of_defaults(arguments: ast.arguments) -> Iterator[Found]:
    for field in ("defaults", "kw_defaults"):
        for index, one in enumerate(getattr(arguments, field)):
            if one is not None:
                yield from _of_child(arguments, field, index, one)


def _of_body(function: Function) -> Iterator[Found]:
    """The changes within a function, nested ones included; and a return where it begins."""
    start = 1 if ast.get_docstring(function, clean=False) is not None else 0
    while start < len(function.body) and isinstance(function.body[start], ast.Global | ast.Nonlocal):
        start += 1  # no test reaches that line, and nothing may stand before it
    if start < len(function.body) and not isinstance(function.body[start], ast.Return | ast.Raise):
        head = function.body[start]
        early = ast.If(ast.Constant(True), [ast.Return(None)], [head])  # a generator stays one, as its yields stand
        early = ast.fix_missing_locations(ast.copy_location(early, head))
        yield "early return", (function, "body", start), early, "", "return"
    for index, one in enumerate(function.body[start:], start):
        yield from _of_child(function, "body", index, one)


def _walk(node: ast.AST) -> Iterator[Found]:
    """The changes of a node's children."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        if isinstance(node, ast.Raise):
            continue
        if isinstance(value, ast.AST):
            yield from _of_child(node, field, None, value)
        elif isinstance(value, list):
            for index, one in enumerate(value):
                if isinstance(one, ast.AST):
                    yield from _of_child(node, field, index, one)


def _of_child(holder: ast.AST, field: str, index: int | None, node: ast.AST) -> Iterator[Found]:
    """The changes at a place and within what stands there."""
    place = holder, field, index
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return
    for operator, new in _instead(node, holder, field):
        located = new
        if isinstance(new, ast.AST) and not isinstance(new, ast.cmpop | ast.operator | ast.boolop):
            located = ast.fix_missing_locations(ast.copy_location(new, node))
        yield operator, place, located, _text(node, holder), _text(new, holder)
    yield from _parts(node)
    if isinstance(node, Function):
        yield from _of_defaults(node.args)
        yield from _of_body(node)
    else:
        yield from _walk(node)


def _parts(node: ast.AST) -> Iterator[Found]:
    """Changes of a node that keep it: of its operators, its test, its guard, its iteration."""
    match node:
        case ast.Compare():
            for k, op in enumerate(node.ops):
                for new in COMPARISONS[type(op)]:
                    yield "comparison", (node, "ops", k), new(), *_texts(node, "ops", k, new())
        case ast.BinOp() | ast.AugAssign():
            instead = ARITHMETIC.get(type(node.op))
            if instead is not None:
                yield "arithmetic", (node, "op", None), instead(), *_texts(node, "op", None, instead())
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "and / or", (node, "op", None), other, *_texts(node, "op", None, other)
        case ast.match_case():
            never = ast.copy_location(ast.Constant(False), node.body[0])
            yield "case", (node, "guard", None), never, f"case {ast.unparse(node.pattern)}", "never"
            if node.guard is not None:
                yield "guard", (node, "guard", None), None, f"if {ast.unparse(node.guard)}", ""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield from _of_test(node, "test", None, node.test, isinstance(node, ast.While))
    if isinstance(node, ast.comprehension):
        for k, one in enumerate(node.ifs):
            yield from _of_test(node, "ifs", k, one, False)
    if isinstance(node, ast.For | ast.comprehension):
        nothing = ast.copy_location(ast.Tuple([], ast.Load()), node.iter)
        yield "loop skipped", (node, "iter", None), nothing, f"in {ast.unparse(node.iter)}", "in ()"


def _of_test(node: ast.AST, field: str, index: int | None, test: ast.expr, loops: bool) -> Iterator[Found]:
    place, text = (node, field, index), f"if {ast.unparse(test)}"
    for value in (False,) if loops else (True, False):
        yield "condition", place, ast.copy_location(ast.Constant(value), test), text, f"if {value}"
    negated = ast.UnaryOp(ast.Not(), test)
    yield "negation", place, ast.fix_missing_locations(ast.copy_location(negated, test)), text, f"if not ({text[3:]})"


def _texts(node: ast.AST, field: str, index: int | None, new: object) -> tuple[str, str]:
    """The text of a node before and after a part of it is changed."""
    change = Change("", (node, field, index), new, 0, 0, "", "", "", 0)
    before = _text(node, node)
    old = change.put()
    after = _text(node, node)
    change.place_back(old)
    return before, after


def _instead(node: ast.AST, holder: ast.AST, field: str) -> Iterator[tuple[str, ast.AST]]:
    """What may stand in the place of a node."""
    match node:
        case ast.Constant(bool(value)) if not isinstance(holder, ast.MatchSingleton):
            yield "constant", ast.Constant(not value)
        case ast.Constant(int(value)) if not isinstance(value, bool):
            for new in dict.fromkeys((value + 1, value - 1, 0, 1) if abs(value) < LARGE else (0, 1)):
                if new != value and (new >= 0 or not isinstance(holder, ast.MatchValue)):
                    yield "constant", ast.Constant(new)
        case ast.BoolOp(values=values):
            for k in range(len(values)):
                kept = [*values[:k], *values[k + 1 :]]
                yield "operand dropped", kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield "sign dropped", operand
        case ast.Raise() | ast.AugAssign() | ast.Continue() | ast.Break() | ast.Expr():
            yield "statement deleted", ast.Pass()
        case ast.Slice(lower, upper, step) if step is None:
            yield "slice", ast.Slice(_next(lower), upper, step)
            if upper is not None:
                yield "slice", ast.Slice(lower, _next(upper), step)
        case ast.Name(name, ast.Load()) if name in SWAPPED:
            yield "other of a pair", ast.Name(SWAPPED[name], ast.Load())
        case ast.Attribute(value, name, ast.Load()) if name in SWAPPED:
            yield "other of a pair", ast.Attribute(value, SWAPPED[name], ast.Load())
        case ast.Call(function, arguments, keywords) if ast.unparse(function) not in COMMUTATIVE:
            for k in range(len(arguments) - 1):
                a, b = arguments[k : k + 2]
                if not isinstance(a, ast.Starred) and not isinstance(b, ast.Starred):
                    swapped = [*arguments[:k], b, a, *arguments[k + 2 :]]
                    yield "arguments swapped", ast.Call(function, swapped, keywords)
    if isinstance(node, ast.Continue):
        yield "continue / break", ast.Break()
    if isinstance(node, ast.Break):
        yield "continue / break", ast.Continue()


def _next(node: ast.expr | None) -> ast.expr:
    """The number after that of an expression."""
    return ast.Constant(1) if node is None else ast.BinOp(node, ast.Add(), ast.Constant(1))


def _text(node: object, holder: ast.AST) -> str:
    """The text of a node, cut short."""
    if not isinstance(node, ast.expr | ast.stmt):
        if isinstance(node, ast.Slice | ast.comprehension):
            return ast.unparse(node)
        return type(node).__name__
    lines = ast.unparse(ast.fix_missing_locations(node)).splitlines()
    return lines[0] + (" ..." if len(lines) > 1 else "")
