"""Statements of polynomial arithmetic proved by identities that are multiplied out: no solver is believed.

A statement is true if in none of its cases all facts hold at once (`refdp.spec.cases`).  That they do not is shown,
case by case, by a sum that is the polynomial 0, although the facts would make it positive:

    vanishes(product(WEIGHT, FACTOR, ...), equation(INDEX, POLYNOMIAL), ...)
    split(POLYNOMIAL, SUM, SUM)

WEIGHT is a rational number > 0.  A FACTOR is the index of a fact a <= b or a < b, which stands for b - a, or
square(POLYNOMIAL).  equation(i, q) is q times b - a, for the fact a == b of index i.  split(q, s, t) is s where q < 0
is one more fact (q + 1 <= 0 if q is an integer by its shape), and t where 0 <= q is.
"""

from __future__ import annotations

from refdp.kernel.judgements import Holds, KernelError, require
from refdp.kernel.rules.statements import about, pinned
from refdp.kernel.theorem import rule
from refdp.numerics.polynomials import ONE, ZERO, Polynomial, Workshop, added, scaled
from refdp.spec.cases import Facts, contradictions, sharpened
from refdp.spec.goals import goal
from refdp.terms.reading import read
from refdp.terms.term import Term

MOST_WORK = 200_000
"""Most products of coefficients that are worked out for one statement."""
MOST_FACTORS = 4
"""Most factors of a product."""


@rule
def algebra(*, obligation: str, digest: str, cases: list[str]) -> Holds:
    """
      in each case, a sum of products of the facts is 0, and would be positive
    ---------------------------------------------------------------------------
      |- STEM.NAME holds
    """
    statement = pinned(obligation, digest)
    found, integers, workshop = contradictions(statement), goal(statement).integers, Workshop(MOST_WORK)
    require(len(cases) == len(found), f"cases must be {len(found)} sums, got {len(cases)}")
    for facts, written in zip(found, cases, strict=True):
        require_contradiction(facts, read(written), integers, workshop)
    return about(obligation, digest)


def require_contradiction(facts: Facts, written: Term, integers: frozenset[str], workshop: Workshop) -> None:
    """The sum that is written down must be the polynomial 0, although it is positive where all facts hold."""
    if written.operator == "split":
        root, below, above = written.arguments
        workshop.polynomial(root)
        require_contradiction((*facts, sharpened(root < 0, integers)), below, integers, workshop)
        require_contradiction((*facts, 0 <= root), above, integers, workshop)
        return
    require(written.operator == "vanishes", f"expected vanishes(...), got {str(written)[:80]}")
    total, positive = ZERO, False
    for summand in written.arguments:
        value, is_positive = summed(facts, summand, workshop)
        total, positive = added(total, value), positive or is_positive
    require(positive, "no summand is positive: their sum may be 0")
    require(total == ZERO, f"the sum is not 0: it has {len(total)} terms left")


def summed(facts: Facts, summand: Term, workshop: Workshop) -> tuple[Polynomial, bool]:
    """A summand, which is >= 0 where all facts hold, and whether it is > 0 there."""
    match summand.operator, summand.arguments:
        case "product", (weight, *factors):
            require(weight.rational > 0, f"a weight must be > 0, got {weight}")
            require(len(factors) <= MOST_FACTORS, f"a product must have at most {MOST_FACTORS} factors")
            value, positive = scaled(ONE, weight.rational), True
            for factor in factors:
                more, is_positive = factored(facts, factor, workshop)
                value, positive = workshop.times(value, more), positive and is_positive
            return value, positive
        case "equation", (index, multiplier):
            fact = fact_at(facts, index)
            require(fact.operator == "==", f"the fact {fact} is no equation")
            return workshop.times(workshop.polynomial(multiplier), excess(fact, workshop)), False
    raise KernelError(f"expected product(...) or equation(...), got {str(summand)[:80]}")


def factored(facts: Facts, factor: Term, workshop: Workshop) -> tuple[Polynomial, bool]:
    """A factor, which is >= 0 where all facts hold, and whether it is > 0 there."""
    if factor.operator == "square":
        (root,) = factor.arguments
        value = workshop.polynomial(root)
        return workshop.times(value, value), False
    fact = fact_at(facts, factor)
    require(fact.operator in ("<=", "<"), f"the fact {fact} is no order")
    return excess(fact, workshop), fact.operator == "<"


def fact_at(facts: Facts, index: Term) -> Term:
    """The fact of that index."""
    position = index.rational
    require(position.denominator == 1 and 0 <= position < len(facts), f"there is no fact {index}")
    return facts[int(position)]


def excess(fact: Term, workshop: Workshop) -> Polynomial:
    """b - a, for a comparison of a with b."""
    a, b = fact.arguments
    return workshop.polynomial(b - a)
