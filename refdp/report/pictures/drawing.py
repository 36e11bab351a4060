"""The pictures themselves: figures of one size, with colours that every kind of colour vision tells apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from math import isfinite, isinf, nan
from typing import TYPE_CHECKING, Any

from refdp.kernel.judgements import Private
from refdp.report.pictures.colours import BOUND, FIRST, SECOND, SHADE
from refdp.report.pictures.curves import draw_curve, draw_frontier
from refdp.report.pictures.instances import Instance
from refdp.report.pictures.laws import FAR, Laws, divergence, laws, value_of
from refdp.report.pictures.plans import CURVE, FRONTIER, LAWS, MOMENTS, TABLES, Plan
from refdp.report.pictures.tables import draw_tables
from refdp.report.witnesses.relations import largest_loss
from refdp.spec.terms import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = {"laws": (7.2, 4.4), "curve": (7.2, 3.6), "moments": (7.2, 3.6), "tables": (7.2, 2.6), "frontier": (7.2, 3.8)}
"""Kind of picture -> width and height in inches."""
MOST_DOTS = 60
"""Most outcomes whose losses are drawn as dots; more are drawn as a line."""
MOST_BARS = 16
"""Most outcomes that are drawn as pairs of bars; more are drawn as steps."""
MOST_FEW = 4
RARE = 1e-6
"""Below this the axis of masses is logarithmic."""


def draw(plan: Plan, figure: Figure) -> None:
    """Draw the plan on an empty figure; ValueError if its numbers cannot be had."""
    figure.set_size_inches(*SIZE[plan.kind])
    DRAWINGS[plan.kind](plan.instance, figure)
    figure.suptitle(plan.claim, x=0.02, y=0.985, ha="left", va="top", fontsize=11, fontweight="bold")


def _required(found: Instance, reach: int) -> Laws:
    """The two laws."""
    both = laws(found, reach)
    if both is None:
        raise ValueError(f"the claim must have laws that can be drawn, got {found.claim.subject}")
    return both


def draw_laws(found: Instance, figure: Figure) -> None:
    """Masses or densities over each other, and the privacy loss of each outcome with the claimed bound."""
    both = _required(found, 4)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    draw_masses(both, upper)
    draw_losses(both, lower)
    shade(found, both, upper, lower)
    draw_limit(found, both, lower)
    lower.set_xlabel("outcome y")
    if len(both.outcomes) <= MOST_BARS:
        lower.set_xticks(both.positions, both.labels)
    figure.subplots_adjust(left=0.11, right=0.985, top=0.87, bottom=0.11, hspace=0.1)


def draw_limit(found: Instance, both: Laws, axes: Axes) -> None:
    """What the claim says that losses are at most; where it allows a delta besides, just its epsilon."""
    if not isinstance(found.claim, Private):
        return
    limit = value_of(largest_loss(found.claim))
    if limit is None:
        return
    for bound in {limit, -limit}:
        axes.axhline(bound, color=BOUND, linestyle="--", linewidth=1.2)
    top = 1.25 * max([limit, *(abs(x) for x in both.losses if isfinite(x))]) or 1.0
    axes.set_ylim(-top, top)
    draw_infinite(both, axes, 0.9 * top)
    alone = found.claim.measure in ("pure", "ratio") or found.claim.d_out[1:] == (number(0),)
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    said = "claimed bound" if alone else "epsilon"
    axes.text(1, limit, said, ha="right", va="center", fontsize=8, transform=_across(axes), bbox=box)


def _across(axes: Axes) -> Any:
    """Coordinates: across in parts of the axes, up in data."""
    return axes.get_yaxis_transform()


def draw_masses(both: Laws, axes: Axes) -> None:
    """The two laws: curves of densities, pairs of bars of masses."""
    xs = both.positions
    if both.is_density:
        axes.plot(xs, both.p, color=FIRST, label="density of M(x)")
        axes.plot(xs, both.q, color=SECOND, linestyle="--", label="density of M(x')")
    elif len(xs) > MOST_BARS:
        gap = xs[1] - xs[0]
        edges = [xs[0] - gap / 2, *(x + gap / 2 for x in xs)]
        axes.stairs(both.p, edges, color=FIRST, linewidth=1.4, label="P[M(x) = y]")
        axes.stairs(both.q, edges, color=SECOND, linewidth=1.4, linestyle="--", label="P[M(x') = y]")
    else:
        width = 0.4 * min((b - a for a, b in pairwise(xs)), default=1.0)
        axes.bar([x - width / 2 for x in xs], both.p, width, color=FIRST, label="P[M(x) = y]")
        axes.bar([x + width / 2 for x in xs], both.q, width, color=SECOND, label="P[M(x') = y]")
    if 0 < min(both.p) < RARE and len(both.outcomes) > MOST_FEW:
        axes.set_yscale("log")
    axes.legend(fontsize=9, frameon=False, loc="lower right", bbox_to_anchor=(1, 0.98), ncols=2)
    axes.set_ylabel("density" if both.is_density else "probability")


def draw_losses(both: Laws, axes: Axes) -> None:
    """ln(P[M(x) = y] / P[M(x') = y])."""
    if both.is_density:
        axes.plot(both.positions, both.losses, color=FIRST)
    else:
        axes.axhline(0, color="#999999", linewidth=0.8)
        shape = "o" if len(both.outcomes) <= MOST_DOTS else "-"
        finite = [loss if isfinite(loss) else nan for loss in both.losses]
        axes.plot(both.positions, finite, shape, color=FIRST, markersize=3.5)
    axes.set_ylabel("privacy loss")


def draw_infinite(both: Laws, axes: Axes, height: float) -> None:
    """Triangles at the edge for outcomes that are impossible under one of the inputs."""
    for at, loss in zip(both.positions, both.losses, strict=True):
        if isinf(loss):
            up = loss > 0
            axes.plot([at], [height if up else -height], "^" if up else "v", color=FIRST)
            axes.annotate("infinite", (at, height if up else -height), xytext=(6, -3), textcoords="offset points")


def shade(found: Instance, both: Laws, *panels: Axes) -> None:
    """The event: that of a refutation, else the outcomes that are likelier under x."""
    event = {y for y, loss in zip(both.outcomes, both.losses, strict=True) if loss > 0}
    inside = [y in (set(found.event) or event) for y in both.outcomes]
    xs = both.positions
    half = min((b - a for a, b in pairwise(xs)), default=1.0) / 2
    for start, end in runs(inside):
        for axes in panels:
            axes.axvspan(xs[start] - half, xs[end] + half, color=SHADE, zorder=0, linewidth=0)


def runs(marks: list[bool]) -> list[tuple[int, int]]:
    """First and last index of each run of marked places.

    >>> runs([True, True, False, True])
    [(0, 1), (3, 3)]
    """
    starts = [i for i, m in enumerate(marks) if m and (i == 0 or not marks[i - 1])]
    ends = [i for i, m in enumerate(marks) if m and (i + 1 == len(marks) or not marks[i + 1])]
    return list(zip(starts, ends, strict=True))


def draw_moments(found: Instance, figure: Figure) -> None:
    """The Renyi divergence of every order up to 10, and rho times the order."""
    both, axes = _required(found, FAR), figure.subplots()
    orders = [1 + 9 * i / 90 for i in range(1, 91)]
    divergences = [divergence(both, a) for a in orders]
    axes.plot(orders, divergences, color=FIRST, linewidth=3, label="divergence of M(x) from M(x')")
    rho = value_of(found.claim.d_out[0]) if isinstance(found.claim, Private) else None
    if rho is not None:
        axes.plot(orders, [rho * a for a in orders], color=SECOND, linestyle="--", label="claimed: rho times the order")
    axes.set_xlabel("order")
    axes.set_ylabel("Renyi divergence")
    axes.legend(fontsize=9, frameon=False)
    figure.subplots_adjust(left=0.11, right=0.985, top=0.91, bottom=0.12)


DRAWINGS: Mapping[str, Callable[[Instance, Figure], None]] = {
    LAWS: draw_laws,
    CURVE: draw_curve,
    MOMENTS: draw_moments,
    TABLES: draw_tables,
    FRONTIER: draw_frontier,
}
"""Kind of picture -> how it is drawn."""
