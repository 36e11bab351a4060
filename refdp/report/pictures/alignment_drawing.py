"""How an alignment is drawn: the program at the left, the two runs as lanes, arrows for what is added, costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from refdp.report.pictures.alignment_costs import NOTHING
from refdp.report.pictures.alignments import Added, AlignmentPicture, Line, Part
from refdp.report.pictures.colours import BAND, FIRST, GAIN, GROUND, INK, QUIET, SECOND, SHADE
from refdp.report.pictures.files import WIDE
from refdp.report.pictures.labels import headed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TEXT = 9.5
"""Points of the text: 8.5 where the picture is printed 6.5 inches wide."""
ROW = 0.25
"""Inches of a row."""
CODE, LANES = 4.0, (302.0, 398.0)
"""Where columns begin or stand, in points from the left."""
END = 518.0
NUMBER, LETTER = 24.0, 5.42
"""Points of the number of a line, and of a letter of the program."""
LONGEST_CODE, LONGEST_SHIFT, LONGEST_COST = 46, 12, 16
MOST_LINES = 40
HEAD = 0.32
"""Inches of the title."""
PROGRAM: dict[str, Any] = {"family": "DejaVu Sans Mono", "fontsize": 9.0}


@dataclass(slots=True)
class Pen:
    """Where on the axes the next row is drawn."""

    axes: Axes
    y: float = 0.0

    def text(self, x: float, words: str, **style: Any) -> None:
        """Words in the row at hand."""
        self.axes.text(x, self.y, words, **{"va": "center", "fontsize": TEXT, "color": INK, **style})

    def down(self, rows: float = 1.0) -> None:
        """To the next row."""
        self.y -= rows


def draw_alignment(found: AlignmentPicture, figure: Figure) -> None:
    """Each part of the adjacency below the one before."""
    rows = sum(map(height, found.parts)) + 0.9
    tall = rows * ROW + HEAD
    figure.set_layout_engine("none")
    figure.set_size_inches(WIDE, tall)
    axes = figure.add_axes((0, 0, 1, 1 - HEAD / tall))
    axes.set_axis_off()
    axes.set_xlim(0, END)
    axes.set_ylim(-rows, 0.4)
    pen = Pen(axes, -0.5)
    for place, part in enumerate(found.parts):
        draw_part(part, pen, f"part {place + 1} of the adjacency" if len(found.parts) > 1 else "")
    pen.text(CODE, found.legend, color=QUIET)
    headed(figure, found.title, 64)


def height(part: Part) -> float:
    """Rows of a part."""
    return 3.4 + sum(rows_of(line) for line in part.lines[:MOST_LINES])


def rows_of(line: Line) -> float:
    """Rows of a line: one, one for each of several cases, and one for what holds there."""
    return 1 + (len(line.adds) if len(line.adds) > 1 else 0) + len(line.holds)


def draw_part(part: Part, pen: Pen, name: str) -> None:
    """The heads of the lanes, the lines, and the sum of the costs."""
    pen.text(CODE, name, color=QUIET)
    for x, words, colour in zip(LANES, ("run on q", "run on q'"), (FIRST, SECOND), strict=True):
        pen.text(x, words, color=colour, ha="center", fontweight="bold")
    pen.text(END - 4, "cost", ha="right", fontweight="bold")
    top = pen.y - 0.5
    pen.down()
    for line in part.lines[:MOST_LINES]:
        draw_line(line, pen)
    draw_lanes(pen, top, pen.y + 0.4)
    pen.down(0.4)
    pen.text(CODE + NUMBER, "both release the same", color=GAIN, fontweight="bold")
    pen.text(END - 4, f"together at most {' = '.join(part.costs)}", ha="right", fontweight="bold")
    pen.down(1.6)


def draw_lanes(pen: Pen, top: float, bottom: float) -> None:
    """Time runs down, in either run."""
    for x, colour in zip(LANES, (FIRST, SECOND), strict=True):
        arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
        pen.axes.annotate("", (x, bottom), (x, top), arrowprops=arrow, zorder=0)


def draw_line(line: Line, pen: Pen) -> None:
    """A line of the program, and what both runs do there."""
    code = line.text.lstrip()
    indent = len(line.text) - len(code)
    pen.text(CODE, str(line.number), color=QUIET, **PROGRAM)
    pen.text(CODE + NUMBER + indent * LETTER, cut(code, LONGEST_CODE - indent), **PROGRAM)
    if line.adds:
        shade_row(pen, len(line.adds) + (len(line.adds) > 1))
    for one in line.adds:
        if len(line.adds) > 1:
            pen.down()
        draw_added(one, pen)
    if line.reads:
        pen.text(LANES[0] + 6, line.reads[0], color=FIRST)
        pen.text(LANES[1] + 6, line.reads[1], color=SECOND)
    elif line.released and not line.adds:
        draw_released(line.released, pen)
    pen.down()
    for statement in line.holds:
        ground = {"facecolor": GROUND, "edgecolor": "none", "pad": 1.0}
        pen.text(sum(LANES) / 2, statement, ha="center", color=QUIET, style="italic", bbox=ground)
        pen.down()


def shade_row(pen: Pen, rows: int) -> None:
    """A ground behind the rows in which noise is drawn."""
    from matplotlib.patches import Rectangle

    pen.axes.add_patch(Rectangle((0, pen.y - rows + 0.5), END, rows, facecolor=SHADE, edgecolor="none", zorder=-2))


def draw_added(one: Added, pen: Pen) -> None:
    """The noise of the first run, an arrow, that of the second."""
    left, right = LANES
    if one.when:
        pen.text(left - 14, one.when, ha="right", style="italic")
    pen.axes.plot([left], [pen.y], "o", color=FIRST, markersize=7)
    pen.axes.plot([right], [pen.y], "s", color=SECOND, markersize=6.5)
    arrow = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.0, "shrinkA": 6, "shrinkB": 6}
    if one.shift == NOTHING:
        arrow |= {"arrowstyle": "-", "linestyle": ":", "color": QUIET}
    pen.axes.annotate("", (right, pen.y), (left, pen.y), arrowprops=arrow)
    ground = {"facecolor": SHADE, "edgecolor": "none", "pad": 1.0}
    pen.text((left + right) / 2, shift_text(one.shift), ha="center", bbox=ground, fontweight=weight(one.shift))
    pen.text(END - 4, cut(one.cost, LONGEST_COST), ha="right")


def weight(shift: str) -> str:
    """Bold where something is added."""
    return "normal" if shift == NOTHING else "bold"


def shift_text(shift: str) -> str:
    """What is added, with its sign."""
    if shift == NOTHING:
        return "the same"
    if shift.startswith(("flipped", "-")):
        return cut(shift.replace("-", "\N{MINUS SIGN} ", 1) if shift.startswith("-") else "flipped", LONGEST_SHIFT)
    return cut(f"+ {shift}" if " " not in shift else f"+ ({shift})", LONGEST_SHIFT)


def cut(words: str, most: int) -> str:
    """Words of at most so many characters."""
    return words if len(words) <= most + 6 else f"{words[: most + 5]}\N{HORIZONTAL ELLIPSIS}"


def draw_released(what: str, pen: Pen) -> None:
    """Both runs release the same."""
    ground = {"facecolor": BAND, "edgecolor": "none", "boxstyle": "round,pad=0.15"}
    for x in LANES:
        pen.text(x, cut(what, 8), ha="center", bbox=ground)
    pen.text(sum(LANES) / 2, "=", ha="center", fontweight="bold", color=GAIN)
