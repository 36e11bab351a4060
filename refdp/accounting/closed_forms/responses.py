"""Many copies of one randomised response: a binomial sum of which only the terms that count are worked out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from refdp import work
from refdp.accounting.balls import ball, real
from refdp.accounting.closed_forms.formula import mirrored, unknown
from refdp.accounting.losses import Response

if TYPE_CHECKING:
    from flint import arb

MOST_COPIES = 10**8
"""More copies of a response have too many terms that count (about the square root)."""
STRIDE = 64
"""So many terms are added between two looks at what is left."""


@dataclass(frozen=True, slots=True)
class Responses:
    """count copies of the pair of (epsilon, delta)-DP."""

    loss: Response
    count: int

    def __call__(self, epsilon: Fraction, bits: int) -> arb:
        """1 - f + f E[(1 - e^(epsilon - e (2 J - k)))_+], f = (1 - delta)^k, J binomial (Lemma 2.3)."""
        if epsilon < 0:
            return mirrored(self, epsilon, bits)
        if self.loss.delta == 1:
            return ball(1)
        infinite = -(self.count * (-ball(self.loss.delta)).log1p()).expm1()
        return infinite + (1 - infinite) * self.finite(epsilon, bits)

    def finite(self, epsilon: Fraction, bits: int) -> arb:
        """The expectation above, for epsilon >= 0."""
        if self.loss.epsilon == 0:
            return ball(0)
        threshold = (ball(epsilon) / real(self.loss.epsilon) + self.count) / 2
        first, sure = (x.floor().unique_fmpz() for x in (threshold.lower(), threshold.upper()))
        if first is None or sure is None or sure > first + 1:  # up to `first` the loss is <= epsilon, beyond `sure` >
            return unknown()
        if first > self.count:
            return ball(0)
        return self.total(ball(epsilon), int(first), int(sure), bits)

    def total(self, epsilon: arb, first: int, sure: int, bits: int) -> arb:
        """Sum of mass(j) (1 - e^(epsilon - e (2 j - k)))_+ over j from `first` to k, its ends bounded (Lemma 2.4)."""
        mode = int(self.count * float(1 / (1 + (-real(self.loss.epsilon)).exp())))  # a choice: any start is right
        start = min(max(first, mode), self.count)
        upward = self.side(start, self.count, 1, epsilon, sure, bits)
        downward = self.side(start - 1, first, -1, epsilon, sure, bits) if start > first else ball(0)
        return upward + downward

    def side(self, start: int, end: int, step: int, epsilon: arb, sure: int, bits: int) -> arb:
        """The terms from `start` to `end`, and in place of the last of them a ball that holds their sum."""
        total, small = ball(0), ball(Fraction(1, 2**bits))
        for number, (j, mass, term, ratio) in enumerate(self.terms(start, end, step, epsilon)):
            total += term if j > sure else term.max(ball(0))
            if number % STRIDE == 0:
                work.step(2 * STRIDE)
            if number % STRIDE == 0 and ratio < 1:
                rest = mass * ratio / (1 - ratio)
                if rest <= small * total:
                    return total + rest.union(ball(0))
        return total

    def terms(self, start: int, end: int, step: int, epsilon: arb) -> Iterator[tuple[int, arb, arb, arb]]:
        """j, mass(j), mass(j) (1 - e^(epsilon - e (2 j - k))), mass(j + step) / mass(j), for these j."""
        k, e = self.count, real(self.loss.epsilon)
        growth = (step * e).exp()
        decay, mass = 1 / growth**2, self.mass(start)
        excess = (epsilon - e * (2 * start - k)).exp()
        for j in range(start, end + step, step):
            ratio = growth * (k - j) / (j + 1) if step > 0 else growth * j / (k - j + 1)
            yield j, mass, mass - mass * excess, ratio
            mass, excess = mass * ratio, excess * decay

    def mass(self, j: int) -> arb:
        """P[J = j] = C(k, j) e^(e j) / (1 + e^e)^k."""
        k, e = self.count, real(self.loss.epsilon)
        ways = ball(k + 1).lgamma() - ball(j + 1).lgamma() - ball(k - j + 1).lgamma()
        return (ways + e * (j - k) - k * (-e).exp().log1p()).exp()


def responses_formula(loss: Response, count: int) -> Callable[[Fraction, int], arb]:
    """delta(epsilon) of the product of `count` copies."""
    return Responses(loss, count)
