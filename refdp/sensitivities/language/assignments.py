"""Assignments: to names, to elements and to several at once; and those that add to what is there."""

from __future__ import annotations

import ast

from refdp.sensitivities.language.containers import assign, changeable, element
from refdp.sensitivities.language.expressions import kept
from refdp.sensitivities.language.objects import Entry, Listing
from refdp.sensitivities.language.operators import binary
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.scope import not_builtin
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import DEAD, Dead, Lazy, Record, Reference, Value
from refdp.terms.leaves import TRUE
from refdp.terms.term import Term


def assignment(x: Reader, state: State, node: ast.Assign) -> None:
    """a = b = value."""
    value = kept(x, x.value(state, node.value), node.value)
    for target in node.targets:
        x.unless_stopped(state, lambda s, t=target: bind(x, s, t, value))  # type: ignore[misc]


def annotated(x: Reader, state: State, node: ast.AnnAssign) -> None:
    """a: kind = value."""
    x.source.insist_on_constants(node)
    if node.value is not None:
        value = kept(x, x.value(state, node.value), node.value)
        x.unless_stopped(state, lambda s: bind(x, s, node.target, value))


def bind(x: Reader, state: State, target: ast.expr, value: Value) -> None:
    """Gives a value to a name, to an element, or to several of them."""
    if isinstance(target, ast.Name):
        not_builtin(x, target.id, target)
        state.names[target.id] = value
    elif isinstance(target, ast.Tuple | ast.List):
        x.each(state, value, lambda s, v: _unpack(x, s, target, v))
    elif isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
        container = x.value(state, target.value)
        index = x.value(state, target.slice)
        x.unless_stopped(state, lambda s: assign(x, s, container, index, value, target))
    else:
        raise x.unsupported(target, "this target of an assignment", "assign to names and to elements")


def _unpack(x: Reader, state: State, target: ast.Tuple | ast.List, value: Value) -> Value:
    """a, b = value."""
    for one in target.elts:
        if isinstance(one, ast.Starred):
            raise x.unsupported(one, "a starred target", "write the names one by one")
    if isinstance(value, Dead):
        return value
    if isinstance(value, Lazy):
        value = x.services["collected"](x, state, value, target)
    values = elements(state, value)
    if values is None:
        if value is None or isinstance(value, Term):
            return x.stop(state, TRUE, "TypeError")
        raise x.unsupported(target, "unpacking of this value", "unpack a tuple")
    if len(values) != len(target.elts):
        return x.stop(state, TRUE, "ValueError")
    for inner, item in zip(target.elts, values, strict=True):
        bind(x, state, inner, item)
    return DEAD


def elements(state: State, value: Value) -> tuple[Value, ...] | None:
    """The elements of a tuple, or of a list whose elements are certainly there."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, Record):
        return None
    content = state.heap.get(value.address) if isinstance(value, Reference) else None
    if isinstance(content, Listing):
        found = [piece.value for piece in content.pieces if isinstance(piece, Entry) and piece.guard is TRUE]
        return tuple(found) if len(found) == len(content.pieces) else None
    return None


def augmented(x: Reader, state: State, node: ast.AugAssign) -> None:
    """a += value, in place for a list."""
    if isinstance(node.target, ast.Name):
        not_builtin(x, node.target.id, node)
        old = x.value(state, ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
        found = _augmented(x, state, old, node)
        x.unless_stopped(state, lambda s: bind(x, s, node.target, found))
    elif isinstance(node.target, ast.Subscript) and not isinstance(node.target.slice, ast.Slice):
        container = x.value(state, node.target.value)
        index = x.value(state, node.target.slice)
        old = element(x, state, container, index, node.target)
        found = _augmented(x, state, old, node)
        x.unless_stopped(state, lambda s: assign(x, s, container, index, found, node))
    else:
        raise x.unsupported(node.target, "this target of an assignment", "assign to names and to elements")


def _augmented(x: Reader, state: State, old: Value, node: ast.AugAssign) -> Value:
    """The new value."""
    right = x.value(state, node.value)
    if isinstance(old, Reference) and isinstance(node.op, ast.Add):
        content = state.heap[old.address]
        changeable(x, content, node)
        x.services["extend"](x, state, old, right, node)
        return old
    return binary(x, state, node.op, old, right, node)
