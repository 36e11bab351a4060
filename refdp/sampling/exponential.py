"""One exponential variable for every scale: E with P(E >= x) = e^-x, of which G = floor(2^digits E) is known.

floor(t E) is geometric with ratio e^(-1/t), and E >= gamma has probability e^-gamma.  G nearly always tells; where it
does not, the rest F = 2^digits E - G in [0, 1) is compared: it is independent of G, P(F < f) = (1 - e^-cf) / (1 - e^-c)
with c = 2^-digits.  A variable may answer one question only.  So one table draws noise of every scale, in whole
numbers alone; a table of its own (`slots`) is faster, once it is made.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isqrt
from typing import Any

from refdp.numerics.exact import positive
from refdp.numerics.intervals import Interval
from refdp.sampling.lazy import Enclosure, Uniform, bernoulli, exp_minus, inverse_cdf
from refdp.sampling.potentials import Potential
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.draws import SlotDraws
from refdp.sampling.words import WORD, Source

DIGITS = 49
"""Digits of E behind the point that a table draws."""
FEW = 1 << 24
"""Fewer whole numbers than these are told apart by one word, nearly always."""
Draw = Callable[[Source], int]
"""One draw of a law."""


def prefix(digits: int = DIGITS) -> Potential:
    """The law of G: P(G = g) is proportional to e^-(g / 2^digits), g >= 0."""
    return Potential((Fraction(1, 1 << digits),), two_sided=False)


@lru_cache(maxsize=4)
def variables(digits: int = DIGITS) -> SlotDraws:
    """Draws of G: the one table, made once a process."""
    return SlotDraws(certificate(prefix(digits)))


def scales_of(scales: Any, n: int) -> list[Fraction]:
    """n exact scales > 0 of a list, a tuple or an array; ValueError otherwise."""
    listed = scales.tolist() if hasattr(scales, "tolist") else scales
    if not isinstance(listed, list | tuple) or len(listed) != n:
        raise ValueError(f"scales must be a list, a tuple or an array of {n} numbers, one for each input")
    return [positive(scale, "scale") for scale in listed]


def has_any_scale(law: Potential) -> bool:
    """Whether `draw_of` draws from it."""
    alone = len(law.coefficients) == 1 or (len(law.coefficients) == 2 and not law.coefficients[0])
    return law.two_sided and alone


def draw_of(law: Potential) -> Draw | None:
    """One draw of P(k) proportional to e^(-|k|/t) or to e^(-k^2 / (2 s)), whatever t > 0 and s > 0; None of others."""
    if not has_any_scale(law):
        return None
    scale = 1 / law.coefficients[-1]
    numerator, denominator = scale.numerator, scale.denominator
    if len(law.coefficients) == 1:
        return lambda source: laplace(numerator, denominator, source)
    return lambda source: gaussian(numerator, 2 * denominator, source)


def geometric(numerator: int, denominator: int, source: Source, of: SlotDraws | None = None) -> int:
    """floor(t E) >= 0, with probability proportional to e^(-k/t), t = numerator / denominator > 0.

    t E lies in [t G, t (G + 1)) / 2^digits, where usually there is no second whole number.
    """
    draws = of or variables()
    g, digits = draws.one(source), digits_of(draws)
    unit = denominator << digits
    least, greatest = numerator * g // unit, (numerator * (g + 1) - 1) // unit
    return least if least == greatest else floor_of(Fraction(numerator, denominator), g, source, digits)


def digits_of(draws: SlotDraws) -> int:
    """The digits of E that a table of G draws."""
    return draws.certificate.potential.coefficients[0].denominator.bit_length() - 1


def laplace(numerator: int, denominator: int, source: Source, of: SlotDraws | None = None) -> int:
    """k with probability proportional to e^(-|k|/t): a geometric draw with a fair sign, but no minus zero."""
    while True:
        k = geometric(numerator, denominator, source, of)
        if not source.digits(1):
            return k
        if k:
            return -k


def gaussian(numerator: int, denominator: int, source: Source, of: SlotDraws | None = None) -> int:
    """k with probability proportional to e^(-k^2 / (2 s)), s = numerator / denominator > 0.  Source: CKS20 Alg. 3.

    With t = floor(sqrt(s)) + 1, a Laplace draw y of scale t is accepted with probability e^-gamma,
    gamma = (|y| - s / t)^2 / (2 s).
    """
    draws = of or variables()
    digits = digits_of(draws)
    t = isqrt(numerator // denominator) + 1
    apart, unit = denominator * t, 2 * numerator * denominator * t * t
    while True:
        y = laplace(t, 1, source, draws)
        gap = (abs(y) * apart - numerator) ** 2  # gamma = gap / unit
        g = draws.one(source)
        if g * unit >= gap << digits:
            return y
        if (g + 1) * unit > gap << digits and at_least(Fraction(gap, unit), g, source, digits):
            return y


def floor_of(scale: Fraction, g: int, source: Source, digits: int = DIGITS, slack: int = 1) -> int:
    """floor(scale E), where G = g: the least k with scale E < k + 1; `slack` widens the margin, for tests."""
    step = scale / (1 << digits)
    first, last = floor(step * g), ceil(step * (g + 1)) - 1
    u = Uniform(source)
    if first < last and source.step >= WORD:
        u.reveal(WORD if last - first < FEW else 2 * WORD)
        low, high = _near(scale.numerator, scale.denominator, g, u, digits, slack)
        first, last = max(first, low), min(last, high)
    return inverse_cdf(u, lambda k: rest_below((k + 1) / step - g, digits), first, last)


def _near(numerator: int, denominator: int, g: int, u: Uniform, digits: int, slack: int) -> tuple[int, int]:
    """Whole numbers of which floor(t (G + F) / 2^digits) is the first, the last or one between.

    With c = 2^-digits <= 1/4, h(f) = (1 - e^-cf) / (1 - e^-c) = f phi(cf) / phi(c), where phi(x) = (1 - e^-x) / x is
    1 - x/2 + theta x^2/6 with theta in [0, 1]: phi(cf) - phi(c) = c (1 - f) / 2 + r, |r| <= c^2 / 6, and
    1 <= 1 / phi(c) <= 1 + c.  So |h(f) - f - c f (1 - f) / 2| <= c^2 / 8 + (1 + c) c^2 / 6 < c^2 / 2, and as phi falls
    by at most x / 2, h(f) - f is in [0, c/4].  U = h(F) gives F = U - c U (1 - U) / 2 + s, |s| < c^2 / 2 + c^2 / 8 <
    c^2.  U is known but for 2^-n, which moves that by 2^(1 - n) at most.  All is counted in units of
    2^-(2 n + digits + 1).
    """
    n, known = u.size, u.digits
    unit = 2 * n + digits + 1
    rest = (known << n + digits + 1) - known * ((1 << n) - known)
    error = slack * ((1 << n + digits + 2) + (1 << max(0, 2 * n + 1 - digits)))
    place, whole = (g << unit) + rest, denominator << digits + unit
    return numerator * (place - error) // whole, numerator * (place + error) // whole


def at_least(gamma: Fraction, g: int, source: Source, digits: int = DIGITS) -> bool:
    """Whether E >= gamma, where G = g."""
    f = gamma * (1 << digits) - g
    return f <= 0 or f < 1 and not bernoulli(rest_below(f, digits), source)


def rest_below(f: Fraction, digits: int) -> Enclosure:
    """P(F < f) = (1 - e^-cf) / (1 - e^-c), where 0 < f < 1."""
    c = Fraction(1, 1 << digits)

    def enclosure(bits: int) -> Interval:
        if bits <= 3 * digits:
            return _by_series(f.numerator, f.denominator, digits)
        more = bits + digits + (1 / f).__ceil__().bit_length() + 4  # for the digits that the differences lose
        one = Interval(Fraction(1), Fraction(1), more)
        return (one - exp_minus(c * f)(more)) / (one - exp_minus(c)(more))

    return enclosure


def _by_series(a: int, b: int, digits: int) -> Interval:
    """P(F < a / b), 0 < a < b, narrower than 2^-(3 digits).

    (1 - e^-x) / x = 1 - x/2 + x^2/6 - x^3/24 + ..., whose terms alternate and fall for 0 < x <= 1: so it lies between
    the sums of three and of four of them.  With c = 1 / n, at x = c a / b four are p / (24 n^3 b^3), and three p + a^3;
    at x = c they are q and q + 1.  P(F < a / b) is a / b times the first by the second; its bounds are apart by less
    than (a / b) / (24 n^3) (1 + 1 + 1 / n) < 1 / n^3.
    """
    n = 1 << digits
    m = n * b
    p = 24 * m**3 - 12 * m * m * a + 4 * m * a * a - a**3
    q = 24 * n**3 - 12 * n * n + 4 * n - 1
    return Interval(Fraction(a * p, b**4 * (q + 1)), Fraction(a * (p + a**3), b**4 * q))
