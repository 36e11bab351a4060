"""One pair on a grid: its masses from above, and from below."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

from flint import arb, fmpz_poly

from refdp import work
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.grids.budget import BYTES
from refdp.accounting.grids.chords import carried, second_differences, upper_heights
from refdp.accounting.grids.hull import convex
from refdp.accounting.grids.known import lower_known, upper_known
from refdp.accounting.grids.layout import NUDGE, Window, known_window, pair_window
from refdp.accounting.grids.measures import Measure, Side
from refdp.accounting.grids.profiles import pair
from refdp.accounting.grids.tails import LOSS_UNIT, Anchor, Event, Pair, Tails, point
from refdp.accounting.grids.tangents import lower_heights
from refdp.accounting.losses import BoundedRange, Loss, Profile

WORK = 32
"""Binary digits of heights beyond those of masses."""
CHECKED = 1 << 10
"""After so many points the work is looked at."""
POINT = 6
"""Steps of work that a point counts as, besides those of its tails."""


@dataclass(frozen=True, slots=True)
class Part:
    """A pair, or a profile, with its count and where its loss is."""

    loss: Loss
    law: Pair | None
    count: int
    window: Window

    @property
    def anchor(self) -> Anchor | None:
        return Anchor() if self.law is None else self.law.anchor

    def ends(self, start: int, step: int) -> tuple[int, int]:
        """Indices of the first and last point that the window needs, for points start + i step."""
        low = (self.window.low * LOSS_UNIT - start) / step
        high = (self.window.high * LOSS_UNIT - start) / step
        first = floor(low + 1e-6)
        return first, max(ceil(high - 1e-6), first + 1)


def part(loss: Loss, count: int, left: float, right: float) -> Part:
    """The loss, made ready."""
    if isinstance(loss, Profile):
        return Part(loss, None, count, known_window(loss, left, right))
    law = pair(loss)
    return Part(loss, law, count, pair_window(law, left, right))


def measures(one: Part, step: int, bits: int, effort: Effort) -> tuple[Measure, Measure | None]:
    """The masses of the part from above and from below; None where nothing is known from below."""
    anchor = one.anchor or Anchor()
    start = anchor.first - NUDGE
    first, last = one.ends(start, step)
    if (last - first) * BYTES > effort.memory:
        raise OutOfReach("the grid needs more memory than there is")
    units = [start + i * step for i in range(first, last + 1)]
    if one.law is None:
        return _known(one.loss, units, step, bits, effort)
    tails = _tails(one.law, units, effort)
    heights = upper_heights([point(u).exp() for u in units], tails, bits + WORK)
    upper = _measure("upper", heights, 1 << bits + WORK, units[0], step, bits)
    if isinstance(one.loss, BoundedRange):  # the worst at each x are not one mechanism
        return upper, None
    return upper, _lower(one, tails, units, step, bits, effort)


def _tails(law: Pair, units: list[int], effort: Effort) -> list[Tails]:
    """The tails at the points."""
    found = []
    for i, u in enumerate(units):
        if i % CHECKED == 0:
            effort.check()
            work.step(POINT * min(CHECKED, len(units) - i))
        b = point(u)
        found.append(law.tails(b, b.exp()))
    return found


def _lower(one: Part, tails: list[Tails], units: list[int], step: int, bits: int, effort: Effort) -> Measure:
    """Lines at the points and masses between them if the loss has no atoms; else masses at (other) points.

    There the lines are those of the middles of the cells, but for the last cell that of its end, where an atom may be:
    only the line of the atom alone is 0 there.
    """
    law, work = one.law, bits + WORK
    if law is None:
        raise TypeError("a profile has no lines")
    if law.anchor is None:
        units = [units[0] - step // 2 + i * step for i in range(len(units) + 1)]
    else:
        apart = law.anchor.last - law.anchor.first
        start = law.anchor.last - NUDGE - round(apart / step) * step
        first, last = one.ends(start, step)
        units = [start + i * step for i in range(first, last + 1)]
        tails = _tails(law, [*(u + step // 2 for u in units[:-2]), units[-1]], effort)
    points, lines = [point(u).exp() for u in units], [tail.event for tail in tails]
    before = law.tails(point(units[0]), points[0]).event
    infinite, top, heights = lower_heights(points, lines, before, Event(law.infinite, arb(0)), work)
    return _measure("lower", heights, top, units[0], step, bits, infinite)


def _known(loss: Loss, units: list[int], step: int, bits: int, effort: Effort) -> tuple[Measure, Measure | None]:
    """The masses of what is known of a profile."""
    if not isinstance(loss, Profile):
        raise TypeError(f"{loss} is not known by its profile")
    points, work = [point(u).exp() for u in units], bits + WORK
    upper = _measure("upper", upper_known(loss, units, points, work, effort), 1 << work, units[0], step, bits)
    if loss.lower is None:
        return upper, None
    top, heights = lower_known(loss, units, points, work, effort)
    return upper, _measure("lower", heights, top, units[0], step, bits)


def _measure(side: Side, heights: list[int], top: int, start: int, step: int, bits: int, infinite: int = 0) -> Measure:
    """The masses of the heights in units 2^-bits."""
    masses = second_differences(heights, top, step, side)
    if side == "upper":
        rounded = [-(-max(mass, 0) >> WORK) for mass in masses]
        return Measure(side, bits, start, step, fmpz_poly(rounded), -(-heights[-1] >> WORK))
    lowered = convex(heights, masses, step)
    if lowered is not heights:
        masses = second_differences(lowered, top, step, side)
    return Measure(side, bits, start, step, fmpz_poly([m >> WORK for m in carried(masses)]), infinite >> WORK)
