"""delta(epsilon) of an account: the lower and the upper bound, the band between them, and what was asked.

The bounds are certified at the points that are drawn; the lines between these are lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import log10, nan
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from refdp.accounting.accounts import Account, Answer, Limits, Question, Step
from refdp.commands.account import account, account_of
from refdp.commands.files import write_whole
from refdp.report.pictures.colours import BOUND, FIRST, SECOND, SHADE
from refdp.report.pictures.writing import svg_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST = Fraction(1, 10**300)
"""Smaller deltas are not drawn."""
SIZE = (7.2, 4.6)
POINTS = 60
"""Epsilons at which the bounds are worked out."""
MOST_EVENTS = 8
"""More events are not named in the caption."""
LONGEST = 85
"""Most characters in a line of the title."""
BEYOND = Fraction(23, 20)
"""How far the axis goes, as a multiple of the greatest epsilon in an answer."""
FAR = Fraction(10)
"""How far it goes where none is finite."""
LEAST_ASKED = Fraction(1, 10**12)
"""Where no delta is asked about, how small ones are worked out."""
WIDTH = Fraction(1, 1000)
"""A relative width of delta that cannot be seen: no engine need do better for a picture."""


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


def plot_account(spec: Any, out: str | Path, *, timeout: float = 60.0, **asked: Any) -> dict[str, Any]:
    """Draw delta(epsilon) of a spec, with what is asked marked, into a file that ends in .svg.

    `asked` are the words of `refdp.account`, whose answers are given back, with the picture's path and caption besides.
    `timeout` is for the answers, and once more for the picture.
    """
    path = Path(out)
    if path.suffix != ".svg":
        raise ValueError(f"out must be a file that ends in .svg, got {out}")
    stated = account_of(spec, asked.pop("neighbours", None))
    found = account(stated, timeout=timeout, **asked)
    picture = picture_of(stated, found, timeout, asked.get("step", lambda *_: None))
    write_whole(path, svg(picture))
    return found | {"picture": {"path": str(path), "caption": picture.caption}}


def picture_of(stated: Account, found: Mapping[str, Any], timeout: float, step: Step) -> Picture:
    """The picture of an account and of what was asked about it."""
    asked = [bounds for one in found["answers"] if (bounds := asked_bounds(one)) is not None]
    last = BEYOND * max((b.epsilon[1] for b in asked), default=Fraction(0)) or FAR
    questions = [Question(epsilon=last * i / POINTS) for i in range(POINTS + 1)]
    least = Question(
        delta=max(LEAST, min((b.delta[0] or b.delta[1] for b in asked), default=LEAST_ASKED))
    )  # engines look so far down
    answers = stated.answers([*questions, least], Limits(WIDTH, timeout), step)[:-1]
    return Picture(title(found), caption(found), falling([drawn(one) for one in answers]), tuple(asked))


def asked_bounds(answer: Mapping[str, Any]) -> Bounds | None:
    """An answer as a point; None where a bound is infinite."""
    (given,), (name,) = answer["at"], (key for key in ("epsilon", "delta") if key in answer)
    ends = answer[name]["lower"], answer[name]["upper"]
    value = answer["at"][given]
    if "inf" in ends or value.startswith("about"):
        return None
    found = {given: (Fraction(value),) * 2, name: (Fraction(ends[0]), Fraction(ends[1]))}
    return Bounds(**found)


def drawn(answer: Answer) -> Bounds:
    """Bounds of delta at an epsilon."""
    epsilon = answer.question.epsilon or Fraction(0)
    return Bounds((epsilon, epsilon), (answer.bounds.lower or Fraction(0), answer.bounds.upper or Fraction(1)))


def falling(points: Sequence[Bounds]) -> tuple[Bounds, ...]:
    """The bounds by rising epsilon, each with what its neighbours say of it: delta never rises with epsilon."""
    uppers = list(accumulate((b.delta[1] for b in points), min))
    lowers = list(accumulate((b.delta[0] for b in reversed(points)), max))[::-1]
    return tuple(Bounds(b.epsilon, (low, high)) for b, low, high in zip(points, lowers, uppers, strict=True))


def title(found: Mapping[str, Any]) -> str:
    """What is composed, in a line."""
    first, *rest = found["events"]
    more = f" and {len(rest)} more" if rest else ""
    return f"delta(epsilon) of {first}{more}, {found['neighbours']}"


def caption(found: Mapping[str, Any]) -> str:
    """What is drawn."""
    more = ["..."] if len(found["events"]) > MOST_EVENTS else []
    events = "; ".join([*found["events"][:MOST_EVENTS], *more])
    return (
        f"Certified bounds of the least delta for each epsilon, neighbours {found['neighbours']}, of {events}. "
        f"Upper bound solid, lower bound dashed, worked out at "
        f"{POINTS + 1} epsilons and joined by lines; the band lies between them. Diamonds mark the answers. "
        "Below, how far the bounds are apart: (upper - lower) / upper."
    )


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
    lines = wrap(picture.title, LONGEST)[:3]
    figure.suptitle("\n".join(lines), x=0.02, y=0.985, ha="left", va="top", fontsize=10, fontweight="bold")
    figure.subplots_adjust(left=0.12, right=0.985, top=0.97 - 0.04 * len(lines), bottom=0.11, hspace=0.12)


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
    axes.legend(fontsize=8.5, framealpha=1, edgecolor="none")


def mark(point: Bounds, axes: Axes, label: str | None) -> None:
    """The ends of an answer, joined."""
    xs, ys = [list(map(float, pair)) for pair in (point.epsilon, point.delta)]
    if min(ys) > 0:
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
