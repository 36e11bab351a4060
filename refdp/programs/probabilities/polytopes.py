"""The measure of a polytope under Laplace and exponential densities: any linear inequalities, more slowly.

One coordinate is eliminated at a time: on each side of 0 the integrand is a sum of c x^p ... e^(r x + ...), whose
antiderivative is taken at the least of the upper and the greatest of the lower bounds, in the cases which those are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, factorial

from refdp import work
from refdp.programs.probabilities.sums import NotComputed

Real = Fraction | float
Form = tuple[tuple[Fraction, ...], Real]
"""Coefficients of the coordinates, and a constant."""
Key = tuple[tuple[int, ...], tuple[Fraction, ...], Fraction, int]
"""Powers p and rates r of the coordinates, the exponent a of a factor e^a, and the power of the logarithm in rates."""
Integrand = Mapping[Key, Real]


@dataclass(frozen=True, slots=True)
class Density:
    """rate / 2 e^(-rate |x|), or on one side only rate e^(-rate |x|), by the sides of 0 on which it lives."""

    rate: Fraction
    sides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Integration:
    """Integrates over {x: form <= 0 for each form}, until a moment of the clock; `whole` is what rates multiply."""

    densities: Sequence[Density]
    logarithmic: bool
    deadline: float
    whole: float | None = None
    """Where results are floats: the number that rates are multiples of."""

    def measure(self, forms: Sequence[Form]) -> Mapping[tuple[Fraction, int], Real]:
        """The measure as the sum of c e^a l^j, l the logarithm in rates, by (a, j); of floats c alone."""
        count = len(self.densities)
        start: Real = Fraction(1) if self.whole is None else 1.0
        for one in self.densities:
            start *= one.rate / len(one.sides) * (self.whole or 1)
        key = ((0,) * count, (Fraction(0),) * count, Fraction(0), count * self.logarithmic)
        found: dict[tuple[Fraction, int], Real] = {}
        for (_, _, a, tag), c in self._without({key: start}, tuple(forms), tuple(range(count))).items():
            found[a, tag] = found.get((a, tag), 0) + c
        return found

    def _without(self, integrand: Integrand, forms: tuple[Form, ...], left: tuple[int, ...]) -> Integrand:
        """The integral over all coordinates that are left."""
        if work.spent() > self.deadline:
            raise NotComputed("the time for a probability is spent")
        if not integrand or any(not any(c) and b > 0 for c, b in forms):
            return {}
        if not left:
            return integrand
        x = min(left, key=lambda i: sum(c[i] > 0 for c, _ in forms) * sum(c[i] < 0 for c, _ in forms))
        total: dict[Key, Real] = {}
        rest = tuple(i for i in left if i != x)
        for side in self.densities[x].sides:
            here = self._times_exponential(integrand, x, -side * self.densities[x].rate)
            beyond: Form = (tuple(Fraction(-side * (i == x)) for i in range(len(self.densities))), Fraction(0))
            for cell, high, low in cells((*forms, beyond), x):
                for key, c in self._without(self._between(here, x, high, low), cell, rest).items():
                    total[key] = total.get(key, 0) + c
        return {key: c for key, c in total.items() if c}

    def _times_exponential(self, integrand: Integrand, x: int, rate: Fraction) -> Integrand:
        """The integrand times e^(rate x)."""
        return {(p, (*r[:x], r[x] + rate, *r[x + 1 :]), a, tag): c for (p, r, a, tag), c in integrand.items()}

    def _between(self, integrand: Integrand, x: int, high: Form | None, low: Form | None) -> Integrand:
        """The integral over the coordinate from one form to the other."""
        total: dict[Key, Real] = {}
        for (powers, rates, a, tag), c in integrand.items():
            p, rate = powers[x], rates[x]
            if high is None and rate >= 0 or low is None and rate <= 0:
                raise NotComputed("an integral has no value")
            others = ((*powers[:x], 0, *powers[x + 1 :]), (*rates[:x], Fraction(0), *rates[x + 1 :]), a, tag)
            for power, factor, less in antiderivative(p, rate):
                scale = factor / (self.whole or 1) ** less if self.whole is not None else factor
                for form, sign in ((high, 1), (low, -1)):
                    if form is not None:
                        base = (*others[:3], tag - less * self.logarithmic)
                        self._add(total, base, c * scale * sign, form, power, rate)
        return {key: c for key, c in total.items() if c}

    def _add(self, total: dict[Key, Real], base: Key, c: Real, form: Form, power: int, rate: Fraction) -> None:
        """c * base * form^power * e^(rate form) is added."""
        coefficients, constant = form
        powers, rates, a, tag = base
        rates = tuple(r + rate * k for r, k in zip(rates, coefficients, strict=True))
        if self.whole is None:
            a += rate * Fraction(constant)
        else:
            c *= exp(float(rate * constant) * self.whole)
        for more, factor in expanded(form, power).items():
            key = (tuple(p + q for p, q in zip(powers, more, strict=True)), rates, a, tag)
            total[key] = total.get(key, 0) + c * factor


def antiderivative(p: int, rate: Fraction) -> Iterator[tuple[int, Fraction, int]]:
    """x^p e^(rate l x) integrated: summands factor x^power e^(rate l x) / l^less as (power, factor, less)."""
    if rate == 0:
        yield p + 1, Fraction(1, p + 1), 0
        return
    for m in range(p + 1):
        yield p - m, Fraction((-1) ** m * (factorial(p) // factorial(p - m))) / rate ** (m + 1), m + 1


def expanded(form: Form, power: int) -> Mapping[tuple[int, ...], Real]:
    """form^power multiplied out, by the powers of the coordinates."""
    coefficients, constant = form
    found: dict[tuple[int, ...], Real] = {(0,) * len(coefficients): Fraction(1)}
    for _ in range(power):
        raised: dict[tuple[int, ...], Real] = {}
        for powers, c in found.items():
            if constant:
                raised[powers] = raised.get(powers, 0) + c * constant
            for i, k in enumerate(coefficients):
                if k:
                    key = (*powers[:i], powers[i] + 1, *powers[i + 1 :])
                    raised[key] = raised.get(key, 0) + c * k
        found = raised
    return found


def cells(forms: tuple[Form, ...], x: int) -> Iterator[tuple[tuple[Form, ...], Form | None, Form | None]]:
    """The cases by what bounds coordinate x from above and below: what holds of the others then, and both bounds."""
    upper = [solved(one, x) for one in forms if one[0][x] > 0]
    lower = [solved(one, x) for one in forms if one[0][x] < 0]
    rest = tuple(one for one in forms if not one[0][x])
    for high in dict.fromkeys(upper) or [None]:
        for low in dict.fromkeys(lower) or [None]:
            more = [minus(high, one) for one in upper if high is not None and one != high]
            more += [minus(one, low) for one in lower if low is not None and one != low]
            if high is not None and low is not None:
                more.append(minus(low, high))
            yield tuple(dict.fromkeys((*rest, *more))), high, low


def solved(form: Form, x: int) -> Form:
    """What bounds coordinate x where form <= 0."""
    coefficients, constant = form
    k = coefficients[x]
    return tuple(-c / k if i != x else Fraction(0) for i, c in enumerate(coefficients)), -constant / k


def minus(first: Form, second: Form) -> Form:
    """first - second."""
    return tuple(a - b for a, b in zip(first[0], second[0], strict=True)), first[1] - second[1]
