"""Elements of the data by index: that of the round in a loop, else an element at a public place."""

from __future__ import annotations

import ast

from refdp.programs.adjacency import LENGTH
from refdp.programs.language.context import Context
from refdp.programs.language.errors import Refusal
from refdp.programs.language.flow import same
from refdp.programs.syntax import Look
from refdp.terms.leaves import TRUE, ZERO, integer, is_number, variable
from refdp.terms.operations import add, at_most, less, negate
from refdp.terms.term import Term


def element(context: Context, index: Term, node: ast.Subscript) -> Term:
    """data[index]."""
    name, sort = context.data.name, context.data.sort
    for frame in reversed(context.frames):
        if frame.element is not None and same(index, frame.counter):
            frame.reads = True
            context.kinds.secret.add(frame.element)
            return variable(frame.element, sort)
    if index.sort != "Int" or context.is_secret(index):
        raise Refusal(node, f"{ast.unparse(node)} at a place that is not public", f"read {name} in a loop over it")
    if any(frame.limit is LENGTH or frame.reads for frame in context.frames):
        raise Refusal(node, f"{ast.unparse(node)} in a loop over the data", "keep the element in a variable")
    return _looked(context, index, node)


def _looked(context: Context, index: Term, node: ast.Subscript) -> Term:
    """An element at a public place; -1 is the last one."""
    place, target = index, f"element.{context.place(node)}"
    if is_number(index) and index.rational < 0:
        place, inside = add(LENGTH, index), at_most(negate(index), LENGTH)
    else:
        moved = any(same(index, add(frame.counter, integer(k))) for frame in context.frames for k in (0, 1))
        counted = TRUE if moved else at_most(ZERO, index)  # Python counts a negative index from the end
        context.require(counted, f"{ast.unparse(node)}: the index is negative", node.lineno, False)
        inside = less(index, LENGTH)
    context.raises(inside, f"{ast.unparse(node)}: index out of range", node.lineno)
    context.write(Look(target, place, node.lineno))
    context.kinds.secret.add(target)
    context.flow = context.here.having(target, None)
    return variable(target, context.data.sort)
