"""Methods of lists, dicts, sets and texts."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from refdp.sensitivities.language.comparisons import equals
from refdp.sensitivities.language.comprehensions import append
from refdp.sensitivities.language.containers import assign_key, changeable, get, key_guards
from refdp.sensitivities.language.expressions import kept
from refdp.sensitivities.language.extremes import first_place
from refdp.sensitivities.language.functions import Arguments, Keywords, arity
from refdp.sensitivities.language.iteration import loop
from refdp.sensitivities.language.modules import count_one
from refdp.sensitivities.language.objects import Listing, Mapped
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import DEAD, Lazy, Named, Record, Reference, Value
from refdp.terms.leaves import TRUE, ZERO, integer
from refdp.terms.operations import add, conjunction, disjunction, negation, whole
from refdp.terms.term import Term


def content_of(x: Reader, state: State, value: Value, wanted: type, name: str, node: ast.AST) -> Reference:
    """The reference to a list (or a dict) that has this method."""
    if isinstance(value, Reference) and isinstance(state.heap[value.address], wanted):
        return value
    raise x.unsupported(node, f".{name}() of this value", "use it on a list or a dict")


def mapping_of(x: Reader, state: State, value: Value, name: str, node: ast.AST) -> Reference:
    """The reference to a dict that has this method, which a set has not."""
    found = content_of(x, state, value, Mapped, name, node)
    if is_set(state, found):
        raise x.unsupported(node, f".{name}() of a set", "use it on a dict")
    return found


def is_set(state: State, value: Reference) -> bool:
    """Whether it is a set, and no dict."""
    content = state.heap[value.address]
    return isinstance(content, Mapped) and content.kind == "set"


def append_(x: Reader, state: State, value: Value, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """list.append(element)."""
    arity(x, arguments, keywords, range(1, 2), set(), node)
    to = content_of(x, state, value, Listing, "append", node)
    changeable(x, state.heap[to.address], node)
    append(x, state, to, kept(x, arguments[0], node))
    return None


def extend_(x: Reader, state: State, value: Value, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """list.extend(elements)."""
    arity(x, arguments, keywords, range(1, 2), set(), node)
    x.services["extend"](x, state, content_of(x, state, value, Listing, "extend", node), arguments[0], node)
    return None


def refused(name: str, instead: str) -> Callable[..., Value]:
    """A method that changes a list in a way that is not read."""

    def read(x: Reader, state: State, value: Value, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        raise x.unsupported(node, f".{name}()", instead)

    return read


def count(x: Reader, state: State, value: Value, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """list.count(element), or text.count(text)."""
    arity(x, arguments, keywords, range(1, 2), set(), node)
    if isinstance(value, str):
        if not isinstance(arguments[0], str):
            raise x.unsupported(node, ".count() of what may be no text", "give one text that is written out")
        return integer(value.count(arguments[0]))
    if not isinstance(value, tuple):
        content_of(x, state, value, Listing, "count", node)
    name = f"!count{x.token()}"
    state.names[name] = ZERO

    def one(s: State, item: Value) -> None:
        old = x.readable(s, s.names[name], node)
        s.names[name] = add(old, whole(equals(x, s, item, arguments[0], node))) if isinstance(old, Term) else old

    loop(x, state, value, one, node)
    return x.readable(state, state.names.pop(name), node)


def index(x: Reader, state: State, value: Value, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """list.index(element): the first place, or ValueError."""
    arity(x, arguments, keywords, range(1, 2), set(), node)
    if not isinstance(value, tuple):
        content_of(x, state, value, Listing, "index", node)
    return first_place(x, state, value, lambda s, item: equals(x, s, item, arguments[0], node), node)


def fromkeys(x: Reader, state: State, value: Value, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """dict.fromkeys(keys, value)."""
    arity(x, arguments, keywords, range(1, 3), set(), node)
    if value != Named("dict"):
        raise x.unsupported(node, ".fromkeys() of this value", "write dict.fromkeys(keys, value)")
    found = x.new(state, Mapped("dict", {}))
    inner = arguments[1] if len(arguments) > 1 else None
    loop(x, state, arguments[0], lambda s, key: assign_key(x, s, found, key, inner, node), node)
    return found


def get_(x: Reader, state: State, value: Value, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """dict.get(key, default)."""
    arity(x, arguments, keywords, range(1, 3), set(), node)
    if not isinstance(value, Record):
        mapping_of(x, state, value, "get", node)
    found = get(x, state, value, arguments[0], arguments[1] if len(arguments) > 1 else None, node)
    return x.readable(state, found, node)


def setdefault(x: Reader, state: State, value: Value, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """dict.setdefault(key, default)."""
    arity(x, arguments, keywords, range(1, 3), set(), node)
    to = mapping_of(x, state, value, "setdefault", node)
    content = state.heap[to.address]
    changeable(x, content, node)
    if not isinstance(content, Mapped):
        return DEAD
    here, others = key_guards(x, state, content, arguments[0], node)
    lacking = disjunction(others, *(conjunction(g, negation(content.items[k][0])) for g, k in here))
    default = arguments[1] if len(arguments) > 1 else None
    x.when(state, lacking, lambda s: assign_key(x, s, to, arguments[0], default, node))
    return get(x, state, to, arguments[0], default, node)


def view(name: str) -> Callable[..., Value]:
    """keys, values and items of a dict."""

    def read(x: Reader, state: State, value: Value, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        arity(x, arguments, keywords, range(1), set(), node)
        if not isinstance(value, Record):
            mapping_of(x, state, value, name, node)
        return Lazy(name, (value,))

    return read


def add_(x: Reader, state: State, value: Value, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """set.add(element)."""
    arity(x, arguments, keywords, range(1, 2), set(), node)
    to = content_of(x, state, value, Mapped, "add", node)
    if not is_set(state, to):
        raise x.unsupported(node, ".add() of a dict", "use it on a set")
    changeable(x, state.heap[to.address], node)
    assign_key(x, state, to, arguments[0], None, node)
    return None


def update(x: Reader, state: State, value: Value, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """Counter.update(values), dict.update(other), set.update(values)."""
    arity(x, arguments, keywords, range(1, 2), set(), node)
    to = content_of(x, state, value, Mapped, "update", node)
    content = state.heap[to.address]
    changeable(x, content, node)
    of = state.heap.get(arguments[0].address) if isinstance(arguments[0], Reference) else arguments[0]
    if not isinstance(content, Mapped) or isinstance(of, Mapped | Record) and content.kind == "Counter":
        raise x.unsupported(node, "an update by a dict", "write a loop")
    if content.kind in ("dict", "defaultdict") and isinstance(of, Mapped) and of.kind == "set":
        raise x.unsupported(node, "an update of a dict by a set", "write a loop")
    if content.kind in ("dict", "defaultdict"):
        source = Lazy("items", (arguments[0],)) if isinstance(of, Mapped | Record) else arguments[0]
        loop(x, state, source, lambda s, v: _put(x, s, to, v, node), node)
    elif content.kind == "set":
        loop(x, state, arguments[0], lambda s, v: assign_key(x, s, to, v, None, node), node, ordered=False)
    else:
        loop(x, state, arguments[0], lambda s, v: count_one(x, s, to, v, node), node)
    return None


def _put(x: Reader, state: State, to: Reference, pair: Value, node: ast.AST) -> None:
    """One pair of dict.update."""
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise x.unsupported(node, "an update by this value", "write a loop")
    assign_key(x, state, to, pair[0], pair[1], node)


def copy(x: Reader, state: State, value: Value, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """list.copy() and dict.copy()."""
    arity(x, arguments, keywords, range(1), set(), node)
    if isinstance(value, Record):
        return x.new(state, Mapped("dict", {key: (TRUE, inner) for key, inner in value.items}))
    content = state.heap[content_of(x, state, value, Listing | Mapped, "copy", node).address]  # type: ignore[arg-type]
    if isinstance(content, Listing):
        return x.new(state, Listing(content.pieces))
    return x.new(state, Mapped(content.kind, content.items, content.default, content.loose))


def text(name: str) -> Callable[..., Value]:
    """A method of a text that is known."""

    def read(x: Reader, state: State, value: Value, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        texts = [one for one in arguments if isinstance(one, str)]
        if keywords or len(texts) != len(arguments) or len(texts) > 1:
            raise x.unsupported(node, f".{name}() with these arguments", "give one text that is written out")
        if not isinstance(value, str):
            from refdp.sensitivities.language.values import Dead

            return value if isinstance(value, Dead) else _lacks(x, state, value, name, node)
        found = getattr(value, name)(*texts)
        from refdp.terms.leaves import truth

        return truth(found) if isinstance(found, bool) else str(found)

    return read


def _lacks(x: Reader, state: State, value: Value, name: str, node: ast.AST) -> Value:
    """None.lower() and the like."""
    raise x.unsupported(node, f".{name}() of what may be no text", "test for None before")


APPENDING = "append to a list, or make a new one with a comprehension"
METHODS: Mapping[str, Callable[..., Value]] = {
    "append": append_, "extend": extend_, "count": count, "index": index, "fromkeys": fromkeys,
    "get": get_, "setdefault": setdefault, "keys": view("keys"),
    "values": view("values"), "items": view("items"), "add": add_, "update": update, "copy": copy,
    "lower": text("lower"), "upper": text("upper"), "strip": text("strip"), "title": text("title"),
    "startswith": text("startswith"), "endswith": text("endswith"),
    "sort": refused("sort", "write sorted(...)"),
    **{name: refused(name, APPENDING) for name in ("pop", "insert", "remove", "clear", "reverse")},
}  # fmt: skip
