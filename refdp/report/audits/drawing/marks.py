"""Elements of SVG as text: every attribute and every word is escaped here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

from refdp.report.audits.writing import shown

Point = tuple[float, float]
MOST_POINTS = 240
"""Most points of a line; of longer ones the extremes of equal parts are kept."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing, what each of its marks means, and what it shows, in words."""

    svg: Markup
    legend: tuple[tuple[str, str], ...] = ()
    """(class of the mark, meaning)"""
    says: str = ""


def element(name: str, inside: Markup | str = "", **attributes: str | float) -> Markup:
    """One element; class_ stands for class, and _ in a name for -."""
    listed = Markup("").join(
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), _written(value))
        for key, value in attributes.items()
    )
    if not inside:
        return Markup("<{}{}/>").format(Markup(name), listed)
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(name), listed, escape(shown(inside)))


def _written(value: str | float) -> str:
    """Coordinates with one digit after the point."""
    return shown(value) if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def drawing(width: float, height: float, name: str, title: str, says: str, parts: Iterable[Markup]) -> Markup:
    """The whole drawing, with a title and a description for who cannot see it."""
    head = element("title", title, id=f"{name}-t") + element("desc", says or title, id=f"{name}-d")
    body = head + Markup("").join(parts)
    size, named = f"0 0 {width:g} {height:g}", f"{name}-t {name}-d"
    return element("svg", body, viewBox=size, role="img", aria_labelledby=named, class_="plot")


def words(x: float, y: float, said: str, class_: str = "", anchor: str = "start") -> Markup:
    """A line of text."""
    return element("text", said, x=x, y=y, text_anchor=anchor, class_=class_ or "label")


def line(x: float, y: float, to_x: float, to_y: float, class_: str) -> Markup:
    """A straight line."""
    return element("line", x1=x, y1=y, x2=to_x, y2=to_y, class_=class_)


def box(x: float, y: float, width: float, height: float, class_: str) -> Markup:
    """A rectangle."""
    return element("rect", x=x, y=y, width=max(0, width), height=max(0, height), class_=class_)


def dot(at: Point, class_: str, radius: float = 3) -> Markup:
    """A disc."""
    return element("circle", cx=at[0], cy=at[1], r=radius, class_=class_)


def path(points: Sequence[Point], class_: str, closed: bool = False) -> Markup:
    """A line through the points, closed to an area if so asked."""
    if not points:
        return Markup("")
    return element("path", d=_steps([(_written(x), _written(y)) for x, y in points]) + "Z" * closed, class_=class_)


def _steps(points: Sequence[tuple[str, str]]) -> str:
    """The commands of a path: level and upright pieces are written shortly."""
    found = [f"M{points[0][0]} {points[0][1]}"]
    for (x, y), (to_x, to_y) in pairwise(points):
        if (x, y) != (to_x, to_y):
            found.append(f"V{to_y}" if x == to_x else f"H{to_x}" if y == to_y else f"L{to_x} {to_y}")
    return "".join(found)


def thinned(points: Sequence[Point], most: int = MOST_POINTS) -> list[Point]:
    """The first and last points, and of each part of a long line its lowest and highest, in their order."""
    if len(points) <= most:
        return list(points)
    step = -(-2 * len(points) // most)
    kept = {0, len(points) - 1}
    for begin in range(0, len(points), step):
        part = range(begin, min(begin + step, len(points)))
        kept |= {min(part, key=lambda i: points[i][1]), max(part, key=lambda i: points[i][1])}
    return [points[i] for i in sorted(kept)]
