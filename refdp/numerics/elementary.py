"""Dyadic numbers around a rational number, and around its square root, exponential and logarithm: integers alone.

Each error bound below is proved in the comment beside it; an "ulp" is 2^-w, the unit of the integers at hand.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import count
from math import isqrt

LARGEST_EXPONENT = 2**21
"""Endpoints beyond 2^LARGEST_EXPONENT are Undecided; those within 2^-LARGEST_EXPONENT of 0 round to 0 or to that."""
LARGEST_ARGUMENT = 2**20
"""exp of more than this is Undecided."""
GUARD = 40
"""Additional binary digits of intermediate results: width, never truth, depends on it (only w >= 40 is used below)."""


class Undecided(ArithmeticError):
    """Neither a statement nor its negation could be established."""


def down(n: int, d: int, bits: int) -> Fraction:
    """A dyadic number <= n/d with about `bits` binary digits, n/d itself if it has no more; d > 0."""
    size = n.bit_length() - d.bit_length()  # 2^(size - 1) < |n/d| < 2^(size + 1) for n != 0
    if size > LARGEST_EXPONENT:
        raise Undecided(f"a number exceeds 2^{LARGEST_EXPONENT}")
    if n == 0 or size < -LARGEST_EXPONENT:  # then |n/d| < 2^-LARGEST_EXPONENT
        return Fraction(-1, 2**LARGEST_EXPONENT) if n < 0 else Fraction(0)
    s = bits - size  # for every integer s, floor(n/d 2^s) 2^-s <= n/d
    return Fraction((n << s) // d, 1 << s) if s >= 0 else Fraction(n // (d << -s) << -s)


def up(n: int, d: int, bits: int) -> Fraction:
    """A dyadic number >= n/d with about `bits` binary digits, n/d itself if it has no more; d > 0."""
    return -down(-n, d, bits)


def sqrt_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Dyadic bounds of the square root of x >= 0, equal to it where it is dyadic and short enough."""
    n, d = x.numerator, x.denominator
    s = max(0, bits - (n.bit_length() - d.bit_length()) // 2)
    r = isqrt((n << 2 * s) // d)  # r^2 <= floor(4^s x) < (r + 1)^2, hence r <= 2^s sqrt(x) < r + 1
    return down(r, 1 << s, bits), up(r + (r * r * d != n << 2 * s), 1 << s, bits)


def exp_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Dyadic bounds of e^x; Undecided for x > LARGEST_ARGUMENT."""
    if x > LARGEST_ARGUMENT:
        raise Undecided(f"exp of a number greater than {LARGEST_ARGUMENT}")
    if x < -LARGEST_ARGUMENT:
        return Fraction(0), Fraction(1, 2**LARGEST_ARGUMENT)  # e^x < 2^x for x < 0
    w = bits + GUARD
    low, high = ln2_bounds(w)
    floor = (x.numerator << w) // x.denominator
    k, r = divmod(floor, high if floor >= 0 else low)
    total, error = exp_series(r, w)
    # x lies in [floor, floor + 1] and ln 2 in [low, high = low + 2] ulps.  So x - k ln 2 lies in [r, r + 2|k| + 1]:
    # for k >= 0, from floor - k high = r to floor + 1 - k low = r + 2k + 1; for k < 0 likewise.  And 0 <= r < 0.7 2^w.
    # With y = r / 2^w and u = (2|k| + 1) / 2^w, e^(y + u) <= e^y + 3 (2u) as e^y < 3 and e^u <= 1 + 2u, for u <= 1:
    # |k| < 2^21 and w >= 40.
    error += 6 * (2 * abs(k) + 1)
    shift, unit = (k - w, 1) if k >= w else (0, 1 << w - k)
    return down(total << shift, unit, bits), up(total + error << shift, unit, bits)


def exp_series(r: int, w: int) -> tuple[int, int]:
    """Integers s and e with s <= 2^w e^y <= s + e, where 0 <= y = r / 2^w <= 0.7."""
    total = t = 1 << w
    for i in count(1):
        t = (t * r >> w) // i  # floor(floor(x) / i) = floor(x / i)
        total += t
        if t == 0:
            break
    # Let T_i = 2^w y^i / i!.  All roundings are down, so t_i <= T_i.  T_i - t_i <= 2: it is <= 1 at i = 1, and then
    # <= 2 (0.7 / 2) + 1 as T_i = T_(i-1) y / i.  At the last i, t_i = 0, so T_i <= 2 and the T_j with j >= i sum to
    # <= 2 / (1 - 0.7 / 2) < 4.  The i terms before it are short by <= 2 each.
    return total, 2 * i + 4


def ln_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Dyadic bounds of the natural logarithm of x > 0."""
    n, d = x.numerator, x.denominator
    if n <= d:  # ln x = -ln(1/x)
        lower, upper = ln_bounds(1 / x, bits) if n < d else (Fraction(0), Fraction(0))
        return -upper, -lower
    k = n.bit_length() - d.bit_length()  # x < 2^(k + 1)
    k -= n < d << k  # now 2^k <= x < 2^(k + 1)
    d <<= k
    near_one = (n + d).bit_length() - (n - d).bit_length() if k == 0 else 0  # digits lost as ln x is near 0
    w = bits + GUARD + near_one
    low, high = ln2_bounds(w) if k else (0, 0)
    # ln x = k ln 2 + ln m, m = x / 2^k in [1, 2), and ln m = 2 artanh z, z = (m - 1) / (m + 1) in [0, 1/3)
    z, error = artanh_bounds(n - d, n + d, w)
    return down(k * low + 2 * z, 1 << w, bits), up(k * high + 2 * (z + error), 1 << w, bits)


@lru_cache(maxsize=64)
def ln2_bounds(w: int) -> tuple[int, int]:
    """Integers low and high = low + 2 with low <= 2^w ln 2 <= high."""
    s, error = artanh_bounds(1, 3, w + GUARD)  # ln 2 = 2 artanh(1/3)
    low = 2 * s >> GUARD
    if 2 * error >> GUARD:  # error < 2^(GUARD - 1) makes 2 (s + error) / 2^GUARD < (low + 1) + 1
        raise Undecided(f"ln 2 to {w} bits")
    return low, low + 2


def artanh_bounds(n: int, d: int, w: int) -> tuple[int, int]:
    """Integers s and e with s <= 2^w artanh(n/d) <= s + e, for 0 <= n/d <= 1/3."""
    p = (n << w) // d
    q, total, terms = p * p >> w, 0, 0
    while p:
        total += p // (2 * terms + 1)
        p = p * q >> w
        terms += 1
    # artanh z is the sum of z^(2i+1) / (2i+1).  All roundings are down, so total is a lower bound.  In ulps, p is
    # short of z by <= 1 and q of z^2 by (z + z) 1 + 1 <= 2, at the start.  p_i is short of z^(2i+1) by <= 2: by
    # induction p_(i+1) is short by <= 2 z^2 + 2 z + 1 <= 2/9 + 2/3 + 1 < 2.  So each term is short by <= 2 + 1, and
    # once p_i = 0, z^(2i+1) <= 2 and what is left is at most 2 / (1 - 1/9) < 3.
    return total, 3 * terms + 3
