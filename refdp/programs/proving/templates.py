"""Templates of alignments: each shift is a sum of unknown coefficients times what it may depend on.

    draw -> draw + a + b * (change of an element) + c * (first run's - second run's value of a variable) + ...

The unknowns are whole numbers that choose a coefficient from a short list; 0 is always the first choice, and free.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from refdp.programs.adjacency import LENGTH
from refdp.programs.checking.alignment import REST, Alignment, Observation, Shift, observation
from refdp.programs.checking.conditions import run
from refdp.programs.checking.neighbours import other
from refdp.programs.execution import Drawn
from refdp.programs.proving.slopes import beside, factors, slopes
from refdp.programs.steps import Step, Stepwise
from refdp.terms.leaves import FALSE, TRUE, integer, rational, variable, variables
from refdp.terms.operations import choice, disjunction, equal, multiply, negation, real, substitute, subtract, total
from refdp.terms.term import Sort, Term

SHIFTED = frozenset({"laplace", "discrete_laplace", "exponential", "uniform", "bernoulli"})
INTEGRAL = frozenset({"discrete_laplace", "uniform"})
FREE = frozenset({"uniform"})
"""What is shifted without loss."""
USUAL = (1, -1, 2, -2)
"""Coefficients of 1 and of changes; a difference of states has those of size 1."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A coefficient: the first choice is 0, the others are `values`, each at a price that makes plain proofs cheap."""

    variable: Term
    values: tuple[Fraction, ...]
    prices: tuple[int, ...]

    def times(self, term: Term) -> Term:
        """The coefficient times a term."""
        found = rational(0) if term.sort == "Real" else integer(0) if term.sort == "Int" else FALSE
        for place, value in enumerate(self.values, 1):
            factor = integer(int(value)) if term.sort == "Int" else rational(value)
            chosen = term if term.sort == "Bool" else multiply(factor, term)
            found = choice(equal(self.variable, integer(place)), chosen, found)
        return found

    @property
    def price(self) -> Term:
        """What the choice costs."""
        found = integer(0)
        for place, price in enumerate(self.prices, 1):
            found = choice(equal(self.variable, integer(place)), integer(price), found)
        return found


@dataclass(frozen=True, slots=True)
class Feature:
    """What a shift may depend on, the coefficients that are likely, and the price of the plainest."""

    term: Term
    values: tuple[Fraction, ...]
    price: int


@dataclass(frozen=True, slots=True)
class Template:
    """An alignment with unknown coefficients in it."""

    alignment: Alignment
    unknowns: tuple[Unknown, ...]

    def filled(self, values: Mapping[Term, Term]) -> Alignment:
        """The alignment with these coefficients, without shifts by nothing."""
        found = {}
        for place, shift in self.alignment.shifts.items():
            usual = substitute(shift.usual, values)
            chosen = None if shift.chosen is None else substitute(shift.chosen, values)
            if not (is_nothing(usual) and (chosen is None or is_nothing(chosen))):
                found[place] = Shift(usual, chosen)
        return replace(self.alignment, shifts=found)


@dataclass(slots=True)
class Unknowns:
    """Makes unknowns, each with a name of its own."""

    made: list[Unknown] = field(default_factory=list)

    def sum(self, features: Iterable[Feature], sort: Sort) -> Term:
        """A sum of unknown coefficients times features; of truth values whether one of those chosen holds."""
        terms = [self.new(one).times(one.term) for one in features]
        if sort == "Bool":
            return disjunction(*terms)
        return total(terms)

    def new(self, one: Feature) -> Unknown:
        """The unknown coefficient of a feature."""
        prices = tuple(one.price if abs(v) == 1 else 2 * one.price + 1 for v in one.values)
        found = Unknown(variable(f"unknown.{len(self.made)}", "Int"), one.values, prices)
        self.made.append(found)
        return found


def template(stepwise: Stepwise, alignment: Alignment, is_coarse: bool = False) -> Template:
    """The alignment with unknown shifts at every site, the same for steps that release the same; or else for all.

    Where a draw has no charge, as where no rate is found for its odds, nothing is added to it.
    """
    unknowns, shifts = Unknowns(), dict[tuple[int, Observation], Shift]()
    for (site, _), places in alike(stepwise, alignment.shown, is_coarse).items():
        draws = [(step, next(d for d in step.path.drawn if d.site == site)) for step in places]
        sort = draws[0][1].variable.sort
        if not can_be_shifted(draws[0][1], alignment):
            continue
        own = common(features(stepwise, step, draw) for step, draw in draws)
        later = [Feature(one.term, one.values, one.price + 1) for one in own]
        rest = [Feature(subtract(REST[1], REST[0]), (Fraction(1), Fraction(-1)), 3)] if alignment.others else []
        if alignment.item is None or not draws[0][0].is_round:
            found = Shift(unknowns.sum(own, sort))
        else:
            speaks = [f for f in later if not alignment.others or not _of_state(f.term, stepwise, draws[0][0])]
            found = Shift(unknowns.sum(speaks, sort), unknowns.sum([*own, *rest] if sort == "Real" else own, sort))
        shifts |= {(site, observation(step, alignment.shown)): found for step, _ in draws}
    return Template(replace(alignment, shifts=shifts), tuple(unknowns.made))


def can_be_shifted(draw: Drawn, alignment: Alignment) -> bool:
    """Whether a draw may be another in the second run: it has shifts, and they can be charged or are free."""
    return draw.family in SHIFTED and (draw.family in FREE or draw.site in alignment.charges)


def alike(stepwise: Stepwise, shown: frozenset[int], is_coarse: bool) -> dict[tuple[int, object], list[Step]]:
    """The steps that draw at each site, those together that release the same and are shown the same, or else all."""
    found: dict[tuple[int, object], list[Step]] = {}
    for step in stepwise.steps:
        seen = observation(step, shown)
        for draw in step.path.drawn:
            key = seen.source if is_coarse else (seen.source, seen.released, seen.shown)
            found.setdefault((draw.site, key), []).append(step)
    return found


def common(lists: Iterable[list[Feature]]) -> list[Feature]:
    """The features that all of the steps have."""
    first, *others = lists
    return [one for one in first if all(one.term in [o.term for o in rest] for rest in others)]


def features(stepwise: Stepwise, step: Step, draw: Drawn) -> list[Feature]:
    """What the shift of a draw may depend on in a step."""
    if draw.variable.sort == "Bool":
        return [Feature(one, (Fraction(1),), 2) for one in (*differences(stepwise, step), TRUE)]
    ratios = slopes(step, draw)
    public = frozenset(variable(n, s) for n, s in stepwise.program.parameters.items()) | {LENGTH}
    symbols = factors(step, draw, public) if draw.variable.sort == "Real" else {}
    one = integer(1) if draw.variable.sort == "Int" else rational(1)
    found = [Feature(one, tuple(map(Fraction, USUAL)), 3)]
    for k, (_, data) in enumerate(step.path.looked):
        if can_be_added(data, draw):
            values = dict.fromkeys((*map(Fraction, USUAL), *(-r for r in ratios.get(data, ()))))
            change = as_drawn(variable(f"change.{k}", data.sort), draw)
            found.append(Feature(change, tuple(values), 2))
            found += scaled(change, symbols.get(data, ()), 3)
    for state in states(stepwise, step):
        if can_be_added(state, draw) and state in ratios:
            values = dict.fromkeys((Fraction(1), Fraction(-1), *ratios[state]))
            apart = as_drawn(subtract(run(state, 1), run(state, 2)), draw)
            found.append(Feature(apart, tuple(values), 4))
            found += scaled(apart, symbols.get(state, ()), 5)
    if (value := beside(stepwise, step, draw)) is not None:
        found.append(Feature(subtract(*(seen_by(which, value, stepwise, step) for which in (1, 2))), (Fraction(1),), 5))
    return [_whole(one) if draw.family in INTEGRAL else one for one in found]


def seen_by(which: int, value: Term, stepwise: Stepwise, step: Step) -> Term:
    """A value of state and data as that of a run."""
    own = {v: run(v, which) for v in states(stepwise, step)}
    data = {v: other(v) for _, v in step.path.looked} if which == 2 else {}
    return substitute(value, {**own, **data})


def scaled(one: Term, symbols: Sequence[Term], price: int) -> list[Feature]:
    """What a shift may depend on, times public symbols that it is multiplied by beside the draw."""
    return [Feature(multiply(each, one), (Fraction(-1), Fraction(1)), price) for each in symbols]


def can_be_added(one: Term, draw: Drawn) -> bool:
    """Whether a number may be part of the shift of a draw: whole numbers of any, real ones of real draws."""
    return one.sort == draw.variable.sort or (one.sort, draw.variable.sort) == ("Int", "Real")


def as_drawn(one: Term, draw: Drawn) -> Term:
    """The number as one of the sort of the draw."""
    return real(one) if draw.variable.sort == "Real" else one


def _whole(one: Feature) -> Feature:
    """The feature with integers for coefficients."""
    return Feature(one.term, tuple(v for v in one.values if v.denominator == 1), one.price)


def states(stepwise: Stepwise, step: Step) -> list[Term]:
    """The variables of the state where a step begins, but for the counter."""
    counters = {loop.counter for loop in stepwise.loops}
    return [variable(n, s) for n, s in stepwise.states[step.source].items() if n not in counters]


def differences(stepwise: Stepwise, step: Step) -> Iterator[Term]:
    """In what the data or truth values of the state may differ."""
    for _, data in step.path.looked:
        yield negation(equal(data, other(data)))
    for state in states(stepwise, step):
        if state.sort == "Bool":
            yield negation(equal(run(state, 1), run(state, 2)))


def is_nothing(shift: Term) -> bool:
    """Whether nothing is added."""
    return shift is FALSE or shift.operator == "number" and shift.value == 0


def _of_state(term: Term, stepwise: Stepwise, step: Step) -> bool:
    """Whether a term speaks of the state."""
    own = {run(v, r) for v in states(stepwise, step) for r in (1, 2)}
    return not own.isdisjoint(variables(term))
