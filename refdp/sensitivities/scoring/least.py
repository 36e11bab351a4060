"""The least bound of a function: the furthest move seen is claimed, and then any further one that refutes it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from refdp.sensitivities.judgement import Judgement
from refdp.sensitivities.judging import Case
from refdp.sensitivities.program import ROW
from refdp.sensitivities.refutation.assignments import assignments
from refdp.sensitivities.refutation.furthest import largest_move
from refdp.sensitivities.refutation.interesting import constants
from refdp.terms.leaves import integer, is_number, rational, variables
from refdp.terms.operations import substitute
from refdp.terms.term import Term

EARLY = 1.5
"""Most seconds of the first look for the furthest move."""
MOST_STEPS = 4
"""How often a longer look may find a move further than that."""
MOST_VALUES = 8
"""How many values of the symbols are tried in it."""


def least(case: Case, enough: Term | None) -> Judgement | None:
    """The judgement of the furthest move that is found, and then of moves further; None where one is far enough."""
    claim, found = furthest(case), None
    for _ in range(MOST_STEPS):
        if enough is not None and is_number(enough) and claim.rational >= enough.rational:
            return None
        found = case.claimed(claim)
        if found.pair is None or found.verdict != "REFUTED" or found.pair.distance is None:
            break
        claim = constant(found.pair.distance)
    return found


def constant(value: Fraction) -> Term:
    """The number as a term, whole where it is: whole numbers and reals side by side are hard for solvers."""
    return integer(int(value)) if value.denominator == 1 else rational(value)


def furthest(case: Case) -> Term:
    """How far the function moves at least: the furthest of what is found for some values of the symbols."""
    if set(variables(case.given.record.constraint(ROW))) & set(case.given.parameters):
        raise ValueError("the claim must be given where the bounds of rows are symbols, got none")
    known = constants(case.source, case.given.values)
    chosen = assignments(case.given, known, MOST_VALUES)
    found, seconds = Fraction(0), min(EARLY, case.left() / 4) / max(1, len(chosen))
    for one in chosen:
        symbols = {p: rational(one[str(p.value)]) for p in case.given.parameters}
        assumption = substitute(case.given.assumption, symbols)
        fixed = replace(case.given, values={**case.given.values, **one}, symbolic={}, assumption=assumption)
        pair = largest_move(case.source, fixed, case.neighbours, case.norm, 1, case.tables, seconds)
        if pair is not None and pair.distance is not None:
            found = max(found, pair.distance)
    return constant(found)
