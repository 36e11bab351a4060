"""min, max, any, all and next: what keeps one element of many."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from refdp.sensitivities.language.comparisons import precedes
from refdp.sensitivities.language.functions import Arguments, Keywords, arity
from refdp.sensitivities.language.iteration import loop
from refdp.sensitivities.language.operators import holds
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import DEAD, Dead, Lazy, Reference, Unbound, Value
from refdp.terms.leaves import FALSE, TRUE, integer
from refdp.terms.operations import negation
from refdp.terms.term import Term


def extreme(wants_larger: bool) -> Callable[..., Value]:
    """min and max: the first of the best ones."""

    def read(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        arity(x, arguments, keywords, range(1, 64), {"key", "default"} if len(arguments) == 1 else {"key"}, node)
        values = arguments[0] if len(arguments) == 1 else tuple(arguments)
        name, key = f"!best{x.token()}", keywords.get("key")
        state.names[name] = Unbound("best")
        if key is not None:
            state.names[f"{name}.key"] = Unbound("best")

        def one(s: State, value: Value) -> None:
            measure = value if key is None else x.services["call"](x, s, key, [value], {}, node)
            x.unless_stopped(s, lambda t: _better(x, t, name, value, measure, (wants_larger, key is not None), node))

        loop(x, state, values, one, node, ordered=key is not None)
        state.names.pop(f"{name}.key", None)
        found = state.names.pop(name)
        return x.each(state, _sound(x, found, node), lambda s, v: _empty(x, s, v, keywords, node))

    return read


def _sound(x: Reader, value: Value, node: ast.AST) -> Value:
    """The value, which is not poisoned."""
    from refdp.sensitivities.language.values import Poison

    if isinstance(value, Poison):
        raise x.not_a_fold(node, f"what is read here is {value.reason}")
    return value


def _empty(x: Reader, state: State, value: Value, keywords: Keywords, node: ast.AST) -> Value:
    """What min and max are of nothing."""
    if not isinstance(value, Unbound):
        return value
    return keywords["default"] if "default" in keywords else x.stop(state, TRUE, "ValueError")


def _better(
    x: Reader, state: State, name: str, value: Value, measure: Value, how: tuple[bool, bool], node: ast.AST
) -> None:
    """Keeps a value that is better than the best so far."""
    wants_larger, has_key = how
    place = f"{name}.key" if has_key else name

    def compare(s: State, old: Value) -> Value:
        if isinstance(old, Unbound):
            return TRUE
        return x.each(s, measure, lambda t, new: _precedes(x, t, old, new, wants_larger, node))

    better = x.each(state, _sound(x, state.names[place], node), compare)
    if isinstance(better, Dead):
        return
    test = holds(x, state, better, node)

    def keep(s: State) -> None:
        s.names[name] = value
        if has_key:
            s.names[place] = measure

    x.unless_stopped(state, lambda s: x.when(s, test, keep))


def _precedes(x: Reader, state: State, old: Value, new: Value, wants_larger: bool, node: ast.AST) -> Value:
    """Whether the new value is strictly better."""
    from refdp.sensitivities.language.comparisons import compare

    if isinstance(old, tuple | Reference) or isinstance(new, tuple | Reference):
        return compare(x, state, ast.Lt(), *((old, new) if wants_larger else (new, old)), node)
    found = precedes(*((old, new) if wants_larger else (new, old)), True)
    if found is not None:
        return found
    return x.mistyped(state, node, old, new)


def quantifier(wanted: bool) -> Callable[..., Value]:
    """any (true) and all (false): from the first that decides on, nothing is read."""

    def read(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        arity(x, arguments, keywords, range(1, 2), set(), node)
        name = f"!found{x.token()}"
        state.names[name] = FALSE

        def one(s: State, value: Value) -> None:
            test = holds(x, s, value, node)
            hit = test if wanted else negation(test)
            x.unless_stopped(s, lambda t: x.when(t, hit, leave))

        def leave(s: State) -> None:
            s.names[name], s.broke = TRUE, TRUE

        loop(x, state, arguments[0], one, node, ordered=True)
        state.broke = FALSE
        found = holds(x, state, state.names.pop(name), node)
        return found if wanted else negation(found)

    return read


def next_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """next(generator expression, default): the first element."""
    arity(x, arguments, keywords, range(1, 3), set(), node)
    if not isinstance(arguments[0], Lazy) or arguments[0].kind != "generator":
        raise x.unsupported(node, "next of this value", "write next(... for ... in ...)")
    name = f"!next{x.token()}"
    state.names[name] = Unbound("next")

    def leave(s: State, value: Value) -> None:
        s.names[name], s.broke = value, TRUE

    loop(x, state, arguments[0], leave, node)
    state.broke = FALSE

    def one(s: State, value: Value) -> Value:
        if not isinstance(value, Unbound):
            return value
        return arguments[1] if len(arguments) > 1 else x.stop(s, TRUE, "StopIteration")

    return x.each(state, _sound(x, state.names.pop(name), node), one)


def first_place(x: Reader, state: State, values: Value, test: Callable[[State, Value], Term], node: ast.AST) -> Value:
    """The place of the first element that passes the test, or ValueError."""
    name = f"!place{x.token()}"
    state.names[name] = Unbound("place")

    def look(s: State, item: Value) -> None:
        place, value = item if isinstance(item, tuple) else (DEAD, DEAD)

        def leave(t: State) -> None:
            t.names[name], t.broke = place, TRUE

        x.when(s, test(s, value), leave)

    loop(x, state, Lazy("enumerate", (values, integer(0))), look, node)
    state.broke = FALSE
    found = _sound(x, state.names.pop(name), node)
    return x.each(state, found, lambda s, v: x.stop(s, TRUE, "ValueError") if isinstance(v, Unbound) else v)


CALLS: Mapping[str, Callable[..., Value]] = {
    "min": extreme(False), "max": extreme(True), "any": quantifier(True), "all": quantifier(False), "next": next_,
}  # fmt: skip
