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
NEAR = 0.25
"""Points that are nearer to each other, as a share of the axis, have their words on either side."""


def headed(figure: Figure, title: str, longest: int = LONGEST) -> None:
    """The title at the left, in lines that fit."""
    lines = wrap(title, longest, max_lines=MOST_LINES, placeholder=" ...", break_on_hyphens=False)
    figure.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=SIZE + 1, fontweight="bold")


def label(axes: Axes, at: tuple[float, float], words: str, colour: str = INK, **place: Any) -> None:
    """Words at a point, a little off it: `dx`, `dy` points to the right and up."""
    off = place.pop("dx", 0), place.pop("dy", 4)
    where: dict[str, Any] = {"ha": "center", "va": "bottom"} | place
    axes.annotate(words, at, xytext=off, textcoords="offset points", color=colour, **where)


Mark = tuple[tuple[float, float], str, str]
"""A point, the words for it, their colour."""


def label_both(axes: Axes, *marks: Mark) -> None:
    """Words at two points, away from each other where these are near."""
    (left, *_), (right, *_) = one, other = sorted(marks)
    start, end = axes.get_xlim()
    near = right[0] - left[0] < NEAR * (end - start)
    for (at, words, colour), way in zip((one, other), ("right", "left"), strict=True):
        label(axes, at, words, colour, dy=2, ha=way if near else "center")


def decades(axes: Axes) -> None:
    """A logarithmic axis upward, with powers of ten as texts."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(numticks=6))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: power(y)))
    axes.yaxis.set_minor_formatter(NullFormatter())


def power(y: float) -> str:
    """A number as a power of ten in short.

    >>> power(1e-05), power(1.0), power(0.01)
    ('1e-5', '1', '0.01')
    """
    return f"{y:g}" if y >= 0.001 else f"{y:.3g}".replace("e-0", "e-")


def at_share(xs: Sequence[float], ys: Sequence[float], share: float) -> tuple[float, float]:
    """The point of a curve that is so far along its points."""
    place = min(len(xs) - 1, int(share * len(xs)))
    return xs[place], ys[place]


def remark(axes: Axes, words: str, **place: Any) -> None:
    """A remark about the whole picture, in a corner of the axes: at the top right unless said."""
    where: dict[str, Any] = {"x": 0.99, "y": 0.98, "ha": "right", "va": "top"} | place
    axes.text(s=words, color=QUIET, transform=axes.transAxes, **where)
