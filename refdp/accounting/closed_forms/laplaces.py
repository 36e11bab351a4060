"""Many copies of one Laplace pair: a finite sum of polynomials, worked out once for all epsilon.

With y_j = (e (2 j - k) - epsilon) / 2 and sums over j with y_j > 0, Lemma 2.5 says that
delta(epsilon) = 2^-k e^((epsilon - k e) / 2) sum_j C(k, j) G_j(y_j), G_j(y) = 2 sum_(n >= 1) g_j(n - 1) y^n / n!,
where g_j(n) is the coefficient of w^n in (1 + w)^(j - 1) (1 - w)^(k - j - 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import comb, lgamma, log, log2
from typing import TYPE_CHECKING

from refdp.accounting.closed_forms.formula import ball, mirrored
from refdp.accounting.losses import Laplace

if TYPE_CHECKING:
    from flint import arb, arb_poly, fmpz_poly

MOST_COPIES = 1000
"""More copies of a Laplace pair are left to other engines."""


@dataclass(frozen=True, slots=True)
class Row:
    """C(k, j) G_j, cut off where what is left out at y <= `greatest` is at most rest (y / greatest)^length."""

    polynomial: arb_poly
    length: int
    greatest: Fraction
    rest: arb
    exponential: int = 0
    """So many times e^y are added."""

    def __call__(self, y: Fraction) -> arb:
        """A ball that holds C(k, j) G_j(y), 0 < y <= greatest."""
        at = ball(y)
        left_out = self.rest * ball(y / self.greatest) ** self.length
        found = self.polynomial(at) + (-left_out).union(left_out)
        return found + self.exponential * at.exp() if self.exponential else found


@dataclass
class Rows:
    """The rows j = k, k - 1, ..., to 2^(k - bits) each; those that were asked for so far are kept."""

    epsilon: Fraction
    count: int
    bits: int
    rows: list[Row] = field(default_factory=list)
    product: fmpz_poly | None = None
    """(1 + w)^(j - 1) (1 - w)^(k - j - 1) for the last j < k among the rows."""

    def row(self, j: int) -> Row:
        """C(k, j) G_j for j > k / 2; called at the precision `bits`."""
        while len(self.rows) <= self.count - j:
            self.rows.append(self.next_row(self.count - len(self.rows)))
        return self.rows[self.count - j]

    def next_row(self, j: int) -> Row:
        k = self.count
        greatest = self.epsilon * (2 * j - k) / 2
        length = self.length(j, greatest)
        if j < k:
            return self.make(j, length, greatest, [int(c) for c in self.next_product(j).coeffs()[: length - 1]])
        if length < k:
            return self.make(j, length, greatest, self.sums[1:length])
        below = [s - 2 ** (k - 1) for s in self.sums[:k]]  # the terms from k on are 2^(k - 1) y^n / n! each
        row = self.make(j, k, greatest, below[1:])
        return Row(row.polynomial + 2 * below[0], k, greatest, ball(0), 2**k)

    def make(self, j: int, length: int, greatest: Fraction, coefficients: list[int]) -> Row:
        """2 C(k, j) times the sum of coefficients[n - 1] y^n / n! over 1 <= n < length."""
        from flint import arb_poly

        ways = 2 * comb(self.count, j)
        terms = [(ways * c) * f for c, f in zip(coefficients, self.inverse_factorials[1:], strict=False)]
        return Row(arb_poly([ball(0), *terms]), length, greatest, ways * self.rest(length, greatest))

    def next_product(self, j: int) -> fmpz_poly:
        from flint import fmpz_poly

        if self.product is None:
            self.product = fmpz_poly([comb(self.count - 2, i) for i in range(self.count - 1)])
        else:
            self.product = self.product * fmpz_poly([1, -1]) // fmpz_poly([1, 1])  # exact: j > k / 2 >= 1
        return self.product

    @cached_property
    def sums(self) -> list[int]:
        """sums[n] = C(k - 1, 0) + ... + C(k - 1, n - 1), which is at least |g_j(n - 1)|; n = 0 to k + 1."""
        return [0, *accumulate(comb(self.count - 1, i) for i in range(self.count + 1))]

    @cached_property
    def inverse_factorials(self) -> list[arb]:
        return list(accumulate(range(1, self.count + 1), lambda f, n: f / n, initial=ball(1)))

    @cached_property
    def sizes(self) -> list[float]:
        """log2(sums[n] / n!)."""
        return [log2(s) - lgamma(n + 1) / log(2) if s else 0 for n, s in enumerate(self.sums)]

    def length(self, j: int, greatest: Fraction) -> int:
        """A number of terms, chosen by floats, that leaves out at most about 2^(k - bits); at most k."""
        allowed, log_y = self.count - self.bits - log2(comb(self.count, j)), log2(greatest)
        fits = (n for n in range(1, self.count) if self.sizes[n] + n * log_y < allowed and n > 4 * greatest)
        return next(fits, self.count)

    def rest(self, length: int, greatest: Fraction) -> arb:
        """At least the sum of sums[n] y^n / n! over n >= length, y = greatest; 0 for all k terms (Lemma 2.6)."""
        if length == self.count:
            return ball(0)
        y = ball(greatest)
        ratio = y * self.sums[length + 1] / (self.sums[length] * (length + 1))
        return self.sums[length] * self.inverse_factorials[length] * y**length / (1 - ratio)


@dataclass(frozen=True, slots=True)
class Laplaces:
    """count copies of the pair of Laplace laws."""

    loss: Laplace
    count: int
    found: dict[int, Rows] = field(default_factory=dict)

    def __call__(self, epsilon: Fraction, bits: int) -> arb:
        """delta(epsilon), worked out with so many bits (Lemma 2.5)."""
        if epsilon < 0:
            return mirrored(self, epsilon, bits)
        k, e = self.count, self.loss.epsilon
        rows = self.found.setdefault(bits, Rows(e, k, bits))
        total, j = ball(0), k
        while (y := (e * (2 * j - k) - epsilon) / 2) > 0:
            total, j = total + rows.row(j)(y), j - 1
        return total * (ball(epsilon - k * e) / 2).exp() / ball(2) ** k


def laplaces_formula(loss: Laplace, count: int) -> Callable[[Fraction, int], arb]:
    """delta(epsilon) of the product of `count` copies."""
    return Laplaces(loss, count)
