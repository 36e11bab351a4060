"""Comprehensions and generator expressions: loops with names of their own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from refdp.sensitivities.language.assignments import bind
from refdp.sensitivities.language.containers import assign_key
from refdp.sensitivities.language.expressions import kept
from refdp.sensitivities.language.iteration import loop
from refdp.sensitivities.language.objects import Entry, Listing, Mapped
from refdp.sensitivities.language.operators import holds
from refdp.sensitivities.language.reader import Body, Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import DEAD, Lazy, Reference, Unbound, Value
from refdp.terms.leaves import TRUE

Scopes = tuple[tuple[int, frozenset[str]], ...]
"""The comprehensions that are being read, as a reader keeps them."""


def generate(x: Reader, state: State, value: Lazy, body: Body, node: ast.AST, ordered: bool) -> None:
    """Runs the body for each element of a generator expression."""
    expression, first = value.parts
    if not isinstance(expression, ast.GeneratorExp) or value.frame != x.frame:
        raise x.unsupported(node, "a generator of another function", "write a list")
    Comprehension(x, expression, lambda s: x.value(s, expression.elt), body, ordered).run(state, first)  # type: ignore[arg-type]


@dataclass(slots=True)
class Comprehension:
    """The loops of a comprehension, whose targets are names of its own; `body` gets each element, outside of it."""

    reader: Reader
    node: ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp
    element: Callable[[State], Value]
    body: Body
    ordered: bool
    targets: dict[str, str] = field(default_factory=dict)
    """The names of the targets, and what keeps for each the value that it has outside."""
    missing: list[str] = field(default_factory=list)
    """Those that have none outside."""
    scopes: list[Scopes] = field(default_factory=list)
    """The comprehensions around, without and with this one."""

    def run(self, state: State, first: Value) -> None:
        """Goes through all of it; `first` is what the first loop goes over."""
        self._name(state)
        for target, hidden in self.targets.items():
            state.names[hidden] = state.names.get(target, DEAD)
            state.names[target] = Unbound(target)
        outer, self.reader.scopes = self.scopes
        self._level(state, 0, first)
        self.reader.scopes = outer
        for target, hidden in self.targets.items():
            state.names[target] = state.names.pop(hidden)
        for target in self.missing:
            state.names.pop(target)

    def _name(self, state: State) -> None:
        """Finds the targets."""
        x = self.reader
        nodes = (n for g in self.node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name))
        self.targets = {n.id: f"!outer{x.token()}.{n.id}" for n in nodes}
        for target in self.targets:
            x.services["not_builtin"](x, target, self.node)
        self.missing = [target for target in self.targets if target not in state.names]
        self.scopes = [x.scopes, (*x.scopes, (x.token(), frozenset(self.targets)))]

    def _level(self, state: State, place: int, iterable: Value) -> None:
        """One of the loops, and those within it."""
        generator = self.node.generators[place]
        if generator.is_async:
            raise self.reader.unsupported(self.node, "an asynchronous comprehension", "write an ordinary one")

        def one(t: State, item: Value) -> None:
            bind(self.reader, t, generator.target, item)
            self.reader.unless_stopped(t, lambda u: self._conditions(u, place, generator.ifs))
            for target in self.targets if place == 0 else ():
                t.names[target] = Unbound(target)

        loop(self.reader, state, iterable, one, self.node, self.ordered)

    def _conditions(self, state: State, place: int, tests: list[ast.expr]) -> None:
        """What is within the tests of a loop: the next loop, or the element."""
        x, following = self.reader, self.node.generators[place + 1 :]
        if tests:
            test = holds(x, state, x.value(state, tests[0]), tests[0])
            x.unless_stopped(state, lambda u: x.when(u, test, lambda v: self._conditions(v, place, tests[1:])))
        elif following:
            iterable = x.value(state, following[0].iter)
            x.unless_stopped(state, lambda u: self._level(u, place + 1, iterable))
        else:
            found = self.element(state)
            x.unless_stopped(state, lambda t: self._outside(t, found))

    def _outside(self, state: State, found: Value) -> None:
        """The body, for which names are what they are outside."""
        self.reader.scopes = self.scopes[0]
        self._swap(state)
        for target in self.missing:
            state.names.pop(target)
        self.body(state, found)
        for target in self.missing:
            state.names[target] = DEAD
        self._swap(state)
        self.reader.scopes = self.scopes[1]

    def _swap(self, state: State) -> None:
        """Exchanges the targets and what they are outside."""
        names = state.names
        for target, hidden in self.targets.items():
            names[target], names[hidden] = names.get(hidden, DEAD), names.get(target, DEAD)


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

    def element(s: State) -> Value:
        return kept(x, x.value(s, node.elt), node.elt)

    Comprehension(x, node, element, lambda s, v: append(x, s, found, v), True).run(state, first)
    return found


def set_comprehension(x: Reader, state: State, node: ast.SetComp) -> Value:
    """{element for target in iterable if condition}."""
    first = x.value(state, node.generators[0].iter)
    found = x.new(state, Mapped("set", {}))

    def put(s: State, v: Value) -> None:
        assign_key(x, s, found, v, None, node)

    Comprehension(x, node, lambda s: x.value(s, node.elt), put, False).run(state, first)
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

    Comprehension(x, node, pair, put, not loose).run(state, first)
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
