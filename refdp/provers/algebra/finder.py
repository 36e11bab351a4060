"""Certificates for the kernel's rule `algebra`, case by case, with ever more factors in a product.

Time is that of processors, so that what is found does not depend on what else a machine does.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import lcm

from refdp import work
from refdp.kernel.rules.algebra import MOST_FACTORS
from refdp.numerics.polynomials import NotPolynomial
from refdp.provers.algebra.splits import likely_roots
from refdp.provers.algebra.summands import Summand, summands
from refdp.provers.algebra.weights import Weighted, vanishing
from refdp.spec.cases import Facts, contradictions, sharpened
from refdp.spec.goals import goal
from refdp.spec.statements import Statement
from refdp.terms.term import Term, TermError, apply, number

MOST_SUMMANDS = 6_000
"""More summands than this are not tried."""


def identities(statement: Statement, seconds: float) -> list[Term] | None:
    """A sum for each case of the statement, as the rule `algebra` reads them; None if one is not found in the time."""
    deadline, found = work.spent() + seconds, list[Term]()
    try:
        for facts in contradictions(statement):
            one = found_for(facts, goal(statement).integers, deadline)
            if one is None:
                return None
            found.append(one)
    except TermError:
        return None
    return found


def found_for(facts: Facts, integers: frozenset[str], deadline: float) -> Term | None:
    """A sum for one case: without more, with a split, or with long products."""
    found = identity(facts, deadline)
    if found is None:
        found = split(facts, integers, deadline)
    return identity(facts, deadline, MOST_FACTORS) if found is None else found


def identity(facts: Facts, deadline: float, highest: int = 3) -> Term | None:
    """A sum that is 0 although the facts would make it positive, of products of at most `highest` factors."""
    for degree in range(1, highest + 1):
        try:
            candidates = summands(facts, degree)
        except NotPolynomial:
            return None
        left = deadline - work.spent()
        if left <= 0 or len(candidates) > MOST_SUMMANDS:
            return None
        if (weighted := vanishing(candidates, left)) is not None:
            return written(weighted)
    return None


def split(facts: Facts, integers: frozenset[str], deadline: float) -> Term | None:
    """Two sums, for either sign of a term that helps; first without long products."""
    for highest, root in product((2, 3), likely_roots(facts, integers)):
        below = identity((*facts, sharpened(root < 0, integers)), deadline, highest)
        if below is not None and (above := identity((*facts, 0 <= root), deadline, highest)) is not None:
            return apply("split", root, below, above)
    return None


def written(weighted: Sequence[Weighted]) -> Term:
    """The sum as a term, its weights whole numbers."""
    common = lcm(*(weight.denominator for weight, _ in weighted))
    return apply("vanishes", *(summed(weight * common, s) for weight, s in weighted))


def summed(weight: Fraction, s: Summand) -> Term:
    """product(WEIGHT, FACTOR, ...), or equation(INDEX, WEIGHT * MULTIPLIER)."""
    if s.operator == "product":
        return apply("product", number(weight), *s.factors)
    index, multiplier = s.factors
    return apply("equation", index, number(weight) if multiplier == number(1) else number(weight) * multiplier)
