"""Privacy losses of the outputs: how often each comes on either side, and which of them the event holds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from refdp.auditing.judges.result import LossBin
from refdp.report.audits.drawing.marks import Picture, Point, box, drawing, path
from refdp.report.audits.drawing.planes import BOTTOM, HEIGHT, TOP, WIDTH, Plane, plane, spread
from refdp.report.audits.writing import brief

LEGEND = (("first", "first input"), ("second", "second input"), ("inside", "outputs in the event"))
MOST_BINS = 400
"""More bins than pixels show nothing more; neighbours are joined."""


def losses_picture(bins: Sequence[LossBin], name: str) -> Picture:
    """The two histograms, the event shaded."""
    drawn = _fitted(_joined(sorted(bins, key=lambda b: (b.lower, b.upper))))
    top = max((v for b in drawn for v in (b.first, b.second) if math.isfinite(v)), default=1) or 1
    edges = [e for b in drawn for e in (b.lower, b.upper)]
    p = plane(spread(edges), (0, 1.05 * top))
    says = _says(bins)
    parts = [
        *_shaded(drawn, p),
        *p.axes("privacy loss ln(P / Q)", "how often"),
        path(_outline(drawn, "first", p), "stroke first first-area"),
        path(_outline(drawn, "second", p), "stroke second"),
    ]
    svg = drawing(WIDTH, HEIGHT, name, "Privacy losses of the outputs on the two inputs", says, parts)
    return Picture(svg, LEGEND if any(b.inside for b in drawn) else LEGEND[:2], says)


def _joined(bins: list[LossBin]) -> list[LossBin]:
    """At most MOST_BINS, where the event allows it."""
    step, found = -(-len(bins) // MOST_BINS) or 1, list[LossBin]()
    for i, b in enumerate(bins):
        last = found[-1] if found and i % step else None
        if last is not None and last.inside == b.inside:
            found[-1] = LossBin(last.lower, b.upper, last.first + b.first, last.second + b.second, b.inside)
        else:
            found.append(b)
    return found


def _fitted(bins: list[LossBin]) -> list[LossBin]:
    """Bins without end made as wide as can be seen; points reach half way to their neighbours, but not far."""
    low, high = spread([e for b in bins for e in (b.lower, b.upper)])
    width = (high - low) / 30
    ended = _unrepeated([_ended(b, low, high, width) for b in bins])
    before = [-math.inf, *(b.upper for b in ended[:-1])]
    after = [*(b.lower for b in ended[1:]), math.inf]
    return [_widened(b, ends, width / 4) for b, ends in zip(ended, zip(before, after, strict=True), strict=True)]


def _widened(b: LossBin, ends: tuple[float, float], most: float) -> LossBin:
    """A point made a bin, within half of the way to what is beside it."""
    if b.lower < b.upper:
        return b
    lower, upper = max(b.lower - most, (ends[0] + b.lower) / 2), min(b.upper + most, (ends[1] + b.upper) / 2)
    return LossBin(lower, upper, b.first, b.second, b.inside)


def _ended(b: LossBin, low: float, high: float, width: float) -> LossBin:
    """The bin with ends that can be drawn."""
    lower = b.lower if math.isfinite(b.lower) else (low - width if b.lower < 0 else high)
    upper = b.upper if math.isfinite(b.upper) else (high + width if b.upper > 0 else low)
    return LossBin(lower, upper, b.first, b.second, b.inside)


def _unrepeated(bins: list[LossBin]) -> list[LossBin]:
    """Points at the same place are one; it is in the event where any of them is."""
    found: list[LossBin] = []
    for b in bins:
        if found and b.lower == b.upper == found[-1].lower == found[-1].upper:
            last = found[-1]
            both = last.first + b.first, last.second + b.second
            found[-1] = LossBin(b.lower, b.upper, *both, last.inside or b.inside)
        else:
            found.append(b)
    return found


def _shaded(bins: list[LossBin], p: Plane) -> Iterator[Markup]:
    """A ground behind each stretch of bins that the event holds."""
    stretch: list[LossBin] = []
    for b in [*bins, None]:
        if b is not None and b.inside and (not stretch or b.lower <= stretch[-1].upper):
            stretch.append(b)
            continue
        if stretch:
            x, to = p.x.at(stretch[0].lower), p.x.at(stretch[-1].upper)
            yield box(x, TOP, to - x, HEIGHT - TOP - BOTTOM, "inside-area")
        stretch = [b] if b is not None and b.inside else []


def _outline(bins: list[LossBin], side: str, p: Plane) -> list[Point]:
    """The steps of a histogram, down to the axis between bins that are apart."""
    found: list[Point] = []
    end = None
    for b in bins:
        if end is None or b.lower > end:
            found += [(found[-1][0], p.y.at(0))] if found else []
            found.append((p.x.at(b.lower), p.y.at(0)))
        height = p.y.at(getattr(b, side))
        found += [(p.x.at(b.lower), height), (p.x.at(b.upper), height)]
        end = b.upper
    return [*found, (found[-1][0], p.y.at(0))] if found else []


def _says(bins: Sequence[LossBin]) -> str:
    """How often the event comes on either side."""
    held = [b for b in bins if b.inside]
    if not held:
        return ""
    first, second = sum(b.first for b in held), sum(b.second for b in held)
    return f"The event: {brief(first)} on the first input, {brief(second)} on the second."
