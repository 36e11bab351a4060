"""Tails of a sample of fixed size, which is given by its profile.  Lemma 4.4 of docs/accounting_proofs.md."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb

from refdp.accounting.grids.tails import Anchor, Pair, Tails


@dataclass(frozen=True, slots=True)
class TwoBranches:
    """The profile that is that of one pair at b >= 0 and that of another at b < 0; it has an atom at 0."""

    at_least_zero: Pair
    below_zero: Pair

    @property
    def anchor(self) -> Anchor:
        """0, and the last atom of the first branch where there is one (the other branch has its mirror image)."""
        own = self.at_least_zero.anchor
        last = max(own.last, 0) if own is not None else 0
        return Anchor(-last, last, last)

    @property
    def infinite(self) -> arb:
        return self.at_least_zero.infinite

    def tails(self, b: arb, x: arb) -> Tails:
        """The lines of either branch are below the whole profile, which is convex."""
        if b >= 0:
            return self.at_least_zero.tails(b, x)
        if b < 0:
            return self.below_zero.tails(b, x)
        raise ArithmeticError("the points of a grid must be exact")
