"""Regularised minimisers: regression and classification by a convex loss with a ridge, such as logistic regression.

A row z of a table, clipped to a Euclidean norm first, has the loss l(w . z) at the coefficients w; for a classifier z
is the label, 1 or -1, times the features.  What is minimised is

    sum of l(w . z) over the rows + (regularisation / 2) |w|^2

and T(table) is a point at which the gradient, regularisation w + sum of l'(w . z) z, is no longer than the tolerance.
Formulas say what l' is; l itself is not needed.  A true minimum can rarely be written down; the sensitivity of T holds
of every such point.  Whether a point is one is decided in rational arithmetic, with l' rounded outward.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isqrt
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.domains import domain
from refdp.spec.formulas import Formula
from refdp.spec.powers import power_bounds
from refdp.spec.rescaled import RescaledSum, Vector, rescaled_obligations
from refdp.spec.statements import Statement
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, TermError, name

LEAST_BITS = 64
"""Fewest binary digits after the point that coefficients have."""
HALVINGS = 60
"""So often a step is halved, at most, before one along the gradient is taken..."""
REFINEMENTS = 4
"""...and so often once a part of it is known along which the losses fall."""
MOST_BITS = 256
"""Most binary digits that numerator and denominator of a parameter may have."""
MOST_CURVED = 2**30
"""How many times more curved than the ridge the loss of one row may be: the search takes the longer, the more it is."""
MOST_DIMENSIONS = 100
"""Most coefficients: a step of the search solves that many equations."""
FARTHEST = 2**12
"""Where w . z is larger than that, e^(w . z) is not worked out: a bound of it is enough."""
SECANT = Fraction(1, 2**20)
"""Over how much of w . z the rise of l' is measured, to choose a direction."""


@dataclass(frozen=True, slots=True)
class Minimiser:
    """T(table) = coefficients at which the gradient of the regularised sum of losses is no longer than the tolerance.

    slope: l' at `margin` = w . z, where `power` stands for e^margin.  steepness: l' is between it and less it.
    `averaged`: the sum of losses is divided by the number of rows, or by 1 where there is none.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    clipped: RescaledSum
    """How rows are clipped: a sum of rescaled rows, with the same names of parameters."""
    slope: Formula
    steepness: Formula
    rise: Formula
    """By how much l' rises at most as its argument rises by 1: the search ends by it, and no claim rests on it."""
    averaged: bool = False
    reserved: ClassVar[str] = f"{RescaledSum.reserved} margin power other_margin other_power"

    def __post_init__(self) -> None:
        self.clipped.require_clips_rows(self.stem)
        registry.require_conditions(
            self, *self.clipped.conditions, *(0 < name(p) for p in ("regularisation", "tolerance"))
        )

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        return (self.slope, "margin power"), (self.steepness, ""), (self.rise, ""), *self.clipped.readings

    @property
    def input_domain(self) -> Term:
        """The tables it reads: of vectors of numbers."""
        return domain("table", domain("vector", domain("reals"), name("dimension")))

    @property
    def output_domain(self) -> Term:
        """Vectors on no grid."""
        return domain("vector", domain("reals"), name("dimension"))

    @property
    def pull(self) -> Term:
        """How long the gradient of the loss of one row is at most."""
        return self.steepness.at() * self.clipped.reach.at()

    def apply(self, subject: Term, table: tuple[Any, ...]) -> tuple[Fraction, ...]:
        """The coefficients of the table, the same in whichever order its rows stand."""
        values = registry.values(self, subject)
        self.require_reachable(values)
        dimension = int(values["dimension"])
        if any(not isinstance(row, tuple) or len(row) != dimension for row in table):
            raise TermError(f"{subject} reads vectors of {dimension} coordinates")
        weight = values["regularisation"] * (max(1, len(table)) if self.averaged else 1)
        tolerance = values["tolerance"] * (max(1, len(table)) if self.averaged else 1)
        rows, tilt = counted(self.clipped, table, values), (Fraction(0),) * dimension
        return Losses(self.slope, self.rise, values, rows, weight, tilt).minimiser(tolerance)

    def require_reachable(self, values: Mapping[str, Fraction]) -> None:
        """TermError for parameters at which no computer would find the coefficients: it does not look at a table."""
        require_reachable(self.stem, self.rise, self.clipped, values)


def counted(clipped: RescaledSum, table: tuple[Any, ...], values: Mapping[str, Fraction]) -> list[tuple[Vector, int]]:
    """The clipped rows that are not 0, each with how often it occurs, in an order of their own."""
    counts = Counter(clipped.rescaled(v, values) for v in table)
    return sorted((z, n) for z, n in counts.items() if any(z))


def require_reachable(stem: str, rise: Formula, clipped: RescaledSum, values: Mapping[str, Fraction]) -> None:
    """TermError for parameters that are too long or too many, or whose losses are too curved for their ridge."""
    if values["dimension"] > MOST_DIMENSIONS:
        raise TermError(f"dimension of {stem} must be at most {MOST_DIMENSIONS}, got {_about(values['dimension'])}")
    for key, value in values.items():
        if max(abs(value.numerator), value.denominator).bit_length() > MOST_BITS:
            raise TermError(f"{key} of {stem} must have at most {MOST_BITS} binary digits on either side of its /")
    curved = Fraction(evaluate(rise.term, values)) * Fraction(evaluate(clipped.reach.term, values)) ** 2
    if curved > MOST_CURVED * values["regularisation"]:
        least, got = _about(curved / MOST_CURVED), _about(values["regularisation"])
        raise TermError(f"regularisation of {stem} must be at least {least} for rows of that length, got {got}")


class Infinite:
    """What e^margin tends to as the margin grows, where a formula of + * / and whole powers tends to something."""

    def __add__(self, other: Any) -> Infinite:
        return self

    __radd__ = __add__

    def __sub__(self, other: Any) -> Infinite:
        if isinstance(other, Infinite):
            raise TermError("no limit is known of a difference of what grows without end")
        return self

    def __mul__(self, other: Any) -> Infinite:
        if isinstance(other, Fraction) and other <= 0:
            raise TermError(f"no limit is known of what grows without end times {other}")
        return self

    __rmul__ = __mul__

    def __pow__(self, exponent: Any) -> Infinite:
        if exponent <= 0:
            raise TermError(f"no limit is known of what grows without end to the power {exponent}")
        return self

    def __rtruediv__(self, other: Fraction) -> Fraction:
        return Fraction(0)


INFINITE = Infinite()


@dataclass(frozen=True, slots=True)
class Gradient:
    """What is known of the gradient at a point: each coordinate is within its radius of the centre."""

    centre: tuple[Fraction, ...]
    square: Fraction
    """No less than the square of its length."""
    slopes: tuple[Fraction, ...]
    """About l' of each row."""
    margins: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Losses:
    """The losses of rows with how often each occurs, the ridge of that weight, and a linear term, tilt . w."""

    slope: Formula
    """l' at `margin`, where `power` stands for e^margin: it does not fall as both grow."""
    steepest: Formula
    """By how much l' rises at most as its argument rises by 1."""
    values: Mapping[str, Fraction]
    rows: Sequence[tuple[Vector, int]]
    weight: Fraction
    tilt: Vector
    rise: Fraction = field(init=False)
    """The gradient moves at most so many times as far as the point."""

    def __post_init__(self) -> None:
        steepest = Fraction(evaluate(self.steepest.term, self.values))
        squares = sum((n * sum((c * c for c in z), Fraction(0)) for z, n in self.rows), Fraction(0))
        object.__setattr__(self, "rise", self.weight + steepest * squares)

    def minimiser(self, tolerance: Fraction) -> tuple[Fraction, ...]:
        """A point at which the gradient is no longer than the tolerance > 0: there is one, and the search ends.

        Newton's step where it halves the shortest gradient so far, else a part of it that lowers what is minimised by
        at least a quarter of what a step along the gradient is sure to, or such a step.
        """
        search = Search(self, self._bits(tolerance))
        point = (Fraction(0),) * len(self.tilt)
        found = search.gradient(point)
        shortest = found.square
        while found.square > tolerance**2:
            point, found = search.step(point, found, shortest)
            shortest = min(shortest, found.square)
        return point

    def _bits(self, tolerance: Fraction) -> int:
        """How many binary digits coefficients and slopes need behind the point for such a gradient."""
        pulls = sum((n * (isqrt(ceil(sum((c * c for c in z), Fraction(0)))) + 1) for z, n in self.rows), 0)
        pulls += ceil(sum(map(abs, self.tilt), Fraction(0)))
        finest = ceil(64 * len(self.tilt) * self.rise * (pulls + self.rise) / (tolerance * self.weight))
        return max(LEAST_BITS, finest.bit_length())


@dataclass(frozen=True, slots=True)
class Search:
    """For the minimum of those losses: coefficients are multiples of 2^-bits, and slopes are rounded to them."""

    losses: Losses
    bits: int

    def gradient(self, point: Vector) -> Gradient:
        """The gradient at a point, with l' rounded outward."""
        weight, tilt = self.losses.weight, self.losses.tilt
        centre = [weight * w + t for w, t in zip(point, tilt, strict=True)]
        radius = [Fraction(0)] * len(point)
        slopes, margins = list[Fraction](), self.margins(point)
        for (z, n), margin in zip(self.losses.rows, margins, strict=True):
            lower, upper = self.slope_bounds(margin)
            middle, half = (lower + upper) / 2, (upper - lower) / 2
            for j, c in enumerate(z):
                centre[j] += n * middle * c
                radius[j] += n * half * abs(c)
            slopes.append(middle)
        square = sum(((abs(c) + r) ** 2 for c, r in zip(centre, radius, strict=True)), Fraction(0))
        return Gradient(tuple(centre), square, tuple(slopes), tuple(margins))

    def margins(self, point: Vector) -> list[Fraction]:
        """w . z for each row."""
        return [_product(point, z) for z, _ in self.losses.rows]

    def slope_bounds(self, margin: Fraction) -> tuple[Fraction, Fraction]:
        """Multiples of 2^-bits between which l' lies: it does not fall as e^margin, in its place, grows."""
        slope, values, unit = self.losses.slope, {**self.losses.values, "margin": margin}, 2**self.bits
        ends = self._power_bounds(margin) if "power" in slope.parameters else (Fraction(1), Fraction(1))
        lower, upper = (Fraction(evaluate(slope.term, {**values, "power": end})) for end in ends)
        return Fraction(floor(lower * unit), unit), Fraction(ceil(upper * unit), unit)

    def _power_bounds(self, margin: Fraction) -> tuple[Fraction, Fraction | Infinite]:
        """Bounds of e^margin: where that is far from 1, one of them is 0 or infinite."""
        far = max(FARTHEST, self.bits)
        if margin > far:
            return far_power(far, self.bits)[0], INFINITE
        if margin < -far:
            return Fraction(0), far_power(-far, self.bits)[1]
        return power_bounds(margin, self.bits + 2)

    def step(self, point: Vector, at: Gradient, shortest: Fraction) -> tuple[tuple[Fraction, ...], Gradient]:
        """The point after one step, and the gradient there."""
        direction = self._direction(at)
        if direction is not None:
            whole = self._at(point, direction, Fraction(1))
            if 4 * whole[1].square <= shortest:
                return whole
            part = self._part(point, direction, at, whole)
            if part is not None:
                return part
        stepped = self._rounded(w - g / self.losses.rise for w, g in zip(point, at.centre, strict=True))
        return stepped, self.gradient(stepped)

    def _at(self, point: Vector, direction: Vector, part: Fraction) -> tuple[tuple[Fraction, ...], Gradient]:
        """The point after that part of a step, and the gradient there."""
        tried = self._rounded(w + part * d for w, d in zip(point, direction, strict=True))
        return tried, self.gradient(tried)

    def _part(
        self, point: Vector, direction: Vector, at: Gradient, whole: tuple[tuple[Fraction, ...], Gradient]
    ) -> tuple[tuple[Fraction, ...], Gradient] | None:
        """The point up to which the losses fall along the direction, by halving; None where they fall by too little."""
        low, high, fallen, refined = Fraction(0), Fraction(1), Fraction(0), 0
        tried, part = whole, Fraction(1)
        kept: tuple[tuple[Fraction, ...], Gradient] | None = None
        for _ in range(HALVINGS):
            rise = _product(tried[1].centre, direction)
            if rise <= 0:  # the losses fall all the way there, at least as fast as at its end
                fallen, low, kept = fallen - (part - low) * rise, part, tried
            else:
                high = part
            refined += low > 0
            if low == 1 or refined > REFINEMENTS:
                break
            part = (low + high) / 2
            tried = self._at(point, direction, part)
        return kept if 8 * self.losses.rise * fallen >= at.square else None

    def _direction(self, at: Gradient) -> list[Fraction] | None:
        """Where the gradient would vanish if it were linear; None where that cannot be told."""
        size = len(at.centre)
        matrix = [[self.losses.weight if i == j else Fraction(0) for j in range(size)] for i in range(size)]
        for (z, n), slope, margin in zip(self.losses.rows, at.slopes, at.margins, strict=True):
            lower, upper = self.slope_bounds(margin + SECANT)
            share = n * max(Fraction(0), ((lower + upper) / 2 - slope) / SECANT)
            for i, c in enumerate(z):
                for j in range(i + 1):
                    matrix[i][j] += share * c * z[j]
        for i in range(size):
            for j in range(i):
                matrix[j][i] = matrix[i][j]
        return self._solution(matrix, [-g for g in at.centre])

    def _solution(self, matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
        """About the solution of a positive definite system; None where a pivot is not above 0."""
        rows = [list(self._rounded([*row, r])) for row, r in zip(matrix, right, strict=True)]
        for i, pivot in enumerate(rows):
            if pivot[i] <= 0:
                return None
            for below in rows[i + 1 :]:
                share = below[i] / pivot[i]
                below[i:] = self._rounded(b - share * p for b, p in zip(below[i:], pivot[i:], strict=True))
        found = [Fraction(0)] * len(rows)
        for i in reversed(range(len(rows))):
            known = sum((rows[i][j] * found[j] for j in range(i + 1, len(rows))), Fraction(0))
            found[i] = (rows[i][-1] - known) / rows[i][i]
        return list(self._rounded(found))

    def _rounded(self, numbers: Any) -> tuple[Fraction, ...]:
        """The multiples of 2^-bits at or below the numbers."""
        unit = 2**self.bits
        return tuple(Fraction(floor(x * unit), unit) for x in numbers)


@lru_cache(maxsize=64)
def far_power(margin: int, bits: int) -> tuple[Fraction, Fraction]:
    """The bounds of e^margin, which are asked for at each row that is far out."""
    return power_bounds(Fraction(margin), bits + 2)


def _about(number: Fraction) -> str:
    """A positive number that may be far from 1, to three digits."""
    return f"{Decimal(number.numerator) / Decimal(number.denominator):.3g}"


def _product(first: Vector, second: Vector) -> Fraction:
    """The inner product."""
    return sum((a * b for a, b in zip(first, second, strict=True)), Fraction(0))


def slope_does_not_fall(m: registry.Kind, slope: Formula) -> Statement:
    """l' is at most what it is where margin and power are greater."""
    margin, power, other, other_power = map(name, ("margin", "power", "other_margin", "other_power"))
    renamed = {"margin": other, "power": other_power}
    later = slope.at(**{key: value for key, value in renamed.items() if key in slope.parameters})
    ordered = (margin <= other, 0 < power, power <= other_power)
    return Statement((*registry.hypotheses(m), *ordered), slope.at() <= later)


def minimiser_obligations(m: Minimiser) -> dict[str, Statement]:
    """What must hold for one edit to move the coefficients by at most pull / regularisation, beside the tolerance."""
    steep = Statement((*registry.hypotheses(m), 0 < name("power")), abs(m.slope.at()) <= m.steepness.at())
    return rescaled_obligations(m.clipped, "add_remove") | {
        "slope_is_within_steepness": steep,
        "slope_does_not_fall": slope_does_not_fall(m, m.slope),
    }
