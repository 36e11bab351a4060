"""One evaluator for every arithmetic: `Fraction` here, rational intervals and Arb balls in `numerics`.

An arithmetic says what a rational number, a function value and a comparison are in it; `evaluate` folds a term.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isqrt
from typing import Any, Protocol

from refdp.terms.term import Term, TermError

Value = Any
"""A number of the arithmetic at hand."""


class Arithmetic(Protocol):
    """What `evaluate` asks of an arithmetic; + - * / ** abs are the operators of its values."""

    def number(self, value: Fraction) -> Value:
        """The rational `value`."""

    def function(self, name: str, *arguments: Value) -> Value:
        """exp, ln, sqrt, normal_tail, pi, min or max of the arguments; TermError where it cannot be had."""

    def holds(self, comparison: str, a: Value, b: Value) -> bool:
        """Whether a <= b, a < b, a == b or a != b; raises where that cannot be decided."""


OPERATORS: Mapping[str, Callable[..., Value]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "negate": operator.neg, "abs": abs,
}  # fmt: skip
COMPARE: Mapping[str, Callable[[Value, Value], bool]] = {
    "<=": operator.le, "<": operator.lt, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


class Rationals:
    """Exact rational arithmetic: exp, ln, normal_tail and sqrt only at 0, at 1, at 0 and of squares of rationals."""

    def number(self, value: Fraction) -> Fraction:
        return value

    def function(self, name: str, *arguments: Fraction) -> Fraction:
        if name in ("min", "max"):
            return min(arguments) if name == "min" else max(arguments)
        if (name == "exp" and arguments[0] == 0) or (name == "ln" and arguments[0] == 1):
            return 1 - arguments[0]  # e^0 = 1 and ln 1 = 0
        if name == "normal_tail" and arguments[0] == 0:
            return Fraction(1, 2)
        root = rational_root(arguments[0]) if name == "sqrt" else None
        if root is not None:
            return root
        raise TermError(f"{name}({', '.join(map(str, arguments))}) is not a rational number")

    def holds(self, comparison: str, a: Fraction, b: Fraction) -> bool:
        return COMPARE[comparison](a, b)


RATIONALS = Rationals()


def rational_root(a: Fraction) -> Fraction | None:
    """The rational r >= 0 with r * r = a, or None if there is none.

    >>> rational_root(Fraction(9, 4)), rational_root(Fraction(2))
    (Fraction(3, 2), None)
    """
    if a < 0:
        return None
    root = Fraction(isqrt(a.numerator), isqrt(a.denominator))
    return root if root * root == a else None


def evaluate(t: Term, values: Mapping[str, Value], arithmetic: Arithmetic = RATIONALS) -> Value:
    """The value of `t` where its names have the given `values`; TermError if it has none."""
    match t.operator:
        case "number":
            return arithmetic.number(t.rational)
        case "name":
            if t.value not in values:
                raise TermError(f"{t.value} has no value")
            return values[str(t.value)]
        case "indicator":
            return arithmetic.number(Fraction(int(truth(t.arguments[0], values, arithmetic))))
        case "**":
            return evaluate(t.arguments[0], values, arithmetic) ** int(t.arguments[1].rational)
        case "exp" | "ln" | "sqrt" | "normal_tail" | "min" | "max" | "pi":
            return arithmetic.function(t.operator, *(evaluate(a, values, arithmetic) for a in t.arguments))
    if t.operator not in OPERATORS:
        raise TermError(f"{t.operator} has no numerical value in {t}")
    arguments = [evaluate(a, values, arithmetic) for a in t.arguments]
    if t.operator == "/" and arithmetic.holds("==", arguments[1], arithmetic.number(Fraction(0))):
        raise TermError(f"division by zero in {t}")
    return OPERATORS[t.operator](*arguments)


def truth(statement: Term, values: Mapping[str, Value], arithmetic: Arithmetic = RATIONALS) -> bool:
    """Whether a closed `statement` (a comparison, or a conjunction of such) holds under `values`."""
    if statement.operator == "all_of":
        return all(truth(a, values, arithmetic) for a in statement.arguments)
    if statement.operator == "integer":
        value = evaluate(statement.arguments[0], values, RATIONALS)
        return isinstance(value, Fraction) and value.denominator == 1
    if statement.operator not in COMPARE:
        raise TermError(f"{statement} is not a statement")
    a, b = (evaluate(x, values, arithmetic) for x in statement.arguments)
    return arithmetic.holds(statement.operator, a, b)
