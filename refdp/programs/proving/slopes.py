"""How a draw stands beside data and state in what a step decides, releases or keeps: the slopes that undo a change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from refdp.programs.execution import Drawn
from refdp.programs.steps import Step, Stepwise
from refdp.terms.leaves import integer, parts, rational, variables
from refdp.terms.operations import choice, conjunction, multiply, negate, real, substitute, subtract
from refdp.terms.polynomials import Monomial, polynomial
from refdp.terms.term import Term

COMPARED = ("<", "<=", "==")


def slopes(step: Step, draw: Drawn) -> dict[Term, list[Fraction]]:
    """For each variable that stands beside the draw: slopes of the variable, that of the draw being 1."""
    found: dict[Term, list[Fraction]] = {}
    for expression in expressions(step):
        coefficients = polynomial(expression).coefficients
        own = coefficients.get(single(draw.variable))
        for monomial, coefficient in coefficients.items():
            names = [a for a, power in monomial if a.operator == "name" and power == 1]
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
            symbols = [(a, power) for a, power in monomial if is_public(a, public)]
            others = [a for a, power in monomial if not is_public(a, public) and power == 1 and a.operator == "name"]
            if symbols and len(others) == 1 and len(symbols) + 1 == len(monomial):
                one = powers(symbols)
                if others[0] is not draw.variable and one not in found.setdefault(others[0], []):
                    found[others[0]].append(one)
    return found


def beside(stepwise: Stepwise, step: Step, draw: Drawn) -> Term | None:
    """What is added to the draw in what is released or compared, as a value of state and data where the step begins.

    Where several steps draw there, it is that of the step whose conditions hold.  None where it hangs on other draws,
    is no one number, or is seen from the state at once.
    """
    found: dict[Term, Term] = {}
    for one in stepwise.steps:
        if one.source != step.source or all(d.site != draw.site for d in one.path.drawn):
            continue
        numbers = set(rests(one, draw.variable))
        before = conjunction(*(c for c in one.path.condition if not speaks_of_draws(c)))
        if len(numbers) != 1 or found.get(before, next(iter(numbers))) not in numbers:
            return None
        found[before] = numbers.pop()
    values = list(dict.fromkeys(found.values()))
    if len(values) < 2 and all(one.operator != "ite" for value in values for one in parts(value)):
        return None
    (*ways, (_, value)) = found.items()
    for condition, other in reversed(ways):
        value = choice(condition, other, value)
    return value


def rests(step: Step, draw: Term) -> Iterator[Term]:
    """What stands beside a draw that is added or subtracted once."""
    nothing = integer(0) if draw.sort == "Int" else rational(0)
    for expression in expressions(step):
        coefficient = polynomial(expression).coefficients.get(single(draw))
        rest = substitute(expression, {draw: nothing})
        if coefficient in (1, -1) and not speaks_of_draws(rest) and rest.sort == draw.sort:
            yield rest if coefficient == 1 else negate(rest)


def speaks_of_draws(one: Term) -> bool:
    """Whether a draw is part of it."""
    return any(str(name.value).startswith("draw.") for name in variables(one))


def is_public(atom: Term, public: frozenset[Term]) -> bool:
    """Whether an atom of a polynomial is made of public symbols, as n and 1/n are."""
    return bool(variables(atom)) and public.issuperset(variables(atom))


def powers(symbols: Iterable[tuple[Term, int]]) -> Term:
    """The symbols multiplied, each as often as it is said."""
    found: Term = rational(1)
    for symbol, power in sorted(symbols, key=str):
        for _ in range(power):
            found = multiply(found, real(symbol))
    return found


def multiples(stepwise: Stepwise, public: frozenset[Term]) -> list[Term]:
    """By what public symbols, multiplied, elements of the data are multiplied where they are kept or released."""
    found = []
    for step in stepwise.steps:
        elements = {data for _, data in step.path.looked}
        for value in expressions(step):
            for monomial in polynomial(value).coefficients:
                symbols = [(a, power) for a, power in monomial if is_public(a, public)]
                if symbols and len(symbols) < len(monomial) and elements & {a for a, _ in monomial}:
                    found.append(powers(symbols))
    return list(dict.fromkeys(found))


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
