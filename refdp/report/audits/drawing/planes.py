"""Scales and axes: where a value stands on the drawing, and which values are written beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from refdp.report.audits.drawing.marks import box, line, words
from refdp.report.audits.writing import brief

WIDTH, HEIGHT = 460, 280
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 14, 44
"""Margins."""
LETTER = 7.5
"""Width of a digit."""
TICKS = 5
"""About as many values are written beside an axis."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high`, by their logarithm if so asked, on pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float
    by_powers: bool = False

    def at(self, value: float) -> float:
        """The pixel of a value; values outside, infinite ones too, stand at the edge."""
        low, high, place = (self._measured(v) for v in (self.low, self.high, value))
        share = (min(max(place, low), high) - low) / (high - low) if high > low else 0.5
        return self.start + share * (self.end - self.start)

    def _measured(self, value: float) -> float:
        if not self.by_powers:
            return value
        return math.log10(value) if value > 0 else -math.inf

    def ticks(self) -> list[float]:
        """Round values between low and high."""
        return powers(self.low, self.high) if self.by_powers else rounds(self.low, self.high)


def spread(values: Sequence[float]) -> tuple[float, float]:
    """The least and the greatest of the finite values, apart from each other."""
    finite = [v for v in values if math.isfinite(v)] or [0, 1]
    low, high = min(finite), max(finite)
    return (low, high) if high - low > 1e-12 * max(abs(low), abs(high)) else (low - _pad(low), high + _pad(high))


def _pad(value: float) -> float:
    """Half of the width of the axis around a single value."""
    return abs(value) / 2 or 1


def rounds(low: float, high: float) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / TICKS
    unit = 10 ** math.floor(math.log10(rough))
    step = next(s * unit for s in (1, 2, 5, 10) if s * unit >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [n * step for n in range(first, first + 2 * TICKS) if n * step <= high + 1e-9 * step]


def powers(low: float, high: float) -> list[float]:
    """Powers of ten, or multiples of 1, 2 and 5 times them where these are few."""
    begin, end = math.floor(math.log10(low)), math.ceil(math.log10(high))
    step = max(1, -(-(end - begin) // TICKS))
    found = [10.0**n for n in range(begin, end + 1, step)]
    if end - begin <= 2:
        found = sorted(m * 10.0**n for n in range(begin, end + 1) for m in (1, 2, 5))
    return [v for v in found if low * 0.999 <= v <= high * 1.001]


@dataclass(frozen=True, slots=True)
class Plane:
    """Two scales."""

    x: Scale
    y: Scale

    def point(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of a pair of values."""
        return self.x.at(x), self.y.at(y)

    def axes(self, across: str, up: str, more: Sequence[tuple[float, str]] = ()) -> Iterator[Markup]:
        """Grid, values and names of both axes; `more` are (pixel, text) beside the upright one."""
        for y, said in [*((self.y.at(v), brief(v)) for v in self.y.ticks()), *more]:
            yield line(LEFT, y, WIDTH - RIGHT, y, "grid")
            yield words(LEFT - 6, y + 4, said, anchor="end")
        for v in self.x.ticks():
            x = self.x.at(v)
            yield line(x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 4, "axis")
            said = brief(v)
            at, anchor = (x, "middle") if x + LETTER * len(said) / 2 < WIDTH else (WIDTH, "end")
            yield words(at, HEIGHT - BOTTOM + 17, said, anchor=anchor)
        yield box(LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM, "frame")
        yield words((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, across, "name", "middle")
        yield words(2, TOP - 3, up, "name")


def plane(x: tuple[float, float], y: tuple[float, float], *, x_powers: bool = False, y_powers: bool = False) -> Plane:
    """The plane with these ends, y upwards."""
    across = Scale(*x, LEFT, WIDTH - RIGHT, x_powers)
    return Plane(across, Scale(*y, HEIGHT - BOTTOM, TOP, y_powers))
