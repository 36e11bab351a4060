"""Tails of a pair that is one of several, and the outcome tells which.  Lemma 1.15 of docs/accounting_proofs.md."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb

from refdp.accounting.grids.tails import Anchor, Event, Pair, Tails


@dataclass(frozen=True, slots=True)
class Mixed:
    """(weight, pair): masses, heights and slack are means of those of the pairs."""

    parts: list[tuple[arb, Pair]]

    @property
    def anchor(self) -> Anchor | None:
        """That of the heaviest pair that has one."""
        found = [(float(weight.mid()), place) for place, (weight, pair) in enumerate(self.parts) if pair.anchor]
        return self.parts[max(found)[1]][1].anchor if found else None

    @property
    def infinite(self) -> arb:
        return sum((weight * pair.infinite for weight, pair in self.parts), arb(0))

    def tails(self, b: arb, x: arb) -> Tails:
        """An event of each pair, taken together."""
        p, q, slack = arb(0), arb(0), None
        for weight, pair in self.parts:
            event, more = pair.tails(b, x)
            p, q = p + weight * event.p, q + weight * event.q
            if more is not None:
                slack = weight * more if slack is None else slack + weight * more
        return Tails(Event(p, q), slack)
