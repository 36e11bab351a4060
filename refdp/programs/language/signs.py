"""Which public terms are surely positive, or not negative: as polynomials in what is known not to be negative."""

from __future__ import annotations

from fractions import Fraction

from refdp.programs.adjacency import LENGTH
from refdp.terms.leaves import is_number, make
from refdp.terms.operations import add, real, substitute, subtract, whole
from refdp.terms.polynomials import Monomial, polynomial
from refdp.terms.term import Term


def is_positive(term: Term, assumption: Term) -> bool:
    """Whether the term is > 0 wherever the assumption on the public parameters holds, as far as is plain."""
    signs = _Signs(assumption)
    return signs.is_positive(signs.moved(term))


def is_at_most(a: Term, b: Term, assumption: Term) -> bool:
    """Whether a <= b wherever the assumption on the public parameters holds, as far as is plain."""
    signs = _Signs(assumption)
    return signs.is_not_negative(signs.moved(subtract(b, a)))


class _Signs:
    """The signs of terms in which a number that is at least 1 is written as 1 + what it is more."""

    __slots__ = ("least", "positive")

    def __init__(self, assumption: Term) -> None:
        self.positive: set[Term] = set()
        self.least: dict[Term, Fraction] = {LENGTH: Fraction(0)}
        for part in assumption.arguments if assumption.operator == "all_of" else (assumption,):
            if part.operator in ("<", "<=") and is_number(part.arguments[0]):
                low, one = part.arguments[0].rational, part.arguments[1]
                if part.operator == "<" and low >= 0:
                    self.positive.add(one)
                elif part.operator == "<=":
                    self.least[one] = low

    def moved(self, term: Term) -> Term:
        """The term, each variable standing for how much larger it is than its least value."""
        return substitute(whole(term), {v: add(v, make("number", v.sort, value=low)) for v, low in self.least.items()})

    def is_positive(self, term: Term) -> bool:
        """Whether it is > 0: no part of its sum is negative, and one is positive."""
        if term.operator == "ite":
            return all(map(self.is_positive, term.arguments[1:]))
        found = polynomial(real(term)).coefficients
        return all(map(self._counts, found.items())) and any(map(self._is_more, found))

    def is_not_negative(self, term: Term) -> bool:
        """Whether it is >= 0: no part of its sum is negative."""
        if term.operator == "ite":
            return all(map(self.is_not_negative, term.arguments[1:]))
        return all(map(self._counts, polynomial(real(term)).coefficients.items()))

    def _counts(self, item: tuple[Monomial, Fraction]) -> bool:
        """Whether a part of a sum is not negative."""
        monomial, coefficient = item
        return coefficient > 0 and all(k % 2 == 0 or a in self.least or self._is_atom_positive(a) for a, k in monomial)

    def _is_more(self, monomial: Monomial) -> bool:
        """Whether a product is not 0."""
        return all(self._is_atom_positive(one) for one, _ in monomial)

    def _is_atom_positive(self, atom: Term) -> bool:
        """Whether what cannot be taken apart is > 0."""
        if atom.operator in ("**", "/", "real", "ite"):
            wanted = {"**": slice(1), "ite": slice(1, 3)}.get(atom.operator, slice(None))
            return all(map(self.is_positive, atom.arguments[wanted]))
        return atom.operator == "exp" or atom in self.positive
