"""Arithmetic: sums, products and quotients as far as they are read, with what Python needs to raise no exception."""

from __future__ import annotations

import ast

from refdp.programs.language.context import Context
from refdp.programs.language.errors import Refusal
from refdp.programs.language.signs import is_at_most, is_positive
from refdp.terms.leaves import ZERO
from refdp.terms.operations import (
    add,
    choice,
    divide,
    equal,
    floor,
    less,
    modulo,
    multiply,
    negation,
    power,
    real,
    subtract,
    whole,
)
from refdp.terms.term import Term


def combined(context: Context, operator: ast.operator, a: Term, b: Term, node: ast.expr) -> Term:
    """a + b, a - b, a * b, a / b, a // b, a % b or a ** b."""
    a, b = whole(a), whole(b)
    match operator:
        case ast.Add():
            return add(a, b)
        case ast.Sub():
            return subtract(a, b)
        case ast.Mult():
            return product(context, a, b, node)
        case ast.Pow():
            _public(context, node, a, b)
            return _power(context, a, b, node)
        case ast.Div() | ast.FloorDiv() | ast.Mod():
            return _quotient(context, operator, a, b, node)
    raise Refusal(node, "this operator", "use + - * / // % **")


def product(context: Context, a: Term, b: Term, node: ast.AST) -> Term:
    """a * b, of which one is public or 0 or 1."""
    if context.is_secret(a) and context.is_secret(b):
        for flag, other in ((a, b), (b, a)):
            if flag.operator == "ite" and all(part.operator == "number" for part in flag.arguments[1:]):
                test, yes, no = flag.arguments
                return choice(test, multiply(yes, other), multiply(no, other))
        raise Refusal(node, "a product of two values that depend on data or draws", "multiply by public values only")
    return multiply(a, b)


def _quotient(context: Context, operator: ast.operator, a: Term, b: Term, node: ast.expr) -> Term:
    """a / b by a public b, a // b and a % b of public numbers."""
    _public(context, node, b)
    if not isinstance(operator, ast.Div):
        _public(context, node, a)
    if isinstance(operator, ast.Mod):
        if (a.sort, b.sort) != ("Int", "Int"):
            raise Refusal(node, "% of numbers that are not integers", "annotate the parameters with int")
        if not is_positive(b, context.assumption):
            context.require(less(ZERO, b), f"{ast.unparse(node)}: the divisor is not positive", node.lineno, False)
        return modulo(a, b)
    if not is_positive(b, context.assumption):
        context.require(negation(equal(b, ZERO)), f"{ast.unparse(node)}: division by zero", node.lineno)
    quotient = divide(a, b)
    if isinstance(operator, ast.Div):
        return quotient
    return floor(quotient) if (a.sort, b.sort) == ("Int", "Int") else real(floor(quotient))


def _power(context: Context, a: Term, b: Term, node: ast.expr) -> Term:
    """a ** b of a positive number, or with an integer b >= 0."""
    is_count = b.sort == "Int" and is_at_most(ZERO, b, context.assumption)
    if not is_count and not is_positive(a, context.assumption):
        context.require(less(ZERO, a), f"{ast.unparse(node)}: the base is not positive", node.lineno, False)
    return power(a if is_count else real(a), b)


def _public(context: Context, node: ast.expr, *terms: Term) -> None:
    """Refusal where a term depends on data or draws."""
    if context.is_secret(*terms):
        raise Refusal(node, f"{ast.unparse(node)} of values that depend on data or draws", "use public values there")
