"""Finer and finer grids for one composition."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from fractions import Fraction

from refdp.accounting.curves import Effort
from refdp.accounting.grids.atoms import Atoms
from refdp.accounting.grids.build import Part, measures, part
from refdp.accounting.grids.curve import GridCurve, Sums, sums
from refdp.accounting.grids.engine import BYTES, FINER, FINEST, FIRST_POINTS, NAME, Budget
from refdp.accounting.grids.layout import grid_step, span
from refdp.accounting.grids.measures import Measure, Spare, joined, power
from refdp.accounting.grids.shifts import MOST_PRODUCTS, NOTHING, ShiftedCurve, Sum, aside, listed, power_of, total
from refdp.accounting.grids.tails import LOSS_UNIT, Anchor
from refdp.accounting.losses import Composition
from refdp.numerics.enclosures import precision


def refined(composition: Composition, effort: Effort, budget: Budget) -> Iterator[GridCurve | ShiftedCurve]:
    """Curves, each from a finer grid than the one before."""
    with precision(budget.precision):
        parts = prepared(composition, budget)
        spread = span([(one.window, one.count) for one in parts], budget.spare)
        wanted = spread / FIRST_POINTS
        shift, parts = split(parts, wanted, budget)
    if not parts:
        yield shifted(shift, None, budget)
        return
    before = None
    while True:
        started = time.monotonic()
        with precision(budget.precision):
            found = curve(parts, wanted, effort, budget)
        took, points = time.monotonic() - started, len(found.upper.masses)
        yield found if shift is NOTHING else shifted(shift, found, budget)
        gap = width(found, max(effort.delta, 2 * Fraction(found.upper.measure.infinite, 1 << found.upper.measure.bits)))
        factor = _factor(gap, before, float(effort.width))
        if factor is None:
            return
        now = time.monotonic()
        factor = min(factor, (effort.end - now) / max(took, 1e-3) / 1.3, effort.memory / (max(points, 1) * BYTES))
        if factor < FINER**0.5:
            return
        wanted, before = wanted / factor, gap


def _factor(gap: float | None, before: float | None, target: float) -> float | None:
    """How much finer the next grid should be: the gap falls with the square of the step.  None if it is narrow."""
    if gap is None or gap <= target:
        return None if gap is not None else FINER
    return min(max(1.2 * math.sqrt(gap / target), FINER), FINEST)


def prepared(composition: Composition, budget: Budget) -> list[Part]:
    """The parts; those whose atoms must be on the grid first, and the heaviest first."""
    total = len(composition.parts)
    left, right = budget.relative / (8 * total), budget.spare / (8 * total)
    parts = [part(loss, count, left / count, right / count) for loss, count in composition.parts]
    return sorted(parts, key=lambda one: (isinstance(one.law, Atoms), -one.count * one.window.variance))


def split(parts: list[Part], wanted: float, budget: Budget) -> tuple[Sum, list[Part]]:
    """The sum of the losses with few values that no grid of that step holds, and the other parts."""
    step = grid_step(wanted, anchors(parts))
    shift, others = NOTHING, []
    for one in parts:
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


def width(found: GridCurve, delta: Fraction) -> float | None:
    """About the width of epsilon at that delta; None if one end is unknown."""
    if found.lower is None:
        return None
    with precision(found.bits):
        ends = [_epsilon(side, delta) for side in (found.lower, found.upper)]
    low, high = ends
    return None if low is None or high is None else abs(high - low)


def _epsilon(side: Sums, delta: Fraction) -> float | None:
    """About the epsilon at which the side is at delta."""
    measure = side.measure
    low, high = measure.start / LOSS_UNIT, (measure.start + measure.step * len(side.masses)) / LOSS_UNIT
    if not side.delta(Fraction(low)) > delta >= side.delta(Fraction(high)):
        return None
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if side.delta(Fraction(middle)) > delta else (low, middle)
    return high
