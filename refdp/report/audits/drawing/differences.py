"""Empirical minus exact distribution function, and the band that holds all of it if the law is right."""

from __future__ import annotations

from refdp.auditing.judges.result import Difference
from refdp.report.audits.drawing.marks import Picture, box, dot, drawing, line, path, thinned
from refdp.report.audits.drawing.planes import HEIGHT, LEFT, RIGHT, WIDTH, plane, spread
from refdp.report.audits.writing import brief

MOST_DOTS = 30


def difference_picture(found: Difference, name: str) -> Picture:
    """The difference within, or out of, its band."""
    largest = max([found.band, *(abs(v) for v in found.difference)])
    low, high = spread([-1.15 * largest, 1.15 * largest])
    p = plane(spread(found.at), (low, high))
    points = [p.point(x, v) for x, v in zip(found.at, found.difference, strict=True)]
    outside = [at for at, v in zip(points, found.difference, strict=True) if abs(v) > found.band]
    upper, lower = p.y.at(found.band), p.y.at(-found.band)
    says = _says(found)
    parts = [
        box(LEFT, upper, WIDTH - LEFT - RIGHT, lower - upper, "band-area"),
        *p.axes("output", "empirical minus exact"),
        *(line(LEFT, y, WIDTH - RIGHT, y, "stroke band") for y in (upper, lower)),
        line(LEFT, p.y.at(0), WIDTH - RIGHT, p.y.at(0), "zero"),
        path(thinned(points), "stroke difference"),
        *(dot(at, "dot outside") for at in outside[:: -(-len(outside) // MOST_DOTS) or 1]),
    ]
    svg = drawing(WIDTH, HEIGHT, name, "Difference of the distribution functions", says, parts)
    legend = [("difference", "empirical minus exact distribution function")]
    legend.append(("band-both", f"simultaneous band, confidence {found.confidence}"))
    legend += [("outside", "outside of the band")] if outside else []
    return Picture(svg, tuple(legend), says)


def _says(found: Difference) -> str:
    """The largest difference beside the half width of the band."""
    if not found.at:
        return "No points are given."
    i = max(range(len(found.at)), key=lambda k: abs(found.difference[k]))
    where = "outside" if abs(found.difference[i]) > found.band else "inside"
    return (
        f"Largest difference {brief(found.difference[i])} at {brief(found.at[i])}, {where} of the band of "
        f"+-{brief(found.band)}."
    )
