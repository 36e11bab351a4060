"""Trade-off functions, f-DP: how seldom a test errs that tells two neighbours apart, between certified bounds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from refdp import work
from refdp.accounting.accounts import Account
from refdp.accounting.curves import Effort
from refdp.accounting.numbers import float_above, float_below
from refdp.accounting.tails import best_curve, trade_off
from refdp.accounting.theorems.trade_off import PiecewiseLinear
from refdp.report.pictures.colours import BAND, FIRST, QUIET, SECOND
from refdp.report.pictures.files import WIDTH
from refdp.report.pictures.labels import label, remark
from refdp.report.pictures.losses import DELTA, SEEN, attained_from_below

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS = 48
Corners = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Band:
    """Trade-off functions below and above the true one."""

    lower: PiecewiseLinear
    upper: PiecewiseLinear

    @property
    def corners(self) -> tuple[Corners, Corners]:
        """The corners of both, rounded outward."""
        low = [(float_below(a), float_below(f)) for a, f in self.lower.corners]
        return low, [(float_above(a), float_above(f)) for a, f in self.upper.corners]

    @property
    def width(self) -> Fraction:
        """The greatest distance of the two, at the corners of both."""
        places = {a for one in (self.lower, self.upper) for a, _ in one.corners}
        return max(self.upper.at(a).upper - self.lower.at(a).lower for a in places)


def band_of(stated: Account, timeout: float) -> Band:
    """The band of what is composed; OutOfReach where nothing is known from below."""
    attained_from_below(stated)
    effort = Effort(SEEN, DELTA, work.spent() + timeout)
    curves = [best_curve(product, effort) for product in stated.compositions.values()]
    return Band(*trade_off(curves, POINTS))


def draw_band(found: Band, figure: Figure) -> None:
    """The band, and the line on which nothing is told."""
    figure.set_size_inches(WIDTH, 4.0)
    axes = figure.subplots()
    lower, upper = found.corners
    axes.fill([a for a, _ in (*lower, *reversed(upper))], [f for _, f in (*lower, *reversed(upper))], color=BAND)
    axes.plot(*zip(*upper, strict=True), color=FIRST, linewidth=3.2)
    axes.plot(*zip(*lower, strict=True), color=SECOND, linewidth=1.2, linestyle="--")
    axes.plot([0, 1], [1, 0], color=QUIET, linewidth=1.0, linestyle=":")
    label(axes, (0.62, 0.4), "nothing is told", QUIET, ha="left")
    middle = float(found.upper.at(Fraction(3, 10)).upper)
    arrow = {"arrowstyle": "-", "color": FIRST, "linewidth": 0.8}
    words = {"color": FIRST, "ha": "left", "va": "center", "arrowprops": arrow}
    axes.annotate("least errors of any test", (0.3, middle), (0.42, 0.84), **words)
    remark(axes, f"bounds at most {float_above(found.width):.1g} apart")
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("errors where the second input was used")
    axes.set_ylabel("errors where the first was")
    axes.set_aspect("equal")
