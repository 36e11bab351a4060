"""delta(epsilon) of an account: the lower and the upper bound, the band between them, and what was asked.

The bounds are certified at the points that are drawn; the lines between these are lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refdp.accounting.accounts import Account, Answer, Limits, Question, Step
from refdp.accounting.numbers import float_above, float_below
from refdp.commands.account import TRAINING, account, stated_account
from refdp.commands.files import write_whole
from refdp.report.pictures.colours import BAND, BOUND, FIRST, SECOND
from refdp.report.pictures.files import WIDTH, picture_file, rendered
from refdp.report.pictures.labels import at_share, decades, headed, label, power, remark

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST = Fraction(1, 10**300)
"""Smaller deltas are not drawn."""
POINTS = 60
"""Epsilons at which the bounds are worked out."""
MOST_EVENTS = 8
"""More events are not named in the caption."""
VISIBLE = Fraction(1, 100)
"""From this relative width on, both bounds are seen."""
BEYOND = Fraction(23, 20)
"""How far the axis goes, as a multiple of the greatest epsilon in an answer."""
FAR = Fraction(10)
"""How far it goes where none is finite."""
LEAST_ASKED = Fraction(1, 10**12)
"""Where no delta is asked about, how small ones are worked out."""
INVISIBLE = Fraction(1, 1000)
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
    """Draw delta(epsilon) of a spec, with what is asked marked, into a file that ends in .svg, .png or .pdf.

    `asked` are the words of `refdp.account`, whose answers are given back, with the picture's path and caption besides.
    `timeout` is for the answers, and once more for the picture.  Raises ValueError for bad input.
    """
    path = picture_file(out)
    training = {name: asked.pop(name, None) for name in TRAINING}
    stated, _ = stated_account(spec, asked.pop("neighbours", None), asked.pop("sgd", False), training)
    found = account(stated, timeout=timeout, **asked)
    picture = picture_of(stated, found, timeout, asked.get("step", lambda *_: None))
    content = rendered(lambda figure: draw(picture, figure), picture.title, picture.caption, path.suffix)
    write_whole(path, content)
    return found | {"picture": {"path": str(path), "caption": picture.caption}}


def picture_of(stated: Account, found: Mapping[str, Any], timeout: float, step: Step) -> Picture:
    """The picture of an account and of what was asked about it."""
    asked = [bounds for one in found["answers"] if (bounds := asked_bounds(one)) is not None]
    last = BEYOND * max((b.epsilon[1] for b in asked), default=Fraction(0)) or FAR
    questions = [Question(epsilon=last * i / POINTS) for i in range(POINTS + 1)]
    least = Question(
        delta=max(LEAST, min((b.delta[0] or b.delta[1] for b in asked), default=LEAST_ASKED))
    )  # engines look so far down
    answers = stated.answers([*questions, least], Limits(INVISIBLE, timeout), step)[:-1]
    return Picture(title(found), caption(found), falling([drawn(one) for one in answers]), tuple(asked))


def asked_bounds(answer: Mapping[str, Any]) -> Bounds | None:
    """An answer as a point; None where a bound is infinite, and for delta 0, which no scale of decades has."""
    (given,), (name,) = answer["at"], (key for key in ("epsilon", "delta") if key in answer)
    ends = answer[name]["lower"], answer[name]["upper"]
    value = answer["at"][given]
    if "inf" in ends or value.startswith("about") or (given, value) == ("delta", "0"):
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
        f"{POINTS + 1} epsilons and joined by lines; the band lies between them. Diamonds mark the answers."
    )


def draw(picture: Picture, figure: Figure) -> None:
    """Both bounds of delta on a logarithmic axis, the band between them, and a mark for each answer."""
    figure.set_size_inches(WIDTH, 3.6)
    axes = figure.subplots()
    xs, lows, highs = corners(picture.curve)
    floor = min((y for y in highs if y > 0), default=float(LEAST))
    shown = [max(y, floor / 1000) for y in highs]
    axes.fill_between(xs, [max(y, floor / 1000) for y in lows], shown, color=BAND, linewidth=0)
    axes.plot(xs, shown, color=FIRST, linewidth=3.6)
    axes.plot(xs, [y if y > 0 else nan for y in lows], color=SECOND, linewidth=1.2, linestyle="--")
    for one in picture.asked:
        mark(one, axes)
    decades(axes)
    axes.set_ylim(floor, 3 * max(highs, default=1))
    axes.set_xlim(left=0)
    axes.set_xlabel("epsilon")
    axes.set_ylabel("delta")
    name_bounds(picture, axes)
    headed(figure, picture.title)


def corners(curve: Sequence[Bounds]) -> tuple[list[float], list[float], list[float]]:
    """epsilon, and both bounds of delta, rounded outward."""
    xs = [float(b.epsilon[0]) for b in curve]
    return xs, [float_below(b.delta[0]) for b in curve], [float_above(b.delta[1]) for b in curve]


def name_bounds(picture: Picture, axes: Axes) -> None:
    """How far the bounds are apart, in words where nobody could see it, else beside both."""
    known = [b for b in picture.curve if b.delta[0] > 0]
    widest = max((relative_width(b.delta) for b in known), default=Fraction(1))
    if not known:
        remark(axes, "upper bound; none from below is known")
    elif widest == 0:
        remark(axes, "upper and lower bound are equal")
    elif widest < VISIBLE:
        remark(axes, f"upper and lower bound\nat most {float_above(widest):.1e} of delta apart", multialignment="right")
    else:
        xs, lows, highs = corners(picture.curve)
        label(axes, at_share(xs, highs, 0.45), "upper bound", FIRST, ha="left", dx=4)
        place = max(i for i, y in enumerate(lows) if y > 0) // 2
        label(axes, (xs[place], lows[place]), "lower bound", SECOND, ha="right", va="top", dx=-4, dy=-4)


def mark(point: Bounds, axes: Axes) -> None:
    """The ends of an answer, joined, and the answer beside them."""
    xs, ys = [list(map(float, pair)) for pair in (point.epsilon, point.delta)]
    if min(ys) > 0:
        axes.plot(xs, ys, "D-", color=BOUND, markersize=4.5, linewidth=1.2, zorder=5)
        words = f"epsilon {xs[1]:.4g}\ndelta {power(ys[1])}"
        label(axes, (xs[1], ys[1]), words, dx=-7, dy=-2, ha="right", va="top")


def relative_width(bounds: tuple[Fraction, Fraction]) -> Fraction:
    """(upper - lower) / upper; 0 where both are 0."""
    lower, upper = bounds
    return (upper - lower) / upper if upper > 0 else Fraction(0)
