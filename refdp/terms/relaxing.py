"""Assertions about reals that hold whenever given assertions do: for solvers that decide polynomials over the reals.

A whole number becomes a real one outside (-1, 0) and (0, 1); a / b a number q with q * b = a, any number where b = 0.
Where the relaxed assertions cannot hold together, neither can the given ones; nothing is said of the converse.
"""

from __future__ import annotations

from collections.abc import Iterable

from refdp.terms.leaves import ZERO, is_number, parts, rational, variable, variables
from refdp.terms.operations import at_most, disjunction, equal, multiply, substitute
from refdp.terms.term import Term

QUOTIENT = "quotient!"
"""What the names of numbers that stand for quotients begin with."""


def relaxed(assertions: Iterable[Term]) -> tuple[Term, ...]:
    """The assertions over the reals, without quotients."""
    wanted = tuple(assertions)
    whole = {v: variable(str(v.value), "Real") for v in variables(*wanted) if v.sort == "Int"}
    gaps = [disjunction(at_most(v, rational(-1)), equal(v, ZERO), at_most(rational(1), v)) for v in whole.values()]
    return without_quotients((*(substitute(one, whole) for one in wanted), *gaps))


def without_quotients(assertions: tuple[Term, ...]) -> tuple[Term, ...]:
    """The assertions with a new number for each quotient, innermost first, and what is known of it."""
    names = {str(v.value) for v in variables(*assertions)}
    found: dict[Term, Term] = {}
    facts = []
    for part in (p for one in assertions for p in parts(one)):
        if part.operator == "/" and part not in found:
            top, bottom = (substitute(a, found) for a in part.arguments)
            name = next(n for k in range(len(names) + 1) if (n := f"{QUOTIENT}{len(found) + k}") not in names)
            names.add(name)
            found[part] = variable(name, "Real")
            facts.append(disjunction(equal(bottom, ZERO), equal(multiply(found[part], bottom), top)))
    return (*(substitute(one, found) for one in assertions), *facts)


def is_polynomial(assertions: Iterable[Term]) -> bool:
    """Whether products, quotients or roots of variables occur, and no floor."""
    operators = {p.operator for one in assertions for p in parts(one) if not _is_linear(p)}
    return "floor" not in operators and bool(operators & {"*", "/", "sqrt"})


def _is_linear(part: Term) -> bool:
    """Whether it is a product by a constant."""
    return part.operator == "*" and any(map(is_number, part.arguments))
