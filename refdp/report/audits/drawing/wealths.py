"""Wealth against samples: the logarithm of the e-value, and the line above which the claim is refuted."""

from __future__ import annotations

from refdp.auditing.judges.result import Wealth
from refdp.report.audits.drawing.marks import Picture, dot, drawing, line, path, thinned, words
from refdp.report.audits.drawing.planes import HEIGHT, LEFT, RIGHT, WIDTH, Plane, plane, spread
from refdp.report.audits.writing import brief, grouped

LEGEND = (("wealth", "evidence against the claim"), ("threshold", "1/alpha: refuted above this line"))
DEEPEST, HIGHEST = 2, 8
"""How many thresholds below 0 and above are drawn; what is beyond stands at the edge."""
WIDE = 50
"""From this ratio of last to first on, samples are drawn by their powers of ten."""


def wealth_picture(wealth: Wealth, name: str) -> Picture:
    """The line of wealth and the threshold."""
    p, says = _plane(wealth), _says(wealth)
    points = thinned([p.point(n, v) for n, v in zip(wealth.samples, wealth.log10, strict=True)])
    level = p.y.at(wealth.threshold)
    parts = [
        *p.axes("samples", "log10 of the e-value"),
        line(LEFT, p.y.at(0), WIDTH - RIGHT, p.y.at(0), "zero"),
        line(LEFT, level, WIDTH - RIGHT, level, "stroke threshold"),
        words(LEFT + 6, level - 5, f"log10 of 1/alpha = {brief(wealth.threshold)}", "strong"),
        path(points, "stroke wealth"),
        *(dot(at, "dot wealth", 3.5) for at in points[-1:]),
    ]
    svg = drawing(WIDTH, HEIGHT, name, "Evidence against the claim as samples are drawn", says, parts)
    return Picture(svg, LEGEND, says)


def _plane(wealth: Wealth) -> Plane:
    """Room for the line, for 0 and for the threshold."""
    size = abs(wealth.threshold) or 1
    low, high = spread([*wealth.log10, 0, wealth.threshold])
    low, high = max(low, -DEEPEST * size), min(high, HIGHEST * size)
    drawn = [n for n in wealth.samples if n > 0] or [1]
    is_wide = max(drawn) >= WIDE * min(drawn)
    x = (min(drawn), max(drawn)) if is_wide else spread([0, *drawn])
    return plane(x, (low - (high - low) / 20, high + (high - low) / 10), x_powers=is_wide)


def _says(wealth: Wealth) -> str:
    """Where the line ends."""
    if not wealth.samples:
        return "No samples were drawn."
    first = next((n for n, v in zip(wealth.samples, wealth.log10, strict=True) if v >= wealth.threshold), None)
    last, value = wealth.samples[-1], wealth.log10[-1]
    if first is not None:
        return f"Above the line after {grouped(first)} samples; log10 e = {brief(value)} after {grouped(last)}."
    return f"Never above the line in {grouped(last)} samples; log10 e is at most {brief(max(wealth.log10))}."
