"""The engine: for which compositions there is a contour, and curves of rising accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from refdp.accounting.curves import Curve, Effort
from refdp.accounting.losses import Composition, FixedSize, Known, Loss, Mixture, Normal, Sampled

REFINEMENTS = (Fraction(1), Fraction(1, 10**6), Fraction(1, 10**15))
"""How much narrower than asked for the successive curves are."""


class Contours:
    """delta = p + 1/(2 pi) integral over t of the product of E[e^((c + it) L)]^k e^(-(c + it) epsilon) / (s (s + 1)).

    p is the mass of infinite loss, s = c + it, c > 0.  A smooth factor is needed, a Gaussian one, sampled or not:
    without it the integrand does not decay.
    """

    name = "contour"

    def why_not(self, composition: Composition) -> str | None:
        """None, or why there is no contour."""
        for one in (one for loss, _ in composition.parts for one in mixed_in(loss)):
            if isinstance(one, FixedSize | Known):
                return f"the contour engine needs the law of the loss, and {type(one).__name__} does not give it"
        if not any(all(map(smooth, mixed_in(loss))) for loss, _ in composition.parts):
            return (
                "the contour engine needs a Gaussian event, sampled or not: other moments do not decay along the line"
            )
        return None

    def curves(self, composition: Composition, effort: Effort) -> Iterator[Curve]:
        """Curves of width effort.width and less; OutOfReach with the reason where one costs too much."""
        from refdp.accounting.contour.ladder import Ladder

        for refinement in REFINEMENTS:
            yield Ladder.of(composition, effort, refinement * effort.width)


def mixed_in(loss: Loss) -> list[Loss]:
    """The pairs of a mixture; any other loss alone: never none, as weights sum to 1."""
    return [part for _, part in loss.parts] if isinstance(loss, Mixture) else [loss]


def smooth(loss: Loss) -> bool:
    """Whether it is of Gaussian noise, sampled or not."""
    return isinstance(loss.base if isinstance(loss, Sampled) else loss, Normal)


ENGINE = Contours()
