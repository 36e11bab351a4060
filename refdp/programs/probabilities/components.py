"""The exact probability of inequalities between a few draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from refdp.programs.execution import Drawn
from refdp.programs.probabilities.calculus import Calculus
from refdp.programs.probabilities.cases import whole_ends
from refdp.programs.probabilities.closing import closed
from refdp.programs.probabilities.differences import Elimination
from refdp.programs.probabilities.evaluation import Evaluation
from refdp.programs.probabilities.linear import Inequality
from refdp.programs.probabilities.normal import of_star
from refdp.programs.probabilities.numbers import Number
from refdp.programs.probabilities.pieces import Pieces
from refdp.programs.probabilities.regions import region
from refdp.programs.probabilities.sums import NotComputed
from refdp.programs.probabilities.systems import NotDifferences, System, system
from refdp.programs.probabilities.units import Measure, common, measure_of, rate_of
from refdp.terms.term import Term

CONTINUOUS, DISCRETE = frozenset({"laplace", "exponential"}), frozenset({"discrete_laplace", "uniform"})
"""The families that are worked out on the line, and on the lattice of the whole numbers."""


@dataclass(frozen=True, slots=True)
class Component:
    """Draws x = scale y, and what holds of differences of the y."""

    drawn: list[Drawn]
    system: System
    lattice: bool
    measure: Measure
    rates: list[Fraction]
    """The rate of each y as a multiple of the measure, 0 of draws that have none."""
    ends: list[tuple[int, int]]
    """The least and the greatest outcome of each uniform draw, (0, 0) of others."""

    def factors(self, calculus: Calculus, unit: Fraction) -> dict[int, Pieces]:
        """The density of each y, where rates are multiples of the unit."""
        found = {}
        for i, (one, scale) in enumerate(zip(self.drawn, self.system.scales.values(), strict=True)):
            rate, (low, high) = int(self.rates[i] / unit), self.ends[i]
            if one.family == "uniform":
                found[i] = calculus.uniform(low, high) if scale > 0 else calculus.uniform(-high, -low)
            else:
                found[i] = (
                    calculus.laplace(rate) if one.family != "exponential" else calculus.exponential(rate, scale < 0)
                )
        return found


def of_component(drawn: list[Drawn], inequalities: list[Inequality], evaluation: Evaluation, deadline: float) -> Number:
    """The probability that the inequalities hold, which speak of those draws alone."""
    if any(one.family == "gaussian" for one in drawn):
        return of_star(drawn, inequalities, evaluation)
    try:
        component = prepared(drawn, inequalities, evaluation)
    except NotDifferences:
        return region(drawn, inequalities, evaluation).probability(deadline)
    bounds = _bounds(component.system, component.lattice)
    fineness = common(bounds.values())
    unit = Fraction(1, common(component.rates))
    calculus = Calculus(unit / fineness, component.measure.logarithmic and not component.lattice, component.lattice)
    whole = {pair: int(b * fineness) for pair, b in bounds.items()}
    found = Elimination(calculus, deadline).measure(component.factors(calculus, unit), whole)
    laplace = (r for r, one in zip(component.rates, drawn, strict=True) if one.family == "discrete_laplace")
    return closed(found, calculus, component.measure, [int(r / unit) for r in laplace])


def prepared(drawn: list[Drawn], inequalities: list[Inequality], evaluation: Evaluation) -> Component:
    """The draws with their inequalities, scaled; NotComputed where the method does not reach them."""
    lattice = all(one.family in DISCRETE for one in drawn)
    if not lattice and not all(one.family in CONTINUOUS for one in drawn):
        families = " and ".join(sorted({one.family for one in drawn}))
        raise NotComputed(f"conditions on draws of {families} together are not worked out here")
    found = _system_of([one.variable for one in drawn], inequalities, lattice)
    rates = [rate_of(one, evaluation) for one in drawn]
    measure = measure_of([rate for rate in rates if rate.top])
    multiples = [measure.multiple(r) * abs(s) for r, s in zip(rates, found.scales.values(), strict=True)]
    ends = [whole_ends(*map(evaluation.number, d.parameters)) if d.family == "uniform" else (0, 0) for d in drawn]
    return Component(drawn, found, lattice, measure, multiples, ends)


def _system_of(draws: list[Term], inequalities: list[Inequality], lattice: bool) -> System:
    """The inequalities as bounds of differences; there is another method where they are none, but for whole numbers."""
    try:
        found = system(draws, inequalities)
    except NotDifferences as error:
        if lattice:
            raise NotComputed(f"{error}, and the draws are whole numbers") from None
        raise
    if lattice and any(abs(scale) != 1 for scale in found.scales.values()):
        raise NotComputed("a condition on draws that are whole numbers is no bound of a difference")
    return found


def _bounds(found: System, lattice: bool) -> Mapping[tuple[int, int], Fraction]:
    """The bounds as numbers; on the lattice as the greatest whole number that is allowed."""
    bounds: dict[tuple[int, int], Fraction] = {}
    for first, second, form, strict in found.bounds:
        b = form.constant
        if lattice:
            b = Fraction(ceil(b) - 1 if strict else floor(b))
        bounds[first, second] = min(b, bounds.get((first, second), b))
    return bounds
