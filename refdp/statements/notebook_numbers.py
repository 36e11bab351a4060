"""The numbers that a notebook prints about Laplace noise of scale 25 on the sums 37 and 25, computed anew.

Its random interval S is not printed.  [40, 58] gives every digit: it is the only one with the printed areas (a test
tries them all).
Source: 002_f75f59c300dafc13.txt.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement, equal
from refdp.terms.term import Term, both, exp, indicator, ln, name, number

SCALE = 25
INTERVAL = (40, 58)
WITHOUT_ALICE = (10, 8, 7)
SUM_WITHOUT = sum(WITHOUT_ALICE)
PRINTED = {12: "0.2276049566440389", 0: "0.14083816706408814", 100: "0.017594942096975916"}
"""The printed area over S, by Alice's contribution."""
SLACK = Fraction(1, 10**15)

a, b = name("contribution"), name("larger")


def _cumulative(point: int, centre: Term) -> Term:
    """P[centre + Z <= point] for Laplace noise Z of scale 25."""
    z = (point - centre) / SCALE
    left, right = exp(-abs(z)) / 2, 1 - exp(-abs(z)) / 2
    return indicator(z < 0) * left + (1 - indicator(z < 0)) * right


def area(contribution: Term) -> Term:
    """P[M in S] where Alice contributes that much to the sum."""
    low, high = (_cumulative(point, SUM_WITHOUT + contribution) for point in INTERVAL)
    return high - low


def signed_divergence(contribution: Term) -> Term:
    """ln(P[M(u) in S] / P[M(v) in S]), v being the data without Alice."""
    return ln(area(contribution) / area(number(0)))


def _count(rows: Sequence[int], value: int) -> Term:
    """How often the value occurs in the rows."""
    found = indicator(equal(number(rows[0]), value))
    for one in rows[1:]:
        found = found + indicator(equal(number(one), value))
    return found


def symmetric_distance(u: Sequence[int], v: Sequence[int]) -> Term:
    """The sum over values x of |number of x in u - number of x in v|."""
    first, *others = (abs(_count(u, x) - _count(v, x)) for x in sorted({*u, *v}))
    total = first
    for one in others:
        total = total + one
    return total


def _is_printed(contribution: int) -> Term:
    """The printed area is the exact one up to 10^-15."""
    exact = area(number(contribution))
    return abs(exact - Fraction(PRINTED[contribution])) <= SLACK


_alice = (12, *WITHOUT_ALICE)


def _divergence_is(contribution: int, value: Fraction) -> Statement:
    """ln(P[M(u) in S] / P[M(v) in S]) is the value: the first mass is e^value times the second."""
    return Statement((), equal(area(number(contribution)), exp(value) * area(number(0))))


NOTEBOOK_NUMBERS = register(
    NamedStatements(
        "notebook_numbers",
        {
            "distance_without_alice": Statement((), equal(symmetric_distance(_alice, WITHOUT_ALICE), 1)),
            "distance_with_a_row_changed": Statement((), equal(symmetric_distance(_alice, (10, *WITHOUT_ALICE)), 2)),
            "areas": Statement((), both(*map(_is_printed, PRINTED))),
            "divergence_of_12": _divergence_is(12, Fraction(12, 25)),
            "divergence_of_100": _divergence_is(100, Fraction(-52, 25)),
            "divergence_of_48": _divergence_is(48, Fraction(0)),
            "divergence_grows": Statement((12 <= a, a < b), abs(signed_divergence(a)) < abs(signed_divergence(b))),
            "divergence_of_100_as_printed": _divergence_is(100, Fraction(52, 25)),
        },
    )
)
