"""Tails of the loss of pairs on countably many outcomes, sampled or not.  Lemma 4.3 of docs/accounting_proofs.md."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from flint import arb

from refdp.accounting.balls import ball
from refdp.accounting.grids.outcomes import Outcomes
from refdp.accounting.grids.tails import Anchor, Event, Tails, looked, nearest
from refdp.accounting.losses import Direction


@dataclass(frozen=True, slots=True)
class Atoms:
    """Atoms in about the order of their losses, with the masses of all from each on (infinite losses included)."""

    masses: list[Event]
    losses: list[float]
    greatest_before: list[arb]
    least_from: list[arb]
    suffixes: list[Event]
    infinite: arb
    rest: arb
    anchor: Anchor | None

    def tails(self, b: arb, x: arb) -> Tails:
        """The atoms from j on exceed b; those before i do not; those between count as slack."""
        looked(0)
        i = j = bisect_left(self.losses, float(b.mid()))
        while i > 0 and not self.greatest_before[i] <= b:
            i -= 1
        while j < len(self.losses) and not self.least_from[j] >= b:
            j += 1
        slack = self.rest
        for atom in self.masses[i:j]:
            slack = slack + atom.height(x).max(arb(0))
        return Tails(self.suffixes[j], slack)


def directed(law: Outcomes, rate: Fraction | None, direction: Direction | None) -> list[Event]:
    """The masses of each outcome under the two laws that are compared."""
    if rate is None:
        return [Event(p, q) for p, q, _ in law.masses]
    share = ball(rate)
    mixed = [(q + share * (p - q), q, q + share * (r - q)) for p, q, r in law.masses]
    match direction:
        case "remove":
            return [Event(p, q) for p, q, _ in mixed]
        case "add":
            return [Event(q, p) for p, q, _ in mixed]
        case _:
            return [Event(p, r) for p, _, r in mixed]


def atoms(law: Outcomes, rate: Fraction | None = None, direction: Direction | None = None) -> Atoms:
    """The pair of laws on these outcomes, sampled in a direction or not."""
    events = directed(law, rate, direction)
    infinite = sum((event.p for event in events if event.q.is_zero()), arb(0))
    finite = [((e.p / e.q).log(), e) for e in events if not e.q.is_zero() and not e.p.is_zero()]
    finite.sort(key=lambda atom: float(atom[0].mid()))
    balls = [loss for loss, _ in finite]
    return Atoms(
        masses=[event for _, event in finite],
        losses=[float(loss.mid()) for loss in balls],
        greatest_before=list(accumulate((arb(loss.upper()) for loss in balls), arb.max, initial=arb.neg_inf())),
        least_from=list(accumulate((arb(loss.lower()) for loss in balls[::-1]), arb.min, initial=arb.pos_inf()))[::-1],
        suffixes=_suffixes([event for _, event in finite], infinite, law.rest),
        infinite=infinite,
        rest=law.rest,
        anchor=_anchor(balls, law.spacing if rate is None else None),
    )


def _suffixes(events: list[Event], infinite: arb, rest: arb) -> list[Event]:
    """The masses of all outcomes from each on, the last of them those of infinite loss and (at most) the rest."""
    unknown = rest.union(arb(0))
    last = Event(infinite + unknown, unknown)
    sums = accumulate(events[::-1], lambda total, e: Event(total.p + e.p, total.q + e.q), initial=last)
    return list(sums)[::-1]


def _anchor(balls: list[arb], spacing: arb | None) -> Anchor | None:
    """The first atom, and the spacing of the others or how far the last one is."""
    if not balls:
        return None
    first, last = nearest(balls[0]), nearest(balls[-1])
    return Anchor(first, last, last - first if spacing is None else nearest(spacing))
