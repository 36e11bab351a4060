"""One draw of the exponential mechanism: k with P(k) proportional to e^(rate score_k), nothing kept for another draw.

With weights w_k = e^-x_k <= 1, x_k = rate (best - score_k), the draw is the least k with U W < C_k = w_0 + ... + w_k,
where W = C_(n-1): inversion, as in `lookup`, so there is no rejection whose rounds would tell of W.  Floats are
believed beyond `margin`; what is nearer is decided by `less`.  `bulk.selection` does the same in arrays.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import ceil, floor, prod
from operator import getitem

from refdp.numerics.elementary import Undecided, exp_bounds
from refdp.numerics.exact import Exactly, positive
from refdp.numerics.intervals import Interval
from refdp.sampling.lazy import Enclosure, Uniform, exp_minus, inverse_cdf, less
from refdp.sampling.words import SYSTEM_WORDS, Source

BYTE = 8
"""Gaps are read byte by byte."""
FINE, LEAST = 256, 128
"""`powers` reckons in units of 2^-FINE, and has 0 for what is below 2^-LEAST."""
LIMIT = 2**63
DIGITS = 64
"""Digits of U that are read first."""
UNIT = 2.0**-53
Parts = tuple[Mapping[int, int], Mapping[int, int]]
"""How often each gap occurs among the first candidates, and among the others."""


def selected(scores: Sequence[int], rate: Exactly, source: Source = SYSTEM_WORDS, slack: float = 1.0) -> int:
    """k with probability proportional to e^(rate scores[k]), exactly, where rate > 0; `slack` widens the margin."""
    if not scores or not all(type(score) is int and -LIMIT <= score < LIMIT for score in scores):
        raise ValueError(f"scores must be ints of 64 digits, at least one, got {scores!r:.60}")
    checked, best = positive(rate, "rate"), max(scores)
    gaps = [best - score for score in scores]
    known = weights(set(gaps), checked)
    sums = list(accumulate(map(known.__getitem__, gaps)))

    u = first_digits(source)
    first, last = candidates(u, sums, margin(sums[-1], len(sums)) * slack)
    return decided(u, checked, _parts(gaps), first, last)


def enclosed(scores: Sequence[int], rate: Exactly, source: Source = SYSTEM_WORDS) -> int:
    """The same candidate for ints of any size, by enclosures alone: what is negligible is not worked out."""
    best = max(scores)
    gaps = [best - score for score in scores]

    return decided(first_digits(source), positive(rate, "rate"), _parts(gaps), 0, len(gaps) - 1)


def flipped(scores: Sequence[int], rate: Exactly, source: Source = SYSTEM_WORDS, slack: float = 1.0) -> int:
    """k uniform among the candidates whose flips come up, flip k with probability e^(rate (scores[k] - best)).

    The best one's always does.  In an order of the candidates that is as likely as any other, and independent of the
    flips, the first whose flip comes up has just this law: `permute_and_flip`.  `slack` widens the margin, for tests.
    """
    checked, best = positive(rate, "rate"), max(scores)
    gaps = [best - score for score in scores]
    known = weights(set(gaps), checked) if max(gaps) < LIMIT else {}
    uniforms = [first_digits(source) for _ in gaps]
    up = [comes_up(u, known.get(gap), checked * gap, slack) for u, gap in zip(uniforms, gaps, strict=True)]
    among = [k for k, comes in enumerate(up) if comes]
    return among[below(len(among), source)]


def comes_up(u: Uniform, weight: float | None, exponent: Fraction, slack: float) -> bool:
    """Whether U < e^-exponent, where `weight` is about that: see `NEAR`."""
    if weight is not None and u.size >= DIGITS:
        excess = weight - target(u, 1.0)
        if abs(excess) > NEAR * slack:
            return excess > 0
    return exponent == 0 or less(u, exp_minus(exponent))


NEAR = 2.0**-47
"""How far a weight, in floats, must be from the first 53 digits of U to tell whether U is below it.

u = 2^-53.  The weight is off by 16 u and 2^-127 at most, as it is <= 1 (`margin`); the digits that are left out are
below u, and the difference is off by a rounding, u: together by less than 2^-48.
"""


def below(n: int, source: Source) -> int:
    """k in 0..n - 1 with probability 1/n each, n < 2^63: from the digits of a word, or of as few flips as n needs."""
    size = DIGITS if source.step >= DIGITS else (n - 1).bit_length()
    if n == 1:
        return 0
    while True:
        digits = source.digits(size)
        if digits < (1 << size) // n * n:
            return digits % n


def _parts(gaps: Sequence[int]) -> Callable[[int], Parts]:
    """k -> the counts of the gaps up to k, and of the others."""
    return lambda k: (Counter(gaps[: k + 1]), Counter(gaps[k + 1 :]))


def first_digits(source: Source) -> Uniform:
    """U with 64 digits, or with none where they come one by one."""
    u = Uniform(source)
    if source.step >= DIGITS:
        u.reveal(DIGITS)
    return u


@lru_cache(maxsize=256)
def powers(rate: Fraction, place: int) -> tuple[float, ...]:
    """e^(-rate 2^(8 place) d) for d = 0..255, each off by 2^-53 + 2^-100 of itself, or 0 if below 2^-128.

    low <= 2^256 e^(...) <= high remain so from one to the next, as none is negative and products are rounded outward.
    """
    ends = exp_bounds(-rate * 2 ** (BYTE * place), FINE)
    down, up = floor(ends[0] * 2**FINE), ceil(ends[1] * 2**FINE)
    low = high = 1 << FINE
    found = []
    for _ in range(1 << BYTE):
        if low >> FINE - LEAST and high - low << 100 > low:
            raise Undecided(f"the powers of e^(-{rate})")
        found.append(low / 2**FINE if low >> FINE - LEAST else 0.0)
        low, high = low * down >> FINE, -(-high * up >> FINE)
    return tuple(found)


def weights(gaps: Collection[int], rate: Fraction) -> dict[int, float]:
    """gap -> about e^(-rate gap), the product of a power for each byte of the gap; how near, says `margin`."""
    size = (max(gaps).bit_length() + 7) // 8
    rows = [powers(rate, place) for place in range(size)]
    return {gap: prod(map(getitem, rows, gap.to_bytes(size, "little")), start=1.0) for gap in gaps}


def margin(total: float, roundings: int) -> float:
    """M: U W < C_k if t + M < c_k, and U W >= C_k if c_k <= t - M, for sums c_k with so many additions at most in each.

    u = 2^-53.  A weight is a product of at most 8 powers, each right to u + 2^-100 of itself or below 2^-128 and taken
    for 0: so its float is off by 16 u of itself and by 2^-127 at most.  A sum of floats >= 0 is off by its number of
    additions R times u of itself and a little, in any order, where R < 2^40.  So c_k = C_k (1 + a) + b,
    |a| <= A = 1.01 (R + 16) u, |b| <= 2^-87 for 2^40 candidates.  The best one has the weight 1, exactly, so W >= 1.
    t is the product, rounded, of c = c_(n-1) with the first 53 digits of U: |t - U W| <= 2 u c + A W + 2^-87.
    So t - c_k is off by c (2 u + 2 A + 4 A^2 + 2^-85) at most, and t - M and t + M by 2 u c more: together by less than
    2.1 c (R + 20) u.  M is nearly twice that, which makes up for its own roundings.
    """
    return total * (roundings + 20) * (4 * UNIT)


def target(u: Uniform, total: float) -> float:
    """t, about U W."""
    return (u.digits >> u.size - 53) * UNIT * total


def candidates(u: Uniform, sums: Sequence[float], near: float) -> tuple[int, int]:
    """The first and the last k that may be the draw."""
    last = len(sums) - 1
    if u.size < DIGITS:
        return 0, last
    t = target(u, sums[-1])
    return bisect_right(sums, t - near), min(bisect_right(sums, t + near), last)


def decided(u: Uniform, rate: Fraction, parts: Callable[[int], Parts], first: int, last: int) -> int:
    """The draw, one of first..last, by comparing U with enclosures of C_k / W where there is a choice."""

    def cdf(k: int) -> Enclosure:
        before, after = parts(k)
        size = sum(before.values()) + sum(after.values())

        def enclosure(bits: int) -> Interval:
            (a, b), (c, d) = (total(counts, rate, bits + size.bit_length()) for counts in (before, after))
            return Interval(a / (a + d), b / (b + c), bits)

        return enclosure

    return inverse_cdf(u, cdf, first, last)


def total(counts: Mapping[int, int], rate: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Bounds of the sum of count e^(-rate gap); what is below 2^-bits is not worked out."""
    low = high = Fraction(0)
    for gap, count in counts.items():
        x = rate * gap
        ends = exp_bounds(-x, bits) if x <= bits else (Fraction(0), Fraction(1, 1 << bits))
        low, high = low + count * ends[0], high + count * ends[1]
    return low, high
