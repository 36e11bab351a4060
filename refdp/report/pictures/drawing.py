"""The pictures of claims: two laws with their losses, Renyi divergences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from math import isfinite, isinf, nan
from typing import TYPE_CHECKING, Any

from refdp.kernel.judgements import Private
from refdp.report.pictures.colours import BOUND, FIRST, QUIET, SECOND, SHADE
from refdp.report.pictures.curves import draw_curve, draw_divergences, draw_frontier
from refdp.report.pictures.files import SIZE, WIDTH
from refdp.report.pictures.instances import Instance
from refdp.report.pictures.kinds import DIVERGENCES, FRONTIER, LAWS, PROFILE, TABLES
from refdp.report.pictures.labels import decades, headed, label_both
from refdp.report.pictures.laws import Laws, laws, value_of
from refdp.report.pictures.plans import Plan
from refdp.report.pictures.tables import draw_tables
from refdp.report.witnesses.relations import largest_loss
from refdp.terms.term import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = {LAWS: 4.2, PROFILE: 3.1, DIVERGENCES: 3.1, TABLES: 2.6, FRONTIER: 3.2}
"""Kind of picture -> height in inches."""
MOST_DOTS = 60
"""Most outcomes whose losses are drawn as dots; more are drawn as a line."""
MOST_BARS = 16
"""Most outcomes that are drawn as pairs of bars; more are drawn as steps."""
MOST_FEW = 4
RARE = 1e-6
"""Below this the axis of masses is logarithmic."""
LONGEST_TICKS = 36
"""Most characters of the names of outcomes that stand side by side; beyond, they are turned."""


def draw(plan: Plan, figure: Figure) -> None:
    """Draw the plan on an empty figure; ValueError if its numbers cannot be had."""
    figure.set_size_inches(WIDTH, HEIGHT[plan.kind])
    DRAWINGS[plan.kind](plan.instance, figure)
    headed(figure, plan.claim)


def required(found: Instance, reach: int) -> Laws:
    """The two laws."""
    both = laws(found, reach)
    if both is None:
        raise ValueError(f"the claim must have laws that can be drawn, got {found.claim.subject}")
    return both


def draw_laws(found: Instance, figure: Figure) -> None:
    """Masses or densities over each other, and the privacy loss of each outcome with the claimed bound."""
    both = required(found, 4)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    draw_masses(both, upper)
    draw_losses(both, lower)
    shade(found, both, upper, lower)
    draw_limit(found, both, lower)
    lower.set_xlabel("outcome y")
    if len(both.outcomes) <= MOST_BARS:
        named = both.labels
        long = named is not None and sum(map(len, named)) > LONGEST_TICKS
        lower.set_xticks(both.positions, named)
        lower.tick_params("x", labelrotation=90 if long else 0)


def draw_limit(found: Instance, both: Laws, axes: Axes) -> None:
    """What the claim says that losses are at most; where it allows a delta besides, just its epsilon."""
    if not isinstance(found.claim, Private):
        return
    limit = value_of(largest_loss(found.claim))
    if limit is None:
        return
    for bound in {limit, -limit}:
        axes.axhline(bound, color=BOUND, linestyle="--", linewidth=1.2)
    top = 1.2 * max([limit, *(abs(x) for x in both.losses if isfinite(x))]) or 1.0
    axes.set_ylim(-top, 1.35 * top)
    draw_infinite(both, axes, 0.9 * top)
    alone = found.claim.measure in ("pure", "ratio") or found.claim.d_out[1:] == (number(0),)
    said = "claimed bound" if alone else "epsilon"
    axes.text(1, limit, said, ha="right", va="bottom", transform=_across(axes))


def _across(axes: Axes) -> Any:
    """Coordinates: across in parts of the axes, up in data."""
    return axes.get_yaxis_transform()


def draw_masses(both: Laws, axes: Axes) -> None:
    """The two laws: curves of densities, pairs of bars of masses, the second ones dashed or hatched."""
    xs, width = both.positions, 0.0
    if both.is_density:
        axes.plot(xs, both.p, color=FIRST)
        axes.plot(xs, both.q, color=SECOND, linestyle="--")
    elif len(xs) > MOST_BARS:
        gap = xs[1] - xs[0]
        edges = [xs[0] - gap / 2, *(x + gap / 2 for x in xs)]
        axes.stairs(both.p, edges, color=FIRST, linewidth=1.6)
        axes.stairs(both.q, edges, color=SECOND, linewidth=1.6, linestyle=(0, (3, 1)))
    else:
        width = 0.4 * min((b - a for a, b in pairwise(xs)), default=1.0)
        axes.bar([x - width / 2 for x in xs], both.p, width, color=FIRST)
        axes.bar([x + width / 2 for x in xs], both.q, width, **hatched(SECOND))
    if 0 < min(both.p) < RARE and len(both.outcomes) > MOST_FEW:
        decades(axes)
        axes.margins(y=0.16)
    else:
        axes.set_ylim(0, 1.2 * max(*both.p, *both.q))
    name_laws(both, axes, width / 2)
    axes.set_ylabel("density" if both.is_density else "probability")


def hatched(colour: str) -> dict[str, Any]:
    """How a bar of the second law looks."""
    return {"facecolor": "none", "edgecolor": colour, "hatch": "////", "linewidth": 1.2}


def name_laws(both: Laws, axes: Axes, off: float) -> None:
    """M(x) and M(x') where each is likelier than the other by most."""
    places = range(len(both.outcomes))
    old = max(places, key=lambda i: both.p[i] - both.q[i])
    new = max(reversed(places), key=lambda i: both.q[i] - both.p[i])
    first = (both.positions[old] - off, both.p[old]), "M(x)", FIRST
    label_both(axes, first, ((both.positions[new] + off, both.q[new]), "M(x')", SECOND))


def draw_losses(both: Laws, axes: Axes) -> None:
    """ln(P[M(x) = y] / P[M(x') = y])."""
    axes.axhline(0, color=QUIET, linewidth=0.8)
    if both.is_density:
        axes.plot(both.positions, both.losses, color=BOUND)
    else:
        shape = "o" if len(both.outcomes) <= MOST_DOTS else "-"
        finite = [loss if isfinite(loss) else nan for loss in both.losses]
        axes.plot(both.positions, finite, shape, color=BOUND, markersize=3.5)
    axes.set_ylabel("privacy loss")


def draw_infinite(both: Laws, axes: Axes, height: float) -> None:
    """Triangles at the edge for outcomes that are impossible under one of the inputs."""
    for at, loss in zip(both.positions, both.losses, strict=True):
        if isinf(loss):
            up = loss > 0
            axes.plot([at], [height if up else -height], "^" if up else "v", color=BOUND)
            axes.annotate("infinite", (at, height if up else -height), xytext=(6, -4), textcoords="offset points")


def shade(found: Instance, both: Laws, *panels: Axes) -> None:
    """The event: that of a refutation, else the outcomes that are likelier under x."""
    inside = [y in event_of(found, both) for y in both.outcomes]
    xs = both.positions
    half = min((b - a for a, b in pairwise(xs)), default=1.0) / 2
    stretches = runs(inside)
    for start, end in stretches:
        for axes in panels:
            axes.axvspan(xs[start] - half, xs[end] + half, color=SHADE, zorder=0, linewidth=0)
    if stretches:
        start, end = max(stretches, key=lambda run: run[1] - run[0])
        middle, words = (xs[start] + xs[end]) / 2, "event" if found.event else "likelier under x"
        where = panels[0].get_xaxis_transform()
        panels[0].text(middle, 1.01, words, ha="center", va="bottom", transform=where, fontsize=SIZE)


def event_of(found: Instance, both: Laws) -> set[Any]:
    """The outcomes that are shaded."""
    return set(found.event) or {y for y, loss in zip(both.outcomes, both.losses, strict=True) if loss > 0}


def runs(marks: list[bool]) -> list[tuple[int, int]]:
    """First and last index of each run of marked places.

    >>> runs([True, True, False, True])
    [(0, 1), (3, 3)]
    """
    starts = [i for i, m in enumerate(marks) if m and (i == 0 or not marks[i - 1])]
    ends = [i for i, m in enumerate(marks) if m and (i + 1 == len(marks) or not marks[i + 1])]
    return list(zip(starts, ends, strict=True))


DRAWINGS: Mapping[str, Callable[[Instance, Figure], None]] = {
    LAWS: draw_laws,
    PROFILE: draw_curve,
    DIVERGENCES: draw_divergences,
    TABLES: draw_tables,
    FRONTIER: draw_frontier,
}
"""Kind of picture -> how it is drawn."""
