"""delta as a function of epsilon; how far the classical Gaussian theorem reaches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING

from refdp.kernel.judgements import Private
from refdp.report.pictures import frontier
from refdp.report.pictures.colours import BOUND, FIRST, SECOND
from refdp.report.pictures.instances import Instance
from refdp.report.pictures.labels import at_share, decades, label
from refdp.report.pictures.laws import FAR, divergence, laws, least_deltas, value_of
from refdp.terms.term import Term, name, names, number, substitute

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RARE = 1e-4
"""Outcomes less likely than that have no place on the axis."""
POINTS = 120
"""Epsilons at which a curve is drawn."""


def draw_curve(found: Instance, figure: Figure) -> None:
    """The least delta for each epsilon, and what is claimed."""
    claimed, axes = claimed_points(found), figure.subplots()
    last = farthest(found, claimed)
    epsilons = [last * i / POINTS for i in range(POINTS + 1)]
    deltas = least_deltas(found, epsilons)
    if deltas is None:
        raise ValueError(f"the claim must have a delta that can be drawn, got {found.claim.subject}")
    smallest = min((delta for _, delta in claimed), default=0)
    if smallest > 0:
        decades(axes)
        axes.set_ylim(smallest / 30, 1)
    xs = list(map(float, epsilons))
    axes.plot(xs, deltas, color=FIRST, linewidth=3.6)
    label(axes, at_share(xs, deltas, 0.25), "least delta for these inputs", FIRST, ha="left", dx=4)
    if claimed:
        axes.plot(*zip(*claimed, strict=True), "--" if len(claimed) > 1 else "D", color=SECOND, linewidth=1.3)
        label(axes, claimed[len(claimed) // 2], "claimed", SECOND, dx=7, dy=2, ha="left")
    axes.set_xlim(0, float(last))
    axes.set_xlabel("epsilon")
    axes.set_ylabel("delta")


def farthest(found: Instance, claimed: Sequence[tuple[float, float]]) -> Fraction:
    """Up to which epsilon a curve is drawn: a little beyond what is claimed, or else beyond the losses."""
    both = None if claimed else laws(found, FAR)
    losses = [0.0]
    if both is not None:
        losses += [x for x, p in zip(both.losses, both.p, strict=True) if isfinite(x) and p > RARE]
    return Fraction(round(1300 * max((e for e, _ in claimed), default=max(losses))), 1000) or Fraction(1)


def claimed_points(found: Instance) -> list[tuple[float, float]]:
    """(epsilon, delta) as claimed: one pair, or a pair for each of several values of the name in them."""
    if not isinstance(found.claim, Private):
        raise ValueError(f"the claim must be about privacy, got {found.claim.term}")
    if found.claim.measure not in ("pure", "approximate"):
        return []
    epsilon, delta = (*found.claim.d_out, number(0))[:2]
    at: Sequence[Mapping[str, Term]] = [{}]
    if delta == name("delta"):
        at = [{"delta": number(Fraction(1, 10**k))} for k in range(1, 10)]
    elif names(delta) or names(epsilon):
        at = [{v: number(Fraction(k, 4)) for v in names(epsilon)} for k in range(17)]
    pairs = [(value_of(substitute(epsilon, v)), value_of(substitute(delta, v))) for v in at]
    return [(e, d) for e, d in pairs if e is not None and d is not None]


def draw_frontier(found: Instance, figure: Figure) -> None:
    """Where the classical theorem holds, is proved, and is refuted; dashed, where the claim says that it holds."""
    frontier.draw(figure)
    for axes in figure.axes:
        (start, _), (_, top) = axes.get_xlim(), axes.get_ylim()
        width, height = (limit(found, word, beyond) for word, beyond in (("delta", 1.0), ("epsilon", top)))
        axes.plot([start, width, width], [height, height, 0], color=BOUND, linestyle="--", linewidth=1.2)


def limit(found: Instance, word: str, otherwise: float) -> float:
    """The largest value of a name that the conditions of a claim allow; where they set none, another number."""
    bounds = (c.arguments[1] for c in found.claim.given if c.operator == "<=" and c.arguments[0] == name(word))
    values = [v for v in map(value_of, bounds) if v is not None]
    return min([*values, otherwise])


def draw_divergences(found: Instance, figure: Figure) -> None:
    """The Renyi divergence of every order up to 10, and rho times the order."""
    both, axes = laws(found, FAR), figure.subplots()
    if both is None:
        raise ValueError(f"the claim must have laws that can be drawn, got {found.claim.subject}")
    orders = [1 + 9 * i / 90 for i in range(1, 91)]
    divergences = [divergence(both, a) for a in orders]
    axes.plot(orders, divergences, color=FIRST, linewidth=3.6)
    rho = value_of(found.claim.d_out[0]) if isinstance(found.claim, Private) else None
    below = {"dx": 6, "dy": -6, "ha": "left", "va": "top"}
    label(axes, at_share(orders, divergences, 0.55), "of M(x) from M(x')", FIRST, **below)
    if rho is not None:
        claimed = [rho * a for a in orders]
        axes.plot(orders, claimed, color=SECOND, linestyle="--", linewidth=1.3)
        label(axes, at_share(orders, claimed, 0.6), "claimed: rho times the order", SECOND, dx=-6, ha="right")
    axes.set_xlabel("order")
    axes.set_ylabel("Renyi divergence")
