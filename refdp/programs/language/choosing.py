"""One of two values: conditional expressions, and / or, of which only what decides is looked at."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from refdp.programs.language import evaluation
from refdp.programs.language.context import Context
from refdp.programs.language.errors import Refusal
from refdp.programs.language.flow import joined
from refdp.programs.language.values import Mixed, Value, deny, either
from refdp.programs.syntax import Require, Statement
from refdp.terms.leaves import FALSE, TRUE
from refdp.terms.term import Term


def logical(context: Context, is_and: bool, first: ast.expr, rest: list[ast.expr], node: ast.expr) -> Value:
    """a and b, a or b, of truth values; b is looked at only where it decides."""
    if not rest:
        return evaluation.value(context, first)
    found = evaluation.value(context, first)
    if isinstance(found, Mixed) or found.sort != "Bool":
        raise Refusal(first, "and/or of values that are not True or False", "compare, as in x != 0 or x is not None")

    def others() -> Value:
        later = logical(context, is_and, rest[0], rest[1:], node)
        if isinstance(later, Mixed) or later.sort != "Bool":
            raise Refusal(
                rest[0], "and/or of values that are not True or False", "compare, as in x != 0 or x is not None"
            )
        return later

    if is_and:
        return one_of(context, found, others, lambda: FALSE, node)
    return one_of(context, found, lambda: TRUE, others, node)


def one_of(context: Context, test: Term, yes: Callable[[], Value], no: Callable[[], Value], node: ast.expr) -> Value:
    """One of two values, each looked at only where it is chosen; with draws in one of them a branch is written."""
    if test.operator == "truth":
        return yes() if test is TRUE else no()
    before, name = context.here, f"either.{context.place(node)}"
    found = []
    for guard, evaluate in ((test, yes), (deny(test), no)):
        context.flow = before
        with context.under(guard) as block:
            found.append((evaluate(), block))
    context.flow = before
    if not any(_acts(block) for _, block in found):
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


def _acts(block: Iterable[Statement]) -> bool:
    """Whether there is a statement that is more than a requirement."""
    return any(not isinstance(one, Require) for one in block)
