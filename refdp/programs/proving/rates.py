"""Rates of privacy loss: 1 / scale as weight * rate, so that draws with one rate are charged together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from refdp.programs.adjacency import LENGTH
from refdp.terms.leaves import is_number, make, parts, rational
from refdp.terms.operations import add, divide, multiply, real, subtract
from refdp.terms.polynomials import normal
from refdp.terms.term import Term


@dataclass(frozen=True, slots=True)
class Product:
    """coefficient * atom^power * ...; an atom is what is not taken apart."""

    coefficient: Fraction
    powers: Mapping[Term, int]

    def __mul__(self, other: Product) -> Product:
        powers = dict(self.powers)
        for atom, power in other.powers.items():
            powers[atom] = powers.get(atom, 0) + power
        return Product(self.coefficient * other.coefficient, {a: p for a, p in powers.items() if p})

    def inverse(self) -> Product:
        """1 / the product.  ZeroDivisionError where it is 0."""
        return Product(1 / self.coefficient, {a: -p for a, p in self.powers.items()})

    @property
    def rate(self) -> Term:
        """The product without its coefficient, as a quotient."""
        above = [a for a, p in self.powers.items() for _ in range(p)]
        below = [a for a, p in self.powers.items() for _ in range(-p)]
        top, bottom = (reduce(multiply, map(real, sorted(one, key=str)), rational(1)) for one in (above, below))
        return divide(top, bottom)

    @property
    def term(self) -> Term:
        """The product as a term."""
        return multiply(rational(self.coefficient), self.rate)


def product(term: Term) -> Product:
    """The product that a term is."""
    match term.operator:
        case "number":
            return Product(term.rational, {})
        case "real":
            return product(term.arguments[0])
        case "*":
            return product(term.arguments[0]) * product(term.arguments[1])
        case "/":
            below = product(term.arguments[1])
            return product(term.arguments[0]) * below.inverse() if below.coefficient else Product(Fraction(0), {})
        case "+":
            return _sum(normal(term))
    return Product(Fraction(1), {term: 1})


def _sum(term: Term) -> Product:
    """A sum is an atom unless it comes to one product."""
    return Product(Fraction(1), {term: 1}) if term.operator == "+" else product(term)


def rate_of(scale: Term) -> tuple[Fraction, Term] | None:
    """The weight and the rate with 1 / scale = weight * rate; None where there is none."""
    found = product(scale)
    if found.coefficient <= 0:
        return None
    return found.inverse().coefficient, found.inverse().rate


def logarithms(term: Term) -> list[Term]:
    """The logarithms within a claim."""
    return [p for p in parts(term) if p.operator == "ln"]


def flipping_rates(heads: Term, claimed: Term) -> list[Term]:
    """Rates at which a draw of this probability of heads may be flipped, likeliest first."""
    exponents = [p.arguments[0] for p in parts(heads) if p.operator == "exp"]
    tails = subtract(rational(1), real(heads))
    odds = [divide(tails, heads), divide(heads, tails)] if real(heads) not in (rational(0), rational(1)) else []
    own = [make("ln", "Real", one) for one in odds if not is_number(one) or one.rational >= 1]
    return [*logarithms(claimed), *exponents, *own]


def quotient(total: Term, rate: Term) -> Term | None:
    """total / rate where that has no division left but by the number of data, each summand of the total apart."""
    summands = _summands(normal(total))
    found: Term = rational(0)
    for one in summands:
        divided = product(one) * product(rate).inverse()
        if any(power < 0 for atom, power in divided.powers.items() if atom is not LENGTH):
            return None
        found = normal(add(found, divided.term))
    return found


def _summands(term: Term) -> list[Term]:
    """What a sum is made of."""
    if term.operator == "+":
        return [one for a in term.arguments for one in _summands(a)]
    return [term]


def is_linear(term: Term) -> bool:
    """Whether variables are only added up and multiplied by numbers."""
    for part in parts(term):
        if part.operator == "/" or part.operator == "*" and not any(map(is_number, part.arguments)):
            return False
    return True
