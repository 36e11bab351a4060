"""Privacy-loss distributions: how likely each loss ln(P(y) / Q(y)) is for y drawn from P, certified bin by bin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, isinf
from typing import TYPE_CHECKING

from refdp import work
from refdp.accounting.accounts import ABOVE, Account
from refdp.accounting.balls import real
from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.lattice.loss_distributions import loss_distribution
from refdp.accounting.losses import Composition
from refdp.accounting.masses import infinity_mass
from refdp.accounting.numbers import float_above, float_below
from refdp.accounting.pairs import unattained
from refdp.accounting.tails import Tail, best_curve, tail, window
from refdp.numerics.enclosures import precision
from refdp.numerics.exact import ExactReal
from refdp.report.pictures.colours import BAND, BOUND, FIRST, QUIET, SECOND
from refdp.report.pictures.files import WIDTH
from refdp.report.pictures.labels import label_both, remark
from refdp.report.pictures.laws import Laws

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SEEN, DELTA = Fraction(1, 10**6), Fraction(1, 10**9)
"""How narrow curves must be, and the least delta that they need resolve."""
SHARE = Fraction(1, 2000)
"""How much of P may lie beyond either end of the picture."""
BINS = 48
MOST_ATOMS = 240
"""Most losses of a lattice that have bars of their own."""
WIDE = 0.01
"""From this share of the tallest bar on, what is not known of bars is drawn."""
SIDES = {"remove": "row removed", "add": "row added", "replace": "row replaced"}
BITS = 64
HALF, OFF = Fraction(1, 2), Fraction(1, 130)
"""By how much of its width a window is widened, lest one of its ends be the end of the losses."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Losses from `low` to `high`, of a probability between two bounds."""

    low: float
    high: float
    least: float
    most: float

    @property
    def middle(self) -> float:
        """The middle of its losses."""
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True)
class Side:
    """The law of the loss in one direction, and bounds of the probability that it is infinite."""

    name: str
    bars: tuple[Bar, ...]
    infinite: tuple[float, float] = (0.0, 0.0)
    is_lattice: bool = False
    """Whether each bar is of one loss."""


def sides_of(stated: Account, timeout: float) -> tuple[Side, ...]:
    """The law of the loss of what is composed, in each direction; OutOfReach where nothing is known from below."""
    attained_from_below(stated)
    end, found = work.spent() + timeout, list[Side]()
    for place, (name, product) in enumerate(stated.compositions.items()):
        now = work.spent()
        effort = Effort(SEEN, DELTA, now + (end - now) / (len(stated.compositions) - place))
        found.append(side_of(SIDES[name] if len(stated.compositions) > 1 else "", product, best_curve(product, effort)))
    return tuple(found)


def attained_from_below(stated: Account) -> None:
    """OutOfReach where the pair of an event is a bound that need not be attained: nothing is known from below."""
    if loose := unattained(stated.events):
        raise OutOfReach(f"{ABOVE} {', '.join(dict.fromkeys(event.name for event in loose))}")


def side_of(name: str, product: Composition, curve: Curve) -> Side:
    """The law of the loss from its tails at the edges of bins."""
    low, high = window(curve, SHARE)
    low, high = low - OFF * (high - low), high + OFF * (high - low)
    edges = lattice_edges(product, low, high)
    points = edges or [low + (high - low) * i / BINS for i in range(BINS + 1)]
    bars = tuple(bars_of([tail(curve, at, points[1] - points[0]) for at in points]))
    mass = infinity_mass(product)
    return Side(name, bars, (float_below(mass.lower), float_above(mass.upper)), edges is not None)


def bars_of(tails: Sequence[Tail]) -> Iterator[Bar]:
    """The probability of the losses above one edge and at most the next."""
    for a, b in pairwise(tails):
        least, most = a.p.lower - b.p.upper, a.p.upper - b.p.lower
        yield Bar(float(a.at), float(b.at), max(0.0, float_below(least)), float_above(most))


def lattice_edges(product: Composition, low: Fraction, high: Fraction) -> list[Fraction] | None:
    """Points halfway between the losses of a power of one pair on a lattice; None where there are none, or too many."""
    if len(product.parts) != 1:
        return None
    ((loss, count),) = product.parts
    law = loss_distribution(loss)
    if law is None or not isinstance(law.spacing, ExactReal):
        return None
    with precision(BITS):
        first, step = (Fraction(float(x)) for x in (law.first() * count, real(law.spacing)))
    start, end = floor((low - first) / step), ceil((high - first) / step)
    if end - start > MOST_ATOMS:
        return None
    return [first + (i - HALF) * step for i in range(start, end + 2)]


def atoms_of(both: Laws) -> Side:
    """The law of the loss of two laws with outcomes: a bar for each loss."""
    masses: dict[float, float] = {}
    for p, loss in zip(both.p, both.losses, strict=True):
        if p > 0:
            near = loss if isinf(loss) else round(loss, 9)
            masses[near] = masses.get(near, 0.0) + p
    infinite = masses.pop(float("inf"), 0.0)
    bars = tuple(Bar(loss, loss, p, p) for loss, p in sorted(masses.items()))
    return Side("", bars, (infinite, infinite), is_lattice=True)


def draw_sides(sides: Sequence[Side], figure: Figure) -> None:
    """The first law as bars, a second one as a dashed outline; what is infinite in words."""
    figure.set_size_inches(WIDTH, 3.2)
    axes = figure.subplots()
    draw_bars(sides[0], axes)
    for other in sides[1:]:
        edges = [other.bars[0].low, *(b.high for b in other.bars)]
        axes.stairs([(b.least + b.most) / 2 for b in other.bars], edges, color=SECOND, linewidth=1.6, linestyle="--")
    name_sides(sides, axes)
    axes.axvline(0, color=QUIET, linewidth=0.8)
    axes.margins(y=0.2)
    axes.set_ylim(bottom=0)
    axes.locator_params(axis="x", nbins=6)
    axes.set_xlabel("privacy loss")
    axes.set_ylabel("probability")
    for words, y in zip(remarks(sides), (0.99, 0.89), strict=False):
        remark(axes, words, y=y)


def draw_bars(side: Side, axes: Axes) -> None:
    """Bars up to what is certain, and over them, hatched, what may be besides."""
    width = bar_width(side)
    xs = [bar.middle for bar in side.bars]
    axes.bar(xs, [bar.least for bar in side.bars], width, color=BAND, edgecolor=FIRST, linewidth=1.0)
    tallest = max(bar.most for bar in side.bars)
    loose = [bar for bar in side.bars if bar.most - bar.least > WIDE * tallest]
    if loose:
        heights = [bar.most - bar.least for bar in loose]
        style = {"facecolor": "none", "edgecolor": BOUND, "hatch": "xxxx", "linewidth": 0.8}
        axes.bar([b.middle for b in loose], heights, width, bottom=[b.least for b in loose], **style)


def bar_width(side: Side) -> float:
    """How wide bars are: as their bins, or thin where each is of one loss."""
    middles = sorted({bar.middle for bar in side.bars})
    gap = min((b - a for a, b in pairwise(middles)), default=1.0)
    return gap / 3 if side.is_lattice else gap


def name_sides(sides: Sequence[Side], axes: Axes) -> None:
    """The direction of each law, at its highest bars."""
    tops = [max(side.bars, key=lambda bar: bar.most) for side in sides]
    if len(sides) == 2:
        label_both(axes, *(((top.middle, top.most), side.name, colour)
                           for top, side, colour in zip(tops, sides, (FIRST, SECOND), strict=True)))  # fmt: skip


def remarks(sides: Sequence[Side]) -> Iterator[str]:
    """What is not seen in the bars: infinite losses, and how well they are known."""
    most = max(side.infinite[1] for side in sides)
    if most > 0:
        yield f"infinite with probability {most:.3g}"
    tallest = max(bar.most for side in sides for bar in side.bars)
    gap = max(bar.most - bar.least for side in sides for bar in side.bars)
    if gap > WIDE * tallest:
        yield "hatched: not certain"
