"""Symbolic cancellation: ties between terms that follow from algebra, e^a e^b = e^(a + b) and ln a + ln b = ln(a b).

A closed term becomes a quotient of sums of c e^r ln b ... ln d with rational c, r and b, ..., d > 0.  A numerator that
cancels to 0 proves a tie between terms that have a value.  One that does not cancel proves nothing here, and need not:
a sum of c e^r, or a + q ln b, is then not 0 (theorem of Lindemann and Weierstrass), so intervals decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm, prod
from typing import NamedTuple

from refdp.terms.evaluation import rational_root
from refdp.terms.term import Term

MOST_PRODUCTS = 10_000
"""Largest product of two sums, in pairs of summands, that is worked out."""
MOST_BITS = 100_000
"""Longest coefficient that is worked with, in binary digits."""

Key = tuple[Fraction, tuple[Fraction, ...]]
Sum = Mapping[Key, Fraction]
"""{(r, (b, ..., d)): c} is the sum of c e^r ln b ... ln d, where b <= ... <= d and c != 0."""


class NotExact(ValueError):
    """A number is not given exactly, or not of the exact form that was asked for."""


class Quotient(NamedTuple):
    """top / bottom."""

    top: Sum
    bottom: Sum


def monomial(c: Fraction | int, r: Fraction | int = 0) -> Sum:
    """c e^r."""
    return {(Fraction(r), ()): Fraction(c)} if c else {}


ONE = monomial(1)


def size(x: Fraction) -> int:
    """The binary digits of the longer of numerator and denominator."""
    return max(x.numerator.bit_length(), x.denominator.bit_length())


def plus(p: Sum, q: Sum) -> Sum:
    """p + q."""
    return {key: c for key in {**p, **q} if (c := p.get(key, Fraction(0)) + q.get(key, Fraction(0)))}


def times(p: Sum, q: Sum) -> Sum:
    """p q; NotExact if it grows too large."""
    if len(p) * len(q) > MOST_PRODUCTS:
        raise NotExact("a product has too many summands to cancel")
    total: dict[Key, Fraction] = {}
    for (r, logs), c in p.items():
        for (s, others), d in q.items():
            if size(c) + size(d) > MOST_BITS:
                raise NotExact("a product has too long a coefficient to cancel")
            key = (r + s, tuple(sorted(logs + others)))
            total[key] = total.get(key, Fraction(0)) + c * d
    return {key: c for key, c in total.items() if c}


def over(p: Sum, q: Sum) -> Quotient:
    """p / q, carried out where q is a single c e^r."""
    match [*q.items()]:
        case [((r, ()), c)]:
            return Quotient(times(p, monomial(1 / c, -r)), ONE)
    return Quotient(p, q)


def logarithm(parts: Mapping[Fraction, Fraction]) -> tuple[Fraction, int]:
    """(x, n) with ln(x) / n equal to the sum of c ln b over {b: c}; NotExact if x is too long."""
    n = lcm(*(c.denominator for c in parts.values()))
    if any(abs(c * n) * size(b) > MOST_BITS for b, c in parts.items()):
        raise NotExact("a multiple of a logarithm is too large to be worked out")
    return prod((b ** int(c * n) for b, c in parts.items()), start=Fraction(1)), n


def vanishes(p: Sum) -> bool:
    """Whether p cancels to 0: for each r the numbers c vanish and the logarithms add up to ln(1)."""
    if any(len(logs) != 1 for _, logs in p):
        return False
    return all(logarithm({b: c for (s, (b,)), c in p.items() if s == r})[0] == 1 for r, _ in p)


def linear(x: Quotient) -> tuple[Fraction, Fraction, int]:
    """(a, b, n) with x = a + ln(b) / n; NotExact if it is not of that form."""
    if x.bottom != ONE or any(r != 0 or len(logs) > 1 for r, logs in x.top):
        raise NotExact("a number is not of the form a + ln(b)")
    rational = sum((c for (_, logs), c in x.top.items() if not logs), Fraction(0))
    return rational, *logarithm({logs[0]: c for (_, logs), c in x.top.items() if logs})


def positive_monomial(x: Quotient) -> tuple[Fraction, Fraction]:
    """(c, r) with x = c e^r, c > 0; NotExact if it is not of that form."""
    match [*x.top.items()]:
        case [((r, ()), c)] if c > 0 and x.bottom == ONE:
            return c, r
    raise NotExact("a number is not of the form c e^r with c > 0")


def root(x: Fraction, n: int) -> Fraction:
    """The n-th root of x > 0 where n is a power of two and the root rational; NotExact otherwise."""
    if n == 1:
        return x
    half = rational_root(x) if n % 2 == 0 else None
    if half is None:
        raise NotExact("a root is not rational")
    return root(half, n // 2)


def quotient(t: Term) -> Quotient:
    """The closed term `t`, which must have a value, as a quotient of sums; NotExact if it is none."""
    if t.operator == "number":
        return Quotient(monomial(t.rational), ONE)
    if t.operator == "**":
        base, power = quotient(t.arguments[0]), Quotient(ONE, ONE)
        for _ in range(int(t.arguments[1].rational)):
            power = Quotient(times(power.top, base.top), times(power.bottom, base.bottom))
        return power
    match t.operator, [quotient(a) for a in t.arguments]:
        case "negate", [(p, q)]:
            return Quotient(times(monomial(-1), p), q)
        case ("+" | "-") as sign, [(p, q), (r, s)]:
            r = times(monomial(-1), r) if sign == "-" else r
            return Quotient(plus(p, r), q) if q == s else Quotient(plus(times(p, s), times(r, q)), times(q, s))
        case "*", [(p, q), (r, s)]:
            return over(times(p, r), times(q, s))
        case "/", [(p, q), (r, s)]:
            return over(times(p, s), times(q, r))
        case "exp", [x]:
            a, b, n = linear(x)
            return Quotient(monomial(root(b, n), a), ONE)
        case ("ln" | "sqrt") as function, [x]:
            c, e = positive_monomial(x)
            if function == "sqrt":
                return Quotient(monomial(root(c, 2), e / 2), ONE)
            return Quotient(plus(monomial(e), {(Fraction(0), (c,)): Fraction(1)} if c != 1 else {}), ONE)
    raise NotExact(f"{t.value or t.operator} is not worked out exactly")
