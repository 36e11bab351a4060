"""delta as a function of epsilon; how far the classical Gaussian theorem reaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from refdp.claims import ledger
from refdp.kernel.judgements import Private
from refdp.numerics.calibration import frontier
from refdp.report.certificates import theorem_of
from refdp.report.pictures.colours import BOUND, FIRST, PROVED, SECOND
from refdp.report.pictures.instances import Instance, instance_of
from refdp.report.pictures.laws import least_deltas, value_of
from refdp.report.pictures.plans import is_classical
from refdp.spec.classical import REGIONS
from refdp.spec.terms import Term, name, names, number, substitute

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 120
"""Epsilons at which a curve is drawn."""
HIGHEST = 21.0
"""The largest epsilon of the pictures of the frontier."""
WIDTH = Fraction(1, 50)
"""How close the two sides of the frontier are in a picture."""
SMALL = (*(Fraction(k, 10**e) for e in range(9, 1, -1) for k in (1, 3)), *(Fraction(k, 20) for k in range(1, 11)))
LARGE = (Fraction(1, 200), *(Fraction(k, 40) for k in range(1, 40)), Fraction(199, 200))
"""The deltas of the two panels of the frontier."""


def draw_curve(found: Instance, figure: Figure) -> None:
    """The least delta for each epsilon, and what is claimed."""
    claimed, axes = claimed_points(found), figure.subplots()
    last = Fraction(round(1300 * max(epsilon for epsilon, _ in claimed)), 1000) or Fraction(1)
    epsilons = [last * i / POINTS for i in range(POINTS + 1)]
    deltas = least_deltas(found, epsilons)
    if deltas is None:
        raise ValueError(f"the claim must have a delta that can be drawn, got {found.claim.subject}")
    smallest = min(delta for _, delta in claimed)
    if smallest > 0:
        axes.set_yscale("log")
        axes.set_ylim(smallest / 30, 1)
    label = "least delta for this pair of inputs"
    axes.plot(list(map(float, epsilons)), deltas, color=FIRST, linewidth=2.4, label=label)
    style = "--" if len(claimed) > 1 else "D"
    axes.plot(*zip(*claimed, strict=True), style, color=SECOND, label="claimed")
    axes.set_xlim(0, float(last))
    axes.set_xlabel("epsilon")
    axes.set_ylabel("delta")
    axes.legend(fontsize=9, frameon=False)
    figure.subplots_adjust(left=0.11, right=0.985, top=0.91, bottom=0.13)


def claimed_points(found: Instance) -> list[tuple[float, float]]:
    """(epsilon, delta) as claimed: one pair, or a pair for each of several values of the name in them."""
    if not isinstance(found.claim, Private):
        raise ValueError(f"the claim must be about privacy, got {found.claim.term}")
    epsilon, delta = found.claim.d_out
    at: Sequence[Mapping[str, Term]] = [{}]
    if delta == name("delta"):
        at = [{"delta": number(Fraction(1, 10**k))} for k in range(1, 10)]
    elif names(delta) or names(epsilon):
        at = [{v: number(Fraction(k, 4)) for v in names(epsilon)} for k in range(17)]
    pairs = [(value_of(substitute(epsilon, v)), value_of(substitute(delta, v))) for v in at]
    return [(e, d) for e, d in pairs if e is not None and d is not None]


def draw_frontier(found: Instance, figure: Figure) -> None:
    """Where the classical theorem holds, is proved, and is refuted; dashed, where the claim says that it holds."""
    left, right = figure.subplots(1, 2, sharey=True)
    left.set_xscale("log")
    left.set_xlim(float(SMALL[0]), float(SMALL[-1]))
    right.set_xlim(0, 1)
    for axes, deltas in ((left, SMALL), (right, LARGE)):
        points = decided(deltas)
        axes.plot([float(d) for d, _, _ in points], [float(lower) for _, lower, _ in points], color=FIRST)
        draw_regions(axes)
        width, height = (limit(found, word, beyond) for word, beyond in (("delta", 1.0), ("epsilon", HIGHEST)))
        axes.plot([axes.get_xlim()[0], width, width], [height, height, 0], color=BOUND, linestyle="--", linewidth=1.2)
        for epsilon, delta in refuted_points():
            axes.plot([delta], [epsilon], "x", color=SECOND, markersize=8, markeredgewidth=2)
        axes.set_xlabel("delta")
        axes.set_ylim(0, HIGHEST)
        axes.set_yticks(range(0, 25, 5))
    left.set_ylabel("epsilon")
    right.text(0.5, 12, "fails", ha="center", fontsize=10)
    right.text(0.75, 1.5, "holds at the\npoints decided", ha="center", fontsize=10)
    right.text(0.25, 2, "proved", ha="center", fontsize=10)
    figure.subplots_adjust(left=0.085, right=0.985, top=0.9, bottom=0.13, wspace=0.06)


@cache
def decided(deltas: tuple[Fraction, ...]) -> list[tuple[Fraction, Fraction, Fraction]]:
    """The frontier at these deltas: where the theorem holds, and a little above, where it fails."""
    return frontier(deltas, WIDTH)


def limit(found: Instance, word: str, otherwise: float) -> float:
    """The largest value of a name that the conditions of a claim allow; where they set none, another number."""
    bounds = (c.arguments[1] for c in found.claim.given if c.operator == "<=" and c.arguments[0] == name(word))
    values = [v for v in map(value_of, bounds) if v is not None]
    return min([*values, otherwise])


def draw_regions(axes: Axes) -> None:
    """The regions on which the theorem is proved, with the constant 5/4."""
    for region in REGIONS.values():
        height = value_of(region.largest_epsilon)
        if region.constant == Fraction(5, 4) and height is not None:
            axes.fill_between([0, float(region.largest_delta)], 0, height, color=PROVED, linewidth=0)


def refuted_points() -> Iterator[tuple[float, float]]:
    """(epsilon, delta) at which a claim of the ledger about the classical sigma is refuted."""
    for claim in ledger():
        if claim.expected == "REFUTED" and is_classical(claim.formal):
            found = instance_of(claim, theorem_of(claim))
            if found is not None:
                yield from claimed_points(found)
