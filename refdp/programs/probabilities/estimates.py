"""Probabilities by floats, for ranking what is then computed exactly: no claim rests on them.

What is known when a search begins, which draws there are and how conditions bound them, is worked out once; then the
data and the ends of intervals may vary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, inf, prod, tanh

from refdp import work
from refdp.numerics.floats import added
from refdp.programs.execution import Drawn
from refdp.programs.probabilities.calculus import Calculus
from refdp.programs.probabilities.cases import Case, Cases
from refdp.programs.probabilities.closed_forms import approximately
from refdp.programs.probabilities.components import prepared
from refdp.programs.probabilities.differences import Elimination, Factors
from refdp.programs.probabilities.evaluation import Evaluation
from refdp.programs.probabilities.events import independent
from refdp.programs.probabilities.linear import Inequality, Linear
from refdp.programs.probabilities.numbers import UNIT
from refdp.programs.probabilities.pieces import CONSTANT
from refdp.programs.probabilities.polytopes import Integration
from refdp.programs.probabilities.regions import Region, region
from refdp.programs.probabilities.sums import NotComputed
from refdp.programs.probabilities.systems import NotDifferences, components
from refdp.programs.probabilities.units import common
from refdp.terms.term import Term

LONGEST = 1.0
"""Longest time for one estimate, in seconds."""
Values = Mapping[Term, float]
"""The values of the variables that are not drawn."""


@dataclass(frozen=True, slots=True)
class Form:
    """A linear form in floats."""

    coefficients: tuple[tuple[Term, float], ...]
    constant: float

    def at(self, values: Values) -> float:
        """Its value."""
        total = self.constant
        for one, c in self.coefficients:
            total += c * values[one]
        return total


def form_of(linear: Linear) -> Form:
    """The form in floats."""
    return Form(tuple((v, float(c)) for v, c in linear.coefficients.items()), float(linear.constant))


@dataclass(frozen=True, slots=True)
class Part:
    """Draws with bounds of their differences, ready for the values of the other variables."""

    calculus: Calculus
    factors: Factors
    bounds: tuple[tuple[tuple[int, int], Form, bool], ...]
    scaling: float

    def at(self, values: Values) -> float:
        """The probability."""
        bounds: dict[tuple[int, int], float] = {}
        for pair, form, strict in self.bounds:
            b = form.at(values)
            if self.calculus.lattice:
                b = ceil(b) - 1 if strict else floor(b)
            if b < bounds.get(pair, inf):
                bounds[pair] = b
        elimination = Elimination(self.calculus, work.spent() + LONGEST)
        return float(elimination.measure(self.factors, bounds).get(CONSTANT, 0.0)) * self.scaling


@dataclass(frozen=True, slots=True)
class General:
    """Draws in a polytope, ready for the values of the other variables."""

    integration: Integration
    forms: tuple[tuple[tuple[Fraction, ...], Form], ...]

    def at(self, values: Values) -> float:
        """The probability."""
        integration = replace(self.integration, deadline=work.spent() + LONGEST)
        found = integration.measure([(own, rest.at(values)) for own, rest in self.forms])
        return float(sum(found.values(), Fraction(0)))  # from a Fraction on, floats are added without compensation


@dataclass(frozen=True, slots=True)
class Way:
    """One case: what must hold of the other variables, and parts that are independent."""

    guards: tuple[tuple[Form, bool], ...]
    parts: tuple[Part | General, ...]
    weight: float

    def at(self, values: Values) -> float:
        """The probability of the case."""
        for form, strict in self.guards:
            value = form.at(values)
            if value > 0 or strict and value == 0:
                return 0.0
        found = self.weight
        for part in self.parts:
            found *= part.at(values)
            if found <= 0:
                return 0.0
        return found


@dataclass(frozen=True, slots=True)
class Estimate:
    """The probability of conditions, by floats, once the variables that are not drawn have values."""

    groups: tuple[tuple[Way, ...], ...]

    def at(self, values: Values) -> float:
        """The probability but for about 1e-12; NotComputed where it takes too long, or numbers are too far from 0."""
        found = 1.0
        try:
            for ways in self.groups:
                found *= added(way.at(values) for way in ways)
                if found <= 0:
                    return 0.0
        except OverflowError:
            raise NotComputed("numbers are too far from 0 for an estimate") from None
        return found


def estimate(conditions: tuple[Term, ...], drawn: tuple[Drawn, ...]) -> Estimate:
    """The probability that the conditions hold, ready for values of what they speak of beside the draws.

    Scales of draws, and factors of draws, must be constant.  NotComputed as in `probability`.
    """
    cases = Cases(drawn)
    return Estimate(
        tuple(
            tuple(_way(case, cases) for case in cases.of(group, Case({}, UNIT)))
            for group in independent(conditions, drawn)
        )
    )


def likely(conditions: tuple[Term, ...], drawn: tuple[Drawn, ...]) -> float:
    """The probability that the conditions hold, by floats."""
    return estimate(conditions, drawn).at({})


def _way(case: Case, cases: Cases) -> Way:
    """The case in floats."""
    evaluation = Evaluation(case.known, cases.finite)
    guards = (one for one in case.inequalities if not one.form.coefficients.keys() & cases.drawn.keys())
    bounds = [one for one in case.inequalities if one.form.coefficients.keys() & cases.drawn.keys()]
    parts = (
        _part([cases.drawn[v] for v in draws], inequalities, evaluation)
        for draws, inequalities in components(cases.drawn, bounds)
    )
    return Way(_guards(guards), tuple(parts), approximately(case.weight))


def _guards(inequalities: Iterable[Inequality]) -> tuple[tuple[Form, bool], ...]:
    """What must hold of the variables that are not drawn."""
    return tuple((form_of(one.form), one.strict) for one in inequalities)


def _part(drawn: list[Drawn], inequalities: list[Inequality], evaluation: Evaluation) -> Part | General:
    """The component in floats."""
    try:
        component = prepared(drawn, inequalities, evaluation)
    except NotDifferences:
        return _general(region(drawn, inequalities, evaluation))
    unit = Fraction(1, common(component.rates))
    whole = approximately(component.measure.whole)
    calculus = Calculus(float(unit) * whole, False, component.lattice)
    bounds = tuple(((i, j), form_of(b), strict) for i, j, b, strict in component.system.bounds)
    scaling = prod(tanh(float(r) * whole / 2) for r in component.rates if r) if component.lattice else 1.0
    return Part(calculus, component.factors(calculus, unit), bounds, scaling)


def _general(found: Region) -> General:
    """The region in floats."""
    integration = Integration(found.densities, False, inf, approximately(found.measure.whole))
    return General(integration, tuple((own, form_of(rest)) for own, rest in found.forms))
