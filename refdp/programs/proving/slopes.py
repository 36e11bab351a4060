"""How a draw stands beside data and state in what a step decides, releases or keeps: the slopes that undo a change."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from refdp.logic.operations import multiply, real, subtract
from refdp.logic.polynomials import Monomial, polynomial
from refdp.logic.terms import Term, parts, rational
from refdp.programs.execution import Drawn
from refdp.programs.steps import Step

COMPARED = ("<", "<=", "=")


def slopes(step: Step, draw: Drawn) -> dict[Term, list[Fraction]]:
    """For each variable that stands beside the draw: slopes of the variable, that of the draw being 1."""
    found: dict[Term, list[Fraction]] = {}
    for expression in expressions(step):
        coefficients = polynomial(expression).coefficients
        own = coefficients.get(single(draw.variable))
        for monomial, coefficient in coefficients.items():
            names = [a for a, power in monomial if a.operator == "variable" and power == 1]
            for name in names if own else ():
                ratio = coefficient / own if len(monomial) == 1 and own else Fraction(1)
                if name is not draw.variable and ratio not in found.setdefault(name, []):
                    found[name].append(ratio)
    return found


def factors(step: Step, draw: Drawn, public: frozenset[Term]) -> dict[Term, list[Term]]:
    """For each variable that stands beside the draw, times public symbols: these symbols multiplied."""
    found: dict[Term, list[Term]] = {}
    for expression in expressions(step):
        coefficients = polynomial(expression).coefficients
        if single(draw.variable) not in coefficients:
            continue
        for monomial in coefficients:
            symbols = [(a, power) for a, power in monomial if a in public]
            others = [a for a, power in monomial if a not in public and power == 1 and a.operator == "variable"]
            if symbols and len(others) == 1 and len(symbols) + 1 == len(monomial):
                one: Term = rational(1)
                for symbol, power in sorted(symbols, key=str):
                    for _ in range(power):
                        one = multiply(one, real(symbol))
                if others[0] is not draw.variable and one not in found.setdefault(others[0], []):
                    found[others[0]].append(one)
    return found


def single(one: Term) -> Monomial:
    """The monomial that a variable is."""
    return frozenset({(one, 1)})


def expressions(step: Step) -> Iterator[Term]:
    """What a step compares, releases and keeps; of a comparison what one side exceeds the other by."""
    numbers = [i for items in step.path.emitted for i in items if isinstance(i, Term)]
    for term in (*step.path.condition, *numbers, *step.updates.values()):
        for part in parts(term):
            if part.operator in COMPARED and part.arguments[0].sort != "Bool":
                yield subtract(*part.arguments)
        if term.sort != "Bool" and term.operator != "ite":
            yield term
