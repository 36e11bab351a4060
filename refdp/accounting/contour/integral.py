"""One contour: the sum that approximates the integral, and bounds of what it is off by (section 5 of the proofs)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, acb_mat, arb

from refdp.accounting.balls import ball
from refdp.accounting.contour.factors import Factor, Line, charge, powers
from refdp.accounting.curves import Effort
from refdp.numerics.enclosures import precision

CEILING_ACCURACY = 20
TURN = 100
"""Operations that delta at one epsilon counts as, besides those for the points."""


@dataclass(frozen=True, slots=True)
class Contour:
    """S(epsilon) = e^(-c epsilon) h / (2 pi) times the sum of F_j e^(-i h j epsilon), and its errors."""

    line: Line
    terms: acb_mat
    tail: arb
    """What is left out beyond T is at most this times e^(-c epsilon)."""
    ceilings: tuple[tuple[Fraction, arb], ...]
    """Orders c' > c and upper bounds of the product of the moments there."""
    bits: int

    @classmethod
    def of(
        cls,
        parts: list[tuple[Factor, int, int]],
        line: Line,
        above: list[Fraction],
        bits: int,
        effort: Effort,
        shares: Sequence[arb | None],
    ) -> Contour:
        """The contour along a line; parts are (factor, count, accuracy), `shares` bound each beyond it, if known."""
        with precision(bits):
            product = [acb(1)] * (line.count + 1)
            for factor, count, accuracy in parts:
                values = factor.moments(line, accuracy, effort)
                charge(line.count)
                product = [x * y**count for x, y in zip(product, values, strict=True)]
                effort.check()
            ceilings = tuple((order, ceiling(parts, order)) for order in above)
            return cls(line, _terms(product, line), _tail(parts, line, shares), ceilings, bits)

    def delta(self, epsilon: Fraction) -> tuple[arb, arb]:
        """Exact numbers below and above delta without the mass of infinite loss."""
        with precision(self.bits):
            ends, error = self.line.ends(epsilon)
            low, high = -error, error
            for x, weight in ends:
                charge(self.line.count // 8 + TURN)
                below, above = self._at(x)
                low, high = low + weight * below, high + weight * above
            return low.lower(), high.upper()

    def _at(self, x: arb) -> tuple[arb, arb]:
        """The same at x, on a lattice one of its points."""
        scale = (-ball(self.line.order) * x).exp()
        total, left_out = scale * self._sum(x) / self.line.length, self.tail * scale
        return (total - left_out - self._aliases(x)).lower(), (total + left_out).upper()

    def _sum(self, x: arb) -> arb:
        """F_0 + 2 Re of the sum of F_j e^(-i h j x), j > 0; only half of F_0 is among the terms."""
        side, step = self.terms.nrows(), self.line.step
        fine = powers([acb(0, -step * x).exp()], side)
        coarse = powers([acb(0, -step * side * x).exp()], side)
        inner = self.terms * acb_mat(side, 1, [z for (z,) in fine])
        return 2 * (acb_mat(1, side, [z for (z,) in coarse]) * inner)[0, 0].real

    def _aliases(self, x: arb) -> arb:
        """At least the sum over n != 0 of delta(epsilon + n R) e^(c n R) (Lemma 5.2)."""
        c, period = ball(self.line.order), self.line.length
        bounds = [most * (-ball(d) * x).exp() / ((ball(d) - c) * period).expm1() for d, most in self.ceilings]
        return min(bound.upper() for bound in bounds) + 1 / (c * period).expm1()


def ceiling(parts: list[tuple[Factor, int, int]], order: Fraction) -> arb:
    """At least the product of the moments at `order`."""
    product = arb(1)
    for factor, count, _ in parts:
        product *= factor.moment(order, CEILING_ACCURACY + count.bit_length()).upper() ** count
    return product.upper()


def _terms(product: list[acb], line: Line) -> acb_mat:
    """F_j = M(s) / (s (s + 1)) at s = c + i h j, or M times another kernel, row by row in a square; of F_0, half."""
    side = int((line.count + 1) ** 0.5) + 1
    found = [value * kernel for value, kernel in zip(product, line.kernels(line.points()), strict=True)]
    found[0] /= 2
    return acb_mat(side, side, found + [acb(0)] * (side * side - len(found)))


def _tail(parts: list[tuple[Factor, int, int]], line: Line, shares: Sequence[arb | None]) -> arb:
    """At least the sum beyond T, without e^(-c epsilon): the product of M(c)^k share^k, times that of the kernel."""
    product = line.beyond()
    for (factor, count, accuracy), share in zip(parts, shares, strict=True):
        most = factor.moment(line.order, accuracy).upper()
        product *= (most * share if share is not None else most) ** count
    return product.upper()
