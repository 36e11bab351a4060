"""Groups of draws that are charged at one rate, and lists of weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from refdp.logic.asking import valid
from refdp.programs.adjacency import NEW, OLD, Relation
from refdp.programs.checking.alignment import Group, WeightList
from refdp.programs.checking.charges import rated
from refdp.programs.checking.public import Public, Refused
from refdp.programs.execution import Drawn
from refdp.programs.proving.guessing import NoGuess
from refdp.programs.proving.rates import Product, flipping_rates, rate_of
from refdp.programs.steps import Stepwise
from refdp.programs.syntax import Claim
from refdp.terms.leaves import rational
from refdp.terms.operations import at_most, conjunction, multiply, substitute, subtract
from refdp.terms.polynomials import polynomial
from refdp.terms.term import Term

SCALED = frozenset({"laplace", "discrete_laplace", "exponential"})
LARGEST_CHANGE = (0, 1, 2, 3)
"""What elements are tried to change by at most."""
SHORT = 0.5
"""Longest time for a question about public parameters, in seconds."""


@dataclass(slots=True)
class Charging:
    """The rate of each group, and how sites and lists are charged."""

    rates: list[Term] = field(default_factory=list)
    charges: dict[int, tuple[int, Fraction]] = field(default_factory=dict)
    lists: dict[str, WeightList] = field(default_factory=dict)

    def group(self, rate: Term) -> int:
        """The group of a rate."""
        if rate not in self.rates:
            self.rates.append(rate)
        return self.rates.index(rate)


def charging(stepwise: Stepwise, claim: Claim, relation: Relation, public: Public) -> Charging:
    """How the draws of a program are charged."""
    found = Charging()
    for draw in {d.site: d for step in stepwise.steps for d in step.path.drawn}.values():
        if draw.family in SCALED:
            rate = rate_of(substitute(draw.parameters[0], public.given))
            if rate is not None:
                found.charges[draw.site] = found.group(rate[1]), rate[0]
        elif draw.family == "bernoulli":
            flipped = flipping_rate(draw, claim, public)
            if flipped is not None:
                found.charges[draw.site] = found.group(flipped), Fraction(1)
        elif draw.weights is not None:
            rate_and_spread = spread(stepwise, draw.weights, relation, public)
            found.lists[draw.weights] = WeightList(found.group(rate_and_spread[0]), *rate_and_spread[1:])
    return found


def flipping_rate(draw: Drawn, claim: Claim, public: Public) -> Term | None:
    """The first rate at which a draw may be flipped."""
    claimed = substitute(claim.epsilon, public.given) if claim.epsilon is not None else rational(0)
    for rate in flipping_rates(substitute(draw.parameters[0], public.given), claimed):
        try:
            needed = conjunction(*rated(draw, Group(rate, rational(0)), Fraction(1), public))
        except Refused:
            continue
        if valid("z3", tuple(public.known()), needed, SHORT).verdict == "unsat":
            return rate
    return None


def spread(stepwise: Stepwise, weights: str, relation: Relation, public: Public) -> tuple[Term, Fraction, Fraction]:
    """The rate of a list of weights, and between what the exponents change, the rate being 1."""
    low, high = change(relation)
    slopes = {slope for step in stepwise.steps for name, u in step.path.appended if name == weights
              for slope in data_slopes(u, public)}  # fmt: skip
    rates = {one.rate for one in slopes}
    if len(rates) != 1:
        raise NoGuess("the exponents of the weights must be multiples of the data")
    ends = [one.coefficient * limit for one in slopes for limit in (low, high)]
    return rates.pop(), min(ends), max(ends)


@dataclass(frozen=True, slots=True)
class Slope:
    """What data are multiplied by in an exponent: coefficient * rate."""

    coefficient: Fraction
    rate: Term


def data_slopes(weight: Term, public: Public) -> Iterator[Slope]:
    """What the data are multiplied by in the exponent of a weight."""
    if weight.operator != "exp":
        raise NoGuess(f"a weight must be exp(...), got {weight}")
    for monomial, coefficient in polynomial(substitute(weight.arguments[0], public.given)).coefficients.items():
        factor = Product(Fraction(1), {a: p for a, p in monomial if not is_data(a)})
        if len(factor.powers) < len(monomial):
            yield Slope(coefficient, factor.rate)


def is_data(term: Term) -> bool:
    """Whether it is an element of the data."""
    return str(term.value).startswith("data.")


def change(relation: Relation) -> tuple[int, int]:
    """By how much an element changes at least and at most.  NoGuess where that is not found out."""
    found = []
    for sign in (-1, 1):
        grown = multiply(rational(sign), subtract(NEW, OLD))
        known = (relation.related,)
        limits = (k for k in LARGEST_CHANGE if follows(known, at_most(grown, rational(k))))
        limit = next(limits, None)
        if limit is None:
            raise NoGuess("by how much an element changes is not found out")
        found.append(sign * limit)
    return found[0], found[1]


def follows(known: tuple[Term, ...], statement: Term) -> bool:
    """Whether z3 says that a statement follows."""
    return valid("z3", known, statement, SHORT).verdict == "unsat"
