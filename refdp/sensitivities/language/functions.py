"""Python's own functions on values that are not known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from refdp.sensitivities.language.iteration import loop
from refdp.sensitivities.language.operators import binary, holds, power, rounded, truncated
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import Dead, Infinity, Lazy, Value
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, is_number
from refdp.terms.operations import absolute, real, whole
from refdp.terms.term import Term

Arguments = list[Value]
Keywords = dict[str, Value]


def arity(x: Reader, arguments: Arguments, keywords: Keywords, counts: range, names: set[str], node: ast.AST) -> None:
    """Refuses a call with other arguments than are read."""
    if len(arguments) not in counts or keywords.keys() - names:
        raise x.unsupported(node, "a call with these arguments", "give only the usual arguments")


def numeric(x: Reader, state: State, value: Value, function: Callable[[State, Term], Value], node: ast.AST) -> Value:
    """The function of a number; TypeError of None, and nothing is said of it for other values, such as texts."""

    def one(s: State, v: Value) -> Value:
        if isinstance(v, Term):
            return function(s, v)
        if isinstance(v, Infinity):
            raise x.unsupported(node, "this function of infinity", "compare with it only")
        if v is not None and not isinstance(v, Dead):
            raise x.unsupported(node, "this function of what may be no number", "give it numbers only")
        return x.mistyped(s, node, v)

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


def round_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """round(value, digits)."""
    arity(x, arguments, keywords, range(1, 3), {"ndigits"}, node)
    digits = keywords.get("ndigits", arguments[1] if len(arguments) > 1 else None)
    known = isinstance(digits, Term) and is_number(digits) and digits.sort != "Real" and abs(digits.rational) <= 30
    if digits is not None and not known:
        raise x.unsupported(node, "rounding to a number of digits that is not constant", "write the number of digits")
    places = int(digits.rational) if isinstance(digits, Term) else None
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
        strict = keywords.get("strict", FALSE)
        if strict not in (TRUE, FALSE):
            raise x.unsupported(node, "this strict", "write strict=True or strict=False")
        return Lazy("strict zip" if strict is TRUE else name, tuple(arguments))

    return read


def enumerate_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """enumerate(values, start)."""
    arity(x, arguments, keywords, range(1, 3), {"start"}, node)
    start = keywords.get("start", arguments[1] if len(arguments) > 1 else ZERO)
    if not isinstance(start, Term) or start.sort == "Real":
        raise x.unsupported(node, "a start that is no whole number", "write the number")
    return Lazy("enumerate", (arguments[0], start))


def pow_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """pow(a, k)."""
    arity(x, arguments, keywords, range(2, 3), set(), node)
    first, second = arguments
    return numeric(
        x, state, first, lambda s, v: numeric(x, s, second, lambda t, w: power(x, t, v, w, node), node), node
    )


def divmod_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """divmod(a, b)."""
    arity(x, arguments, keywords, range(2, 3), set(), node)
    first = binary(x, state, ast.FloorDiv(), arguments[0], arguments[1], node)
    return first, binary(x, state, ast.Mod(), arguments[0], arguments[1], node)


CALLS: Mapping[str, Callable[..., Value]] = {
    "sum": sum_, "len": len_, "abs": simple(absolute), "round": round_, "int": int_, "float": float_, "bool": bool_,
    "range": range_, "map": lazy("map", range(2, 9)), "filter": lazy("filter", range(2, 3)),
    "zip": lazy("zip", range(1, 9)), "reversed": lazy("reversed", range(1, 2)), "enumerate": enumerate_,
    "pow": pow_, "divmod": divmod_,
}  # fmt: skip
