"""Finer and finer grids for one composition."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from refdp import work
from refdp.accounting.curves import Effort
from refdp.accounting.grids.atoms import Atoms
from refdp.accounting.grids.budget import BYTES, FINER, FINEST, FIRST_POINTS, NAME, Budget
from refdp.accounting.grids.build import Part, measures, part
from refdp.accounting.grids.curve import GridCurve, Sums, sums
from refdp.accounting.grids.layout import grid_step, span
from refdp.accounting.grids.measures import Measure, Spare, joined, power
from refdp.accounting.grids.profiles import outcomes_of
from refdp.accounting.grids.shifts import MOST_PRODUCTS, NOTHING, ShiftedCurve, Sum, aside, listed, power_of, total
from refdp.accounting.grids.tails import LOSS_UNIT, Anchor
from refdp.accounting.losses import Composition
from refdp.numerics.enclosures import precision

ATOM = 12
"""Steps of work that an atom counts as."""
MANY = "the atoms of the losses take more work than is left"
SHARES = (1.0, 0.75, 0.5, 0.25)
"""The width is looked at where delta is the least one to these powers."""


def refined(composition: Composition, effort: Effort, budget: Budget) -> Iterator[GridCurve | ShiftedCurve]:
    """Curves, each from a finer grid than the one before."""
    with precision(budget.precision):
        parts = prepared(composition, budget, effort)
        spread = span([(one.window, one.count) for one in parts], budget.spare)
        wanted = spread / FIRST_POINTS
        shift, parts = split(parts, wanted, budget, effort)
    if not parts:
        yield shifted(shift, None, budget)
        return
    before = math.inf
    while True:
        started = work.spent()
        with precision(budget.precision):
            found = curve(parts, wanted, effort, budget)
        took, points = work.spent() - started, max(len(found.upper.masses), 1)
        yield found if shift is NOTHING else shifted(shift, found, budget)
        gap, before = width(found, effort.delta, before)
        if gap <= effort.width:
            return
        factor = min(max(1.2 * math.sqrt(gap / float(effort.width)), FINER), FINEST)  # the gap falls as step^2
        left = effort.end - work.spent()
        factor = min(factor, left / max(took, 1e-3) / 1.3, effort.memory / (points * BYTES))
        if factor < FINER**0.5:
            return
        wanted /= factor


def prepared(composition: Composition, budget: Budget, effort: Effort) -> list[Part]:
    """The parts; those whose atoms must be on the grid first, and the heaviest first."""
    total = len(composition.parts)
    left, right = budget.relative / (8 * total), budget.spare / (8 * total)
    parts = []
    for loss, count in composition.parts:
        effort.afford(outcomes_of(loss) * ATOM / work.STEPS, MANY)
        parts.append(part(loss, count, left / count, right / count))
    return sorted(parts, key=lambda one: (isinstance(one.law, Atoms), -one.count * one.window.variance))


def split(parts: list[Part], wanted: float, budget: Budget, effort: Effort) -> tuple[Sum, list[Part]]:
    """The sum of the losses with few values that no grid of that step holds, and the other parts."""
    step = grid_step(wanted, anchors(parts))
    shift, others = NOTHING, []
    for one in parts:
        effort.check()
        found = None
        if isinstance(one.law, Atoms) and aside(one, step):
            spare = budget.spare / (MOST_PRODUCTS * one.count)
            powered = power_of(one.law, one.count, spare)
            found = total(shift, powered, spare) if powered is not None else None
        if found is None:
            others.append(one)
        else:
            shift = found
    return shift, others


def anchors(parts: list[Part]) -> list[Anchor]:
    """Where the atoms of the parts are, the heaviest first."""
    return [anchor for one in parts if (anchor := one.anchor) is not None]


def shifted(shift: Sum, others: GridCurve | None, budget: Budget) -> ShiftedCurve:
    """The curve of all parts."""
    with precision(budget.precision):
        found, infinite = listed(shift)
    return ShiftedCurve(NAME, frozenset({"Arb"}), others, found, infinite, budget.precision)


def curve(parts: list[Part], wanted: float, effort: Effort, budget: Budget) -> GridCurve:
    """The curve from a grid of about that step; at the precision around it."""
    step = grid_step(wanted, anchors(parts))
    built = [measures(one, step, budget.bits, effort) for one in parts]
    spare = Spare(*(int(Fraction(x) * 2**budget.bits) // (8 * len(parts)) for x in (budget.relative, budget.spare)))
    above = composed([(high, one.count) for one, (high, _) in zip(parts, built, strict=True)], spare, effort)
    known = [(low, one.count) for one, (_, low) in zip(parts, built, strict=True) if low is not None]
    below = sums(composed(known, spare, effort)) if known else None
    return GridCurve(NAME, frozenset({"Arb"}), below, sums(above), budget.precision)


def composed(parts: list[tuple[Measure, int]], spare: Spare, effort: Effort) -> Measure:
    """The product of the powers."""
    return joined([power(measure, count, spare, effort) for measure, count in parts], spare, effort)


def width(found: GridCurve, delta: Fraction, before: float) -> tuple[float, float]:
    """About the width of epsilon at that delta and at greater ones, and the upper end there.

    Where nothing is known from below it is what the upper end has moved by since `before`.
    """
    floor = 2 * Fraction(found.upper.measure.infinite, 1 << found.upper.measure.bits)
    gaps, ends = [], []
    with precision(found.bits):
        for share in SHARES:
            target = max(Fraction(float(delta) ** share), floor)
            ends.append(_epsilon(found.upper, target))
            least = _epsilon(found.lower, target) if found.lower is not None else before
            gaps.append(abs(ends[-1] - least) if ends[-1] != least else 0.0)
    return (gaps[0] if found.lower is None else max(gaps)), ends[0]


def _epsilon(side: Sums, delta: Fraction) -> float:
    """About the epsilon >= 0 at which the side is at delta."""
    measure = side.measure
    low, high = 0.0, max((measure.start + measure.step * len(side.masses)) / LOSS_UNIT, 0.0)
    if side.delta(Fraction(high)) > delta:
        return math.inf
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if side.delta(Fraction(middle)) > delta else (low, middle)
    return high
