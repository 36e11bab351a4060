"""Exact scalar primitives from fair coin flips: integers in, integers out, and no float on the way.

Every law below is exact if the flips are fair and independent, and the tests walk each coin-flip tree against it.
The number of flips varies with the outcome: nothing here runs in constant time.
Source: CKS20 (Canonne, Kamath, Steinke 2020, "The Discrete Gaussian for Differential Privacy"), Algorithms 1 and 2;
LUM13 (Lumbroso 2013, "Optimal Discrete Uniform Generation from Coin Flips, and Applications").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar, final

from refdp.numerics.exact import Exactly, exact
from refdp.sampling.entropy import Bits, is_system, system_bits

Found = TypeVar("Found")


@final
@dataclass(frozen=True, slots=True)
class Coins:
    """Random choices made of the flips of `bits`: the operating system's, unless a test supplies others."""

    bits: Bits = field(default_factory=system_bits)

    @property
    def from_system(self) -> bool:
        """Whether the flips are the operating system's, which a release insists on."""
        return is_system(self.bits)

    @property
    def entropy(self) -> str:
        """Where the flips come from, in words."""
        return "the operating system" if self.from_system else "supplied by the caller"

    def flip(self) -> int:
        """0 or 1, each with probability 1/2."""
        flip = self.bits()
        if not isinstance(flip, int) or flip not in (0, 1):
            raise ValueError(f"a flip must be 0 or 1, got {flip!r}")
        return int(flip)

    def until(self, attempt: Callable[[], Found | None]) -> Found:
        """What the first attempt gives that is not None: its law is that of one attempt, given that it succeeds.

        Attempts are to be independent: `attempt` keeps nothing from one call to the next, and reads these flips only.
        """
        while (found := attempt()) is None:
            pass
        return found

    def bernoulli(self, p: Exactly) -> bool:
        """True with probability p, where 0 <= p <= 1; at most 2 flips expected.

        A uniform real is revealed digit by digit until it differs from p; the answer is whether it is below.
        """
        p = exact(p, "p")
        if not 0 <= p <= 1:
            raise ValueError(f"p must be in [0, 1], got {p}")
        return self._is_below(p)

    def _is_below(self, p: Fraction) -> bool:
        """Whether a uniform real is below p in [0, 1]."""
        if p == 1:
            return True
        rest, unit = p.numerator, p.denominator
        while rest:
            digit, rest = divmod(2 * rest, unit)
            flip = self.flip()
            if flip != digit:
                return flip < digit
        return False

    def bernoulli_exp(self, gamma: Exactly) -> bool:
        """True with probability e^-gamma, where gamma >= 0 may be of any size; at most 2e flips expected.

        Source: CKS20 Alg 1.
        """
        gamma = exact(gamma, "gamma")
        if gamma < 0:
            raise ValueError(f"gamma must be >= 0, got {gamma}")
        whole = gamma.numerator // gamma.denominator
        for _ in range(whole):
            if not self._bernoulli_exp_to_one(Fraction(1)):
                return False
        return self._bernoulli_exp_to_one(gamma - whole)

    def _bernoulli_exp_to_one(self, gamma: Fraction) -> bool:
        """True with probability e^-gamma = sum over odd k of gamma^(k-1)/(k-1)! - gamma^k/k!, where 0 <= gamma <= 1."""
        k = 1
        while self._is_below(gamma / k):
            k += 1
        return k % 2 == 1

    def geometric_exp(self, gamma: Exactly) -> int:
        """k >= 0 with probability (1 - e^-gamma) e^(-gamma k), where gamma > 0; fast for tiny gamma and for huge.

        With gamma = s/t, X = U + t V has probability proportional to e^(-X/t), and the answer is floor(X/s).
        At most 1.6 log2(t) + 18 flips expected.
        Source: CKS20 Alg 2, without the sign.
        """
        gamma = exact(gamma, "gamma")
        if gamma <= 0:
            raise ValueError(f"gamma must be > 0, got {gamma}")
        s, t = gamma.numerator, gamma.denominator
        u = self.until(lambda: self._decayed(t))
        v = 0
        while self._bernoulli_exp_to_one(Fraction(1)):
            v += 1
        return (u + t * v) // s

    def _decayed(self, t: int) -> int | None:
        """u in 0..t-1 with probability e^(-u/t) / t each, else None."""
        u = self.uniform(t)
        return u if self._bernoulli_exp_to_one(Fraction(u, t)) else None

    def uniform(self, n: int) -> int:
        """k in 0..n-1 with probability 1/n each, where n >= 1; fewer than log2(n) + 2 flips expected.

        Before each flip, `value` is uniform on 0..size-1 whatever was flipped.  Source: LUM13 Sec 2.
        """
        size, value = 1, 0
        n = count("n", n)
        while True:
            if size >= n:
                if value < n:
                    return value
                size, value = size - n, value - n
            size, value = 2 * size, 2 * value + self.flip()

    def permutation(self, n: int) -> tuple[int, ...]:
        """Each order of 0..n-1 with probability 1/n!, where n >= 1.  Source: the Fisher-Yates shuffle."""
        order = list(range(count("n", n)))
        for last in range(n - 1, 0, -1):
            other = self.uniform(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def first(self, n: int, size: int) -> tuple[int, ...]:
        """The first `size` of a random order of 0..n-1, where 0 <= size <= n, n >= 1.

        They are the last of `permutation` of the same flips, from its end on, whose rest is not made.
        """
        order = list(range(count("n", n)))
        if type(size) is not int or not 0 <= size <= n:
            raise ValueError(f"size must be an int from 0 to {n}, got {size!r}")
        for last in range(n - 1, n - 1 - size, -1):
            other = self.uniform(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(reversed(order[n - size :]))


def count(parameter: str, value: object) -> int:
    """`value` where it is an int >= 1; ValueError otherwise."""
    if type(value) is not int:
        raise ValueError(f"{parameter} must be an int, got {value!r}")
    if value < 1:
        raise ValueError(f"{parameter} must be >= 1, got {value}")
    return value
