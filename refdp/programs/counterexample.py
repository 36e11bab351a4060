"""Counterexamples to a claim, and what makes one: two neighbouring data and an event whose probabilities break the bound.

Trusted: `confirmed` takes the program, the claim, the data and the events, executes the program on both data along every
path that may end in an event, and decides the sign of P - e^epsilon P' - delta.  How they were found does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from refdp.logic.evaluation import evaluate
from refdp.logic.graphs import substitute
from refdp.logic.terms import number as number_of
from refdp.logic.terms import FALSE, Term, at_most, conjunction, integer, rational, subtract, truth, variable
from refdp.programs.adjacency import NEW, OLD, Adjacency, Relation
from refdp.programs.execution import Element, Execution, Path
from refdp.programs.probabilities import NotComputed, Number, enclosure, exponential, number, probability, sign
from refdp.programs.probabilities.evaluation import Evaluation
from refdp.programs.syntax import Claim, Data, Item, Program


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from low to high, both included; None is no limit."""

    low: Fraction | None = None
    high: Fraction | None = None
    after: bool = False
    """Whether it is for the number less the number that was released before it."""


Expected = Fraction | bool | str | None | Interval
"""What a part of the output must be, or lie in."""
Event = tuple[tuple[Expected, ...], ...]
"""Every emission in order, each with all its parts."""
Datum = Fraction | bool


@dataclass(frozen=True, slots=True)
class Counterexample:
    """P = P[output of old in events] > e^epsilon P' + delta, where P' = P[output of new in events].

    The events exclude each other.  Of a claim rho the sum over the events of P^order / P'^(order - 1) is more than
    e^(rho order (order - 1)) instead, so that the Renyi divergence of this order is more than rho order.
    """

    program: str
    claim: Claim
    parameters: Mapping[str, Term]
    """Closed terms."""
    old: tuple[Datum, ...]
    new: tuple[Datum, ...]
    events: tuple[Event, ...]
    old_probability: Number
    new_probability: Number
    order: int | None = None


def confirmed(program: Program, claim: Claim, found: Counterexample) -> bool:
    """Whether it refutes the claim.  NotComputed, Undecided or TooManyPaths where that is not found out."""
    if any(not apart(one, other) for one, other in combinations(found.events, 2)):
        return False
    if not allowed(program, claim, found.parameters, found.old, found.new):
        return False
    pairs = [
        (chance(program, found.parameters, found.old, event), chance(program, found.parameters, found.new, event))
        for event in found.events
    ]
    return breaks(claim, setting(program, found.parameters, len(found.old)), pairs, found.order)


def computed(program: Program, found: Counterexample) -> Counterexample:
    """The counterexample with its probabilities."""
    old, new = (
        sum((chance(program, found.parameters, data, event) for event in found.events), number(0))
        for data in (found.old, found.new)
    )
    return replace(found, old_probability=old, new_probability=new)


def setting(program: Program, parameters: Mapping[str, Term], length: int) -> Mapping[Term, Term]:
    """The value of each public parameter and of the number of data."""
    known = {variable(name, program.parameters[name]): value for name, value in parameters.items()}
    return known | {variable("n", "Int"): integer(length)}


def allowed(
    program: Program, claim: Claim, parameters: Mapping[str, Term], old: tuple[Datum, ...], new: tuple[Datum, ...]
) -> bool:
    """Whether the claim speaks of these parameters and data."""
    values = setting(program, parameters, len(old))
    if set(parameters) != set(program.parameters) - {program.length} or len(old) != len(new):
        return False
    if any(closed(value) != closed(parameters[name]) for name, value in claim.given.items() if name in parameters):
        return False
    if not all(holds(substitute(one, values)) for one in (program.assumption, claim.where)):
        return False
    if not all(fits(program.data, one) for one in (old, new)):
        return False
    return are_neighbours(claim.adjacency, values, old, new)


def fits(data: Data, values: tuple[Datum, ...]) -> bool:
    """Whether the values are of the sort of the data."""
    if not data.is_list and len(values) != 1:
        return False
    if data.sort == "Bool":
        return all(isinstance(v, bool) for v in values)
    return all(isinstance(v, Fraction) and (data.sort == "Real" or v.denominator == 1) for v in values)


def are_neighbours(
    adjacency: Adjacency, values: Mapping[Term, Term], old: tuple[Datum, ...], new: tuple[Datum, ...]
) -> bool:
    """Whether a part of the adjacency relates the data."""
    pairs = [(Fraction(a), Fraction(b)) for a, b in zip(old, new, strict=True)]
    return any(is_related(part, values, pairs) for part in adjacency.parts)


def is_related(part: Relation, values: Mapping[Term, Term], pairs: list[tuple[Fraction, Fraction]]) -> bool:
    """Whether all elements are related and the budgets kept."""
    related = substitute(part.related, values)
    changes = [abs(b - a) for a, b in pairs]
    return (
        all(evaluate(related, {OLD: a, NEW: b}) is True for a, b in pairs)
        and (part.changed is None or sum(c != 0 for c in changes) <= part.changed)
        and (part.total is None or sum(changes) <= part.total)
        and (part.squares is None or sum(c * c for c in changes) <= part.squares)
    )


def breaks(claim: Claim, values: Mapping[Term, Term], pairs: list[tuple[Number, Number]], order: int | None) -> bool:
    """Whether the probabilities of the events on both data break the bound of the claim."""
    if claim.rho is not None:
        if order is None or order < 2:
            return False
        if any(sign(new) == 0 < sign(old) for old, new in pairs):
            return True
        moment = sum((old**order / new ** (order - 1) for old, new in pairs if sign(old)), number(0))
        return sign(moment - power_of_e(number(order * (order - 1)) * bound(claim.rho, values))) > 0
    old, new = (sum((pair[side] for pair in pairs), number(0)) for side in (0, 1))
    excess = old - power_of_e(bound(claim.epsilon, values)) * new if sign(new) else old
    return sign(excess - bound(claim.delta, values)) > 0


def closed(term: Term) -> Number:
    """The value of a term without variables."""
    return Evaluation({}, frozenset()).number(term)


def holds(statement: Term) -> bool:
    """Whether a statement without variables holds."""
    return Evaluation({}, frozenset()).holds(statement)


def bound(term: Term | None, values: Mapping[Term, Term]) -> Number:
    """The value of a part of the claim, 0 where it is not given."""
    return number(0) if term is None else closed(substitute(term, values))


def power_of_e(exponent: Number) -> Number:
    """e^exponent, or where that has no closed form a little more."""
    try:
        return exponential(exponent)
    except NotComputed:
        return exponential(number(enclosure(exponent).upper))


def chance(program: Program, parameters: Mapping[str, Term], data: tuple[Datum, ...], event: Event) -> Number:
    """P[output in event], the sum over the paths that may end in it."""
    execution = Execution(element_of(data), feasible=lambda path: FALSE not in path.condition and may_be_in(path, event))
    total = number(0)
    for path, _ in execution.block(program.body, start(program, parameters, len(data))):
        ends = FALSE if len(path.emitted) != len(event) else is_in(path.emitted, event)
        if ends is not FALSE and FALSE not in path.condition:
            total = total + probability((*path.condition, ends), path.drawn)
    return total


def start(program: Program, parameters: Mapping[str, Term], length: int) -> Path:
    """The path before the first statement."""
    return Path({str(name.value): value for name, value in setting(program, parameters, length).items()})


def element_of(data: tuple[Datum, ...]) -> Element:
    """The element at an index; where there is none Python raises an exception, which the path requires not to happen."""

    def element(index: Term, _: Path) -> Term:
        place = int(number_of(index))
        one = data[place] if 0 <= place < len(data) else None
        return truth(one) if isinstance(one, bool) else rational(one or 0)

    return element


def may_be_in(path: Path, event: Event) -> bool:
    """Whether what was released so far begins as the event does."""
    return len(path.emitted) <= len(event) and is_in(path.emitted, event[: len(path.emitted)]) is not FALSE


def is_in(emitted: tuple[tuple[Item, ...], ...], event: Event) -> Term:
    """When the output lies in the event."""
    if any(len(items) != len(parts) for items, parts in zip(emitted, event, strict=True)):
        return FALSE
    before: Term | None = None
    found = []
    for item, part in zip(sum(emitted, ()), sum(event, ()), strict=True):
        found.append(is_as_expected(item, part, before))
        before = item if isinstance(item, Term) and item.sort != "Bool" else before
    return conjunction(*found)


def is_as_expected(item: Item, part: Expected, before: Term | None) -> Term:
    """When a part of the output is as expected; truth values, texts and None are no numbers."""
    if not isinstance(item, Term) or isinstance(part, str) or part is None:
        return truth(not isinstance(item, Term) and item == part)
    if isinstance(part, bool) or item.sort == "Bool":
        return truth(item is truth(part is True) and isinstance(part, bool))
    if isinstance(part, Fraction):
        part = Interval(part, part)
    if part.after:
        item = subtract(item, before) if before is not None else item
    low = truth(True) if part.low is None else at_most(rational(part.low), item)
    return conjunction(low, truth(True) if part.high is None else at_most(item, rational(part.high)))


def apart(one: Event, other: Event) -> bool:
    """Whether the events are seen to exclude each other."""
    if [len(items) for items in one] != [len(items) for items in other]:
        return True
    return any(map(differ, sum(one, ()), sum(other, ())))


def differ(one: Expected, other: Expected) -> bool:
    """Whether no output is as both expect."""
    if isinstance(one, Fraction):
        one = Interval(one, one)
    if isinstance(other, Fraction):
        other = Interval(other, other)
    if not isinstance(one, Interval) or not isinstance(other, Interval):
        return type(one) is not type(other) or one != other
    if one.after != other.after:
        return False
    return any(a.high is not None and b.low is not None and a.high < b.low for a, b in ((one, other), (other, one)))
