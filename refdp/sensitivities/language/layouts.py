"""How a value is kept from row to row: one variable for a number, a choice of kinds and the parts of each kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

from refdp.sensitivities.language.values import (
    Cases,
    Closure,
    Dead,
    Infinity,
    Lazy,
    Named,
    Poison,
    Record,
    Reference,
    Unbound,
    Value,
    alternatives,
    kind,
    parts,
    rebuilt,
)
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, rational, variable
from refdp.terms.operations import choice, disjunction, equal, negation, real, whole
from refdp.terms.term import Sort, Term

SORTS: tuple[Sort, ...] = ("Bool", "Int", "Real")
"""From narrow to wide."""
DEFAULTS = {"Bool": FALSE, "Int": ZERO, "Real": rational(0)}
Reach = Callable[[Value], bool]
"""Whether a value means the same in every row: not a list that a row makes anew."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The kinds that a value may be of, each with an example, the sort of a number, and the layouts of its parts."""

    kinds: tuple[tuple[Hashable, Value, Sort, tuple[Layout, ...]], ...]
    poison: str = ""


def layout(value: Value, lasts: Reach) -> Layout:
    """The layout that is just wide enough."""
    found = []
    for _, one in alternatives(value):
        if isinstance(one, Poison):
            return Layout((), one.reason)
        if not lasts(one) or isinstance(one, Lazy):
            return Layout((), "a list or an iterator that is made anew for each row")
        sort: Sort = one.sort if isinstance(one, Term) else "Bool"
        inner = tuple(layout(part, lasts) for part in parts(one))
        found.append((kind(one), one, sort, inner))
    return Layout(tuple(found))


def poison(one: Layout) -> str:
    """Why a value of that layout, or a part of it, cannot be kept; empty where it can."""
    inner = (poison(part) for _, _, _, found in one.kinds for part in found)
    return one.poison or next(filter(None, inner), "")


def wider(a: Layout, b: Layout) -> Layout:
    """The layout of what has either."""
    if a.poison or b.poison:
        return Layout((), a.poison or b.poison)
    kinds = {key: (example, sort, inner) for key, example, sort, inner in a.kinds}
    for key, example, sort, inner in b.kinds:
        if key in kinds:
            old, narrow, first = kinds[key]
            both = tuple(wider(x, y) for x, y in zip(first, inner, strict=True))
            kinds[key] = (old, max(narrow, sort, key=SORTS.index), both)
        else:
            kinds[key] = (example, sort, inner)
    return Layout(tuple((key, *rest) for key, rest in kinds.items()))


def shape(one: Layout) -> Hashable:
    """What two layouts have in common that keep values alike."""
    return (one.poison, *((key, sort, *map(shape, inner)) for key, _, sort, inner in one.kinds))


def decoded(one: Layout, name: str) -> tuple[Value, tuple[Term, ...]]:
    """The value that the variables `name`, `name.kind`, `name.0` ... keep, and these variables."""
    if one.poison:
        return Poison(one.poison), ()
    if not one.kinds:
        return Dead(), ()
    selector = _selector(one, name)
    guards = list(_guards(one, selector))
    cases, found = [], list(selector)
    for guard, (_, example, sort, inner) in zip(guards, one.kinds, strict=True):
        value, inside = _decoded(example, sort, inner, name)
        cases.append((guard, value))
        found += inside
    return (cases[0][1] if len(cases) == 1 else Cases(tuple(cases))), tuple(found)


def _decoded(example: Value, sort: Sort, inner: tuple[Layout, ...], name: str) -> tuple[Value, list[Term]]:
    """The value of one kind, and its variables."""
    if isinstance(example, Term):
        found = variable(name, sort)
        return found, [found]
    if not isinstance(example, tuple | Record):
        return example, []
    keys = [str(key) for key, _ in example.items] if isinstance(example, Record) else map(str, range(len(example)))
    pieces = [decoded(part, f"{name}.{label}") for label, part in zip(distinct(keys), inner, strict=True)]
    return rebuilt(example, tuple(value for value, _ in pieces)), [v for _, inside in pieces for v in inside]


def distinct(labels: Iterator[str] | list[str] | map[str]) -> list[str]:
    """Labels made of letters, digits and `_`, all different."""
    found: list[str] = []
    for one in labels:
        plain = re.sub(r"\W", "_", one, flags=re.ASCII) or "_"
        found.append(plain if plain not in found else f"{plain}!{len(found)}")
    return found


def _selector(one: Layout, name: str) -> tuple[Term, ...]:
    """The variable that says which kind it is, if there are several."""
    if len(one.kinds) < 2:
        return ()
    return (variable(f"{name}.{_word(one)}", "Bool" if len(one.kinds) == 2 else "Int"),)


def _word(one: Layout) -> str:
    """What the first of two kinds is called, if that says something."""
    first = one.kinds[0][1]
    word = "missing" if first is None else "unbound" if isinstance(first, Unbound) else "kind"
    return word if len(one.kinds) == 2 else "kind"


def _guards(one: Layout, selector: tuple[Term, ...]) -> Iterator[Term]:
    """When the value is of each kind; the last kind takes what is left."""
    if len(one.kinds) < 2:
        yield TRUE
        return
    (chosen,) = selector
    if chosen.sort == "Bool":
        yield from (chosen, negation(chosen))
        return
    earlier = [equal(chosen, integer(place)) for place in range(len(one.kinds) - 1)]
    yield from (*earlier, negation(disjunction(*earlier)))


def encoded(one: Layout, value: Value) -> tuple[Term, ...]:
    """The terms that the variables of the layout get when this value is kept."""
    if one.poison or not one.kinds:
        return ()
    cases = {kind(inner): (guard, inner) for guard, inner in alternatives(value)}
    guards = [cases.get(key, (FALSE, None))[0] for key, *_ in one.kinds]
    found: list[Term] = []
    if len(guards) == 2:
        found.append(guards[0] if guards[0] is not FALSE or guards[1] is not FALSE else FALSE)
    elif len(guards) > 2:
        found.append(_place(guards))
    for key, example, sort, inner in one.kinds:
        found += _encoded(cases[key][1] if key in cases else None, key in cases, example, sort, inner)
    return tuple(found)


def _place(guards: list[Term]) -> Term:
    """The place of the guard that holds; a variable that the guards already compare with each place is that place."""
    first = guards[0]
    if first.operator == "==" and all(g is equal(first.arguments[0], integer(i)) for i, g in enumerate(guards)):
        return first.arguments[0]
    place = integer(len(guards) - 1)
    for number in range(len(guards) - 2, -1, -1):
        place = choice(guards[number], integer(number), place)
    return place


def _encoded(value: Value, known: bool, example: Value, sort: Sort, inner: tuple[Layout, ...]) -> list[Term]:
    """The terms of one kind; anything where the value is of another kind."""
    if isinstance(example, Term):
        if not known or not isinstance(value, Term):
            return [DEFAULTS[sort]]
        return [value if sort == value.sort else real(value) if sort == "Real" else whole(value)]
    pieces = parts(value) if known else tuple(Dead() for _ in inner)
    return [term for part, one in zip(inner, pieces, strict=True) for term in encoded(part, one)]


def lasting(addresses: frozenset[int]) -> Reach:
    """Values mean the same in every row unless they are lists that were made since."""

    def lasts(value: Value) -> bool:
        if isinstance(value, Reference):
            return value.address in addresses
        return isinstance(value, Term | str | tuple | Record | Unbound | Infinity | Named | Closure) or value is None

    return lasts
