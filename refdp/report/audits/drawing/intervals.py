"""Answers beside certified bounds: each row on one scale, as a multiple of what is certified."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from refdp.auditing.judges.result import Row
from refdp.report.audits.drawing.marks import box, dot, drawing, line, path, words
from refdp.report.audits.drawing.planes import Scale
from refdp.report.audits.writing import INFINITY, TIMES, brief

WIDTH, HEIGHT, MARGIN = 220, 26, 12
WRONG = ("UNSOUND", "REFUTED")
"""How verdicts of answers on the wrong side begin; the bounds alone do not tell which side that is."""
LEAST = 1.05
"""The scale reaches at least so far on either side of 1."""
FURTHEST = 1e6


def coordinate(text: str) -> float | None:
    """A float near the number that a text stands for; None where it stands for none.  For pictures only."""
    top, slash, bottom = text.strip().partition("/")
    try:
        value = float(top) / float(bottom) if slash else float(top)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return value if value == value and len(text) <= 400 else None


Bounds = tuple[float, float, float]
"""Answer, lower and upper bound, divided by the upper one (the lower one where that is infinite)."""


def relative(row: Row) -> Bounds | None:
    """The row as multiples; None where it has no such numbers."""
    answer, lower, upper = map(coordinate, (row.answer, row.lower, row.upper))
    if answer is None or lower is None or upper is None or answer < 0 or not 0 <= lower <= upper:
        return None
    unit = upper if math.isfinite(upper) else lower
    if not 0 < unit < math.inf:
        return None
    return answer / unit, lower / unit, upper / unit


def row_scale(rows: Sequence[Row]) -> Scale | None:
    """One scale for all rows, the same on both sides of 1; None where no row can be drawn."""
    found = [bounds for row in rows if (bounds := relative(row))]
    if not found:
        return None
    values = [v for bounds in found for v in bounds if 0 < v < math.inf]
    reach = max([LEAST, *(max(v, 1 / v) for v in values if v > 1e-300)])
    reach = min(reach**1.15, FURTHEST)
    return Scale(1 / reach, reach, MARGIN, WIDTH - MARGIN, by_powers=True)


def header(scale: Scale, name: str) -> Markup:
    """The scale that all rows share."""
    ticks = [1 / (scale.high**0.8), 1.0, scale.high**0.8]
    parts = [words(scale.at(v), 12, f"{TIMES}{brief(v)}", anchor="middle") for v in ticks]
    parts += [line(scale.at(v), 17, scale.at(v), 22, "axis") for v in ticks]
    said = "Scale: the answer as a multiple of the certified upper bound"
    return drawing(WIDTH, HEIGHT, name, said, said, parts)


def row_picture(row: Row, scale: Scale, name: str) -> Markup:
    """The certified bounds as a bar, the answer as a dot, red where it is on the wrong side by its verdict."""
    bounds = relative(row)
    if bounds is None:
        return Markup("")
    answer, lower, upper = bounds
    middle, left, right, at = HEIGHT / 2, scale.at(lower), scale.at(upper), scale.at(answer)
    kind = "wrong" if row.verdict.startswith(WRONG) else "right"
    says = f"{brief(answer)} times the certified upper bound" if math.isfinite(answer) else f"answer {INFINITY}"
    parts = [
        line(scale.start, middle, scale.end, middle, "grid"),
        path([(at, middle), (left if answer < lower else right, middle)], f"stroke {kind}"),
        box(left - 1.5, middle - 8, right - left + 3, 16, "certified-bar"),
        dot((at, middle), f"dot {kind}", 4.5),
    ]
    return drawing(WIDTH, HEIGHT, name, "Answer beside the certified bounds", says, parts)
