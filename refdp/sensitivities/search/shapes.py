"""What an answer is of the states: linear, and then what one row adds to each of its coordinates (untrusted)."""

from __future__ import annotations

from refdp.sensitivities.program import Program
from refdp.sensitivities.search.single_runs import adding
from refdp.terms.leaves import ZERO, integer, rational
from refdp.terms.operations import absolute, add, choice, multiply
from refdp.terms.polynomials import polynomial
from refdp.terms.term import Term


def gains(program: Program) -> tuple[Term, ...] | None:
    """What a row adds to each coordinate of the answer; None where the answer is not linear in sums."""
    if len(program.passes) != 1:
        return None
    more = {one.state: one.more for one in adding(program.passes[0])}
    found = []
    for coordinate in program.output:
        gained = ZERO
        for monomial, coefficient in polynomial(coordinate).coefficients.items():
            if not monomial:
                continue
            ((atom, power),) = monomial if len(monomial) == 1 else ((ZERO, 0),)
            if power != 1 or atom not in more:
                return None
            factor = integer(int(coefficient)) if coefficient.denominator == 1 else rational(coefficient)
            gained = add(gained, multiply(factor, more[atom]))
        found.append(gained)
    return tuple(found)


def size(term: Term) -> Term:
    """|term|, within each branch of a choice."""
    if term.operator == "ite":
        condition, yes, no = term.arguments
        return choice(condition, size(yes), size(no))
    return absolute(term)


def square(term: Term) -> Term:
    """term^2, within each branch of a choice."""
    if term.operator == "ite":
        condition, yes, no = term.arguments
        return choice(condition, square(yes), square(no))
    return multiply(term, term)
