"""The values of terms, which are the one thing that the judge has in common with what it judges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt
from typing import Any

from refdp.logic.terms import Term, parts

BITS = 300
"""Binary digits after the point of a root that is irrational."""
NEARLY = Fraction(1, 2**100)
"""By how much more than a claim a move is surely more, whatever was rounded."""


def approximate(term: Term, values: Mapping[Term, Any]) -> Any:
    """The value of a term, roots to 300 binary digits.  ArithmeticError where it has none."""
    found: dict[Term, Any] = {}
    for part in parts(term):
        try:
            found[part] = _value(part, found, values)
        except ArithmeticError as error:
            found[part] = error
    if isinstance(found[term], ArithmeticError):
        raise found[term]
    return found[term]


def _value(part: Term, found: Mapping[Term, Any], values: Mapping[Term, Any]) -> Any:
    """The value of one term from those of its arguments."""
    if part.operator == "variable":
        return values[part]
    if part.operator in ("number", "truth"):
        return part.value
    arguments = [found[one] for one in part.arguments]
    if part.operator == "ite" and not isinstance(arguments[0], ArithmeticError):
        return arguments[1] if arguments[0] else arguments[2]
    for one in arguments:
        if isinstance(one, ArithmeticError):
            raise one
    return OPERATORS[part.operator](*arguments)


def _root(value: Fraction) -> Fraction:
    """The square root, at most 2^-300 below it; exact where it is rational."""
    if value < 0:
        raise ArithmeticError("the root of a negative number")
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    if top * top == value.numerator and bottom * bottom == value.denominator:
        return Fraction(top, bottom)
    return Fraction(isqrt((value.numerator << 2 * BITS) // value.denominator), 2**BITS)


OPERATORS: Mapping[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: Fraction(a) / b,
    "root": lambda a: _root(Fraction(a)),
    "floor": lambda a: Fraction(a // 1),
    "real": lambda a: a,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "=": lambda a, b: a == b,
    "not": lambda a: not a,
    "and": lambda *a: all(a),
    "or": lambda *a: any(a),
}


def exceeds(move: Fraction, claim: Fraction) -> bool:
    """Whether a number is surely more than another."""
    return move > claim + NEARLY * (1 + abs(claim))


def decimal_value(term: Term, values: Mapping[Term, Any]) -> Any:
    """The value of a term with e^x, ln x and powers: exact where it is rational, else to 80 digits."""
    found: dict[Term, Any] = {}
    with localcontext() as context:
        context.prec = DIGITS
        for part in parts(term):
            try:
                found[part] = _decimal(part, found, values)
            except ArithmeticError as error:
                found[part] = error
    if isinstance(found[term], ArithmeticError):
        raise found[term]
    return found[term]


def _decimal(part: Term, found: Mapping[Term, Any], values: Mapping[Term, Any]) -> Any:
    """The value of one term from those of its arguments."""
    arguments = [found[one] for one in part.arguments]
    if part.operator == "ite" and not isinstance(arguments[0], ArithmeticError):
        return arguments[1] if arguments[0] else arguments[2]
    for one in arguments:
        if isinstance(one, ArithmeticError):
            raise one
    if part.operator in TRANSCENDENTAL:
        return TRANSCENDENTAL[part.operator](*map(_to_decimal, arguments))
    if any(isinstance(one, Decimal) for one in arguments):
        arguments = [one if isinstance(one, bool) else _to_decimal(one) for one in arguments]
        if part.operator == "/":
            return arguments[0] / arguments[1]
        if part.operator == "root":
            return arguments[0].sqrt()
        return OPERATORS[part.operator](*arguments)
    if part.operator == "power":
        base, exponent = map(Fraction, arguments)
        if exponent.denominator == 1 and abs(exponent) <= 1000:
            return base ** int(exponent)
        return (_to_decimal(base).ln() * _to_decimal(exponent)).exp()
    if part.operator == "mod":
        return Fraction(arguments[0]) % Fraction(arguments[1])
    return _value(part, found, values)


def _to_decimal(value: Any) -> Decimal:
    """A number to 80 digits."""
    if isinstance(value, Decimal):
        return value
    exact = Fraction(value)
    return Decimal(exact.numerator) / Decimal(exact.denominator)


DIGITS = 80
TRANSCENDENTAL: Mapping[str, Callable[[Decimal], Decimal]] = {"exp": Decimal.exp, "ln": Decimal.ln}
