"""Some records, and what terms are on them: to see which coordinates of an answer exclude each other (untrusted)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice, pairwise, product
from random import Random

from refdp.sensitivities.program import ROW
from refdp.sensitivities.records import Category, Fields, Kind, Missing, Number
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import is_number, parts, variables
from refdp.terms.term import Term, Value

MOST = 600
"""Most records that are looked at."""


def exclusive_groups(kind: Kind, gains: tuple[Term, ...]) -> list[list[int]]:
    """Coordinates put together where no sampled record adds to two of them."""
    rows = sampled(kind, gains)
    groups: list[tuple[set[int], list[int]]] = []
    for index, gain in enumerate(gains):
        hit = {place for place, row in enumerate(rows) if _is_hit(gain, row)}
        home = next((g for g in groups if not g[0] & hit), None)
        if home is None:
            home = (set(), [])
            groups.append(home)
        home[0].update(hit)
        home[1].append(index)
    return [members for _, members in groups]


def is_constant(kind: Kind, gain: Term) -> bool:
    """Whether all sampled records add the same."""
    rows = sampled(kind, (gain,))
    try:
        return len({evaluate(gain, row) for row in rows}) == 1
    except (ArithmeticError, KeyError):
        return False


def sampled(kind: Kind, terms: tuple[Term, ...]) -> list[dict[Term, Value]]:
    """Records at, between and beyond the constants of the terms; all of them where they are few."""
    constants = {p.rational for t in terms for p in parts(t) if is_number(p)}
    needed = set(variables(*terms))
    choices = [(slot, values if slot in needed else values[:1]) for slot, values in slot_values(kind, ROW, constants)]
    count = 1
    for _, values in choices:
        count *= len(values)
    slots = [slot for slot, _ in choices]
    if count <= MOST:
        return [dict(zip(slots, row, strict=True)) for row in product(*(values for _, values in choices))]
    random = Random(0)
    rows = iter(lambda: tuple(random.choice(values) for _, values in choices), None)
    return [dict(zip(slots, row, strict=True)) for row in islice(rows, MOST)]


def slot_values(kind: Kind, name: str, constants: Iterable[Fraction]) -> Iterator[tuple[Term, list[Value]]]:
    """Values worth looking at of each variable of a record."""
    if isinstance(kind, Category):
        yield kind.slots(name)[0], [Fraction(place) for place in range(len(kind.labels))]
    elif isinstance(kind, Number):
        yield kind.slots(name)[0], list(_numbers(kind, constants))
    elif isinstance(kind, Missing):
        yield kind.slots(name)[0], [False, True]
        yield from slot_values(kind.kind, name, constants)
    elif isinstance(kind, Fields):
        for _, inner, inner_name in kind.inner(name):
            yield from slot_values(inner, inner_name, constants)


def _numbers(kind: Number, constants: Iterable[Fraction]) -> Iterator[Fraction]:
    """The bounds, the constants within them, and what lies between."""
    ends = [b.rational for b in (kind.lower, kind.upper) if b is not None and is_number(b)]
    edges = sorted({*ends, *constants})
    beyond = [edges[0] - 1, edges[-1] + 1] if edges else [Fraction(0)]
    wanted = {*edges, *beyond, *((a + b) / 2 for a, b in pairwise(edges))}
    for value in sorted(wanted):
        above = kind.lower is None or not is_number(kind.lower) or value >= kind.lower.rational
        below = kind.upper is None or not is_number(kind.upper) or value <= kind.upper.rational
        if above and below and (not kind.is_integer or value.denominator == 1):
            yield value


def _is_hit(gain: Term, row: dict[Term, Value]) -> bool:
    """Whether the record adds to the coordinate; yes where that is not known."""
    try:
        return evaluate(gain, row) != 0
    except (ArithmeticError, KeyError):
        return True
