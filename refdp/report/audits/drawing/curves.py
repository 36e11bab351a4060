"""delta(epsilon): what is claimed, what is exact, and what is certified from below, on a scale of powers of ten."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from refdp.auditing.judges.result import Curve
from refdp.report.audits.drawing.marks import Picture, Point, box, dot, drawing, line, path, thinned, words
from refdp.report.audits.drawing.planes import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Plane, Scale, spread
from refdp.report.audits.writing import brief

DECADES = 16
"""Most powers of ten that are drawn; what lies below stands on the lowest line."""
NOTHING = HEIGHT - BOTTOM - 20
"""Where the powers of ten end; below it is the line of what is 0, or too small to be drawn."""
Layer = Sequence[float | None]
MEANING = {
    "claimed": "claimed",
    "exact": "exact",
    "certified": "certified from below: the true delta is not less",
    "beyond": "more than is claimed",
}


def curve_picture(curve: Curve, name: str) -> Picture:
    """The picture; layers that are not known are left out."""
    layers = {"certified": curve.certified, "exact": curve.exact, "claimed": curve.claimed}
    known = {key: layer for key, layer in layers.items() if any(v is not None for v in layer)}
    found = _plane(curve, list(known.values()))
    excess = list(_beyond(curve, found))
    parts = [*_axes(found), *excess, *(m for key, layer in known.items() for m in _layer(curve, layer, key, found))]
    if curve.marked is not None:
        parts += _marked(curve.marked, found)
    legend = [key for key in MEANING if key in known or key == "beyond" and excess]
    says = _says(curve, known)
    svg = drawing(WIDTH, HEIGHT, name, "delta as a function of epsilon", says, parts)
    return Picture(svg, tuple((key, MEANING[key]) for key in legend), says)


def _plane(curve: Curve, layers: list[Layer]) -> Plane:
    """Powers of ten that hold what is > 0, at most DECADES."""
    values = [v for layer in layers for v in layer if v is not None and 0 < v < math.inf] or [1e-6, 1]
    high = min(0, math.ceil(math.log10(max(values)) - 1e-9)) if max(values) <= 1 else math.ceil(math.log10(max(values)))
    low = max(min(math.floor(math.log10(min(values)) + 1e-9), high - 1), high - DECADES)
    marked = [] if curve.marked is None else [curve.marked]
    x = Scale(*spread([*curve.epsilons, *marked]), LEFT, WIDTH - RIGHT)
    return Plane(x, Scale(10.0**low, 10.0**high, NOTHING, TOP, by_powers=True))


def _height(value: float, p: Plane) -> float:
    """The pixel of delta; what is 0, or smaller than the axis, stands on the lowest line."""
    return p.y.at(value) if value >= p.y.low * 0.999 else HEIGHT - BOTTOM


def _axes(p: Plane) -> Iterator[Markup]:
    """The axes; the lowest line has a name of its own."""
    yield from p.axes("epsilon", "delta", [(HEIGHT - BOTTOM, "0")])


def _layer(curve: Curve, layer: Layer, key: str, p: Plane) -> Iterator[Markup]:
    """One layer: lines through its points, dots where points are few, an area under what is certified."""
    for run in runs(curve.epsilons, layer):
        points = thinned([(p.x.at(e), _height(v, p)) for e, v in run])
        if key == "certified" and len(points) > 1:
            floor = HEIGHT - BOTTOM
            yield path([(points[0][0], floor), *points, (points[-1][0], floor)], "certified-area", closed=True)
        yield path(points, f"stroke {key}")
        if len(points) <= 12:
            yield from (dot(at, f"dot {key}") for at in points)


def runs(epsilons: Sequence[float], layer: Layer) -> Iterator[list[tuple[float, float]]]:
    """The stretches of a layer on which it is known."""
    run: list[tuple[float, float]] = []
    for e, v in zip(epsilons, layer, strict=True):
        if v is not None:
            run.append((e, v))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _beyond(curve: Curve, p: Plane) -> Iterator[Markup]:
    """The areas between what is claimed and what is known to be more."""
    claimed = curve.claimed or (None,) * len(curve.epsilons)
    upper: list[Point] = []
    lower: list[Point] = []
    for i, (epsilon, c) in enumerate([*zip(curve.epsilons, claimed, strict=True), (0.0, None)]):
        if c is not None and (most := _most(curve, i)) > c:
            upper.append((p.x.at(epsilon), _height(most, p)))
            lower.append((p.x.at(epsilon), _height(c, p)))
            continue
        if len(upper) > 1:
            yield path([*thinned(upper), *reversed(thinned(lower))], "beyond-area", closed=True)
        upper, lower = [], []


def _most(curve: Curve, i: int) -> float:
    """The greatest delta that is known not to be too large."""
    layers = (curve.exact, curve.certified)
    return max((v for layer in layers if layer and (v := layer[i]) is not None), default=-math.inf)


def _marked(epsilon: float, p: Plane) -> list[Markup]:
    """The line at the epsilon of the claim, its name on the side where there is room."""
    x = p.x.at(epsilon)
    is_right = x > (LEFT + WIDTH) / 2
    at, anchor = (x - 5, "end") if is_right else (x + 5, "start")
    said = words(at, TOP + 13, f"epsilon = {brief(epsilon)}", "strong", anchor)
    return [line(x, TOP, x, HEIGHT - BOTTOM, "marked"), box(x - 1, HEIGHT - BOTTOM, 2, 5, "tick"), said]


def _says(curve: Curve, known: Mapping[str, Layer]) -> str:
    """The layers at the epsilon that is marked, or at the first one."""
    if not curve.epsilons:
        return "No epsilon is given."
    wanted = curve.epsilons[0] if curve.marked is None else curve.marked
    i = min(range(len(curve.epsilons)), key=lambda k: abs(curve.epsilons[k] - wanted))
    values = [f"{key} {brief(v)}" for key in MEANING if key in known and (v := known[key][i]) is not None]
    return f"At epsilon = {brief(curve.epsilons[i])}: {', '.join(values) or 'nothing is known'}."
