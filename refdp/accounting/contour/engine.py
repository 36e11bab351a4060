"""The engine: for which compositions there is a contour, and curves of rising accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from refdp.accounting.curves import Curve, Effort
from refdp.accounting.losses import Composition, FixedSize, Known, Laplace, Loss, Mixture, Normal, Sampled

REFINEMENTS = (Fraction(1), Fraction(1, 10**6), Fraction(1, 10**15))
"""How much narrower than asked for the successive curves are."""
FEWEST_EDGED = 50
"""Of events whose losses have atoms beside densities: each leaves a share of the moments that does not decay."""
MOST_KINDS = 100
"""Different events of which none is smooth: the moments of each are worked out many times to find where to go."""


class Contours:
    """delta = p + 1/(2 pi) integral over t of the product of E[e^((c + it) L)]^k e^(-(c + it) epsilon) / (s (s + 1)).

    p is the mass of infinite loss, s = c + it, c > 0.  A smooth factor is needed, a Gaussian one, sampled or not, or
    many of Laplace noise or on samples of a fixed size: without it the integrand does not decay.
    """

    name = "contour"

    def why_not(self, composition: Composition) -> str | None:
        """None, or why there is no contour."""
        smooth = edged = 0
        for loss, count in composition.parts:
            for one in mixed_in(loss):
                if isinstance(one, Known) or isinstance(one, FixedSize) and not isinstance(one.base, Normal | Laplace):
                    return f"the contour engine needs the law of the loss, and {type(one).__name__} does not give it"
            smooth += count if all(map(is_smooth, mixed_in(loss))) else 0
            edged += count if isinstance(loss, FixedSize) or isinstance(bare(loss), Laplace) else 0
        if smooth == 0 and len(composition.parts) > MOST_KINDS:
            return f"without a Gaussian event, contours are for at most {MOST_KINDS} different events"
        if smooth == 0 and edged < FEWEST_EDGED:
            return (
                "the contour engine needs a Gaussian event, sampled or not, or "
                f"{FEWEST_EDGED} of Laplace noise or on samples of a fixed size: other moments do not decay enough"
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


def bare(loss: Loss) -> Loss:
    """The mechanism's own pair."""
    return loss.base if isinstance(loss, Sampled | FixedSize) else loss


def is_smooth(loss: Loss) -> bool:
    """Whether it is of Gaussian noise, sampled or not; of samples of a fixed size the loss has an atom."""
    return isinstance(bare(loss), Normal) and not isinstance(loss, FixedSize)


ENGINE = Contours()
