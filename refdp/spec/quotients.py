"""Goals without division: both sides of each comparison multiplied by their common denominator.

Sound where each denominator d is known to be non-zero, that is where `d != 0` is among the hypotheses; a goal in
which one is not is left as it is.  An order is kept because the multiplier is a square, or is known to be positive;
`signs` makes cases in which factors are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce

from refdp.spec.goals import COMPARISONS, Goal, is_whole
from refdp.spec.statements import term_is_not_zero
from refdp.terms.term import Term, denominators, number, subterms

ARITHMETIC = frozenset({"number", "name", "+", "-", "*", "/", "**", "negate"})
ORDERS = ("<", "<=")
ZERO, ONE = number(0), number(1)

Quotient = tuple[Term, Counter[Term]]
"""A numerator, and the factors of a denominator with their multiplicities."""


def without_division(g: Goal) -> Goal:
    """The goal with each comparison multiplied out, or as it is where some denominator is not known to be non-zero."""
    known = {t.arguments[0] for t in g.given if t.operator == "!=" and t == term_is_not_zero(t.arguments[0])}
    if not all(d in known for t in (*g.given, g.show) for d in denominators(t)):
        return g
    positive = known_positive(g.given)
    given = tuple(multiplied_out(t, positive) for t in g.given)
    return Goal(given, multiplied_out(g.show, positive), g.integers)


def known_positive(given: tuple[Term, ...]) -> set[Term]:
    """The terms that a hypothesis c < t with c >= 0, or c <= t with c > 0, puts above 0."""
    bounds = [(t, t.arguments[0].rational) for t in given if t.operator in ORDERS and is_number(t.arguments[0])]
    return {t.arguments[1] for t, c in bounds if c > 0 or c == 0 and t.operator == "<"}


def signs(g: Goal) -> Iterator[Goal]:
    """The goal for each way in which factors of denominators, where those are known not to be zero, can be signed."""
    factor = next(unsigned(g), None)
    if factor is None:
        yield g
        return
    for sign in (Term("<", (ZERO, factor)), Term("<", (factor, ZERO))):
        yield from signs(Goal((*g.given, sign), g.show, g.integers))


def unsigned(g: Goal) -> Iterator[Term]:
    """The factors, to an odd power, of denominators known not to be zero, whose sign no hypothesis tells."""
    negative = {t.arguments[0] for t in g.given if t.operator == "<" and t.arguments[1] == ZERO}
    signed = known_positive(g.given) | negative
    for d in (d for t in (*g.given, g.show) for d in denominators(t)):
        if term_is_not_zero(d) in g.given:
            yield from (f for f, n in factors(d)[1].items() if n % 2 and f not in signed)


def multiplied_out(t: Term, positive: set[Term]) -> Term:
    """An equivalent of the comparison `t` without division, for factors that are not zero, or positive as told."""
    inside = [s for a in t.arguments for s in subterms(a)]
    if t.operator not in COMPARISONS or not all(map(is_arithmetic, inside)) or all(s.operator != "/" for s in inside):
        return t
    (a, below_a), (b, below_b) = map(quotient, t.arguments)
    common = below_a | below_b
    a, b = product(a, common - below_a), product(b, common - below_b)
    if t.operator in ORDERS:
        unknown = Counter(f for f, n in common.items() if n % 2 and f not in positive and not is_positive(f))
        a, b = product(a, unknown), product(b, unknown)
    return Term(t.operator, (a, b))


def is_arithmetic(t: Term) -> bool:
    """Whether `t` is a number, a name, or + - * / or a whole power of what may stand in it."""
    return t.operator in ARITHMETIC and (t.operator != "**" or is_whole(t.arguments[1]))


def is_number(t: Term) -> bool:
    """Whether `t` is a number."""
    return t.operator == "number"


def is_positive(t: Term) -> bool:
    """Whether `t` is a positive number."""
    return is_number(t) and t.rational > 0


def quotient(t: Term) -> Quotient:
    """`t` as a numerator without division over a product of factors without division."""
    parts = [quotient(a) for a in t.arguments]
    match t.operator, parts:
        case "+" | "-", [(a, below_a), (b, below_b)]:
            common = below_a | below_b
            a, b = product(a, common - below_a), product(b, common - below_b)
            return (a + b if t.operator == "+" else a - b), common
        case "*", [(a, below_a), (b, below_b)]:
            return times(a, b), below_a + below_b
        case "/", [(a, below_a), (b, below_b)]:
            coefficient, over = factors(b)
            if coefficient:
                return times(number(1 / coefficient), product(a, below_b)), below_a + over
        case "**", [(a, below), _]:
            n = int(t.arguments[1].rational)
            return a**n, Counter({f: m * n for f, m in below.items() if m * n})
        case "negate", [(a, below)]:
            return -a, below
    return t, Counter()


def factors(t: Term) -> tuple[Fraction, Counter[Term]]:
    """A rational coefficient and the factors, without products in them, whose product is `t`."""
    match t.operator:
        case "number":
            return t.rational, Counter()
        case "*":
            (c, a), (d, b) = map(factors, t.arguments)
            return c * d, a + b
        case "**":
            n = int(t.arguments[1].rational)
            c, a = factors(t.arguments[0])
            return c**n, Counter({f: m * n for f, m in a.items() if m * n})
        case "negate":
            c, a = factors(t.arguments[0])
            return -c, a
    return Fraction(1), Counter({t: 1})


def product(t: Term, more: Counter[Term]) -> Term:
    """`t` times each of the factors."""
    return reduce(times, (f if n == 1 else f**n for f, n in more.items()), t)


def times(a: Term, b: Term) -> Term:
    """a b, where 1 leaves no trace."""
    return b if a == ONE else a if b == ONE else a * b
