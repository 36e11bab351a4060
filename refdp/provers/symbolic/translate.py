"""Terms as sympy expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy

from refdp.provers.symbolic.integrals import bound_name
from refdp.spec.goals import is_whole
from refdp.spec.statements import Statement
from refdp.terms.term import Term, TermError, name

Expression = Any
"""A sympy expression; sympy has no types of its own to check."""


def to_sympy(t: Term, symbols: Mapping[str, Expression] | None = None) -> Expression:
    """The sympy expression for `t`; names that `symbols` does not list are real.

    integral(f, z) is the unevaluated integral of f over all real z, whatever `symbols` says of z; pi() is pi.
    TermError for what is no arithmetic.
    """
    known = dict(symbols or {})
    match t.operator:
        case "number":
            return sympy.Rational(t.rational.numerator, t.rational.denominator)
        case "name":
            return known.get(str(t.value), sympy.Symbol(str(t.value), real=True))
        case "pi" if not t.arguments:
            return sympy.pi
        case "integral":
            integrand, variable = t.arguments
            z = sympy.Symbol(bound_name(t), real=True)
            return sympy.Integral(to_sympy(integrand, known | {str(variable.value): z}), (z, -sympy.oo, sympy.oo))
        case "**" if not is_whole(t.arguments[1]):
            raise TermError(f"the exponent must be a whole number >= 0, got {t.arguments[1]}")
    if t.operator not in TRANSLATION:
        raise TermError(f"sympy has no {t.operator}, in {t}")
    return TRANSLATION[t.operator](*(to_sympy(a, known) for a in t.arguments))


TRANSLATION: Mapping[str, Any] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "**": lambda a, b: a**b, "negate": lambda a: -a, "abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max,
    "exp": sympy.exp, "ln": sympy.log, "sqrt": sympy.sqrt,
    "normal_tail": lambda a: (1 - sympy.erf(a / sympy.sqrt(2))) / 2,
    "<=": sympy.Le, "<": sympy.Lt, "==": sympy.Eq, "!=": sympy.Ne,
    "indicator": lambda condition: sympy.Piecewise((1, condition), (0, True)),
}  # fmt: skip


def symbols_of(statement: Statement) -> dict[str, Expression]:
    """A sympy symbol for each name, with as much of the hypotheses as a symbol can carry: sign and integrality."""
    return {v: sympy.Symbol(v, real=True, **facts(statement, v)) for v in statement.variables}


def facts(statement: Statement, variable: str) -> dict[str, bool]:
    """What `c < variable`, `c <= variable` and integer(variable) among the hypotheses say to sympy."""
    found, x = dict[str, bool](), name(variable)
    if variable in statement.integers or Term("integer", (x,)) in statement.given:
        found["integer"] = True
    for g in statement.given:
        if g.operator in ("<", "<=") and g.arguments[1] == x and g.arguments[0].operator == "number":
            bound = g.arguments[0].rational
            if bound > 0 or bound == 0 and g.operator == "<":
                found["positive"] = True
            elif bound == 0:
                found["nonnegative"] = True
    return found
