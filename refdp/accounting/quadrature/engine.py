"""The engine `quadrature`: one or two continuous pairs, with few discrete ones or none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.losses import Base, Composition, FixedSize, Laplace, Loss, Normal, Sampled
from refdp.accounting.products.factors import base_of, usual_size
from refdp.accounting.products.listing import digits
from refdp.accounting.products.splitting import length
from refdp.numerics.enclosures import precision

if TYPE_CHECKING:
    from refdp.accounting.quadrature.curve import QuadratureCurve

NAME = "quadrature"
MOST_EVENTS = 8
"""Products of more pairs are left to other engines."""
MOST_CONTINUOUS = 2
MOST_SUMS = {1: 30_000, 2: 200}
"""By the number of continuous pairs: most sums of the losses of the others, each with one value or one integral."""
ROUNDS = 2
"""So many curves are given, the second with twice as many binary digits."""
GUARD = 8
"""Binary digits more than the least delta and the width ask for, besides those that the number of sums may take."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The pairs of a composition by what is done with them."""

    discrete: list[tuple[Loss, int]]
    integrated: Loss | None
    """A pair with a density, over which is integrated."""
    known: Loss
    """A pair whose profile is known."""


class Quadratures:
    """Normal and Laplace noise, sampled or not, one or two of them; and few responses, finite laws, discrete noise."""

    name = NAME

    def why_not(self, composition: Composition) -> str | None:
        """None if there is a continuous pair, at most two of them, and few others, else one sentence."""
        found = parted(composition)
        return found if isinstance(found, str) else None

    def curves(self, composition: Composition, effort: Effort) -> Iterator[Curve]:
        """Curves with more and more binary digits; OutOfReach if there are none."""
        found = parted(composition)
        if isinstance(found, str):
            raise OutOfReach(f"{self.name}: {found}")
        for number in range(1, ROUNDS + 1):
            effort.check()
            lost = effort.delta**number * effort.width**number
            yield curve(composition, found, lost, effort.width**number, effort.end)


def parted(composition: Composition) -> Parts | str:
    """The pairs by what is done with them, or why there is no integral."""
    discrete: list[tuple[Loss, int]] = []
    continuous: list[Loss] = []
    for loss, count in composition.parts:
        if base_of(loss) is not None:
            discrete.append((loss, count))
        elif not is_continuous(loss):
            return f"there is neither a density nor a list of atoms of {type(loss).__name__}"
        else:
            continuous += [loss] * min(count, MOST_CONTINUOUS + 1)
    if not 1 <= len(continuous) <= MOST_CONTINUOUS:
        return f"integrals are over one or two continuous events, got {'more' if continuous else 'none'}"
    if sum(count for _, count in discrete) > MOST_EVENTS:
        return f"integrals are worked out for at most {MOST_EVENTS} discrete events"
    if size(discrete) > MOST_SUMS[len(continuous)]:
        return f"there are over {MOST_SUMS[len(continuous)]} sums of the losses of the discrete events"
    known, *others = sorted(continuous, key=lambda loss: (not isinstance(loss, FixedSize), is_laplace(loss)))
    if others and isinstance(others[0], FixedSize):
        return "there is no density of samples of a fixed size"
    return Parts(discrete, others[0] if others else None, known)


def size(discrete: list[tuple[Loss, int]]) -> int:
    """About how many sums of losses there are."""
    sizes = [(usual_size(found[0]), count) for loss, count in discrete if (found := base_of(loss)) is not None]
    return length(sizes, [count for _, count in discrete])


def bare(loss: Loss) -> Base | None:
    """The mechanism's own pair."""
    base = loss.base if isinstance(loss, Sampled | FixedSize) else loss
    return base if isinstance(base, Base) else None


def is_continuous(loss: Loss) -> bool:
    """Whether the loss is of Gaussian or Laplace noise, sampled or not."""
    return isinstance(bare(loss), Normal | Laplace)


def is_laplace(loss: Loss) -> bool:
    """Whether the loss is of Laplace noise: its densities are simple and between two ends."""
    return isinstance(bare(loss), Laplace)


def curve(composition: Composition, parts: Parts, lost: Fraction, width: Fraction, end: float = inf) -> QuadratureCurve:
    """The curve whose errors are about `lost`."""
    from refdp.accounting.quadrature.build import built

    bits = digits(lost) + GUARD + size(parts.discrete).bit_length()
    with precision(bits + 64):
        return built(NAME, composition, parts.discrete, parts.integrated, parts.known, bits, digits(width) + 64, end)


ENGINE = Quadratures()
