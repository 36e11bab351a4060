"""Python's own functions on values that are not known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from refdp.sensitivity.language.comparisons import equals, precedes
from refdp.sensitivity.language.comprehensions import collected, is_loose
from refdp.sensitivity.language.containers import assign_key
from refdp.sensitivity.language.iteration import loop
from refdp.sensitivity.language.objects import Entry, Listing, Mapped
from refdp.sensitivity.language.operators import binary, holds, power, rounded, truncated
from refdp.sensitivity.language.reader import Reader
from refdp.sensitivity.language.state import State
from refdp.sensitivity.language.values import (
    DEAD,
    Cases,
    Closure,
    Dead,
    Infinity,
    Lazy,
    Named,
    Record,
    Reference,
    Unbound,
    Value,
    alternatives,
    kind,
)
from refdp.sensitivity.terms import (
    FALSE,
    TRUE,
    ZERO,
    Term,
    absolute,
    add,
    conjunction,
    disjunction,
    integer,
    is_number,
    negation,
    number,
    real,
    whole,
)

Arguments = list[Value]
Keywords = dict[str, Value]


def arity(x: Reader, arguments: Arguments, keywords: Keywords, counts: range, names: set[str], node: ast.AST) -> None:
    """Refuses a call with other arguments than are read."""
    if len(arguments) not in counts or keywords.keys() - names:
        raise x.unsupported(node, "a call with these arguments", "give only the usual arguments")


def numeric(x: Reader, state: State, value: Value, function: Callable[[State, Term], Value], node: ast.AST) -> Value:
    """The function of a number; TypeError of anything else."""

    def one(s: State, v: Value) -> Value:
        if isinstance(v, Term):
            return function(s, v)
        if isinstance(v, Infinity):
            raise x.unsupported(node, "this function of infinity", "compare with it only")
        return v if isinstance(v, Dead) else x.stop(s, TRUE, "TypeError")

    return x.each(state, value, one)


def simple(function: Callable[[Term], Term]) -> Callable[..., Value]:
    """A function of one number that never raises."""

    def read(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        arity(x, arguments, keywords, range(1, 2), set(), node)
        return numeric(x, state, arguments[0], lambda s, v: function(v), node)

    return read


def sum_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """sum(values, start)."""
    arity(x, arguments, keywords, range(1, 3), {"start"}, node)
    start = keywords.get("start", arguments[1] if len(arguments) > 1 else ZERO)
    if not isinstance(start, Term):
        raise x.unsupported(node, "a sum that does not start with a number", "sum numbers, or append in a loop")
    name = f"!sum{x.token()}"
    state.names[name] = whole(start)
    loop(x, state, arguments[0], lambda s, v: _add(x, s, name, v, node), node, ordered=False)
    return x.readable(state, state.names.pop(name), node)


def _add(x: Reader, state: State, name: str, value: Value, node: ast.AST) -> None:
    """One more summand."""
    found = binary(x, state, ast.Add(), x.readable(state, state.names[name], node), value, node)
    state.names[name] = found


def len_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """len(values)."""
    arity(x, arguments, keywords, range(1, 2), set(), node)
    if isinstance(arguments[0], Lazy) and arguments[0].kind in ("keys", "values", "items"):
        inner = arguments[0].parts[0]
        return x.length(state, inner, node)  # type: ignore[arg-type]
    if isinstance(arguments[0], Lazy):
        raise x.unsupported(node, "the length of an iterator", "write len([...])")
    return x.length(state, arguments[0], node)


def extreme(wants_larger: bool) -> Callable[..., Value]:
    """min and max: the first of the best ones."""

    def read(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        arity(x, arguments, keywords, range(1, 64), {"key", "default"}, node)
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
    from refdp.sensitivity.language.values import Poison

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
    from refdp.sensitivity.language.comparisons import compare

    if isinstance(old, tuple) or isinstance(new, tuple):
        return compare(x, state, ast.Lt(), *((old, new) if wants_larger else (new, old)), node)
    found = precedes(*((old, new) if wants_larger else (new, old)), True)
    if found is not None:
        return found
    return DEAD if isinstance(old, Dead) or isinstance(new, Dead) else x.stop(state, TRUE, "TypeError")


def quantifier(wanted: bool) -> Callable[..., Value]:
    """any (true) and all (false): from the first that decides on, nothing is read."""

    def read(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        arity(x, arguments, keywords, range(1, 2), set(), node)
        name = f"!found{x.token()}"
        state.names[name] = FALSE
        inner = arguments[0]
        if isinstance(inner, Lazy) and inner.kind != "generator":
            inner = collected(x, state, inner, node)

        def one(s: State, value: Value) -> None:
            test = holds(x, s, value, node)
            hit = test if wanted else negation(test)
            x.unless_stopped(s, lambda t: x.when(t, hit, leave))

        def leave(s: State) -> None:
            s.names[name], s.broke = TRUE, TRUE

        loop(x, state, inner, one, node, ordered=True)
        state.broke = FALSE
        found = holds(x, state, state.names.pop(name), node)
        return found if wanted else negation(found)

    return read


def round_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """round(value, digits)."""
    arity(x, arguments, keywords, range(1, 3), {"ndigits"}, node)
    digits = keywords.get("ndigits", arguments[1] if len(arguments) > 1 else None)
    if digits is not None and not (isinstance(digits, Term) and is_number(digits) and abs(number(digits)) <= 30):
        raise x.unsupported(node, "rounding to a number of digits that is not constant", "write the number of digits")
    places = int(number(digits)) if isinstance(digits, Term) else None
    return numeric(x, state, arguments[0], lambda s, v: rounded(v, places), node)


def float_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """float(value); float("inf") is infinity."""
    arity(x, arguments, keywords, range(2), set(), node)
    if arguments and isinstance(arguments[0], str):
        text = arguments[0].strip().lower()
        if text.lstrip("+-") in ("inf", "infinity"):
            return Infinity(text.startswith("-"))
        raise x.unsupported(node, "a number written as text", "write the number")
    if arguments and isinstance(arguments[0], Infinity):
        return arguments[0]
    return numeric(x, state, arguments[0], lambda s, v: real(v), node) if arguments else real(ZERO)


def bool_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """bool(value)."""
    arity(x, arguments, keywords, range(2), set(), node)
    return holds(x, state, arguments[0], node) if arguments else FALSE


def int_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """int(value): toward zero."""
    arity(x, arguments, keywords, range(2), set(), node)
    if arguments and isinstance(arguments[0], str):
        raise x.unsupported(node, "a number written as text", "write the number")
    return numeric(x, state, arguments[0], lambda s, v: truncated(v), node) if arguments else ZERO


def range_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """range(stop), range(start, stop), range(start, stop, step)."""
    arity(x, arguments, keywords, range(1, 4), set(), node)
    values = [whole(one) if isinstance(one, Term) else one for one in arguments]
    if any(not isinstance(one, Term) or one.sort != "Int" for one in values):
        raise x.unsupported(node, "a range of what is not a whole number", "write range(constant)")
    start, stop = (ZERO, values[0]) if len(values) == 1 else (values[0], values[1])
    step = values[2] if len(values) > 2 else integer(1)
    if step is ZERO:
        return x.stop(state, TRUE, "ValueError")
    return Lazy("range", (start, stop, step))


def lazy(name: str, counts: range) -> Callable[..., Value]:
    """map, filter, zip and the like: read where they are used."""

    def read(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        arity(x, arguments, keywords, counts, {"strict"} if name == "zip" else set(), node)
        if keywords:
            raise x.unsupported(node, "zip with strict", "leave strict out")
        return Lazy(name, tuple(arguments))

    return read


def enumerate_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """enumerate(values, start)."""
    arity(x, arguments, keywords, range(1, 3), {"start"}, node)
    return Lazy("enumerate", (arguments[0], keywords.get("start", arguments[1] if len(arguments) > 1 else ZERO)))


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
    if isinstance(content, Mapped):
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


def pow_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """pow(a, k)."""
    arity(x, arguments, keywords, range(2, 3), set(), node)
    first, second = arguments
    return numeric(x, state, first, lambda s, v: numeric(x, s, second, lambda t, w: power(x, t, v, w, node), node), node)


def divmod_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """divmod(a, b)."""
    arity(x, arguments, keywords, range(2, 3), set(), node)
    first = binary(x, state, ast.FloorDiv(), arguments[0], arguments[1], node)
    return first, binary(x, state, ast.Mod(), arguments[0], arguments[1], node)


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


CALLS: Mapping[str, Callable[..., Value]] = {
    "sum": sum_, "len": len_, "min": extreme(False), "max": extreme(True), "any": quantifier(True),
    "all": quantifier(False), "abs": simple(absolute), "round": round_, "int": int_, "float": float_, "bool": bool_,
    "range": range_, "map": lazy("map", range(2, 9)), "filter": lazy("filter", range(2, 3)), "zip": lazy("zip", range(1, 9)),
    "reversed": lazy("reversed", range(1, 2)), "enumerate": enumerate_, "list": list_, "tuple": tuple_, "dict": dict_,
    "set": set_, "frozenset": set_, "isinstance": isinstance_, "pow": pow_, "divmod": divmod_, "next": next_,
}  # fmt: skip
UNUSED = (Cases, Closure, add, conjunction, equals, is_loose, kind)
