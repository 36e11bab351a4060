"""Random draws and conditions on them."""

from collections.abc import Callable
from fractions import Fraction
from random import Random

from refdp.programs.execution import SORTS, Drawn
from refdp.programs.syntax import Family
from refdp.terms.leaves import make, rational, variable
from refdp.terms.operations import at_most, conjunction, disjunction, less, multiply, negation, total
from refdp.terms.term import Sort, Term


def draw(number: int, family: Family, *parameters: Fraction | int | Term) -> Drawn:
    """A draw of that number."""
    sort: Sort = SORTS.get(family, "Real")
    terms = tuple(p if isinstance(p, Term) else rational(p) for p in parameters)
    return Drawn(number, family, terms, variable(f"draw.{number}", sort))


def ln(value: int) -> Term:
    return make("ln", "Real", rational(value))


def exp(value: Fraction | int) -> Term:
    return make("exp", "Real", rational(value))


def comparison(random: Random, names: list[Term], most: int = 2, coefficients: tuple[int, ...] = (1, -1)) -> Term:
    """A linear comparison of up to so many of the variables; of two it is a bound of a difference by default."""
    chosen = random.sample(names, min(len(names), random.randint(1, most)))
    signs = [Fraction(c) for c in coefficients]
    random.shuffle(signs)
    left = total(multiply(rational(c), one) for c, one in zip(signs, chosen, strict=False))
    return random.choice([less, at_most])(left, rational(Fraction(random.randint(-6, 6), 2)))


def formula(random: Random, atom: Callable[[], Term], depth: int) -> Term:
    """Atoms joined at random."""
    if depth == 0:
        return atom()
    parts = [formula(random, atom, depth - 1) for _ in range(2)]
    return random.choice([conjunction(*parts), disjunction(*parts), negation(parts[0])])
