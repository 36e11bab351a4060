"""Terms as polynomials over what they cannot be taken apart into: sums and products are multiplied out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from refdp.terms.leaves import integer, is_number, make, parts, rational
from refdp.terms.operations import add, divide, multiply, real
from refdp.terms.term import Sort, Term

Monomial = frozenset[tuple[Term, int]]
"""Atoms with their exponents, each atom once; the empty one is 1."""
ONE: Monomial = frozenset()
LARGEST = 2_000
"""Most products of monomials that are multiplied out; a larger product of terms stays one atom."""


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A sum of coefficient * monomial, no coefficient 0.  Whole numbers are reals here."""

    coefficients: Mapping[Monomial, Fraction]

    def __add__(self, other: Polynomial) -> Polynomial:
        found = dict(self.coefficients)
        for monomial, coefficient in other.coefficients.items():
            found[monomial] = found.get(monomial, Fraction(0)) + coefficient
        return Polynomial({m: c for m, c in found.items() if c})

    def __mul__(self, other: Polynomial) -> Polynomial:
        found: dict[Monomial, Fraction] = {}
        for first, a in self.coefficients.items():
            for second, b in other.coefficients.items():
                monomial = _product(first, second)
                found[monomial] = found.get(monomial, Fraction(0)) + a * b
        return Polynomial({m: c for m, c in found.items() if c})

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + constant(Fraction(-1)) * other

    @property
    def atoms(self) -> tuple[Term, ...]:
        """What its monomials are made of."""
        return tuple(dict.fromkeys(atom for monomial in self.coefficients for atom, _ in monomial))


def constant(value: Fraction) -> Polynomial:
    """A number."""
    return Polynomial({ONE: value} if value else {})


def atom(term: Term) -> Polynomial:
    """The term itself."""
    return Polynomial({frozenset({(term, 1)}): Fraction(1)})


def polynomial(term: Term) -> Polynomial:
    """The polynomial that the number term equals wherever the term has a value."""
    found: dict[Term, Polynomial] = {}
    for part in _outer_parts(term):
        found[part] = _taken_apart(part, found)
    return found[term]


def _outer_parts(term: Term) -> list[Term]:
    """The parts that are reached through sums, products and quotients only, arguments first."""
    reached, waiting = {term}, [term]
    while waiting:
        for inner in _inner(waiting.pop()):
            if inner not in reached:
                reached.add(inner)
                waiting.append(inner)
    return [part for part in parts(term) if part in reached]


def _inner(part: Term) -> tuple[Term, ...]:
    """The arguments that a term is a polynomial in."""
    if part.operator in ("+", "*", "real"):
        return part.arguments
    return part.arguments[:1] if part.operator == "/" else ()


def _taken_apart(part: Term, found: Mapping[Term, Polynomial]) -> Polynomial:
    """The polynomial of one term from those of its arguments."""
    arguments = [found[a] for a in _inner(part)]
    if is_number(part):
        return constant(part.rational)
    if part.operator == "real":
        return arguments[0]
    if part.operator == "+":
        return arguments[0] + arguments[1]
    if part.operator == "*" and prod(len(a.coefficients) for a in arguments) <= LARGEST:
        return arguments[0] * arguments[1]
    if part.operator == "/":
        return arguments[0] * atom(divide(rational(1), part.arguments[1]))
    return atom(part)


def _product(first: Monomial, second: Monomial) -> Monomial:
    """The product of two monomials."""
    exponents = dict(first)
    for one, power in second:
        exponents[one] = exponents.get(one, 0) + power
    return frozenset(exponents.items())


def term_of(found: Polynomial, sort: Sort, sources: Iterable[Term]) -> Term:
    """The polynomial as a term: atoms in order of appearance in the sources, so that every process makes the same.

    Sort "Int" needs whole coefficients and atoms.
    """
    places = appearances(sources)
    result = make("number", sort, value=Fraction(0))
    for monomial in sorted(found.coefficients, key=lambda m: sorted((_place(a, places), power) for a, power in m)):
        coefficient = found.coefficients[monomial]
        product = integer(int(coefficient)) if sort == "Int" else rational(coefficient)
        for one, power in sorted(monomial, key=lambda item: _place(item[0], places)):
            for _ in range(power):
                product = multiply(product, one if sort == "Int" else real(one))
        result = add(result, product)
    return result


def appearances(sources: Iterable[Term]) -> Mapping[Term, int]:
    """The place of each part of the sources, in order of appearance."""
    seen = dict.fromkeys(part for source in sources for part in parts(source))
    return {part: place for place, part in enumerate(seen)}


def _place(one: Term, places: Mapping[Term, int]) -> tuple[int, bool, str]:
    """Where an atom appeared; the reciprocal of a denominator comes right after it.

    What multiplying out has made, and appeared nowhere, comes last, by its text.
    """
    if (found := places.get(one)) is not None:
        return found, False, ""
    denominator = places.get(one.arguments[1]) if one.operator == "/" else None
    return (len(places), False, str(one)) if denominator is None else (denominator, True, "")


def normal(term: Term) -> Term:
    """An equal term, multiplied out and summed up."""
    return term_of(polynomial(term), term.sort, (term,))
