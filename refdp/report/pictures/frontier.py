"""Where the classical Gaussian theorem holds: `python -m refdp.report.pictures.frontier docs/frontier.svg`.

The curve is drawn between points that `refdp.numerics.calibration.frontier` decides; the shaded regions are proved.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from refdp.claims import claim
from refdp.commands.files import write_whole
from refdp.commands.verify import prove
from refdp.kernel.reading import relation
from refdp.numerics.calibration import frontier
from refdp.numerics.exact import enclose
from refdp.report.pictures.writing import svg_text
from refdp.spec.classical import REGIONS
from refdp.spec.terms import read

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = "The classical Gaussian theorem: sigma = d_in sqrt(2 ln(1.25 / delta)) / epsilon"
CAPTION = (
    "Shaded: proved. Curve: between an epsilon at which it holds and one, at most 1/1000 larger, at which it fails, "
    "both decided. Crosses: refuted claims."
)
REFUTED = (
    "classical_without_condition_on_epsilon",
    "classical_just_outside",
    "classical_at_small_delta_outside",
    "classical_at_every_delta_just_outside",
)
"""The claims of the ledger whose witnesses are marked."""
CURVE, PROVED, WRONG = "#0072b2", "#f5e6a8", "#d55e00"
Points = list[tuple[Fraction, Fraction, Fraction]]


@cache
def points() -> Points:
    """The frontier at powers of ten and on an even grid of deltas."""
    small = [Fraction(m, 10**e) for e in range(12, 1, -1) for m in (1, 3)]
    return frontier([*small, *(Fraction(k, 50) for k in range(5, 50)), Fraction(99, 100), Fraction(995, 1000)])


@cache
def witnesses() -> list[tuple[Fraction, Fraction]]:
    """(delta, epsilon) of the refuted claims."""
    found = []
    for notion in REFUTED:
        (step,) = prove(claim(f"gaussian.{notion}")).premises
        epsilon, delta = relation(read(step.data["claim"])).d_out
        found.append((delta.rational, epsilon.rational))
    return found


def draw(figure: Figure) -> None:
    """Two views of one picture: deltas by their logarithm, and evenly."""
    figure.set_size_inches(7.2, 3.8)
    axes = figure.subplots(1, 2, sharey=True)
    found = points()
    for one, scale in zip(axes, ("log", "linear"), strict=True):
        panel(one, found)
        one.set_xscale(scale)
        one.set_xlabel("delta")
    axes[0].set_xlim(1e-12, 1)  # a logarithmic axis has no 0
    axes[1].set_xlim(0, 1)
    axes[1].set_xticks([0.2, 0.4, 0.6, 0.8, 1])
    axes[0].set_ylabel("epsilon")
    axes[0].set_ylim(0, 21)
    axes[1].legend(loc="upper right", fontsize=8, frameon=False)
    figure.suptitle(TITLE, x=0.02, y=0.985, ha="left", va="top", fontsize=10, fontweight="bold")
    figure.subplots_adjust(left=0.09, right=0.985, top=0.88, bottom=0.13, wspace=0.12)


def panel(axes: Axes, found: Points) -> None:
    """The proved regions, the curve and the witnesses."""
    for r in REGIONS.values():
        if r.constant == Fraction(5, 4):
            top = float(enclose(r.largest_epsilon).lower)
            axes.fill_between([1e-13, float(r.largest_delta)], [top, top], color=PROVED, linewidth=0)
    axes.fill_between([], [], color=PROVED, label="proved")
    deltas = [float(d) for d, _, _ in found]
    axes.plot(
        deltas,
        [float((lower + upper) / 2) for _, lower, upper in found],
        color=CURVE,
        label="true just below, false just above",
    )
    wrong = [(float(d), float(e)) for d, e in witnesses()]
    axes.plot(*zip(*wrong, strict=True), "x", color=WRONG, label="refuted")


def svg() -> str:
    """The picture as SVG text; ValueError if matplotlib is not installed."""
    return svg_text(draw, TITLE, CAPTION)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m refdp.report.pictures.frontier FILE.svg")
    write_whole(Path(sys.argv[1]), svg())
