"""Success of an attack against epsilon: the interval at each epsilon, and the certified bound as a curve.

The bound is worked out at the points that are drawn; the lines between these are lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refdp.accounting.numbers import float_above
from refdp.attacks.bounds import guess_probability
from refdp.attacks.games import Attack
from refdp.commands.attack import Effort, Step, attack_of, by_sums, played
from refdp.commands.files import write_whole
from refdp.report.pictures.colours import BAND, BOUND, FIRST, QUIET, SECOND
from refdp.report.pictures.files import WIDTH, picture_file, rendered
from refdp.report.pictures.labels import headed, label, power

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TOP = 1.03
"""Where the axis of probabilities ends."""
POINTS = 40
"""Epsilons at which the bound is worked out."""
SECONDS = 10.0
"""Of each of them, at most; what is not reached by then is drawn as the bound that was reached."""
BESIDE = 1.06
"""How far two marks of one epsilon stand from it, as a factor."""
Curve = tuple[tuple[float, float], ...]
Mark = tuple[float, float, float, float]
"""epsilon, lower end, share, upper end."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn: intervals by epsilon, curves by name, and what is reached without any answer."""

    title: str
    answers: int
    caption: str
    success: tuple[Mark, ...]
    without: tuple[Mark, ...]
    curves: Mapping[str, Curve]
    chance: float | None


def plot_attack(name: str, out: str | Path, *, step: Step = lambda *_: None, **asked: Any) -> dict[str, Any]:
    """Draw success against epsilon, with the certified bound, into a file that ends in .svg, .png or .pdf.

    `asked` are the words of `refdp.attack`, whose object is given back, with the picture's path and caption besides.
    Raises ValueError for bad input, and where no row was measured.
    """
    path = picture_file(out)
    auxiliary = asked.pop("auxiliary", None)
    asked["auxiliary"] = [auxiliary] if isinstance(auxiliary, str) else auxiliary
    words = {key: asked.pop(key, None) for key in ("epsilon", "runs")}
    effort = Effort.of(words["epsilon"], words["runs"], asked.pop("error", "1e-9"), asked.pop("timeout", 600.0))
    attack = attack_of(name, asked)
    found = played(attack, effort, step)
    picture = picture_of(attack, found)
    if picture is None:  # an interrupt, or the end of the time, before there was anything to draw
        return found
    content = rendered(lambda figure: draw(picture, figure), picture.title, picture.caption, path.suffix)
    write_whole(path, content)
    return found | {"picture": {"path": str(path), "caption": picture.caption}}


def picture_of(attack: Attack, found: Mapping[str, Any]) -> Picture | None:
    """The picture of what was measured; None where not every row was."""
    rows = [row for row in found["rows"] if row["epsilon"] is not None]
    if found["verdict"] == "UNKNOWN" or any("reason" in row for row in found["rows"]):
        return None
    title = f"{attack.name}: success against epsilon"
    return Picture(
        title, int(found["parameters"].get("answers", 1)), caption(attack, found),
        marks(rows, "success"), marks(rows, "without"),
        curves(attack, rows), None if attack.values == 0 else 1 / attack.values,
    )  # fmt: skip


def marks(rows: Sequence[Mapping[str, Any]], key: str) -> tuple[Mark, ...]:
    """Where each interval stands."""
    return tuple(
        (float(Fraction(row["epsilon"])), float(one["lower"]), one["right"] / one["runs"], float(one["upper"]))
        for row in rows
        if (one := row.get(key)) is not None
    )


def curves(attack: Attack, rows: Sequence[Mapping[str, Any]]) -> dict[str, Curve]:
    """The certified bound, and what else is to be compared with it."""
    if attack.values == 0:  # a bound of a difference, above what is reached of the others
        above = [(float(Fraction(row["epsilon"])), one_above(row)) for row in rows]
        return {"those not in it + certified difference": tuple(sorted(above))}
    epsilons = between([Fraction(row["epsilon"]) for row in rows])
    found = {"certified bound": tuple((float(e), float_above(attack.bound(e, SECONDS).probability)) for e in epsilons)}
    found["bound by the sum of losses"] = tuple((float(e), float_above(by_sums(attack, e))) for e in epsilons)
    if any("if_independent" in row for row in rows):
        del found["bound by the sum of losses"]
        alone = [(float(e), float_above(guess_probability(attack.values, e, Fraction(0)))) for e in epsilons]
        found["bound if rows were independent"] = tuple(alone)
    return (
        found
        if found.get("bound by the sum of losses") != found["certified bound"]
        else {"certified bound": found["certified bound"]}
    )


def one_above(row: Mapping[str, Any]) -> float:
    """What is reached of rows that are not in the table, and the bound of the difference, together at most 1."""
    others = row["without"]
    share: float = others["right"] / others["runs"]
    return min(1.0, share + float(row["bound"]))


def between(epsilons: Sequence[Fraction]) -> list[Fraction]:
    """Epsilons from somewhat below the least to somewhat above the greatest, evenly by their logarithms."""
    low, high = float(min(epsilons)) / 1.3, float(max(epsilons)) * 1.3
    steps = [low * (high / low) ** (place / (POINTS - 1)) for place in range(POINTS)]
    return [Fraction(f"{one:.4g}") for one in steps]


def caption(attack: Attack, found: Mapping[str, Any]) -> str:
    """What the picture shows."""
    return (
        f"{attack.sentence} Bars: the interval of the probability of a right guess at each epsilon of one answer, all "
        f"of which hold but for a chance of {found['error']}; dots: the share that was right. The certified bound "
        f"holds for every attack: {attack.promise}."
    )


def draw(picture: Picture, figure: Figure) -> None:
    """Intervals with their shares, the bounds as curves, the level of chance, and what no attack reaches."""
    figure.set_size_inches(WIDTH, 4.9)
    axes = figure.subplots()
    by_epsilon(axes, picture.answers)
    (name, bound), *others = picture.curves.items()
    xs, ys = zip(*bound, strict=True)
    axes.plot(xs, ys, color=FIRST, linewidth=2.4, label=name)
    if picture.chance is not None:  # else the curve stands above shares that were measured, and certifies no more
        axes.fill_between(xs, ys, TOP, color=BAND, linewidth=0, zorder=0, label="no attack reaches this")
    for other, curve in others:
        axes.plot(*zip(*curve, strict=True), color=QUIET, linestyle="--", linewidth=1.2, label=other)
    if picture.without:
        bars(axes, picture.success, SECOND, "o", 1 / BESIDE, "right of rows in the table, and interval")
        bars(axes, picture.without, BOUND, "s", BESIDE, "right of rows not in it, and interval")
    else:
        bars(axes, picture.success, SECOND, "o", 1.0, "share guessed right, and interval")
    lowest = min(low for _, low, _, _ in (*picture.success, *picture.without))
    axes.set_ylim(max(0.0, min(lowest, picture.chance or 1.0) - 0.06), TOP)
    if picture.chance is not None:
        axes.set_xlim(min(xs), max(xs))  # the ground that no attack reaches fills the frame
        axes.axhline(picture.chance, color=QUIET, linewidth=0.8)
        label(axes, (axes.get_xlim()[1], picture.chance), "by chance", QUIET, ha="right", va="top", dy=-2)
    axes.set_ylabel("probability of a right guess")
    figure.legend(loc="outside lower center", frameon=False)  # curves may lie anywhere, and words on them
    headed(figure, picture.title)


def by_epsilon(axes: Axes, answers: int) -> None:
    """A logarithmic axis of epsilons, each of one answer of so many, with powers of ten as texts."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: power(x)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("epsilon of one answer" if answers == 1 else f"epsilon of each of {answers:,} answers")


def bars(axes: Axes, marks: Sequence[Mark], colour: str, shape: str, shift: float, name: str) -> None:
    """An interval at each epsilon, and the share within it, a little to one side."""
    xs, lows, shares, highs = zip(*((x * shift, *rest) for x, *rest in marks), strict=True)
    ends = [
        [share - low for share, low in zip(shares, lows, strict=True)],
        [high - share for share, high in zip(shares, highs, strict=True)],
    ]
    axes.errorbar(xs, shares, ends, fmt=shape, color=colour, markersize=4.5, elinewidth=1.4, zorder=5, label=name)
