"""Invariants that Spacer may miss: charges grow with the rounds, and the runs stay as far apart as they began.

What is likely is guessed at once, and what a step does not keep is left out (`inductive`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from refdp.programs.adjacency import LENGTH
from refdp.programs.checking.alignment import SPENT, Alignment
from refdp.programs.checking.conditions import Product, run
from refdp.programs.proving.inductive import enough
from refdp.programs.proving.slopes import multiples
from refdp.terms.leaves import ZERO, integer, is_number, parts, rational, variable, variables
from refdp.terms.operations import absolute, add, at_most, equal, implication, multiply, real, subtract, total
from refdp.terms.term import Term

Likely = tuple[Term, tuple[Term, ...]]
"""A statement, and statements that it follows from."""
APART = (0, 1, 2)
"""How far apart variables of both runs may stay."""
MOST_UNITS = 8
"""How many numbers, and how many symbols, are tried as the distance of variables of both runs."""
TIMES = (1, 2, 3)
"""How many weights a round, or a whole run, may be charged."""


def counted(product: Product, seconds: float, is_linear: bool = True) -> Alignment | None:
    """The alignment with what is likely at the heads of its loops and kept as the invariants, where that is enough.

    Unless `is_linear`, elements may be multiplied by public symbols, which Spacer cannot take.
    """
    if product.alignment.others is not None:
        return None
    scales = (rational(1),) if is_linear else scales_of(product)
    likely = {place: dict(likely_at(product, place, scales)) for place in range(1, len(product.stepwise.loops) + 1)}
    inductive = enough(product, likely, seconds, is_linear)
    return None if inductive is None else replace(product.alignment, invariants=inductive)


def likely_at(product: Product, place: int, scales: Sequence[Term]) -> Iterator[Likely]:
    """What is likely at the head of a loop."""
    yield from counts(product, place)
    yield from distances(product, place, scales)
    if product.relation.edit is not None:
        yield from together(product, place)
        yield from ranges(product, place)
    yield from charges(product, place, scales)


def counts(product: Product, place: int) -> Iterator[Likely]:
    """How often the loop goes round, and what is spent of the budget."""
    budget = product.neighbours.budget
    if budget is not None:
        yield at_most(rational(0), SPENT), ()
        yield at_most(SPENT, rational(budget)), ()
    limit = product.stepwise.loops[place - 1].limit
    yield at_most(ZERO, product.counter(place)), ()
    if limit is not None:
        yield at_most(product.counter(place), product.public(limit)), ()


def scales_of(product: Product) -> tuple[Term, ...]:
    """1, and by what public symbols elements are multiplied."""
    symbols = frozenset(variable(n, s) for n, s in product.stepwise.program.parameters.items()) | {LENGTH}
    return tuple(dict.fromkeys((rational(1), *map(product.public, multiples(product.stepwise, symbols)))))


def is_scaled(product: Product) -> bool:
    """Whether elements are multiplied by public symbols in the one loop, so that Spacer would see half of it."""
    return product.alignment.others is None and len(product.stepwise.loops) == 1 and len(scales_of(product)) > 1


def distances(product: Product, place: int, scales: Sequence[Term]) -> Iterator[Likely]:
    """How far apart the variables of both runs are, in units of the scales."""
    numbers, symbols = units(product)
    for name, sort in product.stepwise.states[place].items():
        if variable(name, sort) in product.public.counters:
            continue
        first, second = (run(variable(name, sort), which) for which in (1, 2))
        if product.relation.edit is not None:
            yield implication(at_most(SPENT, rational(0)), equal(first, second)), ()
        if sort == "Bool":
            yield equal(first, second), ()
            continue
        if product.neighbours.budget is not None:
            apart = real(subtract(first, second)), real(subtract(second, first))
            for one in apart:
                yield from chain(at_most(one, multiply(rational(k), SPENT)) for k in (0, *TIMES[:2]))
                yield from ((at_most(one, multiply(unit, SPENT)), ()) for unit in scales[1:])
        rooms = [integer(most) if sort == "Int" else rational(most) for most in APART] + numbers
        for a, b in ((first, second), (second, first)):
            yield from chain(at_most(a, add(b, room)) for room in rooms)
            yield from ((at_most(real(a), add(real(b), one)), (at_most(a, b),)) for one in symbols)


def together(product: Product, place: int) -> Iterator[Likely]:
    """That an element more moves one of the numbers that draws are shifted by, and not all: every two, and all."""
    shifts = [t for s in product.alignment.shifts.values() for t in (s.usual, s.chosen) if t is not None]
    said = {str(name.value).rpartition(".")[0] for name in variables(*shifts)}
    names = [(n, s) for n, s in product.stepwise.states[place].items() if n in said and s != "Bool"]
    apart = [absolute(real(subtract(*(run(variable(n, s), which) for which in (1, 2))))) for n, s in names]
    for chosen in (*combinations(apart, 2), *([tuple(apart)] if len(apart) > 2 else [])):
        yield from chain(at_most(total(chosen), multiply(rational(k), SPENT)) for k in TIMES[:2])


def ranges(product: Product, place: int) -> Iterator[Likely]:
    """That whole numbers and flags stay small in each run, where both runs are told apart by an element."""
    for name, sort in product.stepwise.states[place].items():
        if sort != "Int" or variable(name, sort) in product.public.counters:
            continue
        for one in (run(variable(name, sort), which) for which in (1, 2)):
            yield at_most(integer(0), one), ()
            yield from chain(at_most(one, integer(most)) for most in APART)


def units(product: Product) -> tuple[list[Term], list[Term]]:
    """By how much elements more may move a variable: numbers and public symbols of the rounds over the data.

    None where both lists have the same elements.
    """
    edits = product.relation.changed
    if product.relation.edit is None or edits is None:
        return [], []
    rounds = [step for step in product.stepwise.steps if step.path.looked]
    said = [t for step in rounds for t in (*step.path.condition, *step.updates.values())]
    numbers = {edits * abs(part.rational) for one in said for part in parts(one) if is_number(part)}
    names = [one for one in product.public.parameters if one in variables(*said) and one is not LENGTH]
    far = sorted(one for one in numbers if one > APART[-1])[:MOST_UNITS]
    return list(map(rational, far)), [multiply(rational(edits), real(one)) for one in names[:MOST_UNITS]]


def charges(product: Product, place: int, scales: Sequence[Term]) -> Iterator[Likely]:
    """What a group is charged: nothing, so much at most, or so much a round, in units of the scales."""
    rounds = real(product.counter(place))
    for group, (cost, one) in enumerate(zip(product.costs, product.alignment.groups, strict=True)):
        yield at_most(cost, product.public.exact(one.bound)), ()
        most = [rational(x) for x in sorted({t * w for w in weights(product.alignment, group) for t in (0, *TIMES)})]
        yield from chain(at_most(cost, one) for one in most)
        yield from chain(at_most(cost, multiply(one, rounds)) for one in most[1:])
        for unit in scales[1:]:
            yield from chain(at_most(cost, multiply(one, multiply(unit, rounds))) for one in most[1:])


def chain(statements: Iterable[Term]) -> Iterator[Likely]:
    """Statements each of which follows from those before it."""
    before = list[Term]()
    for one in statements:
        yield one, tuple(before)
        before.append(one)


def weights(alignment: Alignment, group: int) -> list[Fraction]:
    """What shifts by 1 are charged within a group."""
    sites = {weight for g, weight in alignment.charges.values() if g == group}
    lists = {one.high - one.low for one in alignment.lists.values() if one.group == group}
    return sorted({*sites, *lists} - {Fraction(0)})
