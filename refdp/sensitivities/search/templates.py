"""Invariants from templates: bounds on how far each state is apart, and on each state alone (untrusted)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations

from refdp import work
from refdp.sensitivities.checking.clauses import Edit
from refdp.sensitivities.checking.invariants import EDITED, ROWS, first, relevant, second
from refdp.sensitivities.program import Program
from refdp.sensitivities.question import SIZE, Question
from refdp.sensitivities.records import Fields, Kind, Missing, Number
from refdp.sensitivities.search.houdini import largest_inductive
from refdp.sensitivities.search.spacer import Search
from refdp.terms.leaves import ZERO, integer, is_number, parts, rational, variables
from refdp.terms.operations import absolute, at_most, choice, equal, implication, negation, subtract, total
from refdp.terms.term import Term

FEW = 3
"""How many of the smallest and of the largest constants of a program are tried as bounds."""
MOST_STATES = 6
"""Most states of a pass for which relations between two states are tried."""


def template_invariants(question: Question, edit: Edit, seconds: float) -> Search:
    """The facts of the templates that are inductive; whether they suffice for the claim is for the checker to say."""
    program, end = question.program, work.spent() + seconds
    limits = list(dict.fromkeys(distances(question)))
    pairs = [list(pair_facts(program, index, limits)) for index in range(len(program.passes))]
    singles = [list(single_facts(program, index)) for index in range(len(program.passes))]
    found = largest_inductive(question, edit, pairs, singles, end - work.spent())
    return Search(found, "" if found else "the time is over for templates")


def distances(question: Question) -> Iterator[Term]:
    """How far states may be apart: 1, 2, the claim, and what bounds say."""
    yield from (integer(1), integer(2))
    if SIZE not in variables(question.claim):
        yield question.claim
    for low, high in bounds(question.program.record):
        yield from (subtract(high, low), absolute(high), absolute(low))
    yield from (subtract(high, low) for low, high in combinations(constants(question.program), 2))


def constants(program: Program) -> list[Term]:
    """The smallest and largest few numbers that steps and starts mention."""
    terms = (t for one in program.passes for t in (*one.start, *one.step))
    found = sorted({p.rational for t in terms for p in parts(t) if is_number(p)})
    return [rational(value) for value in dict.fromkeys((*found[:FEW], *found[-FEW:]))]


def bounds(kind: Kind) -> Iterator[tuple[Term, Term]]:
    """The bounds of all numbers in a record that have both."""
    if isinstance(kind, Missing):
        yield from bounds(kind.kind)
    elif isinstance(kind, Fields):
        for _, inner in kind.kinds:
            yield from bounds(inner)
    elif isinstance(kind, Number) and kind.lower is not None and kind.upper is not None:
        yield kind.lower, kind.upper


def pair_facts(program: Program, index: int, limits: Iterable[Term]) -> Iterator[Term]:
    """What may hold of two runs: equal before the edit, near and ordered after it."""
    states = [s for s in program.passes[index].state if s in relevant(program)]
    gaps = []
    for s in states:
        a, b = first(s), second(s)
        yield from (equal(a, b), implication(EDITED, equal(a, b)), implication(negation(EDITED), equal(a, b)))
        if s.sort == "Bool":
            yield from (implication(a, b), implication(b, a))
            continue
        gaps.append(absolute(subtract(b, a)))
        yield from (at_most(a, b), at_most(b, a))
        for limit in limits:
            most = choice(EDITED, limit, ZERO)
            yield from (at_most(subtract(b, a), most), at_most(subtract(a, b), most))
    if len(gaps) > 1:
        yield from (at_most(total(gaps), choice(EDITED, limit, ZERO)) for limit in limits)


def single_facts(program: Program, index: int) -> Iterator[Term]:
    """What may hold of one run: signs, bounds of the records, no more than the rows, order of two states."""
    states = [s for s in program.passes[index].state if s in relevant(program)]
    starts = dict(zip(program.passes[index].state, program.passes[index].start, strict=True))
    numbers = [s for s in states if s.sort != "Bool"]
    for s in numbers:
        edges = [ZERO, starts[s], *(edge for pair in bounds(program.record) for edge in pair), *constants(program)]
        for edge in dict.fromkeys(edges):
            yield from (at_most(edge, s), at_most(s, edge))
        if s.sort == "Int":
            yield from (at_most(s, ROWS), equal(s, ROWS), at_most(integer(-1), s))
    if len(numbers) <= MOST_STATES:
        yield from (at_most(s, t) for s, t in permutations(numbers, 2))
        yield from (equal(s, t) for s, t in combinations(numbers, 2))
