"""Functions of math, statistics, numpy and collections, by their exact meaning."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from refdp.sensitivities.language.comprehensions import collected
from refdp.sensitivities.language.containers import assign_key, lookup
from refdp.sensitivities.language.extremes import extreme
from refdp.sensitivities.language.functions import Arguments, Keywords, arity, numeric, simple, sum_
from refdp.sensitivities.language.iteration import loop
from refdp.sensitivities.language.objects import Listing, Mapped
from refdp.sensitivities.language.operators import binary, ceiling, truncated
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import (
    DEAD,
    Cases,
    Closure,
    Dead,
    Lazy,
    Named,
    Record,
    Reference,
    Value,
    alternatives,
)
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer
from refdp.terms.operations import absolute, divide, floor, larger, less, multiply, real, root, smaller, subtract
from refdp.terms.term import Term


def sqrt(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """math.sqrt(value)."""
    arity(x, arguments, keywords, range(1, 2), set(), node)

    def one(s: State, value: Term) -> Value:
        negative = s.simplified(less(value, ZERO))
        x.stop(s, negative, "ValueError")
        return DEAD if negative is TRUE else root(value)

    return numeric(x, state, arguments[0], one, node)


def numpy_sqrt(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """numpy.sqrt(value), which is nan below 0."""
    arity(x, arguments, keywords, range(1, 2), set(), node)

    def one(s: State, value: Term) -> Value:
        if s.simplified(less(value, ZERO)) is not FALSE:
            raise x.unsupported(node, "numpy.sqrt of what may be negative", "write math.sqrt(x)")
        return root(value)

    return numeric(x, state, arguments[0], one, node)


def hypot(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """math.hypot(a, b, ...): the root of the sum of the squares."""
    arity(x, arguments, keywords, range(64), set(), node)
    return numeric(x, state, _squares(x, state, tuple(arguments), node), lambda s, v: root(v), node)


def mean(exception: str) -> Callable[..., Value]:
    """statistics.mean, numpy.mean: the sum over the number of values."""

    def read(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        arity(x, arguments, keywords, range(1, 2), set(), node)
        values = listed(x, state, arguments[0], node)
        count = x.length(state, values, node)
        if exception:
            x.stop(state, less(count, integer(1)), exception)
        elif state.simplified(less(count, integer(1))) is not FALSE:
            raise x.unsupported(node, "numpy.mean of what may be empty, which is nan,", "test for an empty list before")
        found = sum_(x, state, [values], {}, node)
        return numeric(x, state, found, lambda s, v: divide(v, count), node)

    return read


def listed(x: Reader, state: State, value: Value, node: ast.AST) -> Value:
    """A value that can be iterated more than once."""
    return collected(x, state, value, node) if isinstance(value, Lazy) else value


def variance(is_sample: bool, is_root: bool, exception: str) -> Callable[..., Value]:
    """The mean of the squared distances from the mean; of a sample over n - 1."""

    def read(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        arity(x, arguments, keywords, range(1, 2), set(), node)
        values = listed(x, state, arguments[0], node)
        count = x.length(state, values, node)
        least = integer(2 if is_sample else 1)
        if not exception and state.simplified(less(count, least)) is not FALSE:
            raise x.unsupported(node, "a variance of what may be empty, which is nan,", "test for an empty list before")
        total = sum_(x, state, [values], {}, node)
        squares = _squares(x, state, values, node)
        x.stop(state, less(count, least), exception or "StatisticsError")

        def one(s: State, first: Term) -> Value:
            def two(t: State, second: Term) -> Value:
                about = subtract(real(second), divide(multiply(first, first), count))
                found = divide(about, subtract(count, integer(1)) if is_sample else count)
                return root(found) if is_root else found

            return numeric(x, s, squares, two, node)

        return numeric(x, state, total, one, node)

    return read


def _squares(x: Reader, state: State, values: Value, node: ast.AST) -> Value:
    """The sum of the squares."""
    name = f"!squares{x.token()}"
    state.names[name] = ZERO

    def one(s: State, value: Value) -> None:
        square = binary(x, s, ast.Mult(), value, value, node)
        s.names[name] = binary(x, s, ast.Add(), x.readable(s, s.names[name], node), square, node)

    loop(x, state, values, one, node, ordered=False)
    return x.readable(state, state.names.pop(name), node)


def clip(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """numpy.clip(value, low, high) of a number."""
    arity(x, arguments, keywords, range(3, 4), set(), node)
    value, low, high = arguments
    only_numbers(x, [value, *(one for one in (low, high) if one is not None)], node)
    return numeric(x, state, value, lambda s, v: _bounded(x, s, v, (low, high), node), node)


def only_numbers(x: Reader, values: list[Value], node: ast.AST) -> None:
    """Refuses lists, of which numpy makes arrays."""
    if any(not isinstance(one, Term | Dead) for value in values for _, one in alternatives(value)):
        raise x.unsupported(node, "numpy on anything but numbers", "write [function(x) for x in rows]")


def scalar(function: Callable[..., Value]) -> Callable[..., Value]:
    """A function of numpy, of numbers only."""

    def read(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        only_numbers(x, arguments, node)
        return function(x, state, arguments, keywords, node)

    return read


def of_list(function: Callable[..., Value]) -> Callable[..., Value]:
    """A function of numpy, of one list of numbers."""

    def read(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        arity(x, arguments, keywords, range(1, 2), set(), node)
        value = arguments[0]
        if not isinstance(value, tuple | Dead) and not (
            isinstance(value, Reference) and isinstance(state.heap[value.address], Listing)
        ):
            raise x.unsupported(node, "numpy on anything but a list", "write a list of numbers")
        found = function(x, state, arguments, keywords, node)
        if not isinstance(found, Term | Dead):
            raise x.unsupported(node, "numpy on a list of anything but numbers", "write a list of numbers")
        return found

    return read


def _bounded(x: Reader, state: State, value: Term, ends: tuple[Value, Value], node: ast.AST) -> Value:
    """min(high, max(low, value)), where None is no bound."""
    low, high = ends
    found: Value = value
    if isinstance(low, Cases) or isinstance(high, Cases):
        raise x.unsupported(node, "a bound that may be None", "write one call for each")
    if low is not None:
        found = numeric(x, state, low, lambda s, v: larger(value, v), node)
    if high is None:
        return found
    return numeric(x, state, found, lambda s, v: numeric(x, s, high, lambda t, w: smaller(v, w), node), node)


def pairwise(function: Callable[[Term, Term], Term]) -> Callable[..., Value]:
    """numpy.minimum and numpy.maximum of two numbers."""

    def read(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        arity(x, arguments, keywords, range(2, 3), set(), node)
        first, second = arguments
        return numeric(x, state, first, lambda s, v: numeric(x, s, second, lambda t, w: function(v, w), node), node)

    return read


def product(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """math.prod(values)."""
    arity(x, arguments, keywords, range(1, 2), {"start"}, node)
    name = f"!product{x.token()}"
    state.names[name] = keywords.get("start", integer(1))

    def one(s: State, value: Value) -> None:
        s.names[name] = binary(x, s, ast.Mult(), x.readable(s, s.names[name], node), value, node)

    loop(x, state, arguments[0], one, node, ordered=False)
    return x.readable(state, state.names.pop(name), node)


def constant_truth(value: Term) -> Callable[..., Value]:
    """math.isnan, math.isfinite: of an exact number."""
    return simple(lambda _: value)


def counter(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """Counter(values)."""
    arity(x, arguments, keywords, range(2), set(), node)
    found = x.new(state, Mapped("Counter", {}))
    if not arguments or arguments[0] is None:
        return found
    inner = arguments[0]
    if any(one is None or isinstance(one, Record) for _, one in alternatives(inner)):
        raise x.unsupported(node, "a Counter of this value", "write a Counter of a list")
    content = state.heap.get(inner.address) if isinstance(inner, Reference) else None
    if isinstance(content, Mapped) and content.kind != "set":
        state.heap[found.address] = Mapped("Counter", content.items, None, content.loose)
    else:
        loop(x, state, inner, lambda s, v: count_one(x, s, found, v, node), node)
    return found


def count_one(x: Reader, state: State, found: Reference, value: Value, node: ast.AST) -> None:
    """One more of a value."""
    old = lookup(x, state, found, value, node)
    assign_key(x, state, found, value, binary(x, state, ast.Add(), old, integer(1), node), node)


def defaultdict(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """defaultdict(int)."""
    arity(x, arguments, keywords, range(2), set(), node)
    default = arguments[0] if arguments else None
    if default is not None and not isinstance(default, Named | Closure):
        raise x.unsupported(node, "this default of a defaultdict", "write int, float or a lambda")
    return x.new(state, Mapped("defaultdict", {}, default))


def truncation(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """math.trunc(value)."""
    arity(x, arguments, keywords, range(1, 2), set(), node)
    return numeric(x, state, arguments[0], lambda s, v: truncated(v), node)


def _sum(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """numpy.sum and math.fsum: of one argument."""
    arity(x, arguments, keywords, range(1, 2), set(), node)
    if isinstance(arguments[0], Lazy) and arguments[0].kind != "generator":
        raise x.unsupported(node, "this sum of an iterator", "write a list")
    return sum_(x, state, arguments, keywords, node)


CALLS: Mapping[str, Callable[..., Value]] = {
    "math.sqrt": sqrt, "math.floor": simple(floor), "math.ceil": simple(ceiling), "math.trunc": truncation,
    "math.fabs": simple(lambda v: real(absolute(v))), "math.fsum": _sum, "math.prod": product, "math.hypot": hypot,
    "math.isnan": constant_truth(FALSE), "math.isinf": constant_truth(FALSE), "math.isfinite": constant_truth(TRUE),
    "statistics.mean": mean("StatisticsError"), "statistics.fmean": mean("StatisticsError"),
    "statistics.pvariance": variance(False, False, "StatisticsError"),
    "statistics.variance": variance(True, False, "StatisticsError"),
    "statistics.pstdev": variance(False, True, "StatisticsError"),
    "statistics.stdev": variance(True, True, "StatisticsError"),
    "numpy.sum": of_list(_sum), "numpy.mean": of_list(mean("")), "numpy.clip": clip, "numpy.sqrt": scalar(numpy_sqrt),
    "numpy.var": of_list(variance(False, False, "")), "numpy.std": of_list(variance(False, True, "")),
    "numpy.abs": scalar(simple(absolute)), "numpy.absolute": scalar(simple(absolute)),
    "numpy.floor": scalar(simple(floor)), "numpy.ceil": scalar(simple(ceiling)),
    "numpy.minimum": scalar(pairwise(smaller)), "numpy.maximum": scalar(pairwise(larger)),
    "numpy.min": of_list(extreme(False)),
    "numpy.max": of_list(extreme(True)), "collections.Counter": counter, "collections.defaultdict": defaultdict,
}  # fmt: skip
