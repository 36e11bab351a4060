"""A laid out derivation as a figure, for PNG and PDF; as SVG it is drawn by `refdp.report.tree_svg`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refdp.report.pictures.colours import INK, QUIET
from refdp.report.tree_layout import BOX_WIDTH, LINE, PADDING, Box, Drawing
from refdp.report.tree_svg import COLOURS, MARGIN, MEANING, ORACLE, kind_of, legend_width, size_of, whole_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PIXELS = 96
"""Pixels in an inch."""
POINTS = 0.75
"""Points in a pixel."""
LEGEND = 30


def draw_tree(found: Drawing, figure: Figure) -> None:
    """Every box and line at its place."""
    used = [kind for kind in COLOURS if any(kind_of(box) == kind for box in found.boxes)]
    width, height = whole_width(found, used), found.height + 2 * MARGIN + LEGEND
    figure.set_layout_engine("none")
    figure.set_size_inches(width / PIXELS, height / PIXELS)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(-MARGIN, width - MARGIN)
    axes.set_ylim(found.height + MARGIN + LEGEND, -MARGIN)
    for line in found.lines:
        axes.plot(*zip(*line, strict=True), color=QUIET, linewidth=1.0)
    for box in found.boxes:
        draw_box(box, axes)
    x = 0.0
    for kind in used:
        frame(axes, (x, found.height + MARGIN, 18, 12), kind, 1.0)
        write(axes, x + 25, found.height + MARGIN + 10, MEANING[kind], fontsize=12 * POINTS)
        x += legend_width(kind)


def frame(axes: Axes, place: tuple[float, float, float, float], kind: str, width: float) -> None:
    """A box with round corners that looks as a step of its kind: left, top, width and height."""
    from matplotlib.patches import FancyBboxPatch

    left, top, across, down = place
    fill, edge = COLOURS[kind]
    style: dict[str, Any] = {"facecolor": fill, "edgecolor": edge, "linewidth": width}
    round_corners = f"round,pad=0,rounding_size={min(5, down / 4):g}"
    dashes = "--" if kind == ORACLE else "-"
    axes.add_patch(FancyBboxPatch((left, top), across, down, boxstyle=round_corners, linestyle=dashes, **style))


def draw_box(box: Box, axes: Axes) -> None:
    """A box: its frame, its title, its lines."""
    left = box.x - BOX_WIDTH / 2
    frame(axes, (left, box.y, BOX_WIDTH, box.height), kind_of(box), 1.8 if box.is_root else 1.0)
    y = box.y + PADDING + LINE - 4
    title = box.step.title
    write(axes, left + PADDING, y, title, fontsize=size_of(title) * POINTS, fontweight="bold")
    for line in box.lines:
        y += LINE
        write(axes, left + PADDING, y, line, fontsize=11.5 * POINTS, family="DejaVu Sans Mono")


def write(axes: Axes, x: float, y: float, words: str, **style: Any) -> None:
    """Words that begin at a place."""
    axes.text(x, y, words, va="baseline", color=INK, **style)
