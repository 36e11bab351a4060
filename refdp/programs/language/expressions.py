"""Expressions: what an expression of Python is worth, as a term, with draws and requirements written before it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import partial

from refdp.programs.language import arithmetic, calls, choosing, elements, evaluation, lookups, names
from refdp.programs.language.context import EXCEPTION, Context
from refdp.programs.language.errors import Refusal
from refdp.programs.language.values import Infinite, Mixed, Value, deny, is_equal, is_less, mixed, special
from refdp.terms.decimals import written_decimal
from refdp.terms.leaves import FALSE, integer, rational, truth
from refdp.terms.operations import negate, real, whole
from refdp.terms.term import Sort, Term

COMPARISONS: Mapping[type[ast.cmpop], Callable[[Mixed, Mixed], Term]] = {
    ast.Lt: is_less,
    ast.LtE: lambda a, b: deny(is_less(b, a)),
    ast.Gt: lambda a, b: is_less(b, a),
    ast.GtE: lambda a, b: deny(is_less(a, b)),
}


def evaluated(context: Context, node: ast.expr) -> Value:
    """What the expression is worth."""
    match node:
        case ast.Constant():
            return _constant(context, node)
        case ast.Name(name):
            return lookups.named(context, name, node)
        case ast.UnaryOp(ast.Not(), inner):
            return deny(evaluation.condition(context, inner))
        case ast.UnaryOp(operator, inner):
            return _signed(context, operator, inner, node)
        case ast.BinOp(left, operator, right):
            a, b = evaluation.number(context, left), evaluation.number(context, right)
            return arithmetic.combined(context, operator, a, b, node)
        case ast.BoolOp(operator, [first, *rest]):
            return choosing.logical(context, isinstance(operator, ast.And), first, rest, node)
        case ast.Compare(first, operators, others):
            return _compared(context, evaluation.value(context, first), operators, others, node)
        case ast.IfExp(test, yes, no):
            return choosing.one_of(
                context,
                evaluation.condition(context, test),
                lambda: evaluation.value(context, yes),
                lambda: evaluation.value(context, no),
                node,
            )
        case ast.Call():
            return calls.call(context, node)
        case ast.Subscript(ast.Name(name), index) if names.is_data(context, name):
            return elements.element(context, evaluation.number(context, index), node)
    raise Refusal(node, f"{names.kind(node)} here", "use numbers, + - * /, comparisons, and/or/not, draws")


def _constant(context: Context, node: ast.Constant) -> Value:
    """A number as it is written, a truth value, a text or None."""
    written = node.value
    if isinstance(written, bool):
        return truth(written)
    if isinstance(written, int):
        return integer(written)
    if isinstance(written, float) and abs(written) < 1e100:
        try:
            return rational(written_decimal(node.kind or repr(written)))
        except ValueError as error:
            raise Refusal(node, f"the constant {node.kind}", str(error)) from None
    if isinstance(written, str) and written in [one.value for one in Infinite]:
        raise Refusal(node, f"the text {written!r}, which is how a number is released", "write another text")
    if written == EXCEPTION:
        raise Refusal(node, f"the text {written!r}, which is how an exception is told", "write another text")
    if written is None or isinstance(written, str):
        return special(written)
    raise Refusal(node, f"the constant {written!r}", "write an integer, a decimal, a text, True, False or None")


def as_sort(term: Term, sort: Sort) -> Term:
    """A number as a real number where that is wanted."""
    return real(term) if sort == "Real" else term


def _signed(context: Context, operator: ast.unaryop, inner: ast.expr, node: ast.expr) -> Value:
    """-a or +a; minus an infinity is the other one."""
    if isinstance(operator, ast.Invert):
        raise Refusal(node, "~", "write not for truth values")
    found = evaluation.value(context, inner)
    if isinstance(found, Mixed) and found.number is None and len(found.others) == 1:
        infinite = found.others[0][0]
        if isinstance(infinite, Infinite):
            other = Infinite.ABOVE if infinite is Infinite.BELOW else Infinite.BELOW
            return special(other if isinstance(operator, ast.USub) else infinite)
    plain = whole(evaluation.plain_number(context, found, inner))
    return negate(plain) if isinstance(operator, ast.USub) else plain


def _compared(
    context: Context, left: Value, operators: list[ast.cmpop], others: list[ast.expr], node: ast.Compare
) -> Value:
    """a < b <= c: later comparisons are made only where the earlier ones hold."""
    operator, rest = operators[0], others[1:]
    right = evaluation.value(context, others[0])
    here = _comparison(context, operator, left, right, node)
    if not rest:
        return here
    later = partial(_compared, context, right, operators[1:], rest, node)
    return choosing.one_of(context, here, later, lambda: FALSE, node)


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
    return COMPARISONS[type(operator)](*(evaluation.ordered(context, one, node) for one in (a, b)))
