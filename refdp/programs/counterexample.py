"""Counterexamples to a claim: two neighbouring data, and an event whose probabilities break the bound.

Trusted: `confirmed` takes nothing but the data and the event on trust: it checks that the claim speaks of them, works
out both probabilities from the program and decides the sign of P - e^epsilon P' - delta.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import inf

from refdp.programs.adjacency import NEW, OLD, Adjacency, Relation
from refdp.programs.closed_terms import bound, closed, holds, power_of_e
from refdp.programs.events import SECONDS, Datum, Event, apart, chance, of_sort, setting
from refdp.programs.language.context import EXCEPTION
from refdp.programs.nulls import has_public_length
from refdp.programs.probabilities import Number, enclosure, number, sign
from refdp.programs.syntax import Branch, Claim, Data, Loop, Program, Require, Statement
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import integer, rational
from refdp.terms.operations import multiply, substitute
from refdp.terms.term import Term

Pair = tuple[Number, ...]
"""The probability of an event with the data, and with the neighbour."""


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


def confirmed(program: Program, claim: Claim, found: Counterexample, seconds: float = SECONDS) -> bool:
    """Whether it refutes the claim.  NotComputed, Undecided or TooManyPaths where that is not found out.

    A probability may take so many seconds.
    """
    if overlap(found):
        return False
    if not allowed(program, claim, found.parameters, found.old, found.new):
        return False
    if claim.adjacency.edits and tells_an_exception(found.events) and raises_elsewhere(program.body):
        return False
    sides = (found.old, found.new)
    pairs = [tuple(chance(program, found.parameters, data, event, seconds) for data in sides) for event in found.events]
    return breaks(claim, setting(program, found.parameters, len(found.old)), pairs, found.order)


def tells_an_exception(events: Sequence[Event]) -> bool:
    """Whether one of the events is that an exception is raised."""
    return any(EXCEPTION in items for event in events for items in event)


def raises_elsewhere(body: Sequence[Statement]) -> bool:
    """Whether exceptions may be raised that are part of no event: then the probability of one is not that of any."""
    for one in body:
        inner = (*one.yes, *one.no) if isinstance(one, Branch) else one.body if isinstance(one, Loop) else ()
        if isinstance(one, Require) or raises_elsewhere(inner):
            return True
    return False


def overlap(found: Counterexample) -> bool:
    """Whether the events are not seen to exclude each other."""
    return any(not apart(one, other) for one, other in combinations(found.events, 2))


def computed(program: Program, found: Counterexample, seconds: float = SECONDS) -> Counterexample:
    """The counterexample with its probabilities."""
    old, new = (
        sum((chance(program, found.parameters, data, event, seconds) for event in found.events), number(0))
        for data in (found.old, found.new)
    )
    return replace(found, old_probability=old, new_probability=new)


def allowed(
    program: Program, claim: Claim, parameters: Mapping[str, Term], old: tuple[Datum, ...], new: tuple[Datum, ...]
) -> bool:
    """Whether the claim speaks of these parameters and data."""
    if not (fits(program.data, old) and fits(program.data, new)):
        return False
    if claim.adjacency.edits and has_public_length(program, claim):
        return False
    if not are_parameters(program, parameters):
        return False
    known = {**parameters, program.length or "n": integer(len(old))}
    if any(closed(value) != closed(known[name]) for name, value in claim.given.items()):
        return False
    values = setting(program, parameters, len(old))
    spoken_of = all(holds(substitute(one, values)) for one in (program.assumption, claim.where))
    return spoken_of and are_neighbours(claim.adjacency, values, old, new)


def are_parameters(program: Program, parameters: Mapping[str, Term]) -> bool:
    """Whether there is a value of its sort for each public parameter."""
    sorts = {name: sort for name, sort in program.parameters.items() if name != program.length}
    return set(parameters) == set(sorts) and all(of_sort(parameters[n], sort).sort == sort for n, sort in sorts.items())


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
    return any(are_related(part, values, old, new) for part in adjacency.parts)


def are_related(part: Relation, values: Mapping[Term, Term], old: tuple[Datum, ...], new: tuple[Datum, ...]) -> bool:
    """Whether a part of an adjacency relates the data."""
    if part.edit is not None:
        return are_edited(part, old, new)
    if len(old) != len(new):
        return False
    return is_related(part, values, [(Fraction(a), Fraction(b)) for a, b in zip(old, new, strict=True)])


def is_related(part: Relation, values: Mapping[Term, Term], pairs: list[tuple[Fraction, Fraction]]) -> bool:
    """Whether all elements are related and the budgets kept, of lists of one length."""
    related = substitute(part.related, values)
    changes = [abs(b - a) for a, b in pairs]
    return (
        all(evaluate(related, {OLD: a, NEW: b}) is True for a, b in pairs)
        and (part.changed is None or sum(c != 0 for c in changes) <= part.changed)
        and (part.total is None or sum(changes) <= part.total)
        and (part.squares is None or sum(c * c for c in changes) <= part.squares)
    )


def are_edited(part: Relation, old: tuple[Datum, ...], new: tuple[Datum, ...]) -> bool:
    """Whether one list is the other with as many elements added, or removed, as the part allows."""
    added, removed = (len(one) - in_common(old, new) for one in (new, old))
    kept = {"added": removed == 0, "removed": added == 0, "either": True, None: False}[part.edit]
    return kept and part.changed is not None and added + removed <= part.changed


def in_common(old: Sequence[Datum], new: Sequence[Datum]) -> int:
    """The length of the longest list that both are with elements added."""
    row = [0] * (len(new) + 1)
    for one in old:
        before, row = row, [0]
        for place, other in enumerate(new, 1):
            row.append(before[place - 1] + 1 if one == other else max(before[place], row[place - 1]))
    return row[-1]


def breaks(claim: Claim, values: Mapping[Term, Term], pairs: Sequence[Pair], order: int | None) -> bool:
    """Whether the probabilities of the events on both data break the bound of the claim."""
    if claim.epsilon is claim.delta is claim.rho is None:
        return False
    if claim.rho is not None:
        if order is None or order < 2:
            return False
        limit = power_of_e(multiply(integer(order * (order - 1)), substitute(claim.rho, values)))
        return least_moment(pairs, order) > enclosure(limit).upper
    old, new = (sum((pair[side] for pair in pairs), number(0)) for side in (0, 1))
    loss = rational(0) if claim.epsilon is None else substitute(claim.epsilon, values)
    excess = old - power_of_e(loss) * new if sign(new) else old
    return sign(excess - bound(claim.delta, values)) > 0


def least_moment(pairs: Sequence[Pair], order: int) -> Fraction | float:
    """At most the sum of P^order / P'^(order - 1), and infinite only where that is."""
    if any(sign(new) == 0 < sign(old) for old, new in pairs):
        return inf
    ends = [(enclosure(old).lower, enclosure(new).upper) for old, new in pairs if sign(old) > 0]
    return sum((old**order / new ** (order - 1) for old, new in ends), Fraction(0))
