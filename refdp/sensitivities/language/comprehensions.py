"""Comprehensions and generator expressions: loops with names of their own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from refdp.logic.terms import TRUE
from refdp.sensitivities.language.containers import assign_key
from refdp.sensitivities.language.expressions import kept
from refdp.sensitivities.language.iteration import loop
from refdp.sensitivities.language.objects import Entry, Listing, Mapped
from refdp.sensitivities.language.operators import holds
from refdp.sensitivities.language.reader import Body, Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.statements import bind
from refdp.sensitivities.language.values import DEAD, Lazy, Reference, Unbound, Value


def generate(x: Reader, state: State, value: Lazy, body: Body, node: ast.AST, ordered: bool) -> None:
    """Runs the body for each element of a generator expression."""
    expression, first = value.parts
    if not isinstance(expression, ast.GeneratorExp) or value.frame != x.frame:
        raise x.unsupported(node, "a generator of another function", "write a list")
    _comprehend(x, state, expression, first, lambda s: x.value(s, expression.elt), body, ordered)  # type: ignore[arg-type]


def _comprehend(
    x: Reader,
    state: State,
    node: ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp,
    first: Value,
    element: Callable[[State], Value],
    body: Body,
    ordered: bool,
) -> None:
    """The loops of a comprehension, whose targets are names of its own."""
    generators = node.generators
    targets = {
        n.id: f"!outer{x.token()}.{n.id}" for g in generators for n in ast.walk(g.target) if isinstance(n, ast.Name)
    }
    for target in targets:
        x.services["not_builtin"](x, target, node)
    missing = [target for target in targets if target not in state.names]

    def swap(s: State) -> None:
        for target, hidden in targets.items():
            s.names[target], s.names[hidden] = s.names.get(hidden, DEAD), s.names.get(target, DEAD)

    outer = x.scopes
    inner = (*outer, (x.token(), frozenset(targets)))

    def outside(s: State, found: Value) -> None:
        x.scopes = outer
        swap(s)
        for target in missing:
            s.names.pop(target)
        body(s, found)
        for target in missing:
            s.names[target] = DEAD
        swap(s)
        x.scopes = inner

    def emit(s: State) -> None:
        found = element(s)
        x.unless_stopped(s, lambda t: outside(t, found))

    def level(s: State, place: int, iterable: Value) -> None:
        generator = generators[place]
        if generator.is_async:
            raise x.unsupported(node, "an asynchronous comprehension", "write an ordinary one")

        def one(t: State, item: Value) -> None:
            bind(x, t, generator.target, item)
            x.unless_stopped(t, lambda u: conditions(u, generator.ifs))
            for target in targets if place == 0 else ():
                t.names[target] = Unbound(target)

        def conditions(t: State, tests: list[ast.expr]) -> None:
            if tests:
                test = holds(x, t, x.value(t, tests[0]), tests[0])
                x.unless_stopped(t, lambda u: x.when(u, test, lambda v: conditions(v, tests[1:])))
            elif place + 1 < len(generators):
                following = x.value(t, generators[place + 1].iter)
                x.unless_stopped(t, lambda u: level(u, place + 1, following))
            else:
                emit(t)

        loop(x, s, iterable, one, node, ordered and True)

    for target, hidden in targets.items():
        state.names[hidden] = state.names.get(target, DEAD)
        state.names[target] = Unbound(target)
    x.scopes = inner
    level(state, 0, first)
    x.scopes = outer
    for target, hidden in targets.items():
        state.names[target] = state.names.pop(hidden)
    for target in missing:
        state.names.pop(target)


def append(x: Reader, state: State, to: Reference, value: Value) -> None:
    """Puts a value at the end of a list."""
    content = state.heap[to.address]
    if isinstance(content, Listing):
        state.heap[to.address] = Listing((*content.pieces, Entry(TRUE, value)), content.frozen)


def collected(x: Reader, state: State, value: Value, node: ast.AST) -> Reference:
    """list(value)."""
    found = x.new(state, Listing(()))
    loop(x, state, value, lambda s, one: append(x, s, found, kept(x, one, node)), node)
    return found


def list_comprehension(x: Reader, state: State, node: ast.ListComp) -> Value:
    """[element for target in iterable if condition]."""
    first = x.value(state, node.generators[0].iter)
    found = x.new(state, Listing(()))
    element = node.elt
    _comprehend(
        x,
        state,
        node,
        first,
        lambda s: kept(x, x.value(s, element), element),
        lambda s, v: append(x, s, found, v),
        True,
    )
    return found


def set_comprehension(x: Reader, state: State, node: ast.SetComp) -> Value:
    """{element for target in iterable if condition}."""
    first = x.value(state, node.generators[0].iter)
    found = x.new(state, Mapped("set", {}))
    _comprehend(
        x,
        state,
        node,
        first,
        lambda s: x.value(s, node.elt),
        lambda s, v: assign_key(x, s, found, v, None, node),
        False,
    )
    return found


def dict_comprehension(x: Reader, state: State, node: ast.DictComp) -> Value:
    """{key: value for target in iterable if condition}."""
    first = x.value(state, node.generators[0].iter)
    loose = is_loose(state, first)
    found = x.new(state, Mapped("dict", {}, loose=loose))

    def pair(s: State) -> Value:
        key = x.value(s, node.key)
        return key, kept(x, x.value(s, node.value), node.value)

    def put(s: State, v: Value) -> None:
        if isinstance(v, tuple):
            assign_key(x, s, found, v[0], v[1], node)

    _comprehend(x, state, node, first, pair, put, not loose)
    return found


def is_loose(state: State, value: Value) -> bool:
    """Whether the order of iteration depends on the rows."""
    if isinstance(value, Lazy) and value.kind in ("keys", "values", "items"):
        (inner,) = value.parts
        return isinstance(inner, Reference) and is_loose(state, inner)
    content = state.heap.get(value.address) if isinstance(value, Reference) else None
    return isinstance(content, Mapped) and (content.loose or content.kind == "set")


MEANINGS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.ListComp: list_comprehension, ast.SetComp: set_comprehension, ast.DictComp: dict_comprehension,
}  # fmt: skip
