"""Loops over whatever Python iterates: known elements one after the other, the rows of the table in one pass."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from functools import partial

from refdp.sensitivities.language.comparisons import key_value
from refdp.sensitivities.language.objects import Block, Entry, Listing, Mapped
from refdp.sensitivities.language.operators import LONGEST, holds
from refdp.sensitivities.language.passes import fold
from refdp.sensitivities.language.reader import Body, Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import DEAD, Cases, Lazy, Record, Reference, Value
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, is_number
from refdp.terms.operations import add, disjunction
from refdp.terms.term import Term


def loop(x: Reader, state: State, value: Value, body: Body, node: ast.AST, ordered: bool = True) -> None:
    """Runs the body for each element, until something has stopped.

    `ordered` is false where the order of the elements makes no difference.
    """
    before = len(x.held)
    x.held += _addresses(value)
    if isinstance(value, Cases):
        for guard, one in value.cases:
            x.when(state, guard, partial(_loop, x, value=one, body=body, node=node, ordered=ordered))
    else:
        _loop(x, state, value, body, node, ordered)
    del x.held[before:]


def _addresses(value: object) -> list[int]:
    """The lists and dicts that are iterated."""
    if isinstance(value, Reference):
        return [value.address]
    inner = (
        value.parts if isinstance(value, Lazy) else [one for _, one in value.cases] if isinstance(value, Cases) else ()
    )
    return [address for one in inner for address in _addresses(one)]


def _loop(x: Reader, state: State, value: Value, body: Body, node: ast.AST, ordered: bool) -> None:
    """The loop over a value of one case."""
    if isinstance(value, Lazy):
        _lazy(x, state, value, body, node, ordered)
    elif isinstance(value, tuple | str):
        _each(x, state, tuple(value), body)
    elif isinstance(value, Record):
        _each(x, state, tuple(key_value(key) for key, _ in value.items), body)
    elif isinstance(value, Reference):
        _object(x, state, value, body, node, ordered)
    else:
        x.mistyped(state, node, value)


def _each(x: Reader, state: State, values: tuple[Value, ...], body: Body) -> None:
    """Known elements."""
    for one in values:
        x.unless_stopped(state, lambda s, v=one: body(s, v))  # type: ignore[misc]


def _object(x: Reader, state: State, value: Reference, body: Body, node: ast.AST, ordered: bool) -> None:
    """A list, or the keys of a dict."""
    content = state.heap[value.address]
    if isinstance(content, Mapped):
        _keys(x, state, value, lambda s, key: body(s, key_value(key)), node, ordered)
        return
    for place, piece in enumerate(content.pieces):
        if isinstance(piece, Entry):
            x.unless_stopped(state, partial(_element, x, value=value, place=place, body=body, node=node))
        elif isinstance(piece, Block):
            x.unless_stopped(state, partial(_rows, x, block=piece, body=body, node=node))
        else:
            raise x.not_a_fold(node, "a list that grows with the rows is read before the loop has ended")
    now = state.heap[value.address]
    if not isinstance(now, Listing) or len(now.pieces) != len(content.pieces):
        raise x.unsupported(node, "a list that changes its length while it is iterated", "append to another list")


def _rows(x: Reader, state: State, block: Block, body: Body, node: ast.AST) -> None:
    """The elements that the rows bring."""
    fold(x, state, block, body, node)


def _element(x: Reader, state: State, value: Reference, place: int, body: Body, node: ast.AST) -> None:
    """The element at a place, as it is by now."""
    content = state.heap[value.address]
    piece = content.pieces[place] if isinstance(content, Listing) and place < len(content.pieces) else None
    if not isinstance(piece, Entry):
        raise x.unsupported(node, "a list that changes while it is iterated", "make a new list")
    x.when(state, piece.guard, lambda s: body(s, piece.value))


def _keys(x: Reader, state: State, value: Reference, body: object, node: ast.AST, ordered: bool) -> None:
    """The keys of a dict, in order."""
    content = state.heap[value.address]
    if not isinstance(content, Mapped) or not callable(body):
        raise x.unsupported(node, "this iteration", "iterate a list")
    if ordered and (content.loose or content.kind == "set" and len(content.items) > 1):
        advice = "iterate sorted(...) of it, or begin with every key"
        raise x.unsupported(node, "iteration over keys whose order depends on the rows", advice)
    for key in content.items:
        x.unless_stopped(state, lambda s, k=key: x.when(s, _present(x, s, value, k), lambda t: body(t, k)))  # type: ignore[misc]
    now = state.heap[value.address]
    if not isinstance(now, Mapped) or list(now.items) != list(content.items):
        raise x.unsupported(node, "a dict whose keys change while it is iterated", "write into another dict")


def _present(x: Reader, state: State, value: Reference, key: Hashable) -> Term:
    """Whether the key is there by now."""
    content = state.heap[value.address]
    return content.items[key][0] if isinstance(content, Mapped) else FALSE


def _lazy(x: Reader, state: State, value: Lazy, body: Body, node: ast.AST, ordered: bool) -> None:
    """Generators, and what Python makes of other iterables on the way."""
    if value.kind == "generator":
        x.services["generate"](x, state, value, body, node, ordered)
    elif value.kind == "range":
        _range(x, state, value, body, node)
    elif value.kind == "map":
        function, *iterables = value.parts
        inner = iterables[0] if len(iterables) == 1 else Lazy("zip", tuple(iterables))
        spread = len(iterables) > 1

        def applied(s: State, one: Value) -> None:
            arguments = list(one) if spread and isinstance(one, tuple) else [one]
            found = x.services["call"](x, s, function, arguments, {}, node)
            x.unless_stopped(s, lambda t: body(t, found))

        loop(x, state, inner, applied, node, ordered)  # type: ignore[arg-type]
    elif value.kind == "filter":
        _filter(x, state, value, body, node, ordered)
    elif value.kind == "enumerate":
        _enumerate(x, state, value, body, node)
    elif value.kind in ("zip", "strict zip"):
        x.services["zip"](x, state, value, body, node)
    elif value.kind in ("keys", "values", "items"):
        _view(x, state, value, body, node, ordered)
    else:
        raise x.not_a_fold(node, f"{value.kind}(...) of the rows needs all of them at once")


def _filter(x: Reader, state: State, value: Lazy, body: Body, node: ast.AST, ordered: bool) -> None:
    """Elements that pass a test."""
    function, inner = value.parts

    def kept(s: State, one: Value) -> None:
        found = one if function is None else x.services["call"](x, s, function, [one], {}, node)
        x.unless_stopped(s, lambda t: x.when(t, holds(x, t, found, node), lambda u: body(u, one)))

    loop(x, state, inner, kept, node, ordered)  # type: ignore[arg-type]


def _enumerate(x: Reader, state: State, value: Lazy, body: Body, node: ast.AST) -> None:
    """Elements with their number, which is kept as a hidden name."""
    inner, start = value.parts
    name = f"!place{x.token()}"
    state.names[name] = start  # type: ignore[assignment]

    def counted(s: State, one: Value) -> None:
        place = s.names[name]
        body(s, (place, one))
        s.names[name] = add(place, integer(1)) if isinstance(place, Term) else DEAD

    loop(x, state, inner, counted, node)  # type: ignore[arg-type]
    state.names.pop(name, None)


def _view(x: Reader, state: State, value: Lazy, body: Body, node: ast.AST, ordered: bool) -> None:
    """keys(), values() or items() of a dict, read while the loop runs."""
    (of,) = value.parts
    if isinstance(of, Record):
        pairs = [(key_value(key), inner) for key, inner in of.items]
        _each(
            x, state, tuple(pairs) if value.kind == "items" else tuple(p[value.kind == "values"] for p in pairs), body
        )
        return

    def at(s: State, key: Hashable) -> None:
        content = s.heap[of.address] if isinstance(of, Reference) else None
        inner = content.items[key][1] if isinstance(content, Mapped) else DEAD
        item: Value = (key_value(key), inner) if value.kind == "items" else inner
        body(s, key_value(key) if value.kind == "keys" else item)

    if isinstance(of, Reference):
        _keys(x, state, of, at, node, ordered)


def _range(x: Reader, state: State, value: Lazy, body: Body, node: ast.AST) -> None:
    """range(...) of constants, or of the length of a table."""
    start, stop, step = value.parts
    if isinstance(start, Term) and isinstance(stop, Term) and isinstance(step, Term):
        ends = [one for one in (start, stop, step) if is_number(one) and one.sort != "Real"]
        if len(ends) == 3:
            found = range(*(int(one.rational) for one in ends))
            if len(found) > LONGEST:
                raise x.unsupported(node, f"a range of more than {LONGEST} numbers", "write a shorter one")
            _each(x, state, tuple(map(integer, found)), body)
            return
        if start is ZERO and step is integer(1):
            for _, key, pieces in x.memory:
                if key == ("length", stop):
                    x.services["positions"](x, state, pieces, body, node)
                    return
    advice = "write a range of constants, or of len(rows)"
    raise x.not_a_fold(node, f"the range depends on the rows; {advice}")


def any_of(x: Reader, state: State, value: Value, test: object, node: ast.AST) -> Value:
    """Whether an element passes the test: the hidden result is kept from element to element.

    An iterator is left at the first that does: what it would have worked out later may raise.
    """
    name, leaves = f"!any{x.token()}", isinstance(value, Lazy)
    state.names[name] = FALSE

    def leave(s: State) -> None:
        s.names[name], s.broke = TRUE, TRUE

    def try_one(s: State, one: Value) -> None:
        before = s.names[name]
        if isinstance(before, Term) and callable(test):
            found = test(s, one)
            if leaves:
                x.unless_stopped(s, lambda t: x.when(t, found, leave))
            else:
                s.names[name] = disjunction(before, found)

    loop(x, state, value, try_one, node, ordered=leaves)
    if leaves:
        state.broke = FALSE
    return x.readable(state, state.names.pop(name), node)
