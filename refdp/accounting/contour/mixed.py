"""A pair that is one of several, and the outcome tells which: moments are means of those of the pairs (Lemma 1.15)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp, log

from flint import acb, arb

from refdp.accounting.balls import ball
from refdp.accounting.contour.factors import Decay, Factor, Line
from refdp.accounting.curves import Effort

ENOUGH = 24
"""Accuracy of the moments by which shares are divided."""


@dataclass(frozen=True, slots=True)
class MixedDecay:
    """|M(c + it)| / M(c) is at most the mean of those of the parts, each by its share of M(c)."""

    parts: tuple[tuple[arb, Decay], ...]

    def bound(self, t: arb) -> arb:
        """At most 1."""
        return sum((share * decay.bound(t) for share, decay in self.parts), arb(0)).upper().min(arb(1))

    def estimate(self, t: float) -> float:
        """The logarithm of nearly that."""
        found = [(float(share.mid()), decay.estimate(t)) for share, decay in self.parts]
        top = max(size for _, size in found)
        return min(0.0, top + log(sum([share * exp(size - top) for share, size in found])))


@dataclass(frozen=True, slots=True)
class MixedFactor:
    """(weight, moments of a pair)."""

    parts: tuple[tuple[Fraction, Factor], ...]

    def infinite_mass(self) -> arb:
        """Exactly 0 if that of each pair is."""
        masses = [(weight, part.infinite_mass()) for weight, part in self.parts]
        return sum((ball(weight) * mass for weight, mass in masses if not mass.is_zero()), arb(0))

    def moment(self, order: Fraction, accuracy: int) -> arb:
        """M(c)."""
        return sum((ball(weight) * part.moment(order, accuracy) for weight, part in self.parts), arb(0))

    def moments(self, line: Line, accuracy: int, effort: Effort) -> list[acb]:
        """M at each point."""
        rows = [(ball(weight), part.moments(line, accuracy, effort)) for weight, part in self.parts]
        return [sum((weight * row[j] for weight, row in rows), acb(0)) for j in range(line.count + 1)]

    def decay(self, order: Fraction) -> Decay | None:
        """None unless one is known of each pair."""
        found = [part.decay(order) for _, part in self.parts]
        known = [decay for decay in found if decay is not None]
        if len(known) < len(found):
            return None
        sizes = [ball(weight) * part.moment(order, ENOUGH) for weight, part in self.parts]
        whole = sum(sizes, arb(0)).lower()
        return MixedDecay(tuple((arb((size / whole).upper()), decay) for size, decay in zip(sizes, known, strict=True)))

    def nodes(self, order: Fraction, accuracy: int, reach: float) -> int:
        """Those of all pairs."""
        return sum(part.nodes(order, accuracy, reach) for _, part in self.parts)
