"""How the laws of a program on both data are drawn, with the event of its counterexample."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from refdp.report.pictures.colours import BOUND, FIRST, QUIET, SECOND, SHADE
from refdp.report.pictures.drawing import hatched, runs
from refdp.report.pictures.files import WIDTH
from refdp.report.pictures.labels import headed, label_both
from refdp.report.pictures.programs import CELLS, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_program(picture: Picture, figure: Figure) -> None:
    """Pairs of bars, and the privacy losses below them."""
    figure.set_size_inches(WIDTH, 5.4 if len(picture.outcomes) > CELLS else 4.4)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    found, places = picture.outcomes, range(len(picture.outcomes))
    upper.bar([x - 0.2 for x in places], [o.old for o in found], 0.38, color=FIRST)
    upper.bar([x + 0.2 for x in places], [o.new for o in found], 0.38, **hatched(SECOND))
    upper.set_ylabel("probability")
    upper.set_ylim(0, 1.2 * max(max(o.old, o.new) for o in found))
    name_runs(picture, upper)
    draw_losses(picture, lower)
    for left, right in runs([o.is_in_event for o in found]):
        for axes in (upper, lower):
            axes.axvspan(left - 0.5, right + 0.5, color=SHADE, zorder=0, linewidth=0)
        across = upper.get_xaxis_transform()
        upper.text((left + right) / 2, 1.01, "event", ha="center", va="bottom", transform=across)
    many = len(found) > CELLS
    lower.set_xticks(list(places), [o.label for o in found], rotation=90 if many else 0)
    lower.set_xlabel(picture.axis)
    headed(figure, picture.title)


def name_runs(picture: Picture, axes: Axes) -> None:
    """M(q) and M(q') where each is likelier than the other by most."""
    places = range(len(picture.outcomes))
    old = max(places, key=lambda x: picture.outcomes[x].old - picture.outcomes[x].new)
    new = max(places, key=lambda x: picture.outcomes[x].new - picture.outcomes[x].old)
    first = (old - 0.2, picture.outcomes[old].old), "M(q)", FIRST
    label_both(axes, first, ((new + 0.2, picture.outcomes[new].new), "M(q')", SECOND))


def draw_losses(picture: Picture, axes: Axes) -> None:
    """ln(P / P') of each outcome as a dot, infinite ones as arrows, between the bounds that are claimed."""
    losses = [o.loss for o in picture.outcomes]
    top = 1.3 * max([picture.epsilon, *(abs(x) for x in losses if isfinite(x))])
    axes.plot([x for x, y in enumerate(losses) if isfinite(y)], [y for y in losses if isfinite(y)], "o", color=BOUND)
    for place, loss in enumerate(losses):
        if not isfinite(loss) and max(picture.outcomes[place].old, picture.outcomes[place].new) > 0:
            up = 1 if loss > 0 else -1
            axes.annotate("∞" if up > 0 else "-∞", (place, up * 0.75 * top), ha="center", va="center")
    axes.axhline(0, color=QUIET, linewidth=0.8)
    for sign in (1, -1):
        axes.axhline(sign * picture.epsilon, color=BOUND, linestyle="--", linewidth=1.2)
    axes.text(1, picture.epsilon, "epsilon", ha="right", va="bottom", transform=axes.get_yaxis_transform())
    axes.set_ylim(-top, 1.25 * top)
    axes.set_ylabel("privacy loss")
