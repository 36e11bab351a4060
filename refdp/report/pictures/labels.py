"""Words beside the things that they are about, instead of legends; titles that fit."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from refdp.report.pictures.colours import INK, QUIET
from refdp.report.pictures.files import SIZE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LONGEST = 44
"""Most characters in a line of the title of a picture for one column."""
MOST_LINES = 3


def headed(figure: Figure, title: str, longest: int = LONGEST) -> None:
    """The title at the left, in lines that fit."""
    lines = wrap(title, longest, max_lines=MOST_LINES, placeholder=" ...", break_on_hyphens=False)
    figure.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=SIZE + 1, fontweight="bold")


def label(axes: Axes, at: tuple[float, float], words: str, colour: str = INK, **place: Any) -> None:
    """Words at a point, a little off it: `dx`, `dy` points to the right and up."""
    off = place.pop("dx", 0), place.pop("dy", 4)
    where: dict[str, Any] = {"ha": "center", "va": "bottom"} | place
    axes.annotate(words, at, xytext=off, textcoords="offset points", color=colour, **where)


def at_share(xs: Sequence[float], ys: Sequence[float], share: float) -> tuple[float, float]:
    """The point of a curve that is so far along its points."""
    place = min(len(xs) - 1, int(share * len(xs)))
    return xs[place], ys[place]


def remark(axes: Axes, words: str, **place: Any) -> None:
    """A remark about the whole picture, in a corner of the axes: at the top right unless said."""
    where: dict[str, Any] = {"x": 0.99, "y": 0.98, "ha": "right", "va": "top"} | place
    axes.text(s=words, color=QUIET, transform=axes.transAxes, **where)
