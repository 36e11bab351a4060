"""Reading and writing elements of lists, dicts and records."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from functools import partial

from refdp.sensitivities.language.comparisons import equals, key_value
from refdp.sensitivities.language.facts import same
from refdp.sensitivities.language.keys import Keys, constants
from refdp.sensitivities.language.objects import Entry, Listing, Mapped, Object, Opaque
from refdp.sensitivities.language.operators import present_count
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import (
    DEAD,
    Closure,
    Dead,
    Lazy,
    Named,
    Record,
    Reference,
    Unbound,
    Value,
    join,
)
from refdp.terms.leaves import FALSE, TRUE, ZERO, is_number
from refdp.terms.operations import add, conjunction, disjunction, negation, whole
from refdp.terms.term import Term


def element(x: Reader, state: State, container: Value, index: Value, node: ast.AST) -> Value:
    """container[index]."""
    return x.readable(
        state, x.each(state, container, lambda s, c: _element(x, s, c, x.readable(s, index, node), node)), node
    )


def _element(x: Reader, state: State, container: Value, index: Value, node: ast.AST) -> Value:
    """An element of one case."""
    if isinstance(container, Dead) or isinstance(index, Dead):
        return DEAD
    if isinstance(container, tuple):
        entries = tuple(Entry(TRUE, one) for one in container)
        return x.each(state, index, lambda s, i: _at(x, s, entries, i, node))
    if isinstance(container, Record):
        return _field(x, state, container, index, node)
    if isinstance(container, Reference):
        content = state.heap[container.address]
        if isinstance(content, Mapped):
            return lookup(x, state, container, index, node)
        return x.each(state, index, lambda s, i: _place(x, s, container, i, node))
    if isinstance(container, str):
        raise x.unsupported(node, "an element of a text", "compare texts as a whole")
    if isinstance(container, Named | Closure | Lazy):  # list[int] is a value, and range(2)[0]
        raise x.unsupported(node, "an element of a type, a function or a range", "write a list that has elements")
    return x.mistyped(state, node, container)


def _field(x: Reader, state: State, container: Record, index: Value, node: ast.AST) -> Value:
    """A field of a record."""
    keys = constants(state, index)
    if keys is None:
        raise x.unsupported(node, "a field by a key that is not known", "write the name of the field")
    fields = dict(container.items)
    x.stop(state, negation(disjunction(*(guard for guard, key in keys if key in fields))), "KeyError")
    found: Value = DEAD
    for guard, key in keys:
        if key in fields:
            found = join(guard, fields[key], found)
    return found


def _place(x: Reader, state: State, container: Reference, index: Value, node: ast.AST) -> Value:
    """An element of a list."""
    content = state.heap[container.address]
    if not isinstance(content, Listing):
        return DEAD
    entries = tuple(piece for piece in content.pieces if isinstance(piece, Entry))
    if len(entries) == len(content.pieces):
        return _at(x, state, entries, index, node)
    if any(isinstance(piece, Opaque) for piece in content.pieces):
        raise x.not_a_fold(node, "an element of a list that grows with the rows is read before the loop has ended")
    if isinstance(index, Term) and index in x.positions:
        found = x.positions[index](content.pieces)
        if found is not None:
            return found
    if isinstance(index, Term) and is_number(index) and index.sort != "Real" and index.rational >= -1:
        found = x.services["nth"](x, state, container, int(index.rational), node)
        return x.each(state, found, lambda s, v: x.stop(s, TRUE, "IndexError") if isinstance(v, Unbound) else v)
    raise x.not_a_fold(node, "this element of the rows has a place that depends on the rows")


def _at(x: Reader, state: State, entries: tuple[Entry, ...], index: Value, node: ast.AST) -> Value:
    """The element whose place among those present is the index; negative ones count from the end."""
    place = _whole_index(x, state, index, node)
    if place is None:
        return DEAD
    guards = places(entries, place)
    x.stop(state, negation(disjunction(*guards)) if not _certain(entries, place) else FALSE, "IndexError")
    found: Value = DEAD
    for guard, one in zip(guards, entries, strict=True):
        if state.simplified(guard) is not FALSE:
            found = join(guard, one.value, found)
    return found


def _certain(entries: tuple[Entry, ...], place: Term) -> bool:
    """Whether a constant place is plainly there."""
    return (
        is_number(place)
        and all(one.guard is TRUE for one in entries)
        and -len(entries) <= place.rational < len(entries)
    )


def _whole_index(x: Reader, state: State, index: Value, node: ast.AST) -> Term | None:
    """An index as an integer term."""
    if not isinstance(index, Term):
        x.mistyped(state, node, index)
        return None
    if index.sort == "Real":
        raise x.unsupported(node, "an index that is not declared an integer", "write int(...) around it")
    return whole(index)


def places(entries: tuple[Entry, ...], index: Term) -> list[Term]:
    """For each element, whether it is present and its place is the index."""
    total, before = present_count(entries), ZERO
    found = []
    for one in entries:
        here = disjunction(same(index, before), same(add(index, total), before))
        found.append(conjunction(one.guard, here))
        before = add(before, whole(one.guard))
    return found


def key_guards(x: Reader, state: State, content: Mapped, index: Value, node: ast.AST) -> tuple[Keys, Term]:
    """For each key of the dict whether the index is that key, and whether the index is any other."""
    keys = constants(state, index)
    if keys is not None:
        return [(g, k) for g, k in keys if k in content.items], disjunction(
            *(g for g, k in keys if k not in content.items)
        )
    if not isinstance(index, Term):
        raise x.not_a_fold(node, "the key of this dict is no label and no number of a list of categories")
    found: Keys = [
        (equals(x, state, index, key_value(key), node), key)
        for key in content.items
        if isinstance(key_value(key), Term)
    ]
    return found, negation(disjunction(*(guard for guard, _ in found)))


def lookup(x: Reader, state: State, container: Reference, index: Value, node: ast.AST) -> Value:
    """dict[key], with the default of a defaultdict or a Counter."""
    content = state.heap[container.address]
    if not isinstance(content, Mapped):
        raise x.unsupported(node, "this value where a dict is expected", "write a dict")
    if content.kind == "set":
        return x.stop(state, TRUE, "TypeError")
    found, _ = _kept(x, state, content, index, node)
    here, others = key_guards(x, state, content, index, node)
    lacking = disjunction(others, *(conjunction(g, negation(content.items[k][0])) for g, k in here))
    lacking = state.simplified(lacking)
    if lacking is FALSE:
        return found
    if content.kind == "Counter":
        return join(lacking, ZERO, found)
    if content.kind == "defaultdict" and content.default is not None:

        def make(s: State) -> Value:
            value = default_value(x, s, content.default, node)
            assign_key(x, s, container, index, value, node)
            return value

        return x.choose(state, lacking, make, lambda _: found)
    x.stop(state, lacking, "KeyError")
    return found


def default_value(x: Reader, state: State, default: Named | Closure | None, node: ast.AST) -> Value:
    """What a defaultdict puts in for a new key."""
    found: Value = x.services["call"](x, state, default, [], {}, node)
    return found


def _kept(x: Reader, state: State, content: Mapped, index: Value, node: ast.AST) -> tuple[Value, Term]:
    """The value at the key, and whether it is there."""
    here, _ = key_guards(x, state, content, index, node)
    found: Value = DEAD
    there: Term = FALSE
    for guard, key in here:
        present, value = content.items[key]
        guard = state.simplified(conjunction(guard, present))
        if guard is not FALSE:
            found, there = join(guard, value, found), disjunction(there, guard)
    return found, there


def get(x: Reader, state: State, container: Value, index: Value, default: Value, node: ast.AST) -> Value:
    """dict.get(key, default)."""
    if isinstance(container, Record):
        keys = constants(state, index)
        if keys is None:
            raise x.unsupported(node, "a field by a key that is not known", "write the name of the field")
        fields = dict(container.items)
        found: Value = default
        for guard, key in keys:
            found = join(guard, fields.get(key, default), found)
        return found
    content = state.heap[container.address] if isinstance(container, Reference) else None
    if not isinstance(content, Mapped):
        raise x.unsupported(node, ".get of this value", "use it on a dict")
    found, there = _kept(x, state, content, index, node)
    return join(there, found, default)


def assign(x: Reader, state: State, container: Value, index: Value, value: Value, node: ast.AST) -> None:
    """container[index] = value."""

    def one(s: State, c: Value) -> Value:
        if isinstance(c, Reference):
            content = s.heap[c.address]
            changeable(x, content, node)
            if isinstance(content, Mapped):
                assign_key(x, s, c, index, value, node)
            else:
                x.each(s, index, partial(_assign_place, x, container=c, value=value, node=node))
        elif isinstance(c, Record):
            raise x.unsupported(node, "a change of a row of the table", "make a new dict")
        else:
            x.mistyped(s, node, c)
        return DEAD

    x.each(state, container, one)


def changeable(x: Reader, content: Object, node: ast.AST) -> None:
    """Refuses a change of the table, or of a list at the top of the file."""
    if content.frozen:
        raise x.unsupported(node, f"a change of {content.frozen}", "make a new list or dict")


def _assign_place(x: Reader, state: State, index: Value, container: Reference, value: Value, node: ast.AST) -> Value:
    """list[index] = value."""
    content = state.heap[container.address]
    place = _whole_index(x, state, index, node)
    if place is None or not isinstance(content, Listing):
        return DEAD
    entries = tuple(piece for piece in content.pieces if isinstance(piece, Entry))
    if len(entries) < len(content.pieces):
        raise x.not_a_fold(node, "an element of a list with one element per row is changed")
    guards = places(entries, place)
    x.stop(state, FALSE if _certain(entries, place) else negation(disjunction(*guards)), "IndexError")
    changed = [Entry(e.guard, join(state.simplified(g), value, e.value)) for g, e in zip(guards, entries, strict=True)]
    state.heap[container.address] = Listing(tuple(changed), content.frozen)
    return DEAD


def assign_key(x: Reader, state: State, container: Reference, index: Value, value: Value, node: ast.AST) -> None:
    """dict[key] = value; a new key comes last."""
    content = state.heap[container.address]
    if not isinstance(content, Mapped):
        return
    keys = constants(state, index)
    if keys is None:
        here, others = key_guards(x, state, content, index, node)
        if state.simplified(conjunction(others, negation(state.has_raised()))) is not FALSE:
            raise x.not_a_fold(node, "a dict gets a key that is no label and no number of a list of categories")
        keys = here
    items, loose = dict(content.items), content.loose
    for guard, key in keys:
        present, old = items.get(key, (FALSE, DEAD))
        is_new = present is not TRUE and content.kind != "set"
        if is_new and x.spelt.setdefault(key, spelt(key)) != spelt(key):
            advice = "write it in one way everywhere"
            raise x.unsupported(node, "a new key that equals another, such as True and 1,", advice)
        loose = loose or _reordered(items, key, guard, len(keys))
        items[key] = (disjunction(present, guard), join(guard, value, old))
    state.heap[container.address] = Mapped(content.kind, items, content.default, loose, content.frozen)


def spelt(key: Hashable) -> str:
    """How a key is told apart from equal ones of another type where the answer is printed."""
    return f"({', '.join(map(spelt, key))})" if isinstance(key, tuple) else str(key)


def _reordered(items: dict[Hashable, tuple[Term, Value]], key: Hashable, guard: Term, count: int) -> bool:
    """Whether it is unknown from now on at which place the key stands."""
    if key not in items:
        return False
    return items[key][0] is not TRUE and list(items)[-1] != key
