"""Tails of the loss of Poisson sampling under replacement of one row: (rate P + (1 - rate) Q, rate P' + (1 - rate) Q).

P moves the noise Q by s, P' moves it by -s.  The noise is log-concave, so that P/Q rises and P'/Q falls: the loss rises
with the output, and {loss > b} is a half-line {y > y_b}.  Lemma 4.2 of docs/accounting_proofs.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb

from refdp.accounting.grids.noise import anchored, clipped
from refdp.accounting.grids.tails import Anchor, Event, Tails, best, looked
from refdp.numerics.enclosures import normal_tail


@dataclass(frozen=True, slots=True)
class ReplaceNormal:
    """Q = N(0, 1), moved by mu."""

    mu: arb
    rate: arb

    @property
    def anchor(self) -> None:
        return None

    @property
    def infinite(self) -> arb:
        return arb(0)

    def tails(self, b: arb, x: arb) -> Tails:
        looked(6)
        y, rest = self._threshold(x), 1 - self.rate
        centre, right, left = (normal_tail(z) for z in (y, y - self.mu, y + self.mu))
        return Tails(Event(self.rate * right + rest * centre, self.rate * left + rest * centre))

    def _threshold(self, x: arb) -> arb:
        """y with z = e^(mu y) the positive root of g z^2 - a z - x g = 0."""
        a, g = (1 - self.rate) * (x - 1), self.rate * (-self.mu * self.mu / 2).exp()
        root = (a * a + 4 * g * g * x).sqrt()
        z = (a + root) / (2 * g) if a.mid() >= 0 else 2 * g * x / (root - a)  # the same, without cancellation
        return z.log() / self.mu


@dataclass(frozen=True, slots=True)
class ReplaceLaplace:
    """Q = Laplace noise of scale 1 around 0, moved by epsilon."""

    epsilon: arb
    rate: arb

    @property
    def anchor(self) -> Anchor | None:
        return anchored((-self._end, self._end))

    @property
    def infinite(self) -> arb:
        return arb(0)

    def _mixture(self, loss: arb) -> arb:
        """rate e^loss + 1 - rate."""
        return 1 + self.rate * loss.expm1()

    @property
    def _end(self) -> arb:
        return (self._mixture(self.epsilon) / self._mixture(-self.epsilon)).log()

    def tails(self, b: arb, x: arb) -> Tails:
        looked(3)
        end, sides = self._end, [side for side in (1, -1) if not side * b < 0]
        if not (b > -end and b < end):
            sides = sides[:1]  # near an end, or beyond it
        events = [event for side in sides for event in clipped(self._inside(x, side), b, -end, end)]
        return best(events, x)

    def _inside(self, x: arb, side: int) -> Event:
        """{y > y_b} for 0 <= b (side 1; then 0 <= y_b <= epsilon) or b <= 0 (side -1; -epsilon <= y_b <= 0)."""
        least, rest = self._mixture(-self.epsilon), 1 - self.rate
        ratio = ((x * least if side > 0 else least / x) - rest) / self.rate
        y = side * (self.epsilon + ratio.log()) / 2 if ratio > 0 else arb(0, self.epsilon.upper())
        right = 1 - (y - self.epsilon).exp() / 2
        centre = (-y).exp() / 2 if side > 0 else 1 - y.exp() / 2
        left = (-y - self.epsilon).exp() / 2
        return Event(self.rate * right + rest * centre, self.rate * left + rest * centre)
