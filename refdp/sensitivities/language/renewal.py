"""Lists and dicts that each row makes anew and keeps under a name: kept by their elements.

That is the same as keeping the list itself where nothing else leads to it, neither before the loop nor at the end of
a row; then no change of it can be seen elsewhere.
"""

from __future__ import annotations

import ast

from refdp.sensitivities.language.layouts import Reach
from refdp.sensitivities.language.objects import Block, Entry, Listing, Mapped, Object, merged
from refdp.sensitivities.language.places import Content, Plan, Renewed, plan
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import Cases, Closure, Lazy, Reference, Value, alternatives, parts


def renewed(
    x: Reader,
    states: tuple[State, State],
    values: tuple[Content, Content],
    old: Plan | None,
    lasts: Reach,
    node: ast.AST,
) -> Renewed | None:
    """The plan for a name that held one list before the loop and holds another at the end of a row, if it is safe."""
    if not isinstance(node, ast.For) or len(x.stack) != 1:
        return None
    found = [_only(x, state, value) for state, value in zip(states, values, strict=True)]
    first, last = found
    if first is None or last is None or type(first) is not type(last):
        return None
    if isinstance(first, Listing) and isinstance(last, Listing):
        lengths = {len(one.pieces) for one in (first, last)}
        if len(lengths) != 1 or any(not _is_known(one) for one in (first, last)):
            return None
    inner = plan(first, first, last, old.inner if isinstance(old, Renewed) else None, lasts)
    return Renewed(inner)


def _is_known(one: Listing) -> bool:
    """Whether every element is certainly there."""
    from refdp.terms.leaves import TRUE

    return all(isinstance(piece, Entry) and piece.guard is TRUE for piece in one.pieces)


def _only(x: Reader, state: State, value: Content) -> Object | None:
    """The contents of the list, or of one of several, to which only this value leads."""
    if not isinstance(value, Reference | Cases):
        return None
    return content(state, value) if all(_is_alone(x, state, one) for _, one in alternatives(value)) else None


def content(state: State, value: Content) -> Object | None:
    """The contents to which a value leads."""
    found: Object | None = None
    for guard, one in alternatives(value) if isinstance(value, Reference | Cases) else ():
        here = state.heap.get(one.address) if isinstance(one, Reference) else None
        if here is None or found is not None and type(here) is not type(found):
            return None
        found = here if found is None else merged(guard, here, found)
    return found


def _is_alone(x: Reader, state: State, value: Value) -> bool:
    """Whether nothing else leads to a list: no other name, list, answer, function, or loop that is under way."""
    if not isinstance(value, Reference) or value.address in x.held or state.heap[value.address].frozen:
        return False
    everything = [*state.names.values(), state.answer]
    for one in state.heap.values():
        everything += _inside(one)
    return sum(_mentions(one, value.address) for one in everything) == 1


def _inside(one: Object) -> list[Value]:
    """The values within a list or a dict."""
    if isinstance(one, Mapped):
        return [value for _, value in one.items.values()]
    found: list[Value] = []
    for piece in one.pieces:
        entries = piece.entries if isinstance(piece, Block) else (piece,) if isinstance(piece, Entry) else ()
        found += [entry.value for entry in entries]
    return found


def _mentions(value: Value, address: int) -> int:
    """How often a value leads to the address."""
    if isinstance(value, Reference):
        return int(value.address == address)
    if isinstance(value, Cases):
        return sum(_mentions(one, address) for _, one in value.cases)
    if isinstance(value, Lazy | Closure):
        return 2
    return sum(_mentions(one, address) for one in parts(value))
