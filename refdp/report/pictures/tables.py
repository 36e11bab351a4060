"""Two tables side by side, the rows in which they differ marked, and what the query makes of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from refdp.commands.witness import plain
from refdp.kernel.judgements import Stable
from refdp.report.pictures.instances import Instance
from refdp.report.witnesses.relations import DISTANCES
from refdp.spec.semantics import value, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PLAIN, MOVED = ("#ffffff", "#57606a"), ("#fbe6dc", "#b84a00")
"""Fill and frame of a row that both tables have, and of one that only one has."""
WIDTH, HEIGHT, TOP = 2.6, 1.0, 0.0
LEFT, RIGHT = 0.6, 5.6
"""Where the two tables begin."""


def draw_tables(found: Instance, figure: Figure) -> None:
    """Both tables, and their images or the event."""
    axes, most = figure.subplots(), max(len(found.x), len(found.y), 1)
    figure.set_size_inches(figure.get_figwidth(), 1.4 + 0.4 * (most + 2))
    axes.set_axis_off()
    axes.set_xlim(0, 2 * LEFT + RIGHT + WIDTH)
    axes.set_ylim(-most - 2.6, TOP + 1)
    middle, style = (LEFT + RIGHT + WIDTH) / 2, dict[str, Any](ha="center", va="center", fontsize=11)
    for left, name, table, other in ((LEFT, "x", found.x, found.y), (RIGHT, "x'", found.y, found.x)):
        axes.text(left + WIDTH / 2, TOP + 0.5, f"table {name}", **style)
        draw_rows(axes, left, table, other)
        axes.text(left + WIDTH / 2, -most - 0.8, image(found, name, table), **style)
    axes.text(middle, -most / 2, f"within\n{found.claim.metric}({found.claim.d_in})", **style)
    axes.text(middle, -most - 2, verdict(found), **style)
    figure.subplots_adjust(left=0.01, right=0.99, top=0.9, bottom=0.01)


def draw_rows(axes: Axes, left: float, table: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    """The rows of a table under each other, those that the other table lacks in another colour and frame."""
    from matplotlib.patches import Rectangle

    extra = Counter(table) - Counter(other)
    if not table:
        axes.text(left + WIDTH / 2, TOP - HEIGHT / 2, "(no rows)", ha="center", va="center", fontsize=10)
    for i, row in enumerate(table):
        moved = extra[row] > 0
        extra[row] -= moved
        fill, frame = MOVED if moved else PLAIN
        y = TOP - (i + 1) * HEIGHT
        axes.add_patch(Rectangle((left, y), WIDTH, HEIGHT, facecolor=fill, edgecolor=frame, linewidth=1 + moved))
        axes.text(left + WIDTH / 2, y + HEIGHT / 2, plain(written(row)), ha="center", va="center", fontsize=11)


def image(found: Instance, name: str, table: tuple[Any, ...]) -> str:
    """What stands under a table: its image, or nothing where the output is random."""
    if not isinstance(found.claim, Stable):
        return ""
    return f"T({name}) = {plain(written(value(found.claim.subject, table)))}"


def verdict(found: Instance) -> str:
    """The inequality that fails."""
    if not isinstance(found.claim, Stable):
        return f"the event {{{', '.join(plain(written(y)) for y in found.event)}}} is too much likelier under x"
    metric, limit = found.claim.output_metric, found.claim.d_out[0]
    apart = DISTANCES.get(metric)
    if apart is None:
        return f"more than {limit} apart ({metric})"
    far = apart(*(value(found.claim.subject, z) for z in (found.x, found.y)))
    return f"{far} apart ({metric}), and not at most {limit} as claimed"
