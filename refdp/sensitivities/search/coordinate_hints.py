"""Help for answers of several coordinates that are no sums, such as the means of groups (untrusted).

Each coordinate by itself: it moves by its share of the claim at most, and not at all where the edited rows add nothing
to what it is made of.  Coordinates to no two of which one row adds have all of the claim for each row; others share.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from refdp.sensitivities.checking.clauses import Condition, conditions
from refdp.sensitivities.checking.invariants import Hint, Invariants, first, second
from refdp.sensitivities.question import Question
from refdp.sensitivities.search.samples import exclusive_groups
from refdp.sensitivities.search.scalar_hints import records_of
from refdp.sensitivities.search.single_runs import adding
from refdp.terms.leaves import TRUE, ZERO, integer, rational, variables
from refdp.terms.operations import (
    absolute,
    at_most,
    choice,
    conjunction,
    disjunction,
    equal,
    implication,
    multiply,
    real,
    substitute,
    subtract,
)
from refdp.terms.polynomials import Polynomial, constant, polynomial, term_of
from refdp.terms.term import Term


def with_coordinate_hints(question: Question, found: Invariants) -> Invariants | None:
    """The invariants with hints for each coordinate of the last condition; None where a coordinate is no such thing."""
    (only,) = question.program.passes
    others = set(only.state) - {one.state for one in adding(only)}
    if len(question.program.output) < 2 or others & set(variables(*question.program.output)):
        return None
    *_, out = conditions(question, question.neighbours, found)
    idle = [_idle(question, coordinate) for coordinate in question.program.output]
    is_exclusive = len(_groups(question, idle)) == 1
    return replace(found, hints=(*found.hints, *_hints(question, out, idle if is_exclusive else [])))


def _hints(question: Question, out: Condition, idle: list[Term]) -> Iterator[Hint]:
    """How far each coordinate moves, where which rows leave it alone, and what follows."""
    known = []
    parts = len(records_of(question)) if idle else len(question.program.output)
    share = _share(question, 1 if question.norm == "Linf" else parts)
    for index, moved in enumerate(_moves(question)):
        given = _about(question, out, index)
        found = [at_most(moved, share)]
        if idle:
            found.append(implication(conjunction(*_of_records(question, idle[index])), equal(moved, ZERO)))
        yield from (Hint("out", statement, given) for statement in found)
        known += found
    states = _states(question, question.program.output)
    public = tuple(h for h in out.hypotheses if not set(variables(h)) & states)
    if question.norm == "L2":
        known.append(equal(multiply(real(question.claim), real(question.claim)), _share(question, 1)))
        yield Hint("out", known[-1], public)
    for a, b in combinations(idle, 2):
        for one in _of_records(question, disjunction(a, b)):
            yield Hint("out", one, public)
            known.append(one)
    yield Hint("out", out.conclusion, tuple(dict.fromkeys((*known, *public, *of_exceptions(question, out)))))


def of_exceptions(question: Question, out: Condition) -> tuple[Term, ...]:
    """What is known of the states that an exception depends on."""
    raised = _states(question, (question.program.exception,))
    return tuple(h for h in out.hypotheses if set(variables(h)) & raised)


def _share(question: Question, parts: int) -> Term:
    """What the claim, squared under L2, leaves for one of so many parts."""
    claim = without_roots(question.claim) if question.norm == "L2" else question.claim
    return claim if parts == 1 else multiply(rational(Fraction(1, parts)), claim)


def without_roots(claim: Term) -> Term:
    """The square of a claim, in which the square of a root is what is under it."""
    squared, found = polynomial(claim) * polynomial(claim), Polynomial({})
    for monomial, coefficient in squared.coefficients.items():
        product = constant(coefficient)
        for one, power in monomial:
            base = one.arguments[0] if one.operator == "sqrt" and power % 2 == 0 else one
            for _ in range(power // 2 if base is not one else power):
                product *= polynomial(base)
        found += product
    return term_of(found, "Real", (claim,))


def _moves(question: Question) -> list[Term]:
    """How far each coordinate moves, squared under L2: as the conclusion says it."""
    runs = [{s: run(s) for s in question.program.passes[0].state} for run in (first, second)]
    apart = [subtract(substitute(t, runs[0]), substitute(t, runs[1])) for t in question.program.output]
    return [multiply(real(d), real(d)) if question.norm == "L2" else absolute(d) for d in apart]


def _about(question: Question, out: Condition, index: int) -> tuple[Term, ...]:
    """The hypotheses that speak of no states but those of one coordinate."""
    others = _states(question, question.program.passes[0].state) - _states(question, (question.program.output[index],))
    return tuple(h for h in out.hypotheses if not set(variables(h)) & others)


def _states(question: Question, terms: tuple[Term, ...]) -> set[Term]:
    """The states of both runs of which the terms speak."""
    own = set(question.program.passes[0].state) & set(variables(*terms))
    return {run(s) for s in own for run in (first, second)}


def _idle(question: Question, coordinate: Term) -> Term:
    """The statement that a row adds nothing to what a coordinate is made of."""
    own = set(variables(coordinate))
    more = [one.more for one in adding(question.program.passes[0]) if one.state in own]
    return conjunction(*(equal(one, ZERO) for one in more)) if more else TRUE


def _groups(question: Question, idle: list[Term]) -> list[list[int]]:
    """Coordinates in groups of which a row adds to one only."""
    return exclusive_groups(question.program.record, tuple(choice(one, ZERO, integer(1)) for one in idle))


def _of_records(question: Question, statement: Term) -> list[Term]:
    """The statement about a row, of each edited record."""
    return [substitute(statement, record) for record in records_of(question)]
