"""Random statements of rational arithmetic, and the definition of what it means for one to hold at a point."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random

from refdp.spec.statements import Statement
from refdp.terms.evaluation import COMPARE, evaluate, truth
from refdp.terms.term import Term, TermError, apply, equal, indicator, maximum, minimum, name, number, subterms

NUMBERS = [Fraction(n, d) for n, d in ((0, 1), (1, 1), (-1, 1), (2, 1), (1, 2), (-1, 3), (3, 2))]
REALS = [Fraction(n, d) for n, d in ((-2, 1), (-1, 1), (-1, 2), (0, 1), (1, 3), (1, 1), (2, 1))]
INTEGERS = [Fraction(n) for n in range(-2, 3)]

Point = dict[str, Fraction]


def linear(chance: Random, variables: list[str]) -> Term:
    """A variable or a number, or a short sum of multiples of such."""
    a, b = (name(chance.choice(variables)) for _ in range(2))
    return chance.choice([a, number(chance.choice(NUMBERS)), a + chance.choice(NUMBERS), a - b, 2 * a + b, -a])


def random_term(chance: Random, variables: list[str], depth: int = 2) -> Term:
    """A linear or quadratic term, or abs, min, max, indicator, a sum or a quotient by a number of such."""
    if depth == 0:
        return linear(chance, variables)
    a, b = random_term(chance, variables, depth - 1), random_term(chance, variables, 0)
    conditions = [a <= b, a < b, equal(a, b), Term("!=", (a, b))]
    sums = [a + b, a - b, a / 3, a * chance.choice(NUMBERS), b * linear(chance, variables), b**2 - a]
    branching = [abs(a), a - abs(b), minimum(a, b), maximum(b, a)]
    branching += [indicator(c) for c in conditions] + [indicator(a < b) * b, a + indicator(equal(a, b))]
    return chance.choice(chance.choice([sums, branching, branching]))


def random_statement(chance: Random) -> Statement:
    """A statement about one to three variables in a small box, true about as often as false."""
    variables = ["x", "y", "w"][: chance.choice([1, 2, 2, 3])]
    integers = frozenset(v for v in variables if chance.random() < 0.4)
    size = chance.choice([1, 2])
    given = [c for v in variables for c in (-size <= name(v), name(v) <= size)]
    if chance.random() < 0.3:
        given.append(comparison(chance, linear(chance, variables), linear(chance, variables)))
    bounded = random_term(chance, variables, chance.choice([1, 2, 2]))
    if chance.random() < 0.25:
        divisor = chance.choice([name(variables[0]) + chance.choice([0, 1, 3]), abs(name(variables[-1])) + 1])
        bounded = bounded / divisor
    statement = Statement(tuple(given), bounded <= 0, integers)
    values = [value(bounded, p) for p in grid(statement) if hypotheses_hold(statement, p)]
    slack = chance.choice([Fraction(0)] * 3 + [Fraction(1, 2), Fraction(-1, 4)])
    bound = max((v for v in values if v is not None), default=Fraction(0)) + slack
    kinds = [bounded <= bound, bounded <= bound, bounded < bound, comparison(chance, bounded, number(bound))]
    return Statement(tuple(given), chance.choice(kinds), integers)


def comparison(chance: Random, a: Term, b: Term) -> Term:
    """One of the four comparisons."""
    return apply(chance.choice(["<=", "<", "==", "!="]), a, b)


def statements(seed: int, count: int) -> Iterator[Statement]:
    """`count` random statements, the same for the same seed."""
    chance = Random(seed)
    return (random_statement(chance) for _ in range(count))


def grid(statement: Statement) -> Iterator[Point]:
    """Points at which to try the statement."""
    names = statement.variables
    reals = REALS if len(names) < 3 else REALS[::2]
    axes = [INTEGERS if v in statement.integers else reals for v in names]
    return (dict(zip(names, values, strict=True)) for values in product(*axes))


def value(t: Term, point: Point) -> Fraction | None:
    """The value of the term, or None where something is divided by zero."""
    try:
        found: Fraction = evaluate(t, point)
    except TermError:
        return None
    return found


def is_defined(t: Term, point: Point) -> bool:
    """Whether the term has a value."""
    return value(t, point) is not None


def hypotheses_hold(statement: Statement, point: Point) -> bool:
    """Whether the point is one that the statement speaks of."""
    kinds = all(point[v].denominator == 1 for v in statement.integers if v in point)
    return kinds and all(truth(g, point) for g in statement.given)


def holds_at(statement: Statement, point: Point) -> bool:
    """The definition: if the hypotheses hold, then both sides have a value and the comparison holds."""
    if not hypotheses_hold(statement, point):
        return True
    comparisons = [t for t in subterms(statement.show) if t.operator in COMPARE]
    return all(is_defined(a, point) for c in comparisons for a in c.arguments) and truth(statement.show, point)
