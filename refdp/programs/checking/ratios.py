"""Public numbers as ratios of polynomials in the public parameters and in powers of e.

    e^(c_1 m_1 + c_2 m_2 + ...) = X_1^(c_1 / g_1) X_2^(c_2 / g_2) ...,   X_i = e^(g_i m_i),

where the m_i are monomials and every coefficient of m_i is a whole multiple of g_i: what was an exponential is a
variable about which solvers are told that X > 0, 1 + t <= X and (1 - t) X <= 1 with t its exponent: all true of e^t.
Every denominator is demanded to be positive by whoever compares ratios.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from refdp.programs.checking.public import Refused
from refdp.programs.probabilities import enclosure, exponential
from refdp.programs.probabilities import number as exact_number
from refdp.terms.leaves import is_number, parts, rational, variable, variables
from refdp.terms.operations import add, at_most, less, multiply, subtract
from refdp.terms.polynomials import ONE, Monomial, Polynomial, atom, constant, polynomial, term_of
from refdp.terms.term import Term

HIGHEST = 1000
"""The highest power of a variable that is written: solvers get it as so many factors."""

FARTHEST = Fraction(1000)
"""The greatest exponent of which the power of e is written in digits: that of 1,000,000 has 434,295."""

Factor = frozenset[tuple[Monomial, Fraction]]
"""A polynomial as what can be a key."""


def polynomial_of(factor: Factor) -> Polynomial:
    """The polynomial that a factor is."""
    return Polynomial(dict(factor))


def factor_of(found: Polynomial) -> Factor:
    """The factor that a polynomial is."""
    return frozenset(found.coefficients.items())


@dataclass(frozen=True, slots=True)
class Ratio:
    """A polynomial divided by factors, each as often as is said."""

    above: Polynomial
    below: Mapping[Factor, int] = field(default_factory=dict)

    def __add__(self, other: Ratio) -> Ratio:
        common = {one: max(self.below.get(one, 0), other.below.get(one, 0)) for one in {**self.below, **other.below}}
        return Ratio(self.over(common) + other.over(common), common)

    def __mul__(self, other: Ratio) -> Ratio:
        below = {one: self.below.get(one, 0) + other.below.get(one, 0) for one in {**self.below, **other.below}}
        return Ratio(self.above * other.above, below)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + plain(Fraction(-1)) * other

    def __pow__(self, power: int) -> Ratio:
        if not 0 <= power <= HIGHEST:
            raise Refused(f"a ratio is raised to a power from 0 to {HIGHEST}")
        found, square = plain(Fraction(1)), self
        while True:
            if power % 2:
                found = found * square
            power //= 2
            if power == 0:
                return found
            square = square * square

    def over(self, common: Mapping[Factor, int]) -> Polynomial:
        """What stands above where all these factors, its own among them, stand below."""
        found = self.above
        for one, times in common.items():
            for _ in range(times - self.below.get(one, 0)):
                found = found * polynomial_of(one)
        return found

    @property
    def bottom(self) -> Polynomial:
        """The product of the factors below."""
        return Ratio(constant(Fraction(1))).over(self.below)

    def inverse(self) -> Ratio:
        """1 / the ratio.  Refused where it is 0."""
        if not self.above.coefficients:
            raise Refused("nothing may be divided by 0")
        if set(self.above.coefficients) == {ONE}:
            return Ratio(constant(1 / self.above.coefficients[ONE]) * self.bottom)
        return Ratio(self.bottom, {factor_of(self.above): 1})


def plain(value: Fraction) -> Ratio:
    """A number."""
    return Ratio(constant(value))


def term(found: Polynomial) -> Term:
    """The polynomial as a real term."""
    return term_of(found, "Real", sorted(found.atoms, key=str))


def unit_of(monomial: Monomial, coefficient: Fraction, unit: Fraction | None) -> Fraction:
    """The unit of a monomial's coefficients, this one among them.

    The greatest for a number, whose power of e is enclosed anyway, so that an exponent alone is a variable to the power
    1.  1 / (the common denominator) otherwise: 1 + t <= e^t tells the more, the smaller t is.
    """
    if monomial != ONE:
        return Fraction(1, lcm(coefficient.denominator, unit.denominator if unit else 1))
    if unit is None:
        return abs(coefficient)
    return Fraction(
        gcd(coefficient.numerator * unit.denominator, unit.numerator * coefficient.denominator),
        coefficient.denominator * unit.denominator,
    )


@dataclass(slots=True)
class Ratios:
    """Public terms as ratios, once the exponentials in all of them are known."""

    parameters: tuple[Term, ...]
    units: dict[Monomial, Fraction] = field(default_factory=dict)
    """What every coefficient of a monomial in an exponent is a whole multiple of."""

    def learn(self, terms: Iterable[Term]) -> None:
        """Know the exponentials in these terms."""
        for one in terms:
            for part in parts(one):
                if part.operator == "exp":
                    self.learn_exponent(part.arguments[0])

    def learn_exponent(self, exponent: Term) -> None:
        """Know e to the power of this term."""
        for monomial, coefficient in self.exponents(exponent).items():
            self.units[monomial] = unit_of(monomial, coefficient, self.units.get(monomial))

    def exponents(self, exponent: Term) -> Mapping[Monomial, Fraction]:
        """The coefficient of each monomial of an exponent.  Refused where it is not public."""
        if not set(variables(exponent)) <= set(self.parameters):
            raise Refused("the exponents of probabilities must be public")
        return polynomial(exponent).coefficients

    def name(self, monomial: Monomial) -> Term:
        """The variable that stands for e^(monomial / unit)."""
        return variable(f"power.{list(self.units).index(monomial)}", "Real")

    def power(self, exponent: Term) -> Ratio:
        """e to the power of a public term."""
        found = plain(Fraction(1))
        for monomial, coefficient in self.exponents(exponent).items():
            times = coefficient / self.units[monomial]
            if times.denominator != 1:
                raise Refused("an exponent must be known before it is used")
            if abs(times) > HIGHEST:
                raise Refused(f"an exponent is at most {HIGHEST} times what all exponents are whole multiples of")
            own = atom(self.name(monomial))
            one = Ratio(own) ** int(times) if times > 0 else Ratio(constant(Fraction(1)), {factor_of(own): -int(times)})
            found = found * one
        return found

    def __call__(self, one: Term) -> Ratio:
        """The ratio that a public term is.  Refused where it is none."""
        if is_number(one):
            return plain(one.rational)
        match one.operator, one.arguments:
            case "name", _ if one in self.parameters:
                return Ratio(atom(one))
            case "real", (inner,):
                return self(inner)
            case "+", (first, second):
                return self(first) + self(second)
            case "*", (first, second):
                return self(first) * self(second)
            case "/", (first, second):
                return self(first) * self(second).inverse()
            case "exp", (exponent,):
                return self.power(exponent)
        raise Refused("probabilities are compared only where + - * / and exp of public numbers make them")

    def facts(self) -> Iterator[Term]:
        """What is true of the variables that stand for powers of e."""
        for monomial, unit in self.units.items():
            name, exponent = self.name(monomial), Polynomial({monomial: unit})
            yield less(rational(0), name)
            if monomial == ONE:  # beyond e^FARTHEST no upper bound is written, and e^FARTHEST is the lower one
                ends = enclosure(exponential(exact_number(min(unit, FARTHEST))))
                yield at_most(rational(ends.lower), name)
                if unit <= FARTHEST:
                    yield at_most(name, rational(ends.upper))
            elif all(one in self.parameters for one, _ in monomial):
                t = term(exponent)
                yield at_most(add(rational(1), t), name)
                yield at_most(multiply(subtract(rational(1), t), name), rational(1))
