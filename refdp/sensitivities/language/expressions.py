"""What each kind of expression means."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from refdp.sensitivities.language.comparisons import compare
from refdp.sensitivities.language.containers import assign_key, element
from refdp.sensitivities.language.objects import Entry, Listing, Mapped
from refdp.sensitivities.language.operators import binary, holds, unary
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.scope import module_value
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import Dead, Lazy, Named, Value
from refdp.terms.decimals import LARGEST_EXPONENT, written_decimal
from refdp.terms.leaves import integer, rational, truth


def constant(x: Reader, state: State, node: ast.Constant) -> Value:
    """A number, a truth value, a text or None; 0.1 is the decimal that it writes."""
    value = node.value
    if isinstance(value, bool):
        return truth(value)
    if isinstance(value, int):
        return integer(value)
    if isinstance(value, float):
        return rational(_decimal(x, node))
    if isinstance(value, str) or value is None:
        return value
    raise x.unsupported(node, f"a constant of type {type(value).__name__}", "write a number or a text")


def _decimal(x: Reader, node: ast.Constant) -> Fraction:
    """The number that the digits in the source say."""
    text = ast.get_source_segment(x.source.text, node) or repr(node.value)
    try:
        return written_decimal(text)
    except ValueError:
        advice = f"use exponents up to {LARGEST_EXPONENT}"
        raise x.unsupported(node, "a number with so large an exponent", advice) from None


def name(x: Reader, state: State, node: ast.Name) -> Value:
    """A name of the call, else of the file, else of Python."""
    if node.id in state.names:
        return x.readable(state, state.names[node.id], node)
    return module_value(x, node)


def binary_operation(x: Reader, state: State, node: ast.BinOp) -> Value:
    """a + b and the like."""
    left = x.value(state, node.left)
    return binary(x, state, node.op, left, x.value(state, node.right), node)


def unary_operation(x: Reader, state: State, node: ast.UnaryOp) -> Value:
    """-a, not a."""
    return unary(x, state, node.op, x.value(state, node.operand), node)


def boolean(x: Reader, state: State, node: ast.BoolOp) -> Value:
    """a and b, a or b: the second is read only where the first does not decide."""

    def rest(s: State, values: list[ast.expr]) -> Value:
        first = x.value(s, values[0])
        if len(values) == 1 or isinstance(first, Dead):
            return first
        true = holds(x, s, first, node)
        if isinstance(node.op, ast.And):
            return x.choose(s, true, lambda t: rest(t, values[1:]), lambda _: first)
        return x.choose(s, true, lambda _: first, lambda t: rest(t, values[1:]))

    return rest(state, node.values)


def comparison(x: Reader, state: State, node: ast.Compare) -> Value:
    """a < b <= c: each operand is read once, and only as far as needed."""

    def rest(s: State, left: Value, operators: list[ast.cmpop], others: list[ast.expr]) -> Value:
        right = x.value(s, others[0])
        found = compare(x, s, operators[0], left, right, node)
        if len(others) == 1 or isinstance(found, Dead):
            return found
        true = holds(x, s, found, node)
        return x.choose(s, true, lambda t: rest(t, right, operators[1:], others[1:]), lambda _: truth(False))

    return rest(state, x.value(state, node.left), node.ops, node.comparators)


def conditional(x: Reader, state: State, node: ast.IfExp) -> Value:
    """a if c else b."""
    test = holds(x, state, x.value(state, node.test), node)
    return x.choose(state, test, lambda s: x.value(s, node.body), lambda s: x.value(s, node.orelse))


def sequence(x: Reader, state: State, node: ast.Tuple | ast.List) -> Value:
    """(a, b) or [a, b]."""
    for one in node.elts:
        if isinstance(one, ast.Starred):
            raise x.unsupported(one, "a starred element", "write the elements one by one")
    values = tuple(kept(x, x.value(state, one), one) for one in node.elts)
    if isinstance(node, ast.Tuple):
        return values
    return x.new(state, Listing(tuple(Entry(truth(True), one) for one in values)))


def kept(x: Reader, value: Value, node: ast.AST) -> Value:
    """A value that is kept in a name or a list; an iterator is not, because it is used up once."""
    if isinstance(value, Lazy) and value.kind in ("generator", "map", "filter", "enumerate", "zip", "strict zip"):
        raise x.unsupported(
            node, "an iterator that is kept for later", "write a list: [... for ... in ...] or list(...)"
        )
    return value


def mapping(x: Reader, state: State, node: ast.Dict) -> Value:
    """{key: value}."""
    found = x.new(state, Mapped("dict", {}))
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            raise x.unsupported(node, "** in a dict", "write the keys one by one")
        place = x.value(state, key)
        assign_key(x, state, found, place, kept(x, x.value(state, value), value), node)
    return found


def collection(x: Reader, state: State, node: ast.Set) -> Value:
    """{a, b}."""
    found = x.new(state, Mapped("set", {}))
    for one in node.elts:
        assign_key(x, state, found, x.value(state, one), None, node)
    return found


def subscript(x: Reader, state: State, node: ast.Subscript) -> Value:
    """container[index] or container[a:b]."""
    container = x.value(state, node.value)
    if isinstance(node.slice, ast.Slice):
        ends = [None if end is None else x.value(state, end) for end in (node.slice.lower, node.slice.upper)]
        if node.slice.step is not None:
            raise x.unsupported(node, "a slice with a step", "write a loop with a counter")
        found: Value = x.services["slice"](x, state, container, ends[0], ends[1], node)
        return found
    return element(x, state, container, x.value(state, node.slice), node)


def attribute(x: Reader, state: State, node: ast.Attribute) -> Value:
    """math.pi and the like; methods are read where they are called."""
    of = x.value(state, node.value)
    if isinstance(of, Named):
        return x.services["member"](x, Named(f"{of.path}.{node.attr}"), node)  # type: ignore[no-any-return]
    raise x.unsupported(node, f"the attribute .{node.attr}", "use fields of records by r[...]")


def function(x: Reader, state: State, node: ast.Lambda) -> Value:
    """A lambda."""
    found: Value = x.services["closure"](x, state, node)
    return found


def generator(x: Reader, state: State, node: ast.GeneratorExp) -> Value:
    """A generator expression, which is read where it is used."""
    return Lazy("generator", (node, x.value(state, node.generators[0].iter)), x.frame)


MEANINGS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Constant: constant, ast.Name: name, ast.BinOp: binary_operation, ast.UnaryOp: unary_operation,
    ast.BoolOp: boolean, ast.Compare: comparison, ast.IfExp: conditional, ast.Tuple: sequence, ast.List: sequence,
    ast.Dict: mapping, ast.Set: collection, ast.Subscript: subscript, ast.Attribute: attribute, ast.Lambda: function,
    ast.GeneratorExp: generator,
}  # fmt: skip
