"""What the operators of Python do to values: exact arithmetic, text, lists, and the exceptions that they raise."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import partial

from refdp.sensitivities.language.facts import same
from refdp.sensitivities.language.objects import Entry, Listing, Mapped
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import (
    Closure,
    Dead,
    Infinity,
    Lazy,
    Named,
    Record,
    Reference,
    Value,
    alternatives,
)
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, is_number, rational, truth
from refdp.terms.operations import (
    add,
    choice,
    conjunction,
    disjunction,
    divide,
    floor,
    less,
    multiply,
    negate,
    negation,
    real,
    subtract,
    whole,
)
from refdp.terms.term import Term

LARGEST_POWER = 16
LONGEST = 4096
"""Most elements of a list that is written down."""


def binary(x: Reader, state: State, operator: ast.operator, a: Value, b: Value, node: ast.AST) -> Value:
    """a operator b, case by case."""
    return x.each(state, a, lambda s, v: x.each(s, b, lambda t, w: _binary(x, t, operator, v, w, node)))


def _binary(x: Reader, state: State, operator: ast.operator, a: Value, b: Value, node: ast.AST) -> Value:
    """a operator b of one case each."""
    if isinstance(a, Dead) or isinstance(b, Dead):
        return Dead()
    if isinstance(a, Term) and isinstance(b, Term):
        meaning = NUMBERS.get(type(operator))
        if meaning is None:
            raise x.unsupported(node, f"the operator {type(operator).__name__}", "write it with + - * / // % **")
        return meaning(x, state, a, b, node)
    if isinstance(operator, ast.Add) and isinstance(a, str) and isinstance(b, str):
        return a + b
    if isinstance(operator, ast.Add) and isinstance(a, tuple) and isinstance(b, tuple):
        return a + b
    if isinstance(a, Reference) or isinstance(b, Reference) or isinstance(a, tuple) or isinstance(b, tuple):
        return _lists(x, state, operator, a, b, node)
    if isinstance(a, Infinity) or isinstance(b, Infinity):
        raise x.unsupported(node, "arithmetic with infinity", "compare with it only")
    if isinstance(a, Lazy | Named | Closure) or isinstance(b, Lazy | Named | Closure):
        raise x.unsupported(node, "arithmetic with an iterator or a function", "write list(...) around it")
    if isinstance(a, str) or isinstance(b, str):
        raise x.unsupported(node, "this operator on text", "compare texts with == only")
    return x.mistyped(state, node, a, b)


def _lists(x: Reader, state: State, operator: ast.operator, a: Value, b: Value, node: ast.AST) -> Value:
    """list + list, list * 3, tuple * 3."""
    if isinstance(operator, ast.Mult):
        if isinstance(b, Reference | tuple):
            a, b = b, a
        if isinstance(b, Term) and is_number(b) and b.sort != "Real" and b.rational <= LONGEST:
            count = int(b.rational)
            if isinstance(a, tuple):
                return a * count
            content = listing(x, state, a, node)
            if isinstance(content, Listing) and len(content.pieces) * count <= LONGEST:
                return x.new(state, Listing(content.pieces * count))
    if isinstance(operator, ast.Add) and isinstance(a, Reference) and isinstance(b, Reference):
        first, second = listing(x, state, a, node), listing(x, state, b, node)
        return x.new(state, Listing((*first.pieces, *second.pieces)))
    if isinstance(operator, ast.Add) and {type(a), type(b)} == {Reference, tuple}:
        return x.stop(state, TRUE, "TypeError")
    if a is None or b is None:
        return x.stop(state, TRUE, "TypeError")
    raise x.unsupported(node, "this operator on a list", "write the elements with a loop")


def listing(x: Reader, state: State, value: Value, node: ast.AST) -> Listing:
    """The contents of a list."""
    content = state.heap.get(value.address) if isinstance(value, Reference) else None
    if not isinstance(content, Listing):
        raise x.unsupported(node, "this value where a list is expected", "write a list")
    return content


def _divided(x: Reader, state: State, b: Term) -> Value | None:
    """Division by b raises where b is 0; DEAD where it always is."""
    zero = state.simplified(same(whole(b), ZERO))
    x.stop(state, zero, "ZeroDivisionError")
    return Dead() if zero is TRUE else None


def _quotient(x: Reader, state: State, a: Term, b: Term, node: ast.AST) -> Value:
    return _divided(x, state, b) or divide(a, b)


def _floored(x: Reader, state: State, a: Term, b: Term, node: ast.AST) -> Value:
    return _divided(x, state, b) or _floor(a, b)


def _floor(a: Term, b: Term) -> Term:
    """The floor of a / b: a float, which is no index, where one of them may be."""
    found = floor(divide(a, b))
    return real(found) if "Real" in (a.sort, b.sort) else found


def _remainder(x: Reader, state: State, a: Term, b: Term, node: ast.AST) -> Value:
    return _divided(x, state, b) or subtract(a, multiply(b, floor(divide(a, b))))


def power(x: Reader, state: State, a: Term, b: Term, node: ast.AST) -> Value:
    """a ** b for a constant whole b."""
    if not is_number(b) or b.rational.denominator != 1 or abs(b.rational) > LARGEST_POWER:
        raise x.unsupported(
            node, "this power", f"write x ** k with a whole number k up to {LARGEST_POWER}, or math.sqrt(x)"
        )
    found: Term = integer(1)
    for _ in range(abs(int(b.rational))):
        found = multiply(found, a)
    if b.sort == "Real":
        found = real(found)
    return found if b.rational >= 0 else _quotient(x, state, rational(1), found, node)


def _plain(function: Callable[[Term, Term], Term]) -> Callable[..., Value]:
    """An operator that never raises."""
    return lambda x, state, a, b, node: function(a, b)


NUMBERS: Mapping[type[ast.operator], Callable[..., Value]] = {
    ast.Add: _plain(add), ast.Sub: _plain(subtract), ast.Mult: _plain(multiply), ast.Div: _quotient,
    ast.FloorDiv: _floored, ast.Mod: _remainder, ast.Pow: power,
}  # fmt: skip


def unary(x: Reader, state: State, operator: ast.unaryop, a: Value, node: ast.AST) -> Value:
    """-a, +a, not a."""
    if isinstance(operator, ast.Not):
        return negation(holds(x, state, a, node))
    return x.each(state, a, partial(_unary, x, operator=operator, node=node))


def _unary(x: Reader, state: State, a: Value, operator: ast.unaryop, node: ast.AST) -> Value:
    """-a or +a of one case."""
    if isinstance(a, Infinity) and isinstance(operator, ast.USub | ast.UAdd):
        return Infinity(a.negative != isinstance(operator, ast.USub))
    if not isinstance(a, Term):
        return x.mistyped(state, node, a)
    if isinstance(operator, ast.USub):
        return negate(a)
    if isinstance(operator, ast.UAdd):
        return whole(a)
    raise x.unsupported(node, "the operator ~", "write not x, or -x - 1")


def holds(x: Reader, state: State, value: Value, node: ast.AST) -> Term:
    """Whether Python takes the value for true."""
    value = x.readable(state, value, node)
    found = [
        conjunction(guard, _holds(x, state, one, node))
        for guard, one in alternatives(value)
        if state.simplified(guard) is not FALSE
    ]
    return state.simplified(disjunction(*found))


def _holds(x: Reader, state: State, value: Value, node: ast.AST) -> Term:
    """Whether one case is true."""
    if isinstance(value, Term):
        return value if value.sort == "Bool" else negation(same(value, ZERO))
    if isinstance(value, Reference):
        return less(ZERO, whole(x.length(state, value, node)))
    if isinstance(value, Lazy):
        raise x.unsupported(node, "the truth of an iterator", "write list(...) around it")
    if isinstance(value, str | tuple):
        return truth(bool(value))
    return truth(bool(value.items) if isinstance(value, Record) else value is not None)


def present_count(entries: tuple[Entry, ...] | Mapped) -> Term:
    """How many of the elements are there."""
    guards = [p for p, _ in entries.items.values()] if isinstance(entries, Mapped) else [e.guard for e in entries]
    found: Term = ZERO
    for guard in guards:
        found = add(found, whole(guard))
    return found


def truncated(a: Term) -> Term:
    """int(a): toward zero."""
    if whole(a).sort == "Int":
        return whole(a)
    return choice(less(a, ZERO), negate(floor(negate(a))), floor(a))


def ceiling(a: Term) -> Term:
    """The least integer >= a."""
    return negate(floor(negate(whole(a))))


def rounded(a: Term, digits: int | None) -> Term:
    """round(a, digits), half to even."""
    a = whole(a)
    if a.sort == "Int" and (digits is None or digits >= 0):
        return a
    scale = rational(1) if digits is None else _ten(digits)
    shifted = add(multiply(scale, real(a)), rational_half())
    found = floor(shifted)
    odd = negation(same(subtract(found, multiply(integer(2), floor(divide(found, integer(2))))), ZERO))
    even = subtract(found, choice(conjunction(odd, same(real(found), shifted)), integer(1), ZERO))
    if digits is None:
        return even
    result = divide(even, scale)
    return floor(result) if a.sort == "Int" else result


def _ten(digits: int) -> Term:
    """10^digits."""
    from fractions import Fraction

    return rational(Fraction(10) ** digits)


def rational_half() -> Term:
    """1/2."""
    from fractions import Fraction

    return rational(Fraction(1, 2))
