"""Both runs over a few rounds as one term: what has to hold of the coefficients of an alignment for few data.

The conditions are the checker's own, with unknown predicates for invariants.  At each head of a loop, after each number
of rounds, stands one state of both runs: that of every way there, chosen by what was decided on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from refdp.logic.horn import predicate
from refdp.programs.checking.alignment import SPENT
from refdp.programs.checking.conditions import Condition, Product
from refdp.programs.proving.settings import Setting
from refdp.programs.steps import END, START, Step
from refdp.terms.leaves import FALSE, TRUE, integer, rational, variable, variables
from refdp.terms.operations import (
    add,
    choice,
    conjunction,
    disjunction,
    equal,
    less,
    multiply,
    negation,
    substituted,
    subtract,
)
from refdp.terms.term import Term

PUMPED = 20
"""How often a round is charged that nothing keeps from coming again and again."""
Place = tuple[int, int]
"""A location, and how often the loop there went round."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A step of the first run, one of the second, and what is to be proved of them."""

    first: Step
    conditions: tuple[Condition, ...]
    pumped: bool


@dataclass(slots=True)
class Unrolled:
    """What happens within a few rounds, in terms of data, draws and unknown coefficients."""

    setting: Setting
    wrong: list[Term] = field(default_factory=list)
    """Each is a way to go wrong, whatever is charged."""
    ends: list[tuple[Term, tuple[Term, ...]]] = field(default_factory=list)
    """When an end is reached, and the weighted shifts of each group there."""
    taken: list[tuple[Term, Step]] = field(default_factory=list)
    """When the first run takes a step, in order."""

    def exceeding(self, rates: tuple[Term, ...], limit: Term) -> Term:
        """That the weighted shifts times the rates exceed a limit at an end."""
        ways = []
        for reached, costs in self.ends:
            lost = rational(0)
            for rate, cost in zip(rates, costs, strict=True):
                lost = add(lost, multiply(rate, cost))
            ways.append(conjunction(reached, less(limit, lost)))
        return disjunction(*ways)


def with_predicates(product: Product) -> tuple[Product, tuple[Term, ...]]:
    """The product with an unknown predicate for each invariant, and the predicates."""
    places = range(1, len(product.stepwise.loops) + 1)
    found = {place: predicate(f"invariant{place}", product.state(place)) for place in places}
    return replace(product, alignment=replace(product.alignment, invariants=found)), tuple(found.values())


def pairs(product: Product, pumped: bool) -> list[Pair]:
    """What is to be proved of each step of the first run with each of the second."""
    steps = product.stepwise.steps
    return [
        Pair(a, tuple(product.pair("", a, b)), pumped and repeats(a, product))
        for a in steps
        for b in steps
        if a.source == b.source
    ]


def repeats(step: Step, product: Product) -> bool:
    """Whether a round over the data changes nothing that both runs count."""
    loops = product.stepwise.loops
    if step.source == START or step.source != step.target or loops[step.source - 1].element is None:
        return False
    names = {loop.counter for loop in loops}
    for name, value in step.updates.items():
        kept = value.operator == "name" and value.value == name
        own = [str(v.value) for v in variables(value)]
        if name not in names and not kept and not any(n.startswith(("draw.", "data.")) for n in own):
            return False
    return True


def unrolled(product: Product, settings: Sequence[Setting], rounds: int, pumped: bool) -> list[Unrolled]:
    """The product over at most so many rounds of each loop, at each setting."""
    known, _ = with_predicates(product)
    by_source: dict[int, list[Pair]] = {}
    for pair in pairs(known, pumped):
        by_source.setdefault(pair.first.source, []).append(pair)
    found = []
    for setting in settings:
        run = _Run(known, Unrolled(setting), rounds)
        run.arrive((START, 0), TRUE, ())
        for location in range(len(product.stepwise.loops) + 1):
            for count in range(rounds + 1 if location else 1):
                run.leave((location, count), by_source.get(location, []))
        found.append(run.found)
    return found


@dataclass(slots=True)
class _Run:
    """Goes from place to place."""

    product: Product
    found: Unrolled
    rounds: int
    arrived: dict[Place, list[tuple[Term, tuple[Term, ...]]]] = field(default_factory=dict)

    def arrive(self, place: Place, when: Term, values: tuple[Term, ...]) -> None:
        """Another way to a place."""
        self.arrived.setdefault(place, []).append((when, values))

    def leave(self, place: Place, leaving: list[Pair]) -> None:
        """Every pair of steps from a place."""
        ways = self.arrived.get(place, [])
        here = disjunction(*(when for when, _ in ways))
        if here is FALSE:
            return
        names = self.names(place, merged(ways), leaving)
        done: dict[Term, Term] = {}
        for pair in leaving:
            self.pair(place, here, pair, names, done)

    def pair(self, place: Place, here: Term, pair: Pair, names: Mapping[Term, Term], done: dict[Term, Term]) -> None:
        """What is to be proved of one pair, from a place."""
        charges: list[Term] = []
        after = FALSE
        for one in pair.conditions:
            known = [substituted(t, names, done) for t in one.hypotheses if t.operator != "apply"]
            after = conjunction(here, *known)
            if after is FALSE:
                return
            if one.conclusion.operator == "apply":
                self.go_on(place, after, pair, one, names, done)
            elif one.name.endswith("charges"):
                charges.append(substituted(one.conclusion.arguments[0], names, done))
            else:
                fails = conjunction(after, negation(substituted(one.conclusion, names, done)))
                self.found.wrong += [] if fails is FALSE else [fails]
        if charges:
            self.found.ends.append((after, tuple(charges)))
        if pair.first.target == END:
            self.found.taken.append((after, pair.first))

    def go_on(
        self, place: Place, when: Term, pair: Pair, one: Condition, names: Mapping[Term, Term], done: dict[Term, Term]
    ) -> None:
        """To the next head of a loop."""
        target = pair.first.target
        values = tuple(substituted(a, names, done) for a in one.conclusion.arguments)
        if target == place[0]:
            if pair.pumped:
                values = self.pumped(values, names, target)
            if place[1] < self.rounds:
                self.arrive((target, place[1] + 1), when, values)
        else:
            self.arrive((target, 0), when, values)
        self.found.taken.append((when, pair.first))

    def pumped(self, values: tuple[Term, ...], names: Mapping[Term, Term], target: int) -> tuple[Term, ...]:
        """The state after a round that comes many times, as it can unless it spends of a budget."""
        own, found = self.product.state(target), []
        free = equal(dict(zip(own, values, strict=True))[SPENT], names[SPENT]) if SPENT in own else TRUE
        for name, after in zip(own, values, strict=True):
            if name in self.product.costs:
                many = add(names[name], multiply(rational(PUMPED), subtract(after, names[name])))
                after = choice(free, many, after)
            found.append(after)
        return tuple(found)

    def names(self, place: Place, values: tuple[Term, ...] | None, leaving: list[Pair]) -> dict[Term, Term]:
        """What the variables of a step are at a place."""
        found = dict(self.found.setting)
        if place[0] == START:
            found |= {cost: rational(0) for cost in self.product.costs} | {SPENT: rational(0)}
        elif values is not None:
            found |= dict(zip(self.product.state(place[0]), values, strict=True))
            found[self.product.counter(place[0])] = integer(place[1])
        for one in self.local(leaving):
            found[one] = variable(f"{one.value}!{place[0]}.{place[1]}", one.sort)
        for term, name in self.product.public.named.items():
            value = substituted(term, found, {})
            found[name] = value if value.operator == "number" else variable(f"{value}", value.sort)
        return found

    def local(self, leaving: list[Pair]) -> Iterator[Term]:
        """Draws and data, which differ from round to round."""
        said = dict.fromkeys(t for pair in leaving for c in pair.conditions for t in (*c.hypotheses, c.conclusion))
        for one in variables(*said):
            if str(one.value).startswith(("draw.", "data.", "other.")):
                yield one


def merged(ways: list[tuple[Term, tuple[Term, ...]]]) -> tuple[Term, ...] | None:
    """The state where one of the ways was taken."""
    if not ways or not ways[0][1]:
        return None
    found = ways[-1][1]
    for when, values in reversed(ways[:-1]):
        found = tuple(choice(when, v, f) for v, f in zip(values, found, strict=True))
    return found
