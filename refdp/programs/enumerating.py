"""Proofs by enumeration: the exact probability of every output for every two neighbours, where there are finitely many.

Trusted.  Two kinds of programs, all public parameters being given, with outputs that are finitely many:

* the data are one integer or truth value, and the adjacency is of finitely many;
* the data are truth values or such integers, one loop goes over them that keeps nothing from round to round, and at
  most c of them differ: the output is a list of independent answers, so the loss is at most c times that of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from refdp.logic.asking import valid
from refdp.logic.evaluation import evaluate
from refdp.logic.graphs import substitute, variables
from refdp.logic.terms import FALSE, TRUE, Term, at_most, conjunction, integer, rational, truth
from refdp.numerics.intervals import Undecided
from refdp.programs.adjacency import LENGTH, NEW, OLD, Relation
from refdp.programs.counterexample import Datum, closed, element_of, holds, setting, start
from refdp.programs.execution import Execution, Path, TooManyPaths
from refdp.programs.probabilities import NotComputed, Number, exponential, number, probability, sign
from refdp.programs.steps import inside, needed
from refdp.programs.syntax import Append, Break, Choose, Claim, Item, Look, Loop, Program, Statement, Stop

BOUNDS = (1, 8, 64)
"""How far from 0 the integers that an adjacency speaks of may be, tried in turn."""
ENDINGS = (Append, Break, Choose, Look, Loop, Stop)
"""What a round may not do, so that it depends on no other."""
SOLVER = "z3"
Law = Mapping[tuple[object, ...], Number]


class NotEnumerated(ValueError):
    """There are not finitely many data, outputs or parameters, or too many."""


@dataclass(frozen=True, slots=True)
class Enumerated:
    """Every pair keeps to the claim, or one does not."""

    holds: bool
    pairs: int
    outputs: int


def enumerated(program: Program, claim: Claim, seconds: float) -> Enumerated:
    """Whether every two neighbours keep to a claim epsilon.  NotEnumerated where that is not found out."""
    try:
        return _enumerated(program, claim, seconds)
    except (NotComputed, Undecided, TooManyPaths) as error:
        raise NotEnumerated(str(error)) from error


def _enumerated(program: Program, claim: Claim, seconds: float) -> Enumerated:
    """The same, for what may fail on the way."""
    values = setting(program, claim.given, 1)
    if claim.epsilon is None or set(claim.given) != set(program.parameters) - {program.length}:
        raise NotEnumerated("epsilon must be claimed, and every parameter given")
    if not all(holds(substitute(s, values)) for s in (program.assumption, claim.where) if LENGTH not in variables(s)):
        raise NotEnumerated("the parameters must be as assumed")
    laws: dict[Datum, Law] = {}
    pairs = 0
    for relation in claim.adjacency.parts:
        share = 1 if not program.data.is_list else differing(relation)
        factor = exponential(closed(substitute(claim.epsilon, values)) / number(share))
        for old, new in neighbours(program, relation, values, seconds):
            for one in (old, new):
                laws[one] = laws[one] if one in laws else law(program, claim, one)
            pairs += 1
            if not within(laws[old], laws[new], factor):
                return Enumerated(False, pairs, len(laws[old]))
    return Enumerated(True, pairs, len({output for one in laws.values() for output in one}))


def differing(relation: Relation) -> int:
    """How many elements may differ.  NotEnumerated where there is no limit to that."""
    if relation.changed is None or relation.changed < 1:
        raise NotEnumerated("there must be a limit to how many elements differ")
    return relation.changed


def within(first: Law, second: Law, factor: Number) -> bool:
    """Whether each output is at most so many times as likely by the first law as by the second."""
    return all(sign(p - factor * second.get(output, number(0))) <= 0 for output, p in first.items())


def neighbours(
    program: Program, relation: Relation, values: Mapping[Term, Term], seconds: float
) -> Iterator[tuple[Datum, Datum]]:
    """Every two elements that are related."""
    related = substitute(relation.related, values)
    for old, new in product(elements(program, related, seconds), repeat=2):
        if evaluate(related, {OLD: Fraction(old), NEW: Fraction(new)}) is True:
            yield old, new


def elements(program: Program, related: Term, seconds: float) -> Sequence[Datum]:
    """What an element of the data may be.  NotEnumerated where that is too much."""
    if program.data.sort == "Bool":
        return (False, True)
    if program.data.sort == "Int":
        for limit in BOUNDS:
            inside = conjunction(*(at_most(rational(-limit), v) for v in (OLD, NEW)),
                                 *(at_most(v, rational(limit)) for v in (OLD, NEW)))  # fmt: skip
            if valid(SOLVER, (related,), inside, seconds).verdict == "unsat":
                return tuple(map(Fraction, range(-limit, limit + 1)))
    raise NotEnumerated(f"the data must be truth values, or integers from -{BOUNDS[-1]} to {BOUNDS[-1]}")


def law(program: Program, claim: Claim, one: Datum) -> Law:
    """The probability of every output of one element.  NotEnumerated where they are not finitely many."""
    found: dict[tuple[object, ...], Number] = {}
    for path in round_of(program, claim, one) if program.data.is_list else paths(program, claim, one):
        if FALSE not in path.condition:
            output = tuple(tuple(map(constant, items)) for items in path.emitted)
            found[output] = found.get(output, number(0)) + probability(path.condition, path.drawn)
    if sign(sum(found.values(), number(0)) - number(1)) != 0:
        raise NotEnumerated("Python raises an exception, or does not end")
    return found


def paths(program: Program, claim: Claim, one: Datum) -> Iterator[Path]:
    """Every path of a program whose data are one element."""
    execution = Execution(element_of((one,)), feasible=lambda path: FALSE not in path.condition)
    return (path for path, _ in execution.block(program.body, start(program, claim.given, 1)))


def round_of(program: Program, claim: Claim, one: Datum) -> Iterator[Path]:
    """Every path once round the loop, for one element.  NotEnumerated where rounds depend on each other."""
    match program.body:
        case (Loop(_, limit, str(element), body, condition),) if limit is LENGTH and condition is TRUE:
            known = {k: v for k, v in start(program, claim.given, 1).environment.items() if k != LENGTH.value}
            if not needed(body) - known.keys() - {element} and not any(isinstance(s, ENDINGS) for s in every(body)):
                value = truth(one) if isinstance(one, bool) else integer(int(one))
                execution = Execution(element_of(()), feasible=lambda path: FALSE not in path.condition)
                yield from (path for path, _ in execution.block(body, Path({**known, element: value})))
                return
    raise NotEnumerated("the program must be one loop over the data that keeps nothing from round to round")


def every(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """Every statement of a block."""
    return (one for top in body for one in (top, *inside(top)))


def constant(item: Item) -> object:
    """What is released, told apart from everything else.  NotEnumerated where it varies."""
    if not isinstance(item, Term):
        return item
    if item.operator not in ("number", "truth"):
        raise NotEnumerated("what is released must be finitely many values")
    return item.operator, item.value
