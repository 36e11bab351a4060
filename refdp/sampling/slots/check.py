"""`check`: whether a certificate makes an exact sampler.  It knows nothing of how the numbers were found.

Weights are enclosed in integers, by rational interval arithmetic; all else is exact.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from math import ceil, factorial, isfinite

from refdp.numerics.intervals import Interval
from refdp.sampling.lazy import exp_minus
from refdp.sampling.slots.certificate import HIGHEST_TAYLOR, MARGIN, Block, Certificate, Tail
from refdp.sampling.slots.ends import UNIT, Weights

LARGEST = 2**60
"""Blocks are within +-LARGEST, so that every sum of the arrays' path is an int64."""
MOST_SLOT_DIGITS, MOST_OFFSET_DIGITS = 16, 45
CLOSE = 46
"""Levels are right to 46 digits."""
LEAST_RATE = 2.0**-1000
FINE, ERROR = 30, 60
"""`error_bound` takes whole multiples of 2^-FINE and gives one of 2^-ERROR."""


class Refused(ValueError):
    """A certificate does not show that its sampler is exact."""


def check(c: Certificate) -> None:
    """Return if every draw by the certificate has P(k) = w(k) / sum w, on either path; Refused otherwise."""
    _check_types(c)
    _require(0 <= c.slot_digits <= MOST_SLOT_DIGITS, "slot_digits must be in 0..16")
    _require(0 <= c.offset_digits <= MOST_OFFSET_DIGITS, "offset_digits must be in 0..45")
    _require(c.height > 0, "height must be > 0")
    _require(1 <= c.taylor <= HIGHEST_TAYLOR, "taylor must be in 1..8")
    _require(sum(c.sizes()) <= 1 << c.slot_digits, "there must be a slot for each that is taken")
    _check_partition(c)
    _check_rates(c)
    weights = Weights(c)
    for block in c.blocks:
        _check_block(c, block, weights)
    for tail in c.tails:
        _require(tail.slots >= 1, "a tail must have a slot")
        _require(tail_share(c, tail, UNIT).upper <= 1, f"the tail from {tail.sign * tail.start} must fit its slots")


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise Refused(what)


def _check_types(c: Certificate) -> None:
    """Integers are Python's, which do not wrap, and floats are finite and of 53 digits; nothing changes afterwards."""
    blocks = chain.from_iterable((b.start, b.slots, b.full) for b in c.blocks)
    tails = chain.from_iterable((t.start, t.sign, t.slots) for t in c.tails)
    whole = (c.slot_digits, c.offset_digits, c.taylor, *blocks, *tails)
    _require(all(type(n) is int for n in whole), "whole numbers must be ints")
    floats = (*c.rates, *(block.level for block in c.blocks))
    _require(all(type(x) is float and isfinite(x) for x in floats), "rates and levels must be finite floats")
    _require(type(c.height) is Fraction, "height must be a Fraction")
    parts = (c.blocks, c.tails, c.rates, c.potential.coefficients)
    _require(all(type(part) is tuple for part in parts), "blocks, tails, rates and coefficients must be tuples")


def _check_partition(c: Certificate) -> None:
    """Blocks and tails cut the integers, or those >= 0, without gap or overlap; no block has 0 inside."""
    starts = [block.start for block in c.blocks]
    _require(0 in starts, "a block must start at 0")
    first, end = starts[0], starts[0] + len(starts) * c.width
    _require(starts == list(range(first, end, c.width)), "each block must start where the one before ends")
    _require(-LARGEST <= first and end <= LARGEST, "blocks must be within 2^60 of 0")
    sides = [(tail.sign, tail.start) for tail in c.tails]
    expected = [(1, end), (-1, 1 - first)] if c.potential.two_sided else [(1, end)]
    _require(sides == expected, "the tails must start where the blocks end")
    _require(c.potential.two_sided or first == 0, "the first block must start at 0")


def _check_rates(c: Certificate) -> None:
    """Each rate is the coefficient, to 52 digits, and far from where floats lose digits."""
    _require(len(c.rates) == len(c.potential.coefficients), "there must be a rate for each coefficient")
    for rate, exact in zip(c.rates, c.potential.coefficients, strict=True):
        _require(rate >= LEAST_RATE or rate == 0 == exact, "a rate must be 0 or >= 2^-1000")
        _require(abs(Fraction(rate) - exact) <= exact / 2**52, "each rate must be the coefficient")


def _check_block(c: Certificate, block: Block, weights: Weights) -> None:
    """Coverage, soundness (w falls from top to bottom, as q rises away from 0), and the bound on the floats' error."""
    top, bottom = c.ends(block)
    (q, low, high), (q_bottom, least, _) = weights(top), weights(bottom)
    _require(0 <= block.full <= block.slots, f"full must be in 0..slots, in the block at {block.start}")
    _require(high <= block.slots << UNIT, f"coverage fails in the block at {block.start}")
    _require(block.full << UNIT <= least, f"soundness fails in the block at {block.start}")
    _require(0 <= block.level < 2.0**18, f"the level at {block.start} is off")
    level = int(block.level * 2.0**UNIT)  # the product is exact, and int rounds down by less than 1
    within = (level >> CLOSE) + (1 << UNIT - CLOSE)
    _require(high - within <= level < low + within, f"the level at {block.start} is off")
    fall = -((q - q_bottom << FINE) // weights.unit)
    _require(fall <= 1 << FINE, f"the weights of the block at {block.start} differ by more than e")
    error = error_bound(ceil(block.level), fall, c.taylor)
    _require(error <= MARGIN * 2**ERROR, f"the error exceeds the margin in the block at {block.start}")


def tail_share(c: Certificate, tail: Tail, bits: int) -> Interval:
    """w(K) / ((1 - e^-rho) n_T height B), where K is the start of the tail and rho = q(K + 1) - q(K).

    As q is convex, w(K + g) <= w(K) e^(-rho g), and the latter sum to w(K) / (1 - e^-rho).
    """
    slope, unit = c.potential.slope(tail.start), tail.slots * c.height * c.width
    more = bits + 4 + ceil(1 + 1 / slope).bit_length()  # 1 - e^-rho >= rho / (1 + rho) = 1 / (1 + 1 / rho)
    rest = Interval(Fraction(1), Fraction(1), more) - exp_minus(slope)(more)
    return c.potential.weight(tail.start)(more) / (rest * Interval(unit, unit, more))


def error_bound(level: int, fall: int, taylor: int) -> int:
    """A bound of the error of (A e^-x - i) - V as the arrays work it out, against w(k) / height - i - V.

    u = 2^-53.  IEEE's + - * / round to the nearest: fl(a op b) = (a op b)(1 + e), |e| <= u, unless the result is below
    2^-1022; numpy rounds after every function, each of one operation.  Hats mark what is computed.  Let A <= level be
    the level, W = w(top) / height, n = |top|, 0 <= x = q(n + d) - q(n) <= f <= 1, f = fall / 2^FINE, and 0 <= d < 2^45,
    which is an exact float.  By coverage W <= 2^16, hence A <= 2^17, and 0 <= i < 2^16.
    1. x = d (c_1 + c_2 h_2 + ... + c_D h_D) with D <= 8, h_1 = 1 and h_j = (n + d) h_(j-1) + n^(j-1).  Everything is
       >= 0 and n^ and (n + d)^ are off by u at most, so that n^(j-1) is by 2 (j - 1) u, h_j by 4 (j - 1) u, c_j by
       2 u; the products c_j h_j, the sum and its product with d add at most u, D u and u, so that to first order x^ is
       off by 28 + 2 + 1 + 8 + 1 = 40 u relatively: |x^ - x| <= 64 u.  Nothing but 0 is below 2^-1000 on the way.
    2. T, the Taylor polynomial of e^-x of degree 1 <= m <= 8, by Horner's rule: with its coefficients' own, at most 18
       roundings a term, so |T^ - T(x^)| <= ((1 + u)^18 - 1) e^x^ <= 52 u.  The series alternates and, as
       x^ <= 1 + 64 u, its terms fall from the second on: |T(x^) - e^-x^| <= x^^(m+1) / (m+1)! <= F + 65 u where
       F = f^(m+1) / (m+1)! <= 1/2; and |e^-x^ - e^-x| <= |x^ - x| <= 64 u.
    3. r = A T^, rounded: |r - A e^-x| <= A (F + 181 u)(1 + u) + u A <= A (F + 183 u).  With
       |A - W| <= 2^-46 (A + 1) = 128 u (A + 1), |r - w(k) / height| <= A F + 311 u (A + 1), where the last is below
       0.62 2^-27, as A + 1 <= 2^17 + 1.
    4. r - i and then the difference with V^ are below 2^17 + 2 in size, and each is rounded: 2 u (2^17 + 2) < 2^-34.
    5. V^ is V cut to 53 digits: it is too small by less than u.
    The last three make less than A F + 2^-27.
    """
    power = taylor + 1
    series = -(-(level * fall**power << ERROR) // (factorial(power) << FINE * power))
    return int(series + (1 << ERROR - 27))
