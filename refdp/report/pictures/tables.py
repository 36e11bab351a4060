"""Two tables side by side, the rows in which they differ marked by a sign as well as a colour, and their answers."""

from __future__ import annotations

from textwrap import shorten, wrap
from typing import TYPE_CHECKING, Any

from refdp.commands.witness import plain
from refdp.kernel.judgements import Stable
from refdp.report.pictures.colours import FALSE, GAIN, GAIN_FILL, GROUND, INK, LOSS_FILL, ORACLE, ORACLE_FILL, QUIET
from refdp.report.pictures.files import SIZE, WIDTH
from refdp.report.pictures.instances import Instance
from refdp.report.pictures.pairs import ADDED, CHANGED, REMOVED, SAME, Cells, Row, TablePair, paired, shortened
from refdp.report.witnesses.relations import DISTANCES
from refdp.spec.semantics import value, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOOKS = {
    SAME: (GROUND, QUIET),
    REMOVED: (LOSS_FILL, FALSE),
    ADDED: (GAIN_FILL, GAIN),
    CHANGED: (ORACLE_FILL, ORACLE),
}
"""Sign -> fill and frame of a row."""
MEANING = {REMOVED: "only in the first", ADDED: "only in the second", CHANGED: "changed"}
LINE = 0.27
"""Inches of a row."""
SIDES = ((2.0, 43.0), (57.0, 98.0))
"""From where to where the tables stand, in hundredths of the width."""
MIDDLE = 50.0
CHARACTERS = 23
"""Most characters across a table."""
MOST_ROWS = 30
"""Most rows that are drawn; the others are counted."""
LONGEST_VERDICT = 46


def draw_tables(found: Instance, figure: Figure) -> None:
    """Both tables of a counterexample, and their images or the event."""
    draw_pair(pair_of(found), figure)


def pair_of(found: Instance) -> TablePair:
    """The tables of an instance."""
    first, second = ([(plain(written(row)),) for row in table] for table in (found.x, found.y))
    is_change = len(first) == len(second)
    images = image(found, "x", found.x), image(found, "x'", found.y)
    return TablePair("", "", (), paired(first, second, is_change, is_change), images, verdict(found))


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


def draw_pair(pair: TablePair, figure: Figure) -> None:
    """Two tables, their answers, and how far these are apart."""
    shown = shortened(pair.rows)
    rest = len(shown) - MOST_ROWS
    shown = [*shown[:MOST_ROWS], rest] if rest > 0 else shown
    said = wrap(pair.verdict, LONGEST_VERDICT)
    lines = 1 + bool(pair.columns) + max(len(shown), 1) + any(pair.answers) + len(said) + 1.2
    figure.set_size_inches(WIDTH, LINE * lines + 0.62)
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set_xlim(0, 100)
    axes.set_ylim(-lines, 0)
    for side in (0, 1):
        draw_side(pair, shown, side, axes)
    y = -1 - bool(pair.columns) - max(len(shown), 1)
    for place, line in enumerate(said):
        words(axes, MIDDLE, y - 1.1 - any(pair.answers) - place, line, fontweight="bold")
    draw_signs(shown, y - 1.2 - any(pair.answers) - len(said), axes)


def draw_side(pair: TablePair, shown: list[Row | int], side: int, axes: Axes) -> None:
    """One of the tables, from its name to its answer."""
    left, right = SIDES[side]
    words(axes, (left + right) / 2, -0.5, pair.names[side], fontweight="bold")
    y = -1.0
    if pair.columns:
        draw_cells(pair.columns, (left, right), y, axes, color=QUIET)
        y -= 1
    for row in shown:
        draw_row(row, side, y, axes)
        y -= 1
    if not any(isinstance(row, int) or (row.first, row.second)[side] is not None for row in shown):
        words(axes, (left + right) / 2, -1.5 - bool(pair.columns), "(no rows)", color=QUIET)
    answer = shorten(pair.answers[side], CHARACTERS + 4, placeholder=" ...") or pair.answers[side][:CHARACTERS]
    words(axes, (left + right) / 2, -1.6 - bool(pair.columns) - max(len(shown), 1), answer)


def draw_row(row: Row | int, side: int, y: float, axes: Axes) -> None:
    """A row of one table, its sign beside it; or how many equal ones there are."""
    left, right = SIDES[side]
    if isinstance(row, int):
        words(axes, (left + right) / 2, y - 0.5, f"... {row} more", color=QUIET)
        return
    cells = (row.first, row.second)[side]
    if cells is None:
        return
    from matplotlib.patches import Rectangle

    fill, frame = LOOKS[row.sign]
    style: dict[str, Any] = {"facecolor": fill, "edgecolor": frame, "linewidth": 1.0 if row.sign == SAME else 1.8}
    axes.add_patch(Rectangle((left, y - 0.94), right - left, 0.88, **style))
    draw_cells(cells, (left, right), y, axes)
    if row.sign != SAME and not (row.sign == CHANGED and side == 1):
        at = MIDDLE if row.sign == CHANGED else right + 3 if side == 0 else left - 3
        words(axes, at, y - 0.5, row.sign, color=frame, fontweight="bold", fontsize=SIZE + 3)


def draw_cells(cells: Cells, span: tuple[float, float], y: float, axes: Axes, **style: Any) -> None:
    """Cells beside each other, in the widths that their number allows."""
    width, most = (span[1] - span[0]) / len(cells), max(1, CHARACTERS // len(cells))
    for place, cell in enumerate(cells):
        text = cell if len(cell) <= most else f"{cell[: most - 1]}\N{HORIZONTAL ELLIPSIS}"
        words(axes, span[0] + (place + 0.5) * width, y - 0.5, text, **style)


def draw_signs(shown: list[Row | int], y: float, axes: Axes) -> None:
    """What the signs mean that are there."""
    signs = [sign for sign in MEANING if any(not isinstance(row, int) and row.sign == sign for row in shown)]
    words(axes, MIDDLE, y, "    ".join(f"{sign} {MEANING[sign]}" for sign in signs), color=QUIET)


def words(axes: Axes, x: float, y: float, text: str, **style: Any) -> None:
    """Words at a place."""
    axes.text(x, y, text, **{"ha": "center", "va": "center", "color": INK, "fontsize": SIZE, **style})
