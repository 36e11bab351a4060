"""delta(epsilon) of a composition: the lower and the upper bound, the band between them, and what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, log10, nan
from typing import TYPE_CHECKING

from refdp.report.pictures.colours import BOUND, FIRST, SECOND, SHADE
from refdp.report.pictures.writing import svg_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST = Fraction(1, 10**300)
"""Smaller deltas are not drawn."""
SIZE = (7.2, 4.6)


@dataclass(frozen=True, slots=True)
class Bounds:
    """A point of the curve: epsilon and delta, one of them between two bounds, the other one as it was given."""

    epsilon: tuple[Fraction, Fraction]
    delta: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn of an account: points of its curve by rising epsilon, and those that were asked for."""

    title: str
    caption: str
    curve: tuple[Bounds, ...]
    asked: tuple[Bounds, ...]


def svg(picture: Picture) -> str:
    """The picture as SVG text; ValueError if matplotlib is not installed."""
    return svg_text(lambda figure: draw(picture, figure), picture.title, picture.caption)


def draw(picture: Picture, figure: Figure) -> None:
    """The bounds above, and how far they are apart below."""
    figure.set_size_inches(*SIZE)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    draw_bounds(picture, upper)
    draw_widths(picture.curve, lower)
    lower.set_xlabel("epsilon")
    figure.suptitle(picture.title, x=0.02, y=0.985, ha="left", va="top", fontsize=10, fontweight="bold")
    figure.subplots_adjust(left=0.12, right=0.985, top=0.92, bottom=0.11, hspace=0.12)


def draw_bounds(picture: Picture, axes: Axes) -> None:
    """Both bounds of delta on a logarithmic axis, the band between them, and a mark for each question."""
    xs = [float(b.epsilon[0]) for b in picture.curve]
    floor = max(LEAST, min((b.delta[1] for b in picture.curve if b.delta[1] > 0), default=LEAST))
    lows = [float(max(b.delta[0], floor / 1000)) for b in picture.curve]
    highs = [float(max(b.delta[1], floor / 1000)) for b in picture.curve]
    axes.fill_between(xs, lows, highs, color=SHADE, linewidth=0, label="between the bounds")
    axes.plot(xs, highs, color=FIRST, linewidth=2.6, label="upper bound of delta")
    axes.plot(xs, [y if b.delta[0] > 0 else nan for y, b in zip(lows, picture.curve, strict=True)],
              color=SECOND, linewidth=1.2, linestyle="--", label="lower bound of delta")  # fmt: skip
    for place, one in enumerate(picture.asked):
        mark(one, axes, "asked" if place == 0 else None)
    axes.set_yscale("log")
    axes.set_ylim(float(floor), 2 * max(highs, default=1))
    axes.set_ylabel("delta")
    axes.legend(fontsize=8.5, frameon=False)


def mark(point: Bounds, axes: Axes, label: str | None) -> None:
    """The end points of the answer, joined; one mark where they cannot be told apart."""
    xs, ys = [list(map(float, pair)) for pair in (point.epsilon, point.delta)]
    if min(ys) > 0 and all(map(isfinite, xs)):
        axes.plot(xs, ys, "D-", color=BOUND, markersize=4.5, linewidth=1.2, label=label, zorder=5)


def draw_widths(curve: Sequence[Bounds], axes: Axes) -> None:
    """(upper - lower) / upper of delta, on a logarithmic axis; nothing where the bounds are equal."""
    widths = [(float(b.epsilon[0]), relative_width(b.delta)) for b in curve]
    shown = [(x, float(w)) for x, w in widths if w >= LEAST]
    if shown:
        axes.plot(*zip(*shown, strict=True), color=FIRST, linewidth=1.4)
        axes.set_yscale("log")
        exponents = [log10(w) for _, w in shown]
        axes.set_ylim(10 ** (min(exponents) - 1), 10 ** (max(exponents) + 1))
    else:
        axes.set_yticks([])
        axes.text(0.5, 0.5, "the bounds are equal", ha="center", va="center", transform=axes.transAxes, fontsize=8.5)
    axes.set_ylabel("relative width")


def relative_width(bounds: tuple[Fraction, Fraction]) -> Fraction:
    """(upper - lower) / upper; 0 where both are 0."""
    lower, upper = bounds
    return (upper - lower) / upper if upper > 0 else Fraction(0)
