"""Terms whose sign may be worth a case of its own, where no identity is found without."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import ceil

from refdp.numerics.polynomials import NotPolynomial, Workshop
from refdp.spec.cases import Facts
from refdp.terms.term import Term, name, names, subterms

MOST_ROOTS = 16
"""More terms than this are not tried."""
APART = (2, 1, 0)
"""How far apart integers may have to be."""


def likely_roots(facts: Facts, integers: frozenset[str]) -> tuple[Term, ...]:
    """Integers against the bounds that facts give them, and against each other; products of two names against 1."""
    whole = sorted(integers.intersection(v for fact in facts for v in names(fact)))
    pairs = [name(v) - name(w) - n for n in APART for v, w in permutations(whole, 2)]
    products = [s - 1 for fact in facts for s in subterms(fact) if is_product_of_names(s)]
    return tuple(dict.fromkeys([*bounds(facts, integers), *pairs, *products]))[:MOST_ROOTS]


def is_product_of_names(t: Term) -> bool:
    """Whether `t` is a name times a name."""
    return t.operator == "*" and all(a.operator == "name" for a in t.arguments)


def bounds(facts: Facts, integers: frozenset[str]) -> Iterator[Term]:
    """n - c for each fact that bounds an integer n alone; c is the bound, rounded up."""
    alone = {((v, 1),): name(v) for v in integers}
    for fact in facts:
        try:
            excess = Workshop(100).polynomial(fact.arguments[1] - fact.arguments[0])
        except NotPolynomial:
            continue
        slopes = [(monomial, slope) for monomial, slope in excess.items() if monomial]
        if len(slopes) == 1 and slopes[0][0] in alone:
            yield alone[slopes[0][0]] - ceil(-excess.get((), Fraction(0)) / slopes[0][1])
