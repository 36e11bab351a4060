"""Derivatives of formulas that read a number `margin` and `power`, which stands for e^margin: the rules of calculus."""

from __future__ import annotations

from refdp.terms.term import Term, TermError, name, number

ZERO = number(0)


def derivative(t: Term) -> Term:
    """The derivative of the term by `margin`; TermError unless it is made of + - * / and whole powers.

    >>> str(derivative(name("margin") ** 2 * 3)), str(derivative(name("power")))
    ('2 * margin ** 1 * 1 * 3', 'power')
    """
    match t.operator, t.arguments:
        case "number", _:
            return ZERO
        case "name", _:
            return number(1) if t == name("margin") else t if t == name("power") else ZERO
        case "negate", (a,):
            return minus(ZERO, derivative(a))
        case "+", (a, b):
            return plus(derivative(a), derivative(b))
        case "-", (a, b):
            return minus(derivative(a), derivative(b))
        case "*", (a, b):
            return plus(times(derivative(a), b), times(a, derivative(b)))
        case "/", (a, b):
            return times(minus(times(derivative(a), b), times(a, derivative(b))), 1 / b**2)
        case "**", (a, Term("number") as n) if n.rational.denominator == 1 and n.rational >= 1:
            return times(n * a ** int(n.rational - 1), derivative(a))
    raise TermError(f"{t} has no derivative by the rules for + - * / and whole powers")


def plus(a: Term, b: Term) -> Term:
    """a + b, without a 0."""
    return b if a == ZERO else a if b == ZERO else a + b


def minus(a: Term, b: Term) -> Term:
    """a - b, without a 0."""
    return a if b == ZERO else -b if a == ZERO else a - b


def times(a: Term, b: Term) -> Term:
    """a b, 0 where either is."""
    return ZERO if ZERO in (a, b) else a * b
