"""Random allocation (balls in bins): a row takes part in one of `steps` steps, each as likely.

Without the row the answers are noise; with it, their density relative to that is w, the mean over the steps of the
ratio L of one step.  H_x grows if the law of L is spread with its mean kept, so L is put on a lattice, and what is lost
by rounding is told outright: Lemmas 1.21 and 1.22 of docs/accounting_proofs.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, erfc, exp, expm1, sqrt
from typing import TYPE_CHECKING

from refdp.accounting.balls import ball
from refdp.accounting.losses import Finite, require
from refdp.numerics.enclosures import precision

if TYPE_CHECKING:
    from flint import arb, fmpz_poly

BITS = 128
"""Masses are whole numbers of units 2^-BITS, rounded down."""
PRECISION = BITS + 64
MOST_POINTS = 1 << 16
"""Most points of the lattice of one ratio."""
MOST_STEPS = 100_000
FINE = 0.025
"""The lattice's step, in standard deviations of the ratio."""
MOST_MU = 3
"""Most standard deviations by which a row moves the noise: with more the lattice is too coarse to be of use."""
TOLD = 2.0**-60
"""About how likely it may be that two ratios are beyond the lattice."""
FARTHEST = 10.0
"""Beyond so many standard deviations, with the row, a ratio is told."""
DROPPED = 1 << (BITS - 80)
"""Ends of about so much mass are cut off each product."""
GROWTH = Fraction(9, 8)
"""Ratios beyond the lattice are put on points that grow by this factor."""
COARSE = 64
"""Points of the sum of the other ratios, where one is beyond the lattice."""
NEAR, FAR = 32, Fraction(65, 64)
"""Points for each standard deviation of w near 1, and the factor of those farther out."""
Masses = list[tuple[Fraction, int]]
"""(value, mass in units), in order of the values."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """The law of L without the row, from below: `lattice` has the masses at 0, step, 2 step ..., `beyond` others."""

    step: Fraction
    lattice: tuple[int, ...]
    beyond: tuple[tuple[Fraction, int], ...] = ()


def allocated(ratio: Ratio, steps: int) -> Finite:
    """The pair with the row and without it: of each w the masses w n and n, and what is lost, told."""
    _require_few(steps)
    from flint import fmpz_poly

    one = fmpz_poly(list(ratio.lattice))
    start, others = _power(one, steps - 1)
    (start, whole) = (0, one) if steps == 1 else (start, _rounded(others * one))
    sums = [(ratio.step * (start + s), int(n)) for s, n in enumerate(whole.coeffs())]
    if ratio.beyond:
        rest = _rest(ratio.step, start if steps > 1 else 0, others)
        sums += [(s + b, steps * n * beyond >> BITS) for b, beyond in ratio.beyond for s, n in rest]
    found = [(value / steps, n) for value, n in sums if n]
    return told(spread(sorted(found), values(found)) if found else [])


def _require_few(steps: int) -> None:
    require(1 <= steps <= MOST_STEPS, "steps", f"1 to {MOST_STEPS}", steps)


def _rest(step: Fraction, start: int, others: fmpz_poly) -> Masses:
    """The sum of the other ratios on a few points."""
    sums = [(step * (start + s), int(n)) for s, n in enumerate(others.coeffs()) if n]
    if len(sums) <= COARSE:
        return sums
    low, high = sums[0][0], sums[-1][0]
    return spread(sums, [low + (high - low) * i / COARSE for i in range(COARSE + 1)])


def _power(one: fmpz_poly, count: int) -> tuple[int, fmpz_poly]:
    """(first index, masses) of the sum of so many independent ratios on the lattice; ends are cut off."""
    from flint import fmpz_poly

    start, found = 0, fmpz_poly([1 << BITS])
    for digit in bin(count)[2:]:
        start, found = _trimmed(2 * start, _rounded(found * found))
        if digit == "1":
            start, found = _trimmed(start, _rounded(found * one))
    return start, found


def _rounded(product: fmpz_poly) -> fmpz_poly:
    """The masses in units, rounded down: none is negative."""
    from flint import fmpz

    return product // (fmpz(1) << BITS)


def _trimmed(start: int, masses: fmpz_poly) -> tuple[int, fmpz_poly]:
    """Without the ends, of mass DROPPED at most each."""
    coefficients = masses.coeffs()
    first, last, left, right = 0, len(coefficients), 0, 0
    while first < last and left + (mass := int(coefficients[first])) <= DROPPED:
        first, left = first + 1, left + mass
    while last > first and right + (mass := int(coefficients[last - 1])) * (last + start) <= DROPPED:
        last, right = last - 1, right + mass * (last + start)
    return start + first, masses.truncate(last).right_shift(first)


def spread(masses: Masses, points: list[Fraction]) -> Masses:
    """Each mass at the two points around it, with its mean kept; rounded down.  Points rise, and are around all."""
    found, place = [0] * len(points), 0
    for value, n in masses:
        while place + 2 < len(points) and points[place + 1] < value:
            place += 1
        low, high = points[place], points[place + 1]
        require(low <= value <= high, "each value", f"between {low} and {high}", value)
        upper = (value - low) / (high - low)
        up = n * upper.numerator // upper.denominator
        found[place + 1] += up
        found[place] += n - up - (n * upper.numerator % upper.denominator > 0)
    return [(point, n) for point, n in zip(points, found, strict=True) if n > 0]


def told(masses: Masses) -> Finite:
    """The pair of the masses w n and n, and of what is left of both laws, each impossible under the other."""
    unit = Fraction(1, 1 << BITS)
    cells = [(w * n * unit, n * unit) for w, n in masses]
    first, second = (1 - sum(law, Fraction(0)) for law in zip(*cells, strict=True)) if cells else (Fraction(1),) * 2
    lost = [(first, Fraction(0)), (Fraction(0), second)]
    return Finite((*cells, *(pair for pair in lost if any(pair))))


def values(found: Masses) -> list[Fraction]:
    """Points around all values: as many near 1 as their standard deviation asks for, fewer far out; floats choose."""
    total = sum(n for _, n in found)
    least, most = min(w for w, _ in found), max(w for w, _ in found)
    near = sum(n * min(float(w) - 1, 4.0) ** 2 for w, n in found) / max(total, 1)
    gap = Fraction(max(sqrt(near) / NEAR, 2.0**-20)).limit_denominator(1 << 24) or Fraction(1, 1 << 20)
    points, up, down = [Fraction(1)], Fraction(1), Fraction(1)
    while up < most:
        up = _short(max(up + gap, up * FAR if up > 1 + NEAR * gap * 8 else up + gap))
        points.append(up)
    while down > least and down > gap:
        down = _short(max(down - gap, Fraction(0)))
        points.append(down)
    return sorted({*points, Fraction(0), up + gap})


def _short(x: Fraction) -> Fraction:
    """x >= 0 to about 40 binary digits."""
    return Fraction(round(x * (1 << 40)), 1 << 40)


@lru_cache(maxsize=32)
def allocated_noise(mu_squared: Fraction, steps: int) -> Finite:
    """The pair for Gaussian noise that the row moves by mu standard deviations in its step."""
    _require_few(steps)
    return allocated(normal_ratio(mu_squared, steps), steps)


def normal_ratio(mu_squared: Fraction, steps: int) -> Ratio:
    """L = e^(mu z - mu^2 / 2), z a standard normal number, from below; floats choose the points."""
    require(
        mu_squared <= MOST_MU**2,
        "sensitivity / sigma with balls in bins",
        f"at most {MOST_MU}",
        f"the root of {mu_squared}",
    )
    mu, z = max(sqrt(mu_squared), 2.0**-20), 0.0
    while steps * beyond(z + mu) * max(beyond(z), steps * beyond(z + mu)) > TOLD:
        z += 1 / 16
    cut, last = (exp(mu * far + mu * mu / 2) for far in (z, FARTHEST))
    wanted = max(FINE * sqrt(expm1(mu * mu)), cut / MOST_POINTS)
    step = Fraction(max(1, round(wanted * (1 << 30))), 1 << 30)
    lattice = [step * k for k in range(ceil(cut / float(step)) + 1)]
    points = [lattice[-1]]
    while points[-1] < last:
        points.append(_short(points[-1] * GROWTH))
    with precision(PRECISION):
        near, far_out = _hats(lattice, mu_squared), _hats(points, mu_squared)
    near[-1] += far_out[0]
    return Ratio(step, tuple(near), tuple(zip(points[1:], far_out[1:], strict=True)))


def _hats(points: list[Fraction], mu_squared: Fraction) -> list[int]:
    """The law of L between the first point and the last, spread with its mean kept, in units, rounded down."""
    found, places = [0] * len(points), [ball(x) for x in points]
    mu, root = ball(mu_squared).sqrt(), ball(2).sqrt()
    tails = [_tails(x, mu, root) for x in places]
    for k, ((a, b), ((p, q), (less_p, less_q))) in enumerate(zip(pairwise(places), pairwise(tails), strict=True)):
        inside, without, width = p - less_p, q - less_q, b - a
        found[k] += _units((b * without - inside) / width)
        found[k + 1] += _units((inside - a * without) / width)
    return found


def _tails(x: arb, mu: arb, root: arb) -> tuple[arb, arb]:
    """P[L > x] with the row, which is E[L; L > x] without it, and without it; `root` is that of 2."""
    if x == 0:
        return ball(1), ball(1)
    z, half = x.log() / mu, mu / 2
    return ((z - half) / root).erfc() / 2, ((z + half) / root).erfc() / 2


def _units(mass: arb) -> int:
    """A whole number of units, no more than the mass."""
    found = (mass * (1 << BITS)).lower().floor().unique_fmpz()
    return 0 if found is None else max(0, int(found))


def beyond(z: float) -> float:
    """P[N(0, 1) > z], nearly."""
    return erfc(z / sqrt(2)) / 2
