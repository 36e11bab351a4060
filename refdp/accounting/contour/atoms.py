"""Losses with finitely many values: moments as finite sums, of pairs as they are and of sampled ones."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.contour.factors import Cloud, Line
from refdp.accounting.curves import Effort
from refdp.accounting.grids.outcomes import outcomes
from refdp.accounting.losses import Direction, DiscreteLaplace, Finite, Response

Triple = tuple[arb, arb, arb]
"""The probabilities of an outcome under P, Q and P' (P reflected; 0 where there is none)."""


@dataclass(frozen=True, slots=True)
class AtomsFactor:
    """The sum over outcomes with P, Q > 0 of P^(s + 1) Q^-s; rate = 1 means unsampled (direction remove)."""

    base: Response | Finite | DiscreteLaplace
    rate: Fraction
    direction: Direction

    def pairs(self) -> list[tuple[arb, arb]]:
        """(P, Q) at each outcome, sampled; what is 0 is exactly 0."""
        return [mixed(triple, self.rate, self.direction) for triple in outcomes(self.base).masses]

    def infinite_mass(self) -> arb:
        """P(L = infinity): where Q = 0; exactly 0 if it is 0."""
        return sum((p for p, q in self.pairs() if q.is_zero()), arb(0))

    def moment(self, order: Fraction, accuracy: int) -> arb:
        """M(c)."""
        return self._cloud(order).moment()

    def moments(self, line: Line, accuracy: int, effort: Effort) -> list[acb]:
        """M at each point."""
        return self._cloud(line.order).moments(line, effort)

    def _cloud(self, order: Fraction) -> Cloud:
        possible = [(p, q) for p, q in self.pairs() if not (p.is_zero() or q.is_zero())]
        return cloud([(arb(1), p, q) for p, q in possible], order, arb(0))

    def decay(self, order: Fraction) -> None:
        """None: the loss has atoms."""

    def nodes(self, order: Fraction, accuracy: int, reach: float) -> int:
        """One for each outcome."""
        return 2 * self.base.shift + 1 if isinstance(self.base, DiscreteLaplace) else 4


def cloud(samples: list[tuple[arb, arb, arb]], order: Fraction, error: arb) -> Cloud:
    """The sum of m p^(s + 1) q^-s over samples (m, p, q)."""
    work.step(5 * len(samples))
    c = ball(order)
    logs = [(m, p.log(), q.log()) for m, p, q in samples]
    return Cloud([m * (p * (c + 1) - q * c).exp() for m, p, q in logs], [p - q for _, p, q in logs], error)


def mixed(triple: Triple, rate: Fraction, direction: Direction) -> tuple[arb, arb]:
    """(P, Q) of the sampled pair, as in `refdp.accounting.losses.Sampled`."""
    moved, still, back = triple
    q, rest = ball(rate), ball(1 - rate) * still
    match direction:
        case "remove":
            return q * moved + rest, still
        case "add":
            return still, q * moved + rest
    return q * moved + rest, q * back + rest
