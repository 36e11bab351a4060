"""Names that integrals bind."""

from __future__ import annotations

from refdp.spec.statements import Statement
from refdp.terms.term import Term, TermError, names


def bound_name(integral: Term) -> str:
    """The name that integral(f, name) integrates over; TermError if it is none."""
    variable = integral.arguments[1]
    if variable.operator != "name":
        raise TermError(f"an integral is over a name, got {variable} in {integral}")
    return str(variable.value)


def free_and_bound(statement: Statement) -> tuple[frozenset[str], frozenset[str]]:
    """The free names of a statement, and the names that its integrals bind."""
    return frozenset(statement.variables), _bound(statement.show)


def _bound(t: Term) -> frozenset[str]:
    """The names that integrals in `t` bind."""
    here = names(t.arguments[1]) if t.operator == "integral" else frozenset[str]()
    return here.union(*map(_bound, t.arguments))
