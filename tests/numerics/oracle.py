"""The second opinion on every enclosure and decision: mpmath, at hundreds of digits and in its own intervals."""

from fractions import Fraction

import mpmath
from hypothesis import settings
from hypothesis import strategies as st
from mpmath.libmp import to_rational

from refdp.numerics.intervals import Interval
from refdp.terms.term import Term
from tests.examples import few

DIGITS = 200
mpmath.mp.dps = DIGITS
mpmath.iv.dps = DIGITS

MANY = settings(derandomize=True, deadline=None, max_examples=few(100))
SOME = settings(MANY, max_examples=few(40))

FUNCTIONS = {"exp": "exp", "ln": "log", "sqrt": "sqrt"}


def fraction(x: mpmath.mpf) -> Fraction:
    """The value of an mpmath number, exactly."""
    return Fraction(*map(int, to_rational(x._mpf_)))


def number(x: Fraction) -> mpmath.mpf:
    """x, to 200 digits."""
    return mpmath.mpf(x.numerator) / x.denominator


def value(t: Term) -> mpmath.mpf:
    """The closed term, to about 200 digits (fewer where it cancels)."""
    if t.operator == "number":
        return number(t.rational)
    a = [value(argument) for argument in t.arguments]
    match t.operator:
        case "+":
            return a[0] + a[1]
        case "-":
            return a[0] - a[1]
        case "*":
            return a[0] * a[1]
        case "/":
            return a[0] / a[1]
        case "**":
            return a[0] ** int(a[1])
        case "negate":
            return -a[0]
        case "abs":
            return abs(a[0])
        case "min" | "max":
            return min(a) if t.operator == "min" else max(a)
    return getattr(mpmath, FUNCTIONS[t.operator])(a[0])


def second_opinion(function: str, x: Fraction) -> tuple[Fraction, Fraction]:
    """mpmath's own interval of 200 digits for exp, ln or sqrt of x."""
    found = getattr(mpmath.iv, FUNCTIONS[function])(mpmath.iv.mpf(x.numerator) / x.denominator)
    low, high = (Fraction(*map(int, to_rational(end))) for end in found._mpi_)
    return low, high


def agrees(ours: Interval, function: str, x: Fraction) -> bool:
    """Both intervals hold the value, so they meet; ours, the far wider one, must hold mpmath's midpoint as well."""
    low, high = second_opinion(function, x)
    point = fraction(getattr(mpmath, FUNCTIONS[function])(number(x)))
    slack = abs(point) / 10 ** (DIGITS - 10)
    return ours.lower <= high and low <= ours.upper and ours.lower - slack <= point <= ours.upper + slack


@st.composite
def rationals(draw: st.DrawFn, exponents: int = 40, positive: bool = False) -> Fraction:
    """Rationals of every magnitude from 2^-exponents to 2^exponents, and many close to a whole number."""
    n, d = draw(st.integers(1, 2**70)), draw(st.integers(1, 2**70))
    e, kind = draw(st.integers(-exponents, exponents)), draw(st.integers(0, 7))
    scale = Fraction(2) ** e
    nearby = n % 20 + 1 + (d % 3 - 1) * Fraction(1, 2 ** (1 + abs(e) % 300))
    x = (Fraction(n, d) * scale, nearby, Fraction(n % 1000 + 1, d % 1000 + 1), scale)[kind // 2]
    return x if positive or kind % 2 else -x
