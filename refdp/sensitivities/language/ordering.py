"""sorted and medians: a network of exchanges where the elements are known, the known order where the keys are."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from refdp.sensitivities.language.comparisons import compare, key_value
from refdp.sensitivities.language.comprehensions import collected
from refdp.sensitivities.language.containers import element
from refdp.sensitivities.language.functions import Arguments, Keywords, arity, numeric
from refdp.sensitivities.language.objects import Entry, Listing, Mapped
from refdp.sensitivities.language.operators import holds
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import DEAD, Lazy, Reference, Value, join
from refdp.terms.leaves import FALSE, integer, rational
from refdp.terms.operations import add, choice, conjunction, disjunction, divide, floor, less, negation, subtract
from refdp.terms.term import Term


def sorted_(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
    """sorted(values, key, reverse)."""
    arity(x, arguments, keywords, range(1, 2), {"key", "reverse"}, node)
    known = None if keywords else _known(state, arguments[0])
    if known is not None:
        return x.new(state, Listing(known))
    found = collected(x, state, arguments[0], node)
    entries = known_entries(x, state, found, "sorted(...) needs all rows at once", node)
    reverse = x.readable(state, keywords.get("reverse", FALSE), node)
    if not isinstance(reverse, Term) or reverse.sort == "Real":  # an error before Python 3.12
        raise x.unsupported(node, "reverse= that is neither true nor false", "write reverse=True or leave it out")
    backwards = holds(x, state, reverse, node)
    if backwards.operator != "truth":
        raise x.unsupported(node, "an order that is not known", "write reverse=True or leave it out")
    key = keywords.get("key")
    keyed = [(one.guard, _key(x, state, one, key, node), one.value) for one in entries]
    ordered = network(x, state, keyed, backwards is not FALSE, node)
    return x.new(state, Listing(tuple(Entry(guard, value) for guard, _, value in ordered)))


def known_entries(x: Reader, state: State, found: Reference, reason: str, node: ast.AST) -> tuple[Entry, ...]:
    """The elements of a list that does not depend on the number of rows."""
    content = state.heap[found.address]
    pieces = content.pieces if isinstance(content, Listing) else ()
    entries = tuple(piece for piece in pieces if isinstance(piece, Entry))
    if len(entries) < len(pieces):
        raise x.not_a_fold(node, reason)
    return entries


def _known(state: State, value: Value) -> tuple[Entry, ...] | None:
    """The keys, or keys and values, of a dict in the order of its keys."""
    kind = value.kind if isinstance(value, Lazy) else "keys"
    inner: Any = value.parts[0] if isinstance(value, Lazy) and value.parts else value
    content = state.heap.get(inner.address) if isinstance(inner, Reference) else None
    if not isinstance(content, Mapped) or kind not in ("keys", "items"):
        return None
    try:
        keys = sorted(content.items)  # type: ignore[type-var]
    except TypeError:
        return None
    found = []
    for key in keys:
        present, inside = content.items[key]
        found.append(Entry(present, key_value(key) if kind == "keys" else (key_value(key), inside)))
    return tuple(found)


def _key(x: Reader, state: State, entry: Entry, key: Value, node: ast.AST) -> Value:
    """What an element is sorted by."""
    if key is None:
        return entry.value
    return x.choose(state, entry.guard, lambda s: _called(x, s, key, entry.value, node), lambda _: DEAD)


def _called(x: Reader, state: State, key: Value, value: Value, node: ast.AST) -> Value:
    """key(value)."""
    found: Value = x.services["call"](x, state, key, [value], {}, node)
    return found


Keyed = tuple[Term, Value, Value]


def network(x: Reader, state: State, keyed: list[Keyed], backwards: bool, node: ast.AST) -> list[Keyed]:
    """The elements by exchanges of neighbours, so that equal ones keep their order; absent ones come last."""
    found = list(keyed)
    for turn in range(len(found)):
        for place in range(turn % 2, len(found) - 1, 2):
            found[place : place + 2] = _exchanged(x, state, found[place], found[place + 1], backwards, node)
    return found


def _exchanged(x: Reader, state: State, a: Keyed, b: Keyed, backwards: bool, node: ast.AST) -> list[Keyed]:
    """Two neighbours in order."""
    both = state.simplified(conjunction(a[0], b[0]))
    first, second = (a[1], b[1]) if backwards else (b[1], a[1])
    wrong = x.choose(state, both, lambda s: compare(x, s, ast.Lt(), first, second, node), lambda _: FALSE)
    test = wrong if isinstance(wrong, Term) else FALSE
    swap = state.simplified(disjunction(conjunction(both, test), conjunction(negation(a[0]), b[0])))
    return [
        (choice(swap, b[0], a[0]), join(swap, b[1], a[1]), join(swap, b[2], a[2])),
        (choice(swap, a[0], b[0]), join(swap, a[1], b[1]), join(swap, a[2], b[2])),
    ]


def median(which: str) -> Callable[..., Value]:
    """statistics.median, median_low and median_high."""

    def read(x: Reader, state: State, arguments: Arguments, keywords: Keywords, node: ast.AST) -> Value:
        arity(x, arguments, keywords, range(1, 2), set(), node)
        found = sorted_(x, state, arguments, {}, node)
        count = x.length(state, found, node)
        empty = state.simplified(less(count, integer(1)))
        x.stop(state, empty, "StatisticsError")
        half = floor(divide(count, integer(2)))
        odd = less(integer(0), subtract(count, add(half, half)))

        def at(place: Term) -> Callable[[State], Value]:
            return lambda s: element(x, s, found, place, node)

        low = subtract(half, integer(1))

        def middle(s: State) -> Value:
            first, second = at(low)(s), at(half)(s)
            return numeric(
                x, s, first,
                lambda t, v: numeric(x, t, second, lambda u, w: divide(add(v, w), rational(2)), node), node,
            )  # fmt: skip

        even = {"median": middle, "median_low": at(low), "median_high": at(half)}[which]
        return x.choose(state, negation(empty), lambda s: x.choose(s, odd, at(half), even), lambda _: DEAD)

    return read


CALLS: Mapping[str, Callable[..., Value]] = {
    "sorted": sorted_, "statistics.median": median("median"), "statistics.median_low": median("median_low"),
    "statistics.median_high": median("median_high"),
}  # fmt: skip
