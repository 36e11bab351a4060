"""Summands that an identity may be made of: products of facts and squares, and multiples of equations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

from refdp.numerics.polynomials import ONE, NotPolynomial, Polynomial, Workshop
from refdp.spec.cases import Facts
from refdp.terms.term import Term, name, number, subterms, term

WORK = 5_000_000
"""Products of coefficients that are worked out for the summands of one case."""


@dataclass(frozen=True, slots=True)
class Known:
    """A polynomial that is >= 0 ("<="), > 0 ("<") or 0 ("=="), and the factor of a product that names it."""

    value: Polynomial
    factor: Term
    operator: str


@dataclass(frozen=True, slots=True)
class Summand:
    """A polynomial with how it is made; its weight is >= 0 where it is a product, free where an equation's."""

    value: Polynomial
    factors: tuple[Term, ...]
    """The factors of a product, or the index of an equation and its multiplier."""
    operator: str
    positive: bool


def known(facts: Facts) -> list[Known]:
    """The facts that are polynomials, each once, without those that always hold."""
    found: dict[tuple[str, frozenset[tuple[object, Fraction]]], Known] = {}
    workshop = Workshop(WORK)
    for index, fact in enumerate(facts):
        try:
            value = workshop.polynomial(fact.arguments[1] - fact.arguments[0])
        except NotPolynomial:
            continue
        one = Known(value, term(index), fact.operator)
        if not holds_always(one):
            found.setdefault((one.operator, frozenset(value.items())), one)
    return list(found.values())


def holds_always(fact: Known) -> bool:
    """Whether the fact is a true comparison of numbers."""
    if set(fact.value) - {()}:
        return False
    constant = fact.value.get((), Fraction(0))
    return {"<=": constant >= 0, "<": constant > 0, "==": constant == 0}[fact.operator]


def roots(facts: Facts) -> tuple[Term, ...]:
    """Terms whose squares may help: what is squared already, names against numbers, names, and sums of two."""
    found = [s for fact in facts for s in subterms(fact)]
    squared = [s.arguments[0] for s in found if s.operator == "**" and s.arguments[1] == number(2)]
    names = [name(v) for v in sorted({str(s.value) for s in found if s.operator == "name"})]
    sums = [s for v, w in combinations(names, 2) for s in (v + w, v - w)]
    bounds = [f.arguments for f in facts if {a.operator for a in f.arguments} == {"name", "number"}]
    against = [b - a for a, b in bounds if number(0) not in (a, b)]
    return tuple(dict.fromkeys([*names, *sums, *squared, *against]))


def summands(facts: Facts, degree: int) -> list[Summand]:
    """Every summand with at most `degree` factors, in one order; NotPolynomial if they are too large."""
    some, workshop = known(facts), Workshop(WORK)
    layers = products([f for f in some if f.operator != "=="], degree, workshop)
    found = [s for layer in layers for s in layer]
    for square in squares(facts, workshop) if degree > 1 else ():
        for layer in layers[: degree - 1 if degree < 4 else degree]:
            found += [longer(s, square, workshop) for s in layer]
    for equation in (f for f in some if f.operator == "=="):
        found += [multiple(equation, m, workshop) for m in monomials(some, degree - 1)]
    return found


def squares(facts: Facts, workshop: Workshop) -> Iterator[Known]:
    """The squares of the roots that are polynomials."""
    for root in roots(facts):
        try:
            value = workshop.polynomial(root)
        except NotPolynomial:
            continue
        yield Known(workshop.times(value, value), Term("square", (root,)), "<=")


def products(orders: Sequence[Known], degree: int, workshop: Workshop) -> list[list[Summand]]:
    """The products of 0, 1, ... and `degree` of the facts, each one factor longer than one of the layer before."""
    layer: dict[tuple[int, ...], Summand] = {(): Summand(ONE, (), "product", True)}
    layers = [layer]
    for count in range(1, degree + 1):
        chosen = combinations_with_replacement(range(len(orders)), count)
        layer = {c: longer(layer[c[:-1]], orders[c[-1]], workshop) for c in chosen}
        layers.append(layer)
    return [list(layer.values()) for layer in layers]


def longer(s: Summand, factor: Known, workshop: Workshop) -> Summand:
    """The product with one more factor."""
    value = workshop.times(s.value, factor.value) if s.factors else factor.value
    return Summand(value, (*s.factors, factor.factor), "product", s.positive and factor.operator == "<")


def multiple(equation: Known, multiplier: Term, workshop: Workshop) -> Summand:
    """The multiple of an equation."""
    value = workshop.times(workshop.polynomial(multiplier), equation.value)
    return Summand(value, (equation.factor, multiplier), "equation", False)


def monomials(facts: Sequence[Known], degree: int) -> list[Term]:
    """The products of at most that many names."""
    names = [name(v) for v in sorted({v for f in facts for m in f.value for v, _ in m})]
    found = layer = [number(1)]
    for _ in range(degree):
        layer = [t * v if t != number(1) else v for t in layer for v in names if str(v) >= str(last(t))]
        found = found + layer
    return found


def last(t: Term) -> Term:
    """The last factor of a product of names."""
    return t.arguments[1] if t.operator == "*" else t


__all__ = ["Known", "Summand", "known", "roots", "summands"]
