"""list, tuple, dict and set of what is iterated, and isinstance."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace

from refdp.sensitivities.language.comprehensions import collected
from refdp.sensitivities.language.containers import assign_key
from refdp.sensitivities.language.functions import Arguments, Keywords, arity
from refdp.sensitivities.language.iteration import loop
from refdp.sensitivities.language.objects import Entry, Listing, Mapped
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import DEAD, Infinity, Lazy, Named, Record, Reference, Value, alternatives
from refdp.terms.leaves import TRUE
from refdp.terms.operations import disjunction
from refdp.terms.term import Term


def list_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """list(values)."""
    arity(x, arguments, keywords, range(2), set(), node)
    return collected(x, state, arguments[0] if arguments else (), node)


def tuple_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """tuple(values), of a known number of them; else it is kept as a list that nobody changes."""
    arity(x, arguments, keywords, range(2), set(), node)
    if not arguments or isinstance(arguments[0], tuple):
        return arguments[0] if arguments else ()
    found = collected(x, state, arguments[0], node)
    content = state.heap[found.address]
    if not isinstance(content, Listing):
        return DEAD
    known = [p.value for p in content.pieces if isinstance(p, Entry) and p.guard is TRUE]
    if len(known) == len(content.pieces):
        return tuple(known)
    state.heap[found.address] = Listing(content.pieces, "a tuple")
    return found


def dict_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """dict(), dict(other), dict(pairs), dict(a=1)."""
    arity(x, arguments, keywords, range(2), set(keywords), node)
    found = x.new(state, Mapped("dict", {}))
    source = arguments[0] if arguments else ()
    content = state.heap.get(source.address) if isinstance(source, Reference) else None
    if isinstance(content, Mapped) and content.kind != "set":
        state.heap[found.address] = Mapped("dict", content.items, None, content.loose)
    else:
        source = Lazy("items", (source,)) if isinstance(source, Record) else source

        def put(s: State, v: Value) -> None:
            if not isinstance(v, tuple) or len(v) != 2:
                raise x.unsupported(node, "dict(...) of this value", "write {key: value}")
            assign_key(x, s, found, v[0], v[1], node)

        loop(x, state, source, put, node)
    for key, value in keywords.items():
        assign_key(x, state, found, key, value, node)
    return found


def set_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """set(values), of labels and constants."""
    arity(x, arguments, keywords, range(2), set(), node)
    found = x.new(state, Mapped("set", {}))
    source: Value = arguments[0] if arguments else ()
    loop(x, state, source, lambda s, v: assign_key(x, s, found, v, None, node), node, ordered=False)
    return found


def frozenset_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """frozenset(values): a set that nobody changes."""
    found = set_(x, state, arguments, keywords, node)
    content = state.heap[found.address] if isinstance(found, Reference) else None
    if isinstance(found, Reference) and isinstance(content, Mapped):
        state.heap[found.address] = replace(content, frozen="a frozenset")
    return found


def isinstance_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """isinstance(value, str) and isinstance(value, (int, float))."""
    arity(x, arguments, keywords, range(2, 3), set(), node)
    value, wanted = arguments
    names = {one.path for one in (wanted if isinstance(wanted, tuple) else (wanted,)) if isinstance(one, Named)}
    if names == {"str"}:
        return disjunction(*(g for g, one in alternatives(value) if isinstance(one, str)))
    if names == {"int", "float"}:
        return disjunction(*(g for g, one in alternatives(value) if isinstance(one, Term | Infinity)))
    raise x.unsupported(node, "this isinstance", "ask for str or for (int, float)")


CALLS: Mapping[str, Callable[..., Value]] = {
    "list": list_, "tuple": tuple_, "dict": dict_, "set": set_, "frozenset": frozenset_, "isinstance": isinstance_,
}  # fmt: skip
