"""What is released: a value that may be None or a text is released one way or the other."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from refdp.programs.language import evaluation
from refdp.programs.language.context import Context
from refdp.programs.language.errors import Refusal
from refdp.programs.language.values import Infinite, Mixed, Special, Value, mixed, plain, special
from refdp.programs.syntax import Emit, Item


def released(context: Context, node: ast.expr) -> None:
    """Releases the value of an expression, of a tuple its parts together."""
    written(context, values(context, node), node)


def values(context: Context, node: ast.expr) -> list[Value]:
    """The parts of what is released at once."""
    if not isinstance(node, ast.Tuple):
        return [evaluation.value(context, node)]
    if len(node.elts) == 1:
        raise Refusal(node, "a tuple of one", "release the value itself")
    for one in node.elts:
        if isinstance(one, ast.Tuple | ast.Starred):
            raise Refusal(one, "a tuple within a tuple", "write its parts one after the other")
    return [evaluation.value(context, one) for one in node.elts]


def written(context: Context, items: Sequence[Value], node: ast.AST) -> None:
    """Writes the release, with a branch where a part may be one thing or another."""
    context.flow = replace(context.here, emitted=True)
    line = getattr(node, "lineno", 0)
    place = next((k for k, one in enumerate(items) if isinstance(one, Mixed) and _is_open(one)), None)
    if place is None:
        context.write(Emit(tuple(_item(one) for one in items), line))
        return
    one = mixed(items[place])
    (first, test), *others = one.others
    rest = plain(Mixed(one.number, tuple(others)))

    def released_as(value: Value) -> None:
        written(context, [*items[:place], value, *items[place + 1 :]], node)

    context.where(test, lambda: released_as(special(first)), lambda: released_as(rest), line)


def _is_open(value: Mixed) -> bool:
    """Whether it may be one thing or another."""
    return value.number is not None or len(value.others) > 1


def _item(value: Value) -> Item:
    """A part of an output."""
    if not isinstance(value, Mixed):
        return value
    found: Special = value.others[0][0]
    return found.value if isinstance(found, Infinite) else found
