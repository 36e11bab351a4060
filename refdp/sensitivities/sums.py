"""The sum over all rows of a term that mixes the row with what is only known after an earlier pass.

sum_r (x_r - m)^2 = sum_r x_r^2 - 2 m sum_r x_r + m^2 sum_r 1: sums that need not know m, and a finish that does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from refdp.terms.leaves import ZERO, integer, parts, variables
from refdp.terms.operations import add, choice, conjunction, disjunction, equal, multiply, negation, substitute
from refdp.terms.polynomials import Monomial, Polynomial, polynomial, term_of
from refdp.terms.term import Sort, Term

DEEPEST = 12
"""Most conditions that are taken apart, one within the other."""
PARTIAL = ("/", "sqrt")
"""Operators that have no value at some arguments."""


class NotSeparable(ValueError):
    """The sum is no finish of sums over the row alone."""


@dataclass(frozen=True, slots=True)
class Summation:
    """What a summand is read with."""

    row: frozenset[Term]
    """The variables that change from row to row."""
    end: frozenset[Term]
    """The variables that are known at the end only; all others are public."""
    accumulated: Callable[[Term], Term]
    """The variable that ends as the sum over all rows of a summand in the row alone."""

    def of(self, term: Term, guards: tuple[Term, ...] = (), is_total: bool = False) -> Term:
        """The sum of `term` over the rows where all guards hold, as a term for the end; NotSeparable if there is none.

        Guards are about the row alone.  It has a value wherever each row's term has one.  With `is_total` the rows may
        never have been asked for their terms, so nothing partial may be accumulated.
        """
        if len(guards) > DEEPEST:
            raise NotSeparable(f"conditions must be nested at most {DEEPEST} deep, got more")
        if term.operator == "+" and self._mixed(term):
            return add(*(self.of(part, guards, is_total) for part in term.arguments))
        found = polynomial(term)
        for one in found.atoms:
            if self._mixed(one):
                return self._split(term, one, guards, is_total)
        return self._plain(term, found, guards, is_total)

    def _split(self, term: Term, one: Term, guards: tuple[Term, ...], is_total: bool) -> Term:
        """The sum by cases of the choice `one` within the term."""
        if one.operator != "ite":
            raise NotSeparable(f"{one} must be a polynomial in what is known at the end, it is not")
        condition, yes, no = one.arguments
        if self._mixed(condition):
            return self.of(substitute(term, {one: _unfolded(condition, yes, no)}), guards, is_total)
        first, second = substitute(term, {one: yes}), substitute(term, {one: no})
        if self._of_row(condition):
            others = (*guards, negation(condition))
            return add(self.of(first, (*guards, condition), is_total), self.of(second, others, is_total))
        result = choice(condition, self.of(first, guards, True), self.of(second, guards, True))
        return self._asked(condition, result, guards, is_total)

    def _plain(self, term: Term, found: Polynomial, guards: tuple[Term, ...], is_total: bool) -> Term:
        """The sum of a polynomial whose atoms are each of the row or of the end."""
        result: Term = ZERO
        for coefficient, monomial in self._grouped(found):
            summand = self._accumulated(_monomial(monomial, term), guards, is_total)
            result = add(result, multiply(_coefficient(coefficient, term), summand))
        return self._asked(result, result, guards, is_total)

    def _asked(self, risky: Term, result: Term, guards: tuple[Term, ...], is_total: bool) -> Term:
        """The result; but 0 where no row passes the guards, so nobody asked for the risky term, if it is partial."""
        if not _is_partial(risky):
            return result
        return choice(equal(self._accumulated(integer(1), guards, is_total), ZERO), ZERO, result)

    def _grouped(self, found: Polynomial) -> Iterator[tuple[Polynomial, Monomial]]:
        """Each product of row atoms, with the polynomial that it is multiplied by."""
        groups: dict[Monomial, Polynomial] = {}
        for monomial, coefficient in found.coefficients.items():
            of_row = frozenset((a, power) for a, power in monomial if self._of_row(a))
            rest = Polynomial({monomial - of_row: coefficient})
            groups[of_row] = groups[of_row] + rest if of_row in groups else rest
        return ((coefficient, monomial) for monomial, coefficient in groups.items())

    def _accumulated(self, summand: Term, guards: tuple[Term, ...], is_total: bool) -> Term:
        """The variable of the sum of a summand over the rows where the guards hold, each asked after the last one."""
        for guard in reversed(guards):
            summand = choice(guard, summand, ZERO)
        if is_total and _is_partial(summand):
            raise NotSeparable(f"{summand} must have a value for every row, it may have none")
        return self.accumulated(summand)

    def _of_row(self, term: Term) -> bool:
        """Whether it changes from row to row."""
        return any(v in self.row for v in variables(term))

    def _mixed(self, term: Term) -> bool:
        """Whether it changes from row to row and depends on what is known at the end only."""
        return self._of_row(term) and any(v in self.end for v in variables(term))


def _is_partial(term: Term) -> bool:
    """Whether it may have no value."""
    return any(part.operator in PARTIAL for part in parts(term))


def _unfolded(condition: Term, yes: Term, no: Term) -> Term:
    """The choice by a conjunction or a disjunction as a choice by its first part, then by the rest."""
    first, *rest = condition.arguments
    if condition.operator == "all_of":
        return choice(first, choice(conjunction(*rest), yes, no), no)
    if condition.operator == "any_of":
        return choice(first, yes, choice(disjunction(*rest), yes, no))
    raise NotSeparable(f"{condition} must be about the row or about what is known at the end, it is about both")


def _monomial(monomial: Monomial, term: Term) -> Term:
    """The product of row atoms, of whole numbers where they all are."""
    return term_of(Polynomial({monomial: Fraction(1)}), _sort(a for a, _ in monomial), (term,))


def _coefficient(found: Polynomial, term: Term) -> Term:
    """The polynomial in what is known at the end, of whole numbers where it can be."""
    is_whole = all(c.denominator == 1 for c in found.coefficients.values())
    return term_of(found, _sort(found.atoms) if is_whole else "Real", (term,))


def _sort(atoms: Iterable[Term]) -> Sort:
    """Whole numbers make whole numbers."""
    return "Int" if all(a.sort == "Int" for a in atoms) else "Real"
