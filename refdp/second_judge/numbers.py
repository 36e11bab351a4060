"""The values of terms, which are the one thing that the judge has in common with what it judges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

from refdp.terms.term import Term

BITS = 300
"""Binary digits after the point of a root that is irrational."""
NEARLY = Fraction(1, 2**100)
"""By how much more than a claim a move is surely more, whatever was rounded."""


@lru_cache(maxsize=1024)
def steps(term: Term) -> tuple[tuple[Term, tuple[int, ...]], ...]:
    """Every different term within `term`, after its arguments, and the places of these; `term` itself is the last."""
    places: dict[Term, int] = {}
    waiting = [(term, False)]
    while waiting:
        one, is_ready = waiting.pop()
        if is_ready:
            places.setdefault(one, len(places))
        elif one not in places:
            waiting += [(one, True), *((argument, False) for argument in reversed(one.arguments))]
    return tuple((one, tuple(places[argument] for argument in one.arguments)) for one in places)


def valued(term: Term, values: Mapping[Term, Any], value: Callable[[Term, list[Any], Mapping[Term, Any]], Any]) -> Any:
    """The value of a term, `value` giving that of each from those of its arguments.  ArithmeticError where it has none.

    What has no value matters only where it is looked at: another arm of a condition may stand in its place.
    """
    found = list[Any]()
    for one, places in steps(term):
        try:
            found.append(value(one, [found[place] for place in places], values))
        except ArithmeticError as error:
            found.append(error)
    if isinstance(found[-1], ArithmeticError):
        raise found[-1]
    return found[-1]


def approximate(term: Term, values: Mapping[Term, Any]) -> Any:
    """The value of a term, roots to 300 binary digits.  ArithmeticError where it has none."""
    return valued(term, values, _value)


def _value(part: Term, arguments: list[Any], values: Mapping[Term, Any]) -> Any:
    """The value of one term from those of its arguments."""
    if part.operator == "name":
        return values[part]
    if part.operator in ("number", "truth"):
        return part.value
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
    "sqrt": lambda a: _root(Fraction(a)),
    "floor": lambda a: Fraction(a // 1),
    "real": lambda a: a,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "not": lambda a: not a,
    "all_of": lambda *a: all(a),
    "any_of": lambda *a: any(a),
}


def exceeds(move: Fraction, claim: Fraction) -> bool:
    """Whether a number is surely more than another."""
    return move > claim + NEARLY * (1 + abs(claim))


def decimal_value(term: Term, values: Mapping[Term, Any]) -> Any:
    """The value of a term with e^x, ln x and powers: exact where it is rational, else to 80 digits."""
    with localcontext() as context:
        context.prec = DIGITS
        return valued(term, values, _decimal)


def _decimal(part: Term, arguments: list[Any], values: Mapping[Term, Any]) -> Any:
    """The value of one term from those of its arguments."""
    if not arguments:
        return _value(part, arguments, values)
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
        if part.operator == "sqrt":
            return arguments[0].sqrt()
        return OPERATORS[part.operator](*arguments)
    if part.operator == "**":
        base, exponent = map(Fraction, arguments)
        if exponent.denominator == 1 and abs(exponent) <= 1000:
            return base ** int(exponent)
        return (_to_decimal(base).ln() * _to_decimal(exponent)).exp()
    if part.operator == "mod":
        return Fraction(arguments[0]) % Fraction(arguments[1])
    return _value(part, arguments, values)


def _to_decimal(value: Any) -> Decimal:
    """A number to 80 digits."""
    if isinstance(value, Decimal):
        return value
    exact = Fraction(value)
    return Decimal(exact.numerator) / Decimal(exact.denominator)


DIGITS = 80
TRANSCENDENTAL: Mapping[str, Callable[[Decimal], Decimal]] = {"exp": Decimal.exp, "ln": Decimal.ln}
