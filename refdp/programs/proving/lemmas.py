"""Invariants where a shift depends on the greatest of the other rounds: likely ones, without those that are not kept.

Spacer is slow where so much is compared.  It is likely that variables equal the greatest of the others, or exceed it,
and that those of the second run exceed those of the first by what is foretold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from refdp.programs.checking.alignment import OTHERS, OUTPUT, REST, SEEN, Alignment, items_of
from refdp.programs.checking.conditions import Product, run
from refdp.programs.proving.inductive import enough, late
from refdp.programs.steps import END
from refdp.terms.leaves import ZERO, integer, rational, variable
from refdp.terms.operations import (
    absolute,
    add,
    at_most,
    conjunction,
    disjunction,
    equal,
    implication,
    less,
    multiply,
    negation,
    subtract,
)
from refdp.terms.term import Term

ONE = rational(1)
FARTHER = subtract(REST[1], REST[0])
"""How much greater the greatest of the others is in the second run, as it is foretold."""


@dataclass(frozen=True, slots=True)
class Likely:
    """What is likely to hold at the head of the loop."""

    product: Product
    place: int
    released: str
    """The variable whose value is released at the end as the number of a round."""

    def all(self) -> dict[Term, tuple[Term, ...]]:
        """Every statement that is likely, and statements that it follows from."""
        return dict.fromkeys((*self.always(), *self.before()), ()) | dict(self.after())

    @property
    def count(self) -> Term:
        """How often the loop went round."""
        return self.product.counter(self.place)

    def variables(self, sort: str) -> list[Term]:
        """The variables of the state, of a sort."""
        found = self.product.stepwise.states[self.place].items()
        return [variable(n, s) for n, s in found if s == sort and variable(n, s) is not self.count]

    def chosen(self, which: int) -> Term:
        """Whether a run would release the round that is foretold."""
        return equal(variable(f"{self.released}.{which}", "Int"), OUTPUT)

    def always(self) -> Iterator[Term]:
        """What is likely in every round."""
        first_is_chosen = conjunction(equal(self.count, integer(1)), equal(OUTPUT, ZERO))
        yield at_most(ZERO, self.count)
        yield equal(SEEN, conjunction(at_most(integer(1), self.count), negation(first_is_chosen)))
        yield implication(SEEN, at_most(absolute(subtract(*OTHERS)), ONE))
        for which in (1, 2):
            number = variable(f"{self.released}.{which}", "Int")
            yield implication(less(ZERO, self.count), conjunction(at_most(ZERO, number), less(number, self.count)))
            for one in self.variables("Bool"):
                yield from (equal(run(one, which), at_most(integer(k), self.count)) for k in (1, 2))

    def before(self) -> Iterator[Term]:
        """What is likely up to the round that is foretold."""
        early = at_most(self.count, OUTPUT)
        never = disjunction(early, less(OUTPUT, ZERO))
        yield from (implication(never, equal(cost, rational(0))) for cost in self.product.costs)
        for which, greatest in enumerate(OTHERS, 1):
            for one in self.variables("Real"):
                yield implication(conjunction(early, SEEN), equal(run(one, which), greatest))

    def after(self) -> Iterator[tuple[Term, tuple[Term, ...]]]:
        """What is likely after that round, as long as the first run would release it."""
        now = conjunction(at_most(ZERO, OUTPUT), less(OUTPUT, self.count), self.chosen(1))
        for group, cost in enumerate(self.product.costs):
            weights = {w for g, w in self.product.alignment.charges.values() if g == group}
            for weight in sorted(weights):
                most = multiply(rational(weight), add(absolute(FARTHER), ONE))
                yield implication(now, at_most(cost, most)), ()
        for when in (conjunction(now, self.chosen(2)), conjunction(now, negation(self.chosen(2)))):
            for one, stronger in self.comparisons():
                yield implication(when, one), tuple(implication(when, s) for s in stronger)

    def comparisons(self) -> Iterator[tuple[Term, tuple[Term, ...]]]:
        """How variables may compare with the greatest of the others, and with each other."""
        for one in self.variables("Real"):
            for which, greatest in enumerate(OTHERS, 1):
                for compared, stronger in ordered(run(one, which), greatest):
                    yield implication(SEEN, compared), tuple(implication(SEEN, s) for s in stronger)
            yield from ordered(subtract(run(one, 2), run(one, 1)), FARTHER)


def ordered(a: Term, b: Term) -> Iterator[tuple[Term, tuple[Term, ...]]]:
    """Every way in which two numbers may be ordered, and what it follows from."""
    yield equal(a, b), ()
    yield less(b, a), ()
    yield at_most(a, b), (equal(a, b),)
    yield at_most(b, a), (equal(a, b), less(b, a))


def kept(product: Product, seconds: float) -> Alignment | None:
    """The alignment with what is likely and kept as its invariant, where that is enough."""
    others, loops = product.alignment.others, product.stepwise.loops
    released = released_variable(product)
    if others is None or released is None or len(loops) != 1:
        return None
    inductive = enough(product, {1: Likely(product, others.loop, released).all()}, seconds)
    if inductive is None:
        return None
    return replace(product.alignment, invariants={1: disjunction(late(), inductive[1])})


def released_variable(product: Product) -> str | None:
    """The variable that is released at the end as the number of a round."""
    place, steps = product.alignment.item, product.stepwise.steps
    last = [items_of(s.path) for s in steps if s.target == END]
    found = {items[place] for items in last if place is not None and len(items) > place}
    names = {str(i.value) for i in found if isinstance(i, Term) and i.operator == "name" and i.sort == "Int"}
    return names.pop() if len(names) == 1 else None
