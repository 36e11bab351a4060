"""The polynomials G_j of the sum for Laplace pairs, each cut off where what is left out is bounded."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import comb, lgamma, log, log2
from typing import TYPE_CHECKING

from refdp import work
from refdp.accounting.balls import ball

if TYPE_CHECKING:
    from flint import arb, arb_poly, fmpz_poly


@dataclass(frozen=True, slots=True)
class Row:
    """G_j, cut off where what is left out at 0 < y <= greatest is at most rest (y / greatest)^length."""

    polynomial: arb_poly
    length: int
    greatest: Fraction
    rest: arb
    exponential: int = 0
    """So many times e^y are added, or, if negative, so many times e^-y subtracted."""

    def __call__(self, y: Fraction) -> arb:
        """A ball that holds G_j(y), 0 < y <= greatest."""
        at = ball(y)
        left_out = self.rest * ball(y / self.greatest) ** self.length
        found = self.polynomial(at) + (-left_out).union(left_out)
        if self.exponential == 0:
            return found
        return found + self.exponential * (at if self.exponential > 0 else -at).exp()


@dataclass
class Rows:
    """The rows j = count, count - 1, ...: made when they are asked for, and kept."""

    bits: int
    """The precision; each row is worked out so far that all that is left out is about 2^(pairs - bits)."""
    count: int
    """How many Laplace pairs there are."""
    pairs: int
    """How many pairs there are in all."""
    terms: dict[int, list[tuple[Fraction, int]]]
    """j -> (s, ways): where G_j is worked out, at most; the greatest s first."""
    rows: dict[int, Row] = field(default_factory=dict)
    product: fmpz_poly | None = None
    """(1 + w)^(j - 1) (1 - w)^(count - j - 1) for the least 0 < j < count asked for so far."""
    reached: int = 0
    """That j."""

    def row(self, j: int) -> Row:
        """G_j; called at the precision `bits`, and for decreasing j."""
        if j not in self.rows:
            self.rows[j] = self.make(j)
        return self.rows[j]

    def make(self, j: int) -> Row:
        work.step(self.count)
        greatest = self.terms[j][0][0] / 2
        length = self.length(j, greatest)
        if 0 < j < self.count:
            return self.cut(length, greatest, [int(c) for c in self.products(j).coeffs()[: length - 1]])
        sign = 1 if j else -1  # g_count(n - 1) = sums[n], g_0(n - 1) = (-1)^(n - 1) sums[n]
        if length < self.count:
            return self.cut(length, greatest, [s * sign ** (n + 1) for n, s in enumerate(self.sums[:length]) if n])
        return self.whole(sign, greatest)

    def whole(self, sign: int, greatest: Fraction) -> Row:
        """G_j for j = count or 0: all terms from n = count on are +-2^(count - 1) y^n / n!, parts of e^y or e^-y."""
        k, half = self.count, 2 ** (self.count - 1)
        row = self.cut(k, greatest, [(s - half) * sign ** (n + 1) for n, s in enumerate(self.sums[:k]) if n])
        return Row(row.polynomial - sign * 2 * half, k, greatest, ball(0), sign * 2 * half)

    def cut(self, length: int, greatest: Fraction, coefficients: list[int]) -> Row:
        """2 times the sum of coefficients[n - 1] y^n / n! over 1 <= n < length."""
        from flint import arb_poly

        terms = [2 * c * f for c, f in zip(coefficients, self.inverse_factorials[1:], strict=False)]
        return Row(arb_poly([ball(0), *terms]), length, greatest, 2 * self.rest(length, greatest))

    def products(self, j: int) -> fmpz_poly:
        """(1 + w)^(j - 1) (1 - w)^(count - j - 1), from that for the next greater j."""
        from flint import fmpz_poly

        if self.product is None or j > self.reached:
            self.reached = self.count - 1
            self.product = fmpz_poly([comb(self.count - 2, i) for i in range(self.count - 1)])
        while self.reached > j:
            self.product = self.product * fmpz_poly([1, -1]) // fmpz_poly([1, 1])  # exact: its power is >= j
            self.reached -= 1
        return self.product

    @cached_property
    def sums(self) -> list[int]:
        """sums[n] = C(k - 1, 0) + ... + C(k - 1, n - 1) >= |g_j(n - 1)| for every j (Lemma 2.6); n = 0 to k + 1."""
        return [0, *accumulate(comb(self.count - 1, i) for i in range(self.count + 1))]

    @cached_property
    def inverse_factorials(self) -> list[arb]:
        return list(accumulate(range(1, self.count + 1), lambda f, n: f / n, initial=ball(1)))

    @cached_property
    def sizes(self) -> list[float]:
        """log2(sums[n] / n!)."""
        return [log2(s) - lgamma(n + 1) / log(2) if s else 0 for n, s in enumerate(self.sums)]

    def length(self, j: int, greatest: Fraction) -> int:
        """A number of terms, chosen by floats, that leaves out little; at most `count`."""
        allowed = self.pairs - self.bits - log2(sum(ways for _, ways in self.terms[j]))
        log_y = log2(greatest.numerator) - log2(greatest.denominator)
        fits = (n for n in range(1, self.count) if self.sizes[n] + n * log_y < allowed and self.ratio(n, greatest) < 1)
        return next(fits, self.count)

    def ratio(self, n: int, greatest: Fraction) -> Fraction:
        """sums[n + 1] y^(n + 1) / (n + 1)! over sums[n] y^n / n! at y = greatest."""
        return greatest * self.sums[n + 1] / (self.sums[n] * (n + 1))

    def rest(self, length: int, greatest: Fraction) -> arb:
        """At least the sum of sums[n] y^n / n! over n >= length, y = greatest; 0 for all terms (Lemma 2.6)."""
        if length == self.count:
            return ball(0)
        first = self.sums[length] * self.inverse_factorials[length] * ball(greatest) ** length
        return first / (1 - ball(self.ratio(length, greatest)))
