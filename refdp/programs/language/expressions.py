"""Expressions: what an expression of Python is worth, as a term, with draws and requirements written before it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction

from refdp.logic.terms import (
    FALSE,
    TRUE,
    ZERO,
    Sort,
    Term,
    conjunction,
    disjunction,
    equal,
    integer,
    less,
    negate,
    negation,
    rational,
    real,
    truth,
    variable,
    whole,
)
from refdp.programs.adjacency import LENGTH
from refdp.programs.language import arithmetic, calls, elements
from refdp.programs.language.context import Context, Kinds
from refdp.programs.language.errors import Refusal
from refdp.programs.language.flow import joined
from refdp.programs.language.module import Module
from refdp.programs.language.values import Infinite, Mixed, Value, deny, either, is_equal, is_less, mixed, special
from refdp.programs.syntax import Data, Statement

COMPARISONS: Mapping[type[ast.cmpop], Callable[[Mixed, Mixed], Term]] = {
    ast.Lt: is_less,
    ast.LtE: lambda a, b: deny(is_less(b, a)),
    ast.Gt: lambda a, b: is_less(b, a),
    ast.GtE: lambda a, b: deny(is_less(a, b)),
}

RESERVED = frozenset({str(LENGTH.value), "draw", "data", "other", "others", "public", "cost", "rest", "change"})
"""Names that stand for something else in terms, by themselves or with a number after a dot."""


def value(context: Context, node: ast.expr) -> Value:
    """What the expression is worth."""
    match node:
        case ast.Constant():
            return _constant(context, node)
        case ast.Name(name):
            return _name(context, name, node)
        case ast.UnaryOp(ast.Not(), inner):
            return deny(condition(context, inner))
        case ast.UnaryOp(operator, inner):
            return _signed(context, operator, inner, node)
        case ast.BinOp(left, operator, right):
            a, b = number(context, left), number(context, right)
            return arithmetic.combined(context, operator, a, b, node)
        case ast.BoolOp(operator, [first, *rest]):
            return _joined(context, isinstance(operator, ast.And), first, rest, node)
        case ast.Compare(first, operators, others):
            return _compared(context, value(context, first), operators, others, node)
        case ast.IfExp(test, yes, no):
            return _one_of(
                context, condition(context, test), lambda: value(context, yes), lambda: value(context, no), node
            )
        case ast.Call():
            return calls.call(context, node)
        case ast.Subscript(ast.Name(name), index) if name == context.data.name and context.data.is_list:
            return elements.element(context, number(context, index), node)
    raise Refusal(node, f"{_kind(node)} here", "use numbers, + - * /, comparisons, and/or/not, calls of refdp.programs")


def number(context: Context, node: ast.expr) -> Term:
    """The number (or truth value) that the expression is worth; what may be None or infinite becomes a requirement."""
    return plain_number(context, value(context, node), node)


def plain_number(context: Context, found: Value, node: ast.AST) -> Term:
    """The number that a value is."""
    if isinstance(found, Term):
        return found
    if found.number is None:
        what = " or ".join(str(one.value if isinstance(one, Infinite) else one) for one, _ in found.others)
        raise Refusal(node, f"{what} where a number is needed", "write a number")
    for one, case in found.others:
        if isinstance(one, str):
            raise Refusal(node, f"{one!r} where a number is needed", "keep texts and numbers in variables of their own")
        if isinstance(one, Infinite):  # Python goes on with an infinity, or nan
            raise Refusal(node, f"arithmetic with what may be {one.value}", "start with None, and ask for it")
        context.raises(deny(case), f"{ast.unparse(node)} is None", getattr(node, "lineno", 0))
    return found.number


def condition(context: Context, node: ast.expr) -> Term:
    """Whether the expression counts as true."""
    if isinstance(node, ast.Name) and node.id in context.lists:
        return less(ZERO, plain_number(context, context.read(f"{node.id}.len"), node))
    return truthiness(value(context, node))


def truthiness(found: Value) -> Term:
    """Whether a value counts as true: not 0, not None, not the empty text."""
    parts = mixed(found)
    special_cases = [case if one else FALSE for one, case in parts.others]
    if parts.number is None:
        return disjunction(*special_cases)
    plain = parts.number if parts.number.sort == "Bool" else negation(equal(parts.number, ZERO))
    return disjunction(*special_cases, conjunction(plain, *(deny(case) for _, case in parts.others)))


def _constant(context: Context, node: ast.Constant) -> Value:
    """A number as it is written, a truth value, a text or None."""
    written = node.value
    if isinstance(written, bool):
        return truth(written)
    if isinstance(written, int):
        return integer(written)
    if isinstance(written, float) and abs(written) < 1e100:
        return rational(Fraction((node.kind or repr(written)).replace("_", "")))
    if written is None or isinstance(written, str):
        return special(written)
    raise Refusal(node, f"the constant {written!r}", "write an integer, a decimal, a text, True, False or None")


def _name(context: Context, name: str, node: ast.Name) -> Value:
    """A variable, a public parameter or a constant of the file."""
    if name in context.lists:
        raise Refusal(
            node,
            f"the list {name} here",
            "only append to it, return it, or take max, min, sum, len, argmax or choice of it",
        )
    if name == context.data.name and context.data.is_list:
        raise Refusal(node, f"the data {name} as a whole", f"write for x in {name}: ...")
    if name in context.locals:
        if name not in context.here.assigned:
            raise Refusal(node, f"{name} may have no value here", f"write {name} = ... on every way that leads here")
        return context.read(own(context, name))
    if name in context.parameters:
        return context.parameters[name]
    if name == context.data.name:
        return variable(datum(context.data), context.data.sort)
    if name in context.module.constants:
        return constant(context.module, name, node)
    raise Refusal(
        node, f"the name {name}", "use parameters, variables, numbers at the top of the file, names of refdp.programs"
    )


def constant(module: Module, name: str, node: ast.AST) -> Value:
    """The value of a constant of the file, in which no parameter is known."""
    context = Context(module, Data("", True), {}, frozenset(), {}, Kinds())
    found = value(context, module.constants[name])
    if context.block:
        raise Refusal(node, f"the constant {name}, which draws or may raise an exception", "use numbers there")
    return found


def own(context: Context, name: str) -> str:
    """What a variable is called in the program: T.own where the parameter T is assigned."""
    taken = {*context.parameters, context.data.name, *RESERVED}
    return f"{name}.own" if name in taken else name


def datum(data: Data) -> str:
    """What data that are one number are called in the program."""
    return f"{data.name}.read" if data.name in RESERVED else data.name


def as_sort(term: Term, sort: Sort) -> Term:
    """A number as a real number where that is wanted."""
    return real(term) if sort == "Real" else term


def _signed(context: Context, operator: ast.unaryop, inner: ast.expr, node: ast.expr) -> Value:
    """-a or +a; minus an infinity is the other one."""
    if isinstance(operator, ast.Invert):
        raise Refusal(node, "~", "write not for truth values")
    found = value(context, inner)
    if isinstance(found, Mixed) and found.number is None and len(found.others) == 1:
        infinite = found.others[0][0]
        if isinstance(infinite, Infinite):
            other = Infinite.ABOVE if infinite is Infinite.BELOW else Infinite.BELOW
            return special(other if isinstance(operator, ast.USub) else infinite)
    plain = whole(plain_number(context, found, inner))
    return negate(plain) if isinstance(operator, ast.USub) else plain


def _joined(context: Context, is_and: bool, first: ast.expr, rest: list[ast.expr], node: ast.expr) -> Value:
    """a and b, a or b, of truth values; b is looked at only where it decides."""
    if not rest:
        return value(context, first)
    found = value(context, first)
    if isinstance(found, Mixed) or found.sort != "Bool":
        raise Refusal(first, "and/or of values that are not True or False", "compare, as in x != 0 or x is not None")

    def others() -> Value:
        later = _joined(context, is_and, rest[0], rest[1:], node)
        if isinstance(later, Mixed) or later.sort != "Bool":
            raise Refusal(
                rest[0], "and/or of values that are not True or False", "compare, as in x != 0 or x is not None"
            )
        return later

    if is_and:
        return _one_of(context, found, others, lambda: FALSE, node)
    return _one_of(context, found, lambda: TRUE, others, node)


def _one_of(context: Context, test: Term, yes: Callable[[], Value], no: Callable[[], Value], node: ast.expr) -> Value:
    """One of two values, each looked at only where it is chosen; with draws in one of them a branch is written."""
    if test.operator == "truth":
        return yes() if test is TRUE else no()
    before, name = context.here, f"either.{node.lineno}.{node.col_offset}"
    found = []
    for guard, evaluate in ((test, yes), (deny(test), no)):
        context.flow = before
        with context.under(guard) as block:
            found.append((evaluate(), block))
    context.flow = before
    if not any(calls.acts(block) for _, block in found):
        context.branch(test, found[0][1], found[1][1], node.lineno)
        return one_kind(test, found[0][0], found[1][0], node)
    return _stored(context, test, name, found, node)


def _stored(
    context: Context, test: Term, name: str, found: list[tuple[Value, list[Statement]]], node: ast.expr
) -> Value:
    """The value of a variable that each branch assigns."""
    before, after = context.here, []
    for guard, (one, block) in zip((test, deny(test)), found, strict=True):
        context.flow = before
        with context.under(guard) as assigned:
            context.assign(name, one, node)
        block += assigned
        after.append(context.flow)
    context.branch(test, found[0][1], found[1][1], node.lineno)
    context.flow = joined(after, before.facts)
    return context.read(name)


def one_kind(test: Term, yes: Value, no: Value, node: ast.AST) -> Value:
    """One of two values of one kind."""
    try:
        return either(test, yes, no)
    except TypeError as error:
        raise Refusal(node, str(error), "use values of one kind") from error


def _compared(
    context: Context, left: Value, operators: list[ast.cmpop], others: list[ast.expr], node: ast.Compare
) -> Value:
    """a < b <= c: later comparisons are made only where the earlier ones hold."""
    operator, rest = operators[0], others[1:]
    right = value(context, others[0])
    here = _comparison(context, operator, left, right, node)
    if not rest:
        return here
    return _one_of(context, here, lambda: _compared(context, right, operators[1:], rest, node), lambda: FALSE, node)


def _comparison(context: Context, operator: ast.cmpop, left: Value, right: Value, node: ast.Compare) -> Term:
    """One comparison."""
    a, b = mixed(left), mixed(right)
    if isinstance(operator, ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
        if isinstance(operator, ast.Is | ast.IsNot) and special(None) not in (left, right):
            raise Refusal(node, "is of numbers or texts", "write == or !=")
        same = is_equal(a, b)
        return same if isinstance(operator, ast.Is | ast.Eq) else deny(same)
    if type(operator) not in COMPARISONS:
        raise Refusal(node, "in", "compare with == or <")
    return COMPARISONS[type(operator)](*(ordered(context, one, node) for one in (a, b)))


def ordered(context: Context, found: Mixed, node: ast.AST) -> Mixed:
    """A value that has an order: not None and no text."""
    infinite = tuple((one, case) for one, case in found.others if isinstance(one, Infinite))
    finite = Mixed(found.number, tuple((one, case) for one, case in found.others if not isinstance(one, Infinite)))
    if finite.number is None and not infinite or finite.others:
        plain_number(context, finite, node)
    return Mixed(found.number, infinite)


def _kind(node: ast.AST) -> str:
    """What a node is called."""
    names = {"ListComp": "a list comprehension", "Lambda": "lambda", "Subscript": "an index", "Tuple": "a tuple"}
    return names.get(type(node).__name__, type(node).__name__)
