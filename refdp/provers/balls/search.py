"""Branch and bound: f <= 0 on a box, by enclosures of f on smaller and smaller boxes.

On a box X with middle m, f lies in f(X), evaluated by balls, and in f(m) + f'(X) (X - m), by the mean value theorem.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from refdp.numerics.enclosures import Balls, hull, precision
from refdp.numerics.intervals import Undecided
from refdp.provers.balls.duals import Ball, Dual, Duals
from refdp.spec.evaluation import evaluate
from refdp.spec.terms import Term

BITS = 80
"""Binary digits of the balls."""
MOST_BOXES = 400_000
"""Boxes after which the search gives up."""

Range = tuple[Fraction, Fraction]
Box = tuple[Range, ...]
"""The closed range of each name, in order."""


class Exhausted(RuntimeError):
    """The search ran out of time or boxes: that says nothing about the statement."""


@dataclass(slots=True)
class Search:
    """The search for a proof that f <= 0 (f < 0 where `strict`) on a box, f given by a term in `names`."""

    f: Term
    names: Sequence[str]
    strict: bool = False
    boxes: int = 0
    balls: Balls = field(default_factory=lambda: Balls(BITS))

    def counterexample(self, box: Box, seconds: float) -> Mapping[str, Fraction] | None:
        """None if f <= 0 on the whole box; else a point where f > 0.  Raises Exhausted."""
        pending, end = [box], time.monotonic() + seconds
        with precision(BITS):
            while pending:
                self.boxes += 1
                if self.boxes > MOST_BOXES or time.monotonic() > end:
                    raise Exhausted(f"{self.boxes} boxes did not suffice")
                here = pending.pop()
                slopes = self.open_slopes(here)
                if slopes is None:
                    continue
                middle = [(low + high) / 2 for low, high in here]
                if (at := self.value(middle)) is not None and at > 0:
                    return dict(zip(self.names, middle, strict=True))
                pending.extend(halves(here, slopes))
        return None

    def open_slopes(self, box: Box) -> tuple[Ball, ...] | None:
        """None if f <= 0 on the box is shown; else what is known of the slopes, for where to cut."""
        arithmetic = Duals(len(box), self.balls)
        ranges = [hull(low, high, BITS) for low, high in box]
        try:
            found: Dual = evaluate(
                self.f, {v: arithmetic.coordinate(x, i) for i, (v, x) in enumerate(zip(self.names, ranges, strict=True))},
                arithmetic,
            )  # fmt: skip
        except Undecided:
            return ()
        if self.settles(found.value):
            return None
        middle = [(low + high) / 2 for low, high in box]
        at = self.value(middle)
        if at is None:
            return found.slopes
        for slope, x, m in zip(found.slopes, ranges, middle, strict=True):
            at = at + slope * (x - self.balls.number(m))
        return None if self.settles(at) else found.slopes

    def settles(self, value: Ball) -> bool:
        """Whether every number in the ball is <= 0 (< 0 where strict)."""
        return bool(value < 0 if self.strict else value <= 0)

    def value(self, point: Sequence[Fraction]) -> Ball | None:
        """A ball that holds f at the point; None where there is none."""
        at = {v: self.balls.number(x) for v, x in zip(self.names, point, strict=True)}
        try:
            return evaluate(self.f, at, self.balls)
        except Undecided:
            return None


def halves(box: Box, slopes: tuple[Ball, ...]) -> Iterator[Box]:
    """The box cut across the direction in which f may vary most."""
    widths = [high - low for low, high in box]
    weights = [float(s.abs_upper()) if s.is_finite() else 1.0 for s in slopes] or [1.0] * len(box)  # noqa: E501
    index = max(range(len(box)), key=lambda i: (weights[i] * widths[i], widths[i]))
    low, high = box[index]
    for part in ((low, (low + high) / 2), ((low + high) / 2, high)):
        yield (*box[:index], part, *box[index + 1 :])
