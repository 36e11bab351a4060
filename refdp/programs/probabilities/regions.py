"""Draws under linear inequalities of any shape, ready for integration over polytopes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.programs.execution import Drawn
from refdp.programs.probabilities.evaluation import Evaluation
from refdp.programs.probabilities.linear import Inequality, Linear
from refdp.programs.probabilities.numbers import ZERO, Number, exponential, number
from refdp.programs.probabilities.polytopes import Density, Integration
from refdp.programs.probabilities.sums import NotComputed
from refdp.programs.probabilities.units import Measure, measure_of, rate_of

MOST_DRAWS = 8
"""Integrals over polytopes of more coordinates take too long."""
SIDES = {"laplace": (1, -1), "exponential": (1,)}
"""The sides of 0 on which the density of each family is not 0."""


@dataclass(frozen=True, slots=True)
class Region:
    """Where the draws must lie."""

    densities: tuple[Density, ...]
    measure: Measure
    forms: tuple[tuple[tuple[Fraction, ...], Linear], ...]
    """The coefficients of the draws and the rest of what must be <= 0."""

    def probability(self, deadline: float) -> Number:
        """The probability, where nothing but the draws is left open."""
        integration = Integration(self.densities, self.measure.logarithmic, deadline)
        found = integration.measure([(own, rest.constant) for own, rest in self.forms])
        total = ZERO
        for (a, tag), c in found.items():
            summand = exponential(self.measure.whole * number(a)) * number(Fraction(c))
            total = total + summand * self.measure.whole**tag
        return total


def region(drawn: list[Drawn], inequalities: list[Inequality], evaluation: Evaluation) -> Region:
    """The region that the inequalities give; NotComputed where the method does not reach it."""
    if len(drawn) > MOST_DRAWS:
        raise NotComputed(f"conditions on more than {MOST_DRAWS} draws that are no bounds of differences")
    rates = [rate_of(one, evaluation) for one in drawn]
    measure = measure_of(rates)
    densities = (Density(measure.multiple(r), SIDES[d.family]) for r, d in zip(rates, drawn, strict=True))
    forms = tuple(_form(one, drawn) for one in inequalities)
    return Region(tuple(densities), measure, forms)


def _form(one: Inequality, drawn: list[Drawn]) -> tuple[tuple[Fraction, ...], Linear]:
    """The coefficients of the draws, and the rest."""
    names = {d.variable for d in drawn}
    rest = {v: c for v, c in one.form.coefficients.items() if v not in names}
    own = tuple(one.form.coefficients.get(d.variable, Fraction(0)) for d in drawn)
    return own, Linear(rest, one.form.constant)
