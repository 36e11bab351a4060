"""Finer and finer grids for one composition."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from fractions import Fraction

from refdp.accounting.curves import Effort
from refdp.accounting.grids.build import Part, measures, part
from refdp.accounting.grids.curve import GridCurve, Sums, sums
from refdp.accounting.grids.engine import BYTES, FINER, FINEST, FIRST_POINTS, NAME, Budget
from refdp.accounting.grids.layout import grid_step, span
from refdp.accounting.grids.measures import Measure, Spare, joined, power
from refdp.accounting.grids.tails import LOSS_UNIT
from refdp.accounting.losses import Composition
from refdp.numerics.enclosures import precision


def refined(composition: Composition, effort: Effort, budget: Budget) -> Iterator[GridCurve]:
    """Curves, each from a finer grid than the one before."""
    with precision(budget.precision):
        parts = prepared(composition, budget)
        spread = span([(one.window, one.count) for one in parts], budget.spare)
    wanted, before = spread / FIRST_POINTS, None
    while True:
        started = time.monotonic()
        with precision(budget.precision):
            found = curve(parts, wanted, effort, budget)
        took, points = time.monotonic() - started, len(found.upper.masses)
        yield found
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
    """The parts, the heaviest first."""
    total = len(composition.parts)
    left, right = budget.relative / (8 * total), budget.spare / (8 * total)
    parts = [part(loss, count, left / count, right / count) for loss, count in composition.parts]
    return sorted(parts, key=lambda one: -one.count * one.window.variance)


def curve(parts: list[Part], wanted: float, effort: Effort, budget: Budget) -> GridCurve:
    """The curve from a grid of about that step; at the precision around it."""
    step = grid_step(wanted, [anchor for one in parts if (anchor := one.anchor) is not None])
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
