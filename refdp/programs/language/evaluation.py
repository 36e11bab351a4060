"""The value of an expression that stands within another: any, a number, a condition, or one that has an order.

What kinds of expressions there are says `expressions`, which the context brings along.
"""

from __future__ import annotations

import ast

from refdp.programs.language import names
from refdp.programs.language.context import Context
from refdp.programs.language.errors import Refusal
from refdp.programs.language.values import Infinite, Mixed, Value, deny, mixed
from refdp.terms.leaves import FALSE, ZERO
from refdp.terms.operations import conjunction, disjunction, equal, less, negation
from refdp.terms.term import Term


def value(context: Context, node: ast.expr) -> Value:
    """What the expression is worth."""
    return context.evaluate(context, node)


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
    if isinstance(node, ast.Name) and names.is_list(context, node.id):
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


def ordered(context: Context, found: Mixed, node: ast.AST) -> Mixed:
    """A value that has an order: not None and no text."""
    infinite = tuple((one, case) for one, case in found.others if isinstance(one, Infinite))
    finite = Mixed(found.number, tuple((one, case) for one, case in found.others if not isinstance(one, Infinite)))
    if finite.number is None and not infinite or finite.others:
        plain_number(context, finite, node)
    return Mixed(found.number, infinite)
