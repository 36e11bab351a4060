"""Whether sympy simplifies the difference of two sides to 0, where every part of them is defined."""

from __future__ import annotations

import sympy

from refdp.provers.symbolic.integrals import free_and_bound
from refdp.provers.symbolic.translate import Expression, symbols_of, to_sympy
from refdp.spec.statements import Statement
from refdp.terms.term import Term, TermError, denominators, subterms

UNFINISHED = (sympy.Integral, sympy.Piecewise, sympy.nan, sympy.zoo, sympy.oo, -sympy.oo)
"""What an integral's value must not contain: sympy left it undone, or says that it depends, or that it diverges."""


def is_identity(statement: Statement) -> str:
    """Empty if sympy proves the equality and that its parts are defined; otherwise why it does not.

    Of the hypotheses it uses only signs and integrality of single names, so it proves more than the statement.
    """
    if statement.show.operator != "==":
        return f"sympy is asked for equalities only, got {statement.show}"
    free, bound = free_and_bound(statement)
    if free & bound:
        return f"{min(free & bound)} is both a free name and the variable of an integral"
    try:
        symbols = symbols_of(statement)
        if (part := undefined_part(statement.show, symbols)) is not None:
            return f"sympy does not see that {part} is defined"
        left, right = (evaluated(to_sympy(a, symbols)) for a in statement.show.arguments)
    except TermError as error:
        return str(error)
    return "" if vanishes(left - right) else "sympy does not simplify the difference of the two sides to 0"


def undefined_part(t: Term, symbols: dict[str, Expression]) -> str | None:
    """A denominator that sympy does not know to be non-zero, or an argument of ln or sqrt outside its domain."""
    for d in denominators(t):
        if to_sympy(d, symbols).is_zero is not False:
            return f"division by {d}"
    for s in subterms(t):
        if s.operator == "ln" and to_sympy(s.arguments[0], symbols).is_positive is not True:
            return str(s)
        if s.operator == "sqrt" and to_sympy(s.arguments[0], symbols).is_nonnegative is not True:
            return str(s)
    return None


def evaluated(e: Expression) -> Expression:
    """`e` with its integrals evaluated; TermError if sympy cannot, or attaches conditions."""
    values = {integral: integral.doit() for integral in e.atoms(sympy.Integral)}
    for integral, value in values.items():
        if value.has(*UNFINISHED):
            raise TermError(f"sympy does not evaluate {integral}")
    return e.xreplace(values)


def vanishes(e: Expression) -> bool:
    """Whether one of sympy's ways to simplify turns `e` into the number 0."""
    return any(way(e) == 0 for way in (sympy.expand, sympy.cancel, sympy.simplify))
