"""len of what Python iterates: known, counted by its keys, or by a pass over the rows."""

from __future__ import annotations

import ast

from refdp.sensitivities.language.endings import NESTED
from refdp.sensitivities.language.objects import Block, Entry, Mapped, Piece
from refdp.sensitivities.language.operators import present_count
from refdp.sensitivities.language.passes import fold
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import DEAD, Cases, Record, Reference, Value
from refdp.terms.leaves import ZERO, integer
from refdp.terms.operations import add, whole
from refdp.terms.term import Term


def length(x: Reader, state: State, value: Value, node: ast.AST) -> Term:
    """len(value)."""
    if isinstance(value, tuple | str):
        return integer(len(value))
    if isinstance(value, Record):
        return integer(len(value.items))
    if isinstance(value, Cases):
        found = x.each(state, value, lambda s, v: length(x, s, v, node))
        return found if isinstance(found, Term) else ZERO
    if not isinstance(value, Reference):
        x.mistyped(state, node, value)
        return ZERO
    content = state.heap[value.address]
    if isinstance(content, Mapped):
        return present_count(content)
    known = [pieces for _, key, pieces in x.memory if key == "pieces" and pieces[0] is content.pieces]
    if known:
        found_length: Term = known[0][1]
        return found_length
    return _counted(x, state, content.pieces, node)


def _counted(x: Reader, state: State, pieces: tuple[Piece, ...], node: ast.AST) -> Term:
    """The number of elements, by a pass where rows come in."""
    if all(isinstance(piece, Entry) for piece in pieces):
        return present_count(tuple(piece for piece in pieces if isinstance(piece, Entry)))
    name = f"!count{x.token()}"
    state.names[name] = ZERO
    for piece in pieces:

        def count(s: State, _: Value) -> None:
            s.names[name] = add(_term(x, s.names[name], node), integer(1))

        if isinstance(piece, Entry):
            x.when(state, piece.guard, lambda s: count(s, DEAD))
        elif isinstance(piece, Block):
            fold(x, state, piece, count, node)
        else:
            raise x.not_a_fold(node, "the length of a list that grows with the rows is read before the loop has ended")
    found = _term(x, x.readable(state, state.names.pop(name), node), node)
    x.memory.append((len(x.passes), "pieces", (pieces, found)))
    x.memory.append((len(x.passes), ("length", found), pieces))
    return found


def _term(x: Reader, value: Value, node: ast.AST) -> Term:
    """A number that a loop keeps for itself."""
    if not isinstance(value, Term):
        raise x.not_a_fold(node, NESTED)
    return whole(value)
