"""Ties that a real draw makes impossible but for chance 0: whatever else happened, it does not hit one number exactly.

They are left out of the first run only, which changes no probability of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from refdp.programs.steps import Step
from refdp.programs.syntax import REAL_FAMILIES
from refdp.terms.leaves import parts, variables
from refdp.terms.operations import equal, negation, subtract
from refdp.terms.polynomials import polynomial
from refdp.terms.term import Term


def untied(step: Step) -> Iterator[Term]:
    """That the two sides of a comparison differ, where a real draw of the step stands on one of them."""
    draws = [d.variable for d in step.path.drawn if d.family in REAL_FAMILIES]
    for part in dict.fromkeys(p for condition in step.path.condition for p in parts(condition)):
        if part.operator in ("<", "<=") and any(is_slanted(subtract(*part.arguments), draw) for draw in draws):
            yield negation(equal(*part.arguments))


def is_slanted(term: Term, draw: Term) -> bool:
    """Whether a term is c * draw + what does not depend on the draw, c != 0 a number."""
    rest = dict(polynomial(term).coefficients)
    return bool(rest.pop(frozenset({(draw, 1)}), 0)) and draw not in variables(*(a for m in rest for a, _ in m))
