"""Random draws and conditions on them, and the same events by other means."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random

from refdp.logic.evaluation import evaluate
from refdp.logic.terms import (
    Sort,
    Term,
    add,
    at_most,
    conjunction,
    disjunction,
    integer,
    less,
    multiply,
    negation,
    rational,
    total,
    variable,
)
from refdp.programs.execution import SORTS, Drawn
from refdp.programs.syntax import Family


def draw(number: int, family: Family, *parameters: Fraction | int | Term) -> Drawn:
    """A draw of that number."""
    sort: Sort = SORTS.get(family, "Real")
    terms = tuple(p if isinstance(p, Term) else rational(p) for p in parameters)
    return Drawn(number, family, terms, variable(f"draw.{number}", sort))


def comparison(random: Random, names: list[Term], coefficients: list[Fraction], lattice: bool = False) -> Term:
    """A linear comparison of some of the variables."""
    left = total(multiply(rational(random.choice(coefficients)), one) for one in names)
    right = rational(Fraction(random.randint(-6, 6), 1 if lattice else 2))
    return random.choice([less, at_most])(left, right)


def difference(random: Random, names: list[Term]) -> Term:
    """A bound of a difference of two of the variables, or of one."""
    chosen = random.sample(names, min(len(names), random.choice([1, 2, 2])))
    signs = [Fraction(1), Fraction(-1)]
    random.shuffle(signs)
    left = total(multiply(rational(c), one) for c, one in zip(signs, chosen, strict=False))
    return random.choice([less, at_most])(left, rational(Fraction(random.randint(-6, 6), 2)))


def formula(random: Random, atom: Callable[[], Term], depth: int) -> Term:
    """Atoms joined at random."""
    if depth == 0:
        return atom()
    parts = [formula(random, atom, depth - 1) for _ in range(2)]
    return random.choice([conjunction(*parts), disjunction(*parts), negation(parts[0])])


def holds(condition: Term, values: Mapping[Term, Fraction | bool]) -> bool:
    """Whether the condition holds of those values."""
    return bool(evaluate(condition, values))


__all__ = ["add", "comparison", "difference", "draw", "formula", "holds", "integer"]
