"""Polynomials with rational coefficients, multiplied out exactly, within bounds on their size and on the work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from refdp.spec.goals import is_whole
from refdp.terms.term import Term

Monomial = tuple[tuple[str, int], ...]
"""Names with their exponents >= 1, sorted by name; () is 1."""
Polynomial = Mapping[Monomial, Fraction]
"""Monomial -> coefficient other than 0."""

ZERO: Polynomial = {}
ONE: Polynomial = {(): Fraction(1)}
HIGHEST_DEGREE = 64
"""Largest degree of a polynomial."""
MOST_TERMS = 1_000
"""Most monomials of a polynomial."""
LONGEST_COEFFICIENT = 1_024
"""Longest numerator or denominator of a coefficient, in binary digits."""


class NotPolynomial(ValueError):
    """A term is no polynomial with rational coefficients, or one that is too large."""


@dataclass(slots=True)
class Workshop:
    """Sums and products of polynomials, until `left` products of coefficients are spent."""

    left: int

    def polynomial(self, t: Term) -> Polynomial:
        """The polynomial that `t` writes down; NotPolynomial if it is none, or too large."""
        match t.operator, t.arguments:
            case "number", _:
                return scaled(ONE, t.rational)
            case "name", _:
                return {((str(t.value), 1),): Fraction(1)}
            case "negate", (a,):
                return scaled(self.polynomial(a), Fraction(-1))
            case "+", (a, b):
                return added(self.polynomial(a), self.polynomial(b))
            case "-", (a, b):
                return added(self.polynomial(a), scaled(self.polynomial(b), Fraction(-1)))
            case "*", (a, b):
                return self.times(self.polynomial(a), self.polynomial(b))
            case "/", (a, Term("number", (), Fraction() as below)) if below != 0:
                return scaled(self.polynomial(a), 1 / below)
            case "**", (a, exponent) if is_whole(exponent) and exponent.rational <= HIGHEST_DEGREE:
                return self.power(self.polynomial(a), int(exponent.rational))
        raise NotPolynomial(f"{t.operator} makes no polynomial, in {str(t)[:80]}")

    def times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """The product; NotPolynomial if it is too large, or the work is spent."""
        self.left -= len(a) * len(b)
        if self.left < 0:
            raise NotPolynomial("multiplying out takes too much work")
        product: dict[Monomial, Fraction] = {}
        for m, c in a.items():
            for n, d in b.items():
                key, more = joined(m, n), c * d
                product[key] = product[key] + more if key in product else more
        return bounded(product)

    def power(self, a: Polynomial, exponent: int) -> Polynomial:
        """`a` multiplied by itself; a to the power 0 is 1."""
        product = ONE
        for _ in range(exponent):
            product = self.times(product, a)
        return product


@lru_cache(maxsize=1 << 16)
def joined(m: Monomial, n: Monomial) -> Monomial:
    """The product of two monomials."""
    exponents = dict(m)
    for name, exponent in n:
        exponents[name] = exponents.get(name, 0) + exponent
    return tuple(sorted(exponents.items()))


def scaled(a: Polynomial, factor: Fraction) -> Polynomial:
    """`factor` times `a`."""
    return bounded({m: c * factor for m, c in a.items()})


def added(a: Polynomial, b: Polynomial) -> Polynomial:
    """a + b."""
    total = dict(a)
    for m, c in b.items():
        total[m] = total[m] + c if m in total else c
    return bounded(total)


def bounded(terms: Mapping[Monomial, Fraction]) -> Polynomial:
    """The polynomial without the coefficients that are 0; NotPolynomial if it is too large."""
    found = {m: c for m, c in terms.items() if c}
    if len(found) > MOST_TERMS:
        raise NotPolynomial(f"a polynomial must have at most {MOST_TERMS} terms, got {len(found)}")
    if any(sum(exponent for _, exponent in m) > HIGHEST_DEGREE for m in found):
        raise NotPolynomial(f"a polynomial must have degree {HIGHEST_DEGREE} at most")
    if any(max(c.numerator.bit_length(), c.denominator.bit_length()) > LONGEST_COEFFICIENT for c in found.values()):
        raise NotPolynomial(f"a coefficient must have at most {LONGEST_COEFFICIENT} binary digits")
    return found


__all__ = ["ONE", "ZERO", "NotPolynomial", "Polynomial", "Workshop", "added", "bounded", "joined", "scaled"]
