"""Where the classical Gaussian theorem holds: `python -m refdp.report.pictures.frontier docs/frontier.svg`.

The curve is drawn between points that `refdp.numerics.calibration.frontier` decides; the shaded regions are proved.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from refdp.accounting.numbers import float_below
from refdp.claims import claim
from refdp.commands.files import write_whole
from refdp.kernel.reading import relation
from refdp.numerics.calibration import frontier
from refdp.numerics.exact import enclose
from refdp.proofs.lines import prove
from refdp.report.arguments import arguments
from refdp.report.pictures.colours import FIRST, SECOND, SHADE
from refdp.report.pictures.files import WIDTH, svg_text
from refdp.report.pictures.labels import headed, label
from refdp.spec.classical import REGIONS
from refdp.terms.reading import read

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = "Where sigma = d_in sqrt(2 ln(1.25 / delta)) / epsilon gives (epsilon, delta)-DP"
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
CURVE, PROVED, WRONG = FIRST, SHADE, SECOND
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
    figure.set_size_inches(WIDTH, 3.4)
    axes = figure.subplots(1, 2, sharey=True)
    found = points()
    for one, scale in zip(axes, ("log", "linear"), strict=True):
        panel(one, found)
        one.set_xscale(scale)
        one.set_xlabel(f"delta, {'by its logarithm' if scale == 'log' else 'evenly'}")
    axes[0].set_xlim(1e-12, 1)  # a logarithmic axis has no 0
    axes[0].set_xticks([1e-12, 1e-8, 1e-4, 1], ["1e-12", "1e-8", "1e-4", "1"])
    axes[1].set_xlim(0, 1)
    axes[1].set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes[0].set_ylabel("epsilon")
    axes[0].set_ylim(0, 21)
    axes[0].text(3e-7, 2.2, "proved", ha="center", va="center")
    axes[1].text(0.6, 15, "false", ha="center", va="center")
    label(axes[1], (0.5, 4.466), "refuted claims", WRONG, dx=4, dy=8, ha="left")
    label(axes[0], (1e-8, 9.0), "true just below,\nfalse just above", CURVE, dy=34)
    headed(figure, TITLE)


def panel(axes: Axes, found: Points) -> None:
    """The proved regions, the curve and the witnesses."""
    for r in REGIONS.values():
        if r.constant == Fraction(5, 4):
            top = float_below(enclose(r.largest_epsilon).lower)
            axes.fill_between([1e-13, float_below(r.largest_delta)], [top, top], color=PROVED, linewidth=0)
    deltas = [float(d) for d, _, _ in found]
    axes.plot(deltas, [float((lower + upper) / 2) for _, lower, upper in found], color=CURVE)
    wrong = [(float(d), float(e)) for d, e in witnesses()]
    axes.plot(*zip(*wrong, strict=True), "x", color=WRONG, markeredgewidth=1.8)


def svg() -> str:
    """The picture as SVG text; ValueError if matplotlib is not installed."""
    return svg_text(draw, TITLE, CAPTION)


if __name__ == "__main__":
    (file,) = arguments("pictures.frontier", __doc__, "FILE.svg")
    write_whole(file, svg())
