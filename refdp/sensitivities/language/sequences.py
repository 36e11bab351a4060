"""Slices, zip, the n-th row and loops over places: what the rows of a table have beside their values."""

from __future__ import annotations

import ast

from refdp.sensitivities.language.comprehensions import append
from refdp.sensitivities.language.containers import changeable
from refdp.sensitivities.language.iteration import loop
from refdp.sensitivities.language.objects import Block, Entry, Listing, Piece
from refdp.sensitivities.language.operators import LONGEST
from refdp.sensitivities.language.reader import Body, Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import DEAD, Dead, Lazy, Reference, Unbound, Value, alternatives
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, is_number
from refdp.terms.operations import add, at_most, conjunction, disjunction, equal, less, negation
from refdp.terms.term import Term


def slice_of(x: Reader, state: State, container: Value, low: Value, high: Value, node: ast.AST) -> Value:
    """container[low:high]."""
    ends = [_end(x, one, node) for one in (low, high)]
    return x.each(state, container, lambda s, c: _slice(x, s, c, ends[0], ends[1], node))


def _end(x: Reader, value: Value, node: ast.AST) -> int | None:
    """An end of a slice, which is a constant."""
    if value is None:
        return None
    if isinstance(value, Term) and is_number(value) and value.sort != "Real":
        return int(value.rational)
    raise x.not_a_fold(node, "the ends of this slice are not constants")


def _slice(x: Reader, state: State, container: Value, low: int | None, high: int | None, node: ast.AST) -> Value:
    """A slice of one case."""
    if isinstance(container, tuple | str):
        return container[low:high]
    content = state.heap.get(container.address) if isinstance(container, Reference) else None
    if isinstance(container, Dead):
        return container
    if not isinstance(content, Listing):
        raise x.unsupported(node, "a slice of this value", "slice a list")
    if all(isinstance(piece, Entry) and piece.guard is TRUE for piece in content.pieces):
        return x.new(state, Listing(content.pieces[low:high]))
    first = low or 0
    if first < 0 or high is not None and high < 0:
        return _cut(x, state, content, first, high, node)
    found = x.new(state, Listing(()))

    def keep(s: State, item: Value) -> None:
        place, value = item if isinstance(item, tuple) else (ZERO, DEAD)
        if isinstance(place, Term):
            inside = TRUE if high is None else less(place, integer(high))
            x.when(s, conjunction(at_most(integer(first), place), inside), lambda t: append(x, t, found, value))

    loop(x, state, Lazy("enumerate", (container, ZERO)), keep, node)
    if first and high is None:
        made = state.heap[found.address]
        if isinstance(made, Listing):
            state.heap[found.address] = Listing(made.pieces, "", (content.pieces, first, 0))
    return found


def _cut(x: Reader, state: State, content: Listing, first: int, high: int | None, node: ast.AST) -> Value:
    """A slice that leaves out the last elements."""
    total = None
    if all(isinstance(piece, Entry) for piece in content.pieces):
        from refdp.sensitivities.language.operators import present_count

        total = present_count(tuple(piece for piece in content.pieces if isinstance(piece, Entry)))
    else:
        whole_list = x.new(state, Listing(content.pieces))
        total = x.length(state, whole_list, node)
    found = x.new(state, Listing(()))
    start = integer(first) if first >= 0 else add(total, integer(first))
    stop = total if high is None else integer(high) if high >= 0 else add(total, integer(high))

    def keep(s: State, item: Value) -> None:
        place, value = item if isinstance(item, tuple) else (ZERO, DEAD)
        if isinstance(place, Term):
            inside = conjunction(at_most(start, place), less(place, stop))
            x.when(s, inside, lambda t: append(x, t, found, value))

    loop(x, state, Lazy("enumerate", (x.new(state, Listing(content.pieces)), ZERO)), keep, node)
    made = state.heap[found.address]
    if isinstance(made, Listing) and first >= 0 and high is not None and high < 0:
        state.heap[found.address] = Listing(made.pieces, "", (content.pieces, first, -high))
    return found


def nth(x: Reader, state: State, container: Reference, index: int, node: ast.AST) -> Value:
    """The element at a constant place, -1 for the last; Unbound where there is none."""
    name = f"!element{x.token()}"
    state.names[name] = Unbound("element")

    def keep(s: State, item: Value) -> None:
        place, value = item if isinstance(item, tuple) else (ZERO, DEAD)
        here = TRUE if index < 0 else equal(place, integer(index)) if isinstance(place, Term) else FALSE
        x.when(s, here, lambda t: t.names.update({name: value}))

    loop(x, state, Lazy("enumerate", (container, ZERO)), keep, node)
    found = state.names.pop(name)
    from refdp.sensitivities.language.values import Poison

    if isinstance(found, Poison):
        raise x.not_a_fold(node, found.reason)
    return found


def zipped(x: Reader, state: State, value: Lazy, body: Body, node: ast.AST) -> None:
    """Elements at the same places of several iterables, none of which the body changes."""
    before = [state.heap[one.address] for one in value.parts if isinstance(one, Reference)]
    _zipped(x, state, value, body, node)
    after = [state.heap[one.address] for one in value.parts if isinstance(one, Reference)]
    if any(a is not b for a, b in zip(before, after, strict=True)):
        raise x.unsupported(node, "a list that changes while it is iterated", "make a new list")


def _zipped(x: Reader, state: State, value: Lazy, body: Body, node: ast.AST) -> None:
    """Side by side where that is known, else by the rows."""
    parts = [_pieces(x, state, one, node) for one in value.parts]  # type: ignore[arg-type]
    if all(isinstance(piece, Entry) and piece.guard is TRUE for one in parts for piece in one):
        columns = [[piece.value for piece in one if isinstance(piece, Entry)] for one in parts]
        loop(x, state, tuple(zip(*columns, strict=False)), body, node)
        if value.kind == "strict zip" and len(set(map(len, columns))) > 1:
            x.unless_stopped(state, lambda s: _mismatch(x, s))
        return
    together = _together(parts)
    if together is not None:
        loop(x, state, x.new(state, Listing(together)), body, node)
        return
    if value.kind == "strict zip":
        raise x.not_a_fold(node, "zip with strict of lists whose lengths may differ")
    windows = [_window(state, one, pieces) for one, pieces in zip(value.parts, parts, strict=True)]  # type: ignore[arg-type]
    width = max(left for _, left, _ in windows)
    if any(one[0] is not windows[0][0] for one in windows) or any(a + b > width for _, a, b in windows):
        raise x.not_a_fold(node, "zip of lists that are not of the same rows")
    if max(left + right for _, left, right in windows) < width:
        raise x.not_a_fold(node, "zip of lists that are not of the same rows")
    _slide(x, state, (windows[0][0], width), [left for _, left, _ in windows], body, node)


def _mismatch(x: Reader, state: State) -> None:
    """What zip with strict does at the end of lists of different length."""
    x.stop(state, TRUE, "ValueError")


def _pieces(x: Reader, state: State, value: Value, node: ast.AST) -> tuple[Piece, ...]:
    """The elements of a list or tuple, or of a range of constants."""
    if isinstance(value, tuple):
        return tuple(Entry(TRUE, one) for one in value)
    content = state.heap.get(value.address) if isinstance(value, Reference) else None
    if isinstance(content, Listing):
        return content.pieces
    if isinstance(value, Lazy) and value.kind == "range":
        ends = [one for one in value.parts if isinstance(one, Term) and is_number(one)]
        found = range(*(int(one.rational) for one in ends)) if len(ends) == 3 else range(0)
        if len(ends) == 3 and len(found) <= LONGEST:
            return tuple(Entry(TRUE, integer(one)) for one in found)
    raise x.unsupported(node, "zip of this value", "zip lists, tuples and ranges of constants")


def _together(parts: list[tuple[Piece, ...]]) -> tuple[Piece, ...] | None:
    """Lists with the same number of elements for each row, side by side."""
    if len({len(one) for one in parts}) != 1:
        return None
    found: list[Piece] = []
    for row in zip(*parts, strict=True):
        entries = [piece.entries if isinstance(piece, Block) else (piece,) for piece in row]
        if len({type(piece) for piece in row}) != 1 or len({len(one) for one in entries}) != 1:
            return None
        if any(not isinstance(e, Entry) or e.guard is not TRUE for one in entries for e in one):
            return None
        rows = [tuple(e.value for e in same if isinstance(e, Entry)) for same in zip(*entries, strict=True)]
        made = tuple(Entry(TRUE, one) for one in rows)
        if isinstance(row[0], Block):
            variables = {v.name: v for piece in row if isinstance(piece, Block) for v in piece.machine}
            found.append(Block(made, tuple(variables.values())))
        else:
            found += made
    return tuple(found)


def _window(state: State, value: Value, pieces: tuple[Piece, ...]) -> tuple[tuple[Piece, ...], int, int]:
    """The list that a slice is of, and how many elements it leaves out at each end."""
    content = state.heap.get(value.address) if isinstance(value, Reference) else None
    return content.cut if isinstance(content, Listing) and content.cut is not None else (pieces, 0, 0)


def _slide(
    x: Reader, state: State, over: tuple[tuple[Piece, ...], int], offsets: list[int], body: Body, node: ast.AST
) -> None:
    """Runs the body for rows that are at most `width` apart; the last ones are kept in hidden names."""
    pieces, width = over
    names = [f"!previous{x.token()}" for _ in range(width)]
    for name in names:
        state.names[name] = Unbound("previous")

    def one(s: State, value: Value) -> None:
        kept = [s.names[name] for name in names]
        full = (
            negation(disjunction(*(g for g, v in alternatives(kept[-1]) if isinstance(v, Unbound)))) if kept else TRUE
        )
        known = [_without_unbound(v) for v in kept]
        seen = [*reversed(known), value]
        x.when(s, full, lambda t: body(t, tuple(seen[offset] for offset in offsets)))
        for name, new in zip(names, [value, *kept], strict=False):
            s.names[name] = new

    loop(x, state, x.new(state, Listing(pieces)), one, node)
    for name in names:
        state.names.pop(name)


def _without_unbound(value: Value) -> Value:
    """The value where it is bound."""
    from refdp.sensitivities.language.values import Cases

    live = [(guard, one) for guard, one in alternatives(value) if not isinstance(one, Unbound)]
    return live[0][1] if len(live) == 1 else Cases(tuple(live)) if live else DEAD


def positions(x: Reader, state: State, pieces: tuple[Piece, ...], body: Body, node: ast.AST) -> None:
    """for i in range(len(rows)): within the body rows[i] is the row."""

    def one(s: State, item: Value) -> None:
        place, value = item if isinstance(item, tuple) else (ZERO, DEAD)
        if not isinstance(place, Term):
            return
        if place.operator == "name":
            x.positions[place] = lambda other: value if other is pieces else None
        body(s, place)

    loop(x, state, Lazy("enumerate", (x.new(state, Listing(pieces)), ZERO)), one, node)
    x.positions.clear()


def extend(x: Reader, state: State, to: Reference, value: Value, node: ast.AST) -> None:
    """list += value."""
    changeable(x, state.heap[to.address], node)
    if isinstance(value, Reference) and value == to:
        raise x.unsupported(node, "a list that is added to itself", "write a new list")
    loop(x, state, value, lambda s, one: append(x, s, to, one), node)
