"""==, <, in and is, of numbers, labels, tuples and None."""

from __future__ import annotations

import ast

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
from refdp.terms.leaves import FALSE, TRUE, truth
from refdp.terms.operations import at_most, conjunction, disjunction, less, negation
from refdp.terms.term import Term


def compare(x: Reader, state: State, operator: ast.cmpop, a: Value, b: Value, node: ast.AST) -> Value:
    """a operator b; a truth value."""
    if isinstance(a, Dead) or isinstance(b, Dead):
        return Dead()
    if isinstance(operator, ast.Eq | ast.NotEq):
        found = equals(x, state, a, b, node)
    elif isinstance(operator, ast.Is | ast.IsNot):
        found = _is(x, state, a, b, node)
    elif isinstance(operator, ast.In | ast.NotIn):
        value = x.each(state, b, lambda s, w: contains(x, s, w, a, node))
        if not isinstance(value, Term):
            return value
        found = value
    else:
        return x.each(state, a, lambda s, v: x.each(s, b, lambda t, w: _order(x, t, operator, v, w, node)))
    found = state.simplified(found)
    return negation(found) if isinstance(operator, ast.NotEq | ast.IsNot | ast.NotIn) else found


def equals(x: Reader, state: State, a: Value, b: Value, node: ast.AST) -> Term:
    """a == b."""
    return disjunction(
        *(
            conjunction(g, h, _equals(x, state, v, w, node))
            for g, v in alternatives(a)
            for h, w in alternatives(b)
            if state.simplified(conjunction(g, h)) is not FALSE
        )
    )


def _equals(x: Reader, state: State, a: Value, b: Value, node: ast.AST) -> Term:
    """a == b of one case each."""
    a, b = x.readable(state, a, node), x.readable(state, b, node)
    if isinstance(a, Term) and isinstance(b, Term):
        return same(*_numbers(a, b))
    if isinstance(a, tuple) and isinstance(b, tuple):
        pairs = zip(a, b, strict=False)
        return conjunction(*(equals(x, state, v, w, node) for v, w in pairs)) if len(a) == len(b) else FALSE
    if isinstance(a, Record) and isinstance(b, Record):
        first, second = dict(a.items), dict(b.items)
        if first.keys() != second.keys():
            return FALSE
        return conjunction(*(equals(x, state, first[key], second[key], node) for key in first))
    if isinstance(a, Reference) and isinstance(b, Reference):
        return _lists_equal(x, state, a, b, node)
    if isinstance(a, Lazy | Named | Closure) or isinstance(b, Lazy | Named | Closure):
        raise x.unsupported(node, "this comparison", "compare numbers, labels and tuples")
    if isinstance(a, Reference) and isinstance(b, Record) or isinstance(b, Reference) and isinstance(a, Record):
        raise x.unsupported(node, "this comparison of dicts", "compare their values")
    return truth(not isinstance(a, Term | tuple | Record | Reference) and a == b)


def _numbers(a: Term, b: Term) -> tuple[Term, Term]:
    """Two truth values as they are, or two numbers."""
    from refdp.terms.operations import whole

    return (a, b) if a.sort == b.sort == "Bool" else (whole(a), whole(b))


def _lists_equal(x: Reader, state: State, a: Reference, b: Reference, node: ast.AST) -> Term:
    """Two lists with elements that are certainly there."""
    contents = [state.heap[one.address] for one in (a, b)]
    if a == b:
        return TRUE
    entries = [
        [p.value for p in one.pieces if isinstance(p, Entry) and p.guard is TRUE]
        for one in contents
        if isinstance(one, Listing)
    ]
    if len(entries) == 2 and all(
        isinstance(one, Listing) and len(found) == len(one.pieces) for one, found in zip(contents, entries, strict=True)
    ):
        return equals(x, state, tuple(entries[0]), tuple(entries[1]), node)
    raise x.unsupported(node, "this comparison of lists or dicts", "compare their lengths or their elements")


def _is(x: Reader, state: State, a: Value, b: Value, node: ast.AST) -> Term:
    """a is None."""
    if a is None:
        a, b = b, a
    if b is not None:
        raise x.unsupported(node, "`is` with anything but None", "write ==")
    a = x.readable(state, a, node)
    return disjunction(*(guard for guard, one in alternatives(a) if one is None))


def contains(x: Reader, state: State, container: Value, item: Value, node: ast.AST) -> Value:
    """item in container."""
    if isinstance(container, Dead):
        return container
    if isinstance(container, Record):
        insist_on_key(x, item, node)
        return disjunction(*(equals(x, state, key_value(key), item, node) for key, _ in container.items))
    if isinstance(container, tuple):
        return disjunction(*(equals(x, state, one, item, node) for one in container))
    if isinstance(container, Reference):
        return _object_contains(x, state, container, item, node)
    if isinstance(container, str):
        return x.each(state, item, lambda s, v: _in_text(x, s, container, v, node))
    if isinstance(container, Lazy):
        return x.any_of(state, container, lambda s, v: equals(x, s, v, item, node), node)
    return x.mistyped(state, node, container)


def _in_text(x: Reader, state: State, container: str, item: Value, node: ast.AST) -> Value:
    """item in a text."""
    return truth(item in container) if isinstance(item, str) else x.mistyped(state, node, item)


def insist_on_key(x: Reader, item: Value, node: ast.AST) -> None:
    """Refuses what may be no key of a dict, nor an element of a set: Python raises TypeError there."""
    for _, one in alternatives(item):
        if isinstance(one, tuple):
            for part in one:
                insist_on_key(x, part, node)
        elif isinstance(one, Reference | Record):
            raise x.unsupported(node, "a list or dict among keys", "look for a number, a text or a tuple")


def _object_contains(x: Reader, state: State, container: Reference, item: Value, node: ast.AST) -> Value:
    """item in a list, or among the keys of a dict or the elements of a set."""
    content = state.heap[container.address]
    if isinstance(content, Mapped):
        insist_on_key(x, item, node)
        pairs = [(guard, key_value(key)) for key, (guard, _) in content.items.items()]
        return disjunction(*(conjunction(guard, equals(x, state, key, item, node)) for guard, key in pairs))
    if all(isinstance(piece, Entry) for piece in content.pieces):
        entries = [piece for piece in content.pieces if isinstance(piece, Entry)]
        return disjunction(*(conjunction(one.guard, equals(x, state, one.value, item, node)) for one in entries))
    return x.any_of(state, container, lambda s, v: equals(x, s, v, item, node), node)


def key_value(key: object) -> Value:
    """A key of a dict as a value."""
    from fractions import Fraction

    from refdp.terms.leaves import integer, rational

    if isinstance(key, tuple):
        return tuple(key_value(one) for one in key)
    if isinstance(key, bool):
        return truth(key)
    if isinstance(key, int):
        return integer(key)
    if isinstance(key, Fraction):
        return integer(int(key)) if key.denominator == 1 else rational(key)
    return key if isinstance(key, str) else None


def _order(x: Reader, state: State, operator: ast.cmpop, a: Value, b: Value, node: ast.AST) -> Value:
    """a < b and the like, of one case each."""
    if isinstance(a, Dead) or isinstance(b, Dead):
        return Dead()
    if isinstance(operator, ast.Gt | ast.GtE):
        a, b = b, a
    strict = isinstance(operator, ast.Lt | ast.Gt)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return x.readable(state, _lexicographic(x, state, a, b, strict, node), node)
    found = precedes(a, b, strict)
    if found is not None:
        return state.simplified(found)
    if isinstance(a, Reference | Lazy) or isinstance(b, Reference | Lazy):
        raise x.unsupported(node, "the order of lists or sets", "compare their elements")
    if isinstance(a, Infinity) or isinstance(b, Infinity):
        raise x.unsupported(node, "the order of infinity and what is no number", "compare numbers with it")
    return x.mistyped(state, node, a, b)


def precedes(a: Value, b: Value, strict: bool) -> Term | None:
    """a < b, or a <= b, of numbers, infinities and texts; None where Python does not order them."""
    if isinstance(a, Term) and isinstance(b, Term):
        return less(a, b) if strict else at_most(a, b)
    if isinstance(a, str) and isinstance(b, str):
        return truth(a < b if strict else a <= b)
    if isinstance(a, Infinity) and isinstance(b, Infinity):
        return truth(a.negative > b.negative if strict else a.negative >= b.negative)
    if isinstance(a, Infinity) and isinstance(b, Term):
        return truth(a.negative)
    if isinstance(a, Term) and isinstance(b, Infinity):
        return truth(not b.negative)
    return None


def _lexicographic(
    x: Reader, state: State, a: tuple[Value, ...], b: tuple[Value, ...], strict: bool, node: ast.AST
) -> Value:
    """Tuples by their first difference."""
    if not a or not b:
        return truth(len(a) < len(b) if strict else len(a) <= len(b))
    equal = state.simplified(equals(x, state, a[0], b[0], node))
    operator = ast.Lt()
    return x.choose(
        state,
        equal,
        lambda s: _lexicographic(x, s, a[1:], b[1:], strict, node),
        lambda s: compare(x, s, operator, a[0], b[0], node),
    )
