"""Goals: what has to be shown for a statement, and the words in which it is taken apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from refdp.spec.statements import Statement
from refdp.terms.term import Term, names

COMPARISONS = frozenset({"<=", "<", "==", "!="})
INTEGRAL = frozenset({"+", "-", "*", "**", "negate", "abs", "min", "max"})
"""Operators that make integers of integers."""


@dataclass(frozen=True, slots=True)
class Goal:
    """For all values of the names: if every `given` holds then `show` holds, where x/0 may be anything."""

    given: tuple[Term, ...]
    show: Term
    integers: frozenset[str]
    """Names that range over the integers; the others range over the reals."""


def goal(statement: Statement) -> Goal:
    """What has to be shown for `statement`; a name that is given to be an integer is declared as one."""
    given = [part for g in statement.given for part in conjuncts(g)]
    said = [g for g in given if g.operator == "integer" and g.arguments[0].operator == "name"]
    integers = statement.integers.union(*(names(g) for g in said))
    return Goal(tuple(g for g in given if g not in said), statement.conclusion, integers)


def conjuncts(t: Term) -> Iterator[Term]:
    """The statements whose conjunction `t` is."""
    if t.operator == "all_of":
        for a in t.arguments:
            yield from conjuncts(a)
    else:
        yield t


def negation(comparison: Term) -> Term:
    """The comparison that holds exactly where `comparison` does not."""
    a, b = comparison.arguments
    operator, swap = {"<=": ("<", True), "<": ("<=", True), "==": ("!=", False), "!=": ("==", False)}[
        comparison.operator
    ]
    return Term(operator, (b, a) if swap else (a, b))


def is_whole(t: Term) -> bool:
    """Whether `t` is a whole number >= 0."""
    return t.operator == "number" and t.rational.denominator == 1 and t.rational >= 0


def is_integral(t: Term, integers: frozenset[str]) -> bool:
    """Whether the shape of `t` makes it an integer: whole numbers, `integers`, and + - * ** abs min max of such."""
    match t.operator:
        case "number":
            return t.rational.denominator == 1
        case "name":
            return t.value in integers
        case "indicator":
            return True
        case "**" if not is_whole(t.arguments[1]):
            return False
    return t.operator in INTEGRAL and all(is_integral(a, integers) for a in t.arguments)
