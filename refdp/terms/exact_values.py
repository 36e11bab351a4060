"""The value of a term, exactly, by the meaning of each operator: no solver is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from refdp.terms.evaluation import rational_root
from refdp.terms.leaves import parts
from refdp.terms.term import Term, Value

MEANING: Mapping[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "floor": lambda a: Fraction(a.__floor__()),
    "real": lambda a: a,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "not": lambda a: not a,
    "all_of": lambda *a: all(a),
    "any_of": lambda *a: any(a),
    "ite": lambda condition, yes, no: yes if condition else no,
}
"""What each operator does to values."""
Found = Value | ArithmeticError
"""A value, or why there is none."""
DECIDED = {"all_of": False, "any_of": True}
"""What one argument is enough for, whatever the others are."""
LAZY = {"/", "sqrt"}
"""Operators without a value at some arguments: there they have none, and only what uses them has none either."""


class NotRational(ArithmeticError):
    """A square root is irrational: the term has no exact value."""


def evaluate(term: Term, values: Mapping[Term, Found]) -> Value:
    """The value of the term where each variable has its value; ZeroDivisionError or NotRational where it has none."""
    result = attempt(term, values)
    if isinstance(result, ArithmeticError):
        raise result
    return result


def attempt(term: Term, values: Mapping[Term, Found]) -> Found:
    """The value of the term, or why it has none: a variable may have none either."""
    return attempts(term, values)[term]


def attempts(term: Term, values: Mapping[Term, Found]) -> dict[Term, Found]:
    """The value of each part of the term, or why it has none."""
    found: dict[Term, Found] = {}
    for part in parts(term):
        found[part] = _value(part, [found[a] for a in part.arguments], values)
    return found


def _value(part: Term, arguments: list[Found], values: Mapping[Term, Found]) -> Found:
    """The value of one term from those of its arguments, or why it has none."""
    if part.operator in ("number", "truth") and isinstance(part.value, Fraction | bool):
        return part.value
    if part.operator == "name":
        return values[part]
    if part.operator == "ite" and not isinstance(arguments[0], ArithmeticError):
        return arguments[1] if arguments[0] else arguments[2]
    if part.operator in DECIDED and DECIDED[part.operator] in arguments:
        return DECIDED[part.operator]
    for one in arguments:
        if isinstance(one, ArithmeticError):
            return one
    if part.operator in LAZY:
        return _partial(part, [Fraction(a) for a in arguments if not isinstance(a, ArithmeticError)])
    found: Value = MEANING[part.operator](*arguments)
    return found


def _partial(part: Term, arguments: list[Fraction]) -> Found:
    """A quotient or a square root."""
    if part.operator == "/":
        return arguments[0] / arguments[1] if arguments[1] else ZeroDivisionError("division by zero")
    exact = rational_root(arguments[0])
    return NotRational(f"the square root of {arguments[0]} is not rational") if exact is None else exact
