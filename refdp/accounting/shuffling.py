"""Shuffled answers: laws (P, Q) that are at least as far apart as the number of ones, whatever the other users hold.

The number of ones is S + B, where B tells of the user in question and S is that of the others: binomial(ones, p) +
binomial(zeros, 1 - p).  The events {at least k ones} are the best tests, so the points (Q(S), P(S)) of these events,
for all numbers of ones among the others, and straight lines between them, hold all that any test can do.  The pair
whose best tests are the concave hull of all these points dominates whatever the others hold: Lemma 1.28.  For general
randomisers the others hide as clones: Lemma 1.29.  Proofs: docs/accounting_proofs.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import isqrt
from typing import TYPE_CHECKING

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.losses import Finite
from refdp.numerics.enclosures import precision

if TYPE_CHECKING:
    from flint import arb

MOST_USERS = 10**6
"""Most users of whom a bound is worked out."""
MOST_EXACT = 150
"""With at most so many users every mass is the rational number that it is."""
MOST_DIGITS = 40_000
"""And where that has at most so many binary digits in all of one law's last power."""
MOST_PIECES = 240
"""So many ranges of numbers of zeros are looked at, at most: one by one with no more users; else some at once."""
WORK = 30_000
"""And at most so many divided by the root of the number of users, as each law has about so many places."""
TRIED = 60
"""So many of the ranges are tried from below: those of few zeros, where the greatest delta is if it is small."""
TRIED_BESIDE = 20
"""And about so many of the others, as far from each other as can be: at a small epsilon the greatest is among them."""
MOST_BUNCHES, MOST_EDGES = 100, 300
"""So many ranges of numbers of clones, and so many corners of each curve."""
NOTHING = Finite(((Fraction(1), Fraction(1)),))
"""The pair of what tells nothing."""
MOST_POINTS = 1200
"""A range's curve has at most so many corners, else lines around it are taken."""
BITS = 192
"""Masses that are not exact are whole numbers of units 2^-BITS, rounded down."""
DROPPED = 1 << (BITS - 128)
"""Ends of a binomial law whose masses are below so many units are left out."""
PRECISION = BITS + 96
Point = tuple[int, int]
"""(Q, P) of an event, in units."""


@dataclass(frozen=True, slots=True)
class Sum:
    """The law of the others' number of ones, from below: masses at start, start + 1, ..., in units of 1 / unit."""

    start: int
    masses: tuple[int, ...]
    unit: int

    @property
    def lost(self) -> int:
        """What the masses lack of 1."""
        return self.unit - sum(self.masses)


@dataclass(frozen=True, slots=True)
class Hull:
    """Corners of a concave curve from a test of level 0 to 1, in units of 1 / unit."""

    corners: tuple[Point, ...]
    unit: int

    def pair(self) -> Finite:
        """The pair of laws whose best tests are the curve: each edge is an outcome."""
        outcomes = ((Fraction(p1 - p0, self.unit), Fraction(q1 - q0, self.unit))
                    for (q0, p0), (q1, p1) in pairwise(self.corners))  # fmt: skip
        return Finite(tuple(outcomes))


@lru_cache(maxsize=64)
def response_pair(users: int, truth: Fraction) -> Finite:
    """A pair that dominates the number of ones among the answers of so many users; exact if `is_exact`."""
    if truth == Fraction(1, 2):
        return NOTHING
    whole = hull([upper_curve(law, truth) for law in sums(users, truth)])
    if not is_exact(users, truth):
        whole = Hull(tuple(around(whole.corners, MOST_POINTS)), whole.unit)
    return within_odds(whole, truth / (1 - truth)).pair()


@lru_cache(maxsize=64)
def attained_pair(users: int, truth: Fraction, ones: int) -> Finite:
    """A pair that the number of ones dominates where so many of the other users hold a one."""
    if truth == Fraction(1, 2):
        return NOTHING
    return hull([lower_curve(sum_of(ones, users - 1 - ones, truth, is_exact(users, truth)), truth)]).pair()


@lru_cache(maxsize=64)
def attained_alone(users: int, truth: Fraction) -> Finite:
    """A pair whose profile some number of ones reaches at each epsilon, another one at another."""
    if truth == Fraction(1, 2):
        return NOTHING
    exactly = is_exact(users, truth)
    tried = [low for low, _ in ranges(users - 1, pieces_for(users))]
    apart = max(1, len(tried[TRIED:]) // TRIED_BESIDE)
    few = tried if exactly else [*tried[:TRIED], *tried[TRIED::apart]]
    laws = (sum_of(users - 1 - zeros, zeros, truth, exactly) for zeros in few)
    found = hull([lower_curve(law, truth) for law in laws])
    return Hull(tuple(found.corners if exactly else some_of(found.corners, MOST_POINTS)), found.unit).pair()


def is_exact(users: int, truth: Fraction) -> bool:
    """Whether masses are worked out as the rational numbers that they are."""
    return users <= MOST_EXACT and users * truth.denominator.bit_length() <= MOST_DIGITS


def sums(users: int, truth: Fraction) -> Iterator[Sum]:
    """The others' numbers of ones, of each range of their zeros: those who may hold either are left out."""
    exactly = is_exact(users, truth)
    for low, high in ranges(users - 1, pieces_for(users)):
        yield sum_of(users - 1 - high, low, truth, exactly)


def ranges(most: int, pieces: int) -> Iterator[tuple[int, int]]:
    """0 to `most` in ranges (least, greatest): one by one if there are `pieces`, else the longer the farther from 0."""
    if most < pieces:
        yield from ((one, one) for one in range(most + 1))
        return
    longest, share = 2 + 3 * most // (2 * pieces), 0.001
    while sum(1 for _ in _growing(most, share, longest)) > pieces and share < 1:
        share *= 1.25
    yield from _growing(most, share, longest)


def _growing(most: int, share: float, longest: int) -> Iterator[tuple[int, int]]:
    """Ranges of about that share of their least number, and of at most `longest`; a float chooses."""
    low = 0
    while low <= most:
        high = min(most, low + min(int(low * share), longest - 1))
        yield low, high
        low = high + 1


def pieces_for(users: int) -> int:
    """How many ranges are looked at: the fewer, the more places each law has."""
    return max(16, min(MOST_PIECES, WORK // isqrt(users)))


def sum_of(ones: int, zeros: int, truth: Fraction, exactly: bool) -> Sum:
    """The number of ones that are told by so many who hold a one, and so many who hold a zero."""
    from flint import fmpz_poly

    work.step(8)
    if exactly:
        told, base = truth.numerator, truth.denominator
        powers = fmpz_poly([base - told, told]) ** ones * fmpz_poly([told, base - told]) ** zeros
        return Sum(0, tuple(map(int, powers.coeffs())), base ** (ones + zeros))
    start, masses = binomial(ones, truth)
    more, others = binomial(zeros, 1 - truth)
    product = fmpz_poly(masses) * fmpz_poly(others)
    return Sum(start + more, tuple(int(one) >> BITS for one in product.coeffs()), 1 << BITS)


def binomial(trials: int, chance: Fraction) -> tuple[int, list[int]]:
    """(first, masses) of binomial numbers, 0 < chance < 1, in units, each rounded down from its neighbour."""
    mode = min(trials, int((trials + 1) * chance))
    with precision(PRECISION):
        ways = ball(trials + 1).lgamma() - ball(mode + 1).lgamma() - ball(trials - mode + 1).lgamma()
        most = (ways + mode * ball(chance).log() + (trials - mode) * ball(1 - chance).log()).exp()
        middle = _units(most)
    win, lose = chance.numerator, chance.denominator - chance.numerator
    up, mass = list[int](), middle
    for k in range(mode, trials):
        mass = mass * ((trials - k) * win) // ((k + 1) * lose)
        if mass < DROPPED:
            break
        up.append(mass)
    down, mass = list[int](), middle
    for k in range(mode, 0, -1):
        mass = mass * (k * lose) // ((trials - k + 1) * win)
        if mass < DROPPED:
            break
        down.append(mass)
    return mode - len(down), [*reversed(down), middle, *up]


def _units(mass: arb) -> int:
    """A whole number of units, no more than the mass, which is at most 1."""
    found = (mass * (1 << BITS)).lower().floor().unique_fmpz()
    return 0 if found is None else min(1 << BITS, max(0, int(found)))


@lru_cache(maxsize=64)
def clones_pair(users: int, odds: Fraction) -> Finite:
    """A pair that dominates the shuffled answers of any randomiser whose two laws are at most those odds apart.

    Each other user is a clone with probability 1 / odds, and each clone one of the two laws, as likely.
    """
    if odds == 1:
        return NOTHING
    truth = odds / (1 + odds)
    first, masses = (0, [1 << BITS]) if users == 1 else binomial(users - 1, 1 / odds)
    cells = list[tuple[int, int]]()
    for low, high in bunches(len(masses)):
        weight, law = sum(masses[low : high + 1]), sum_of(first + low, 0, Fraction(1, 2), exactly=False)
        points, unit = _points(law, truth, (0, law.lost))
        curve = around(corners(points), MOST_EDGES)
        cells += [((p1 - p0) * weight, (q1 - q0) * weight) for (q0, p0), (q1, p1) in pairwise(curve)]
    rest = ((1 << BITS) - sum(masses)) * unit
    steep = sorted((one for one in cells if one[1]), key=lambda one: Fraction(*one), reverse=True)
    q, p = 0, rest + sum(dp for dp, dq in cells if not dq)
    found = [(0, 0), (q, p)]
    for dp, dq in steep:
        q, p = q + dq, p + dp
        found.append((q, p))
    whole = unit << BITS
    curve = around(corners([*found, (whole, whole)]), MOST_POINTS)
    return within_odds(Hull(tuple(curve), whole), odds).pair()


def bunches(places: int) -> Iterator[tuple[int, int]]:
    """Numbers of clones in few ranges: all in one are taken for the least."""
    length = 1 + places // MOST_BUNCHES
    return ((low, min(low + length, places) - 1) for low in range(0, places, length))


def upper_curve(law: Sum, truth: Fraction) -> Hull:
    """A concave curve above the points of the events {at least k ones}: what is lost counts for P alone."""
    points, unit = _points(law, truth, (0, law.lost))
    return Hull(tuple(around(corners(points), MOST_POINTS)), unit)


def lower_curve(law: Sum, truth: Fraction) -> Hull:
    """A concave curve below them: what is lost counts for Q alone."""
    points, unit = _points(law, truth, (law.lost, 0))
    return Hull(tuple(some_of(corners(points), MOST_POINTS)), unit)


def some_of(found: Sequence[Point], most: int) -> list[Point]:
    """At most about so many of the corners of a concave curve, the first and the last among them."""
    return [*found[: -1 : 1 + len(found) // most], found[-1]]


def _points(law: Sum, truth: Fraction, first: Point) -> tuple[list[Point], int]:
    """The points of the events from the most ones down, moved by the first one, and (0, 0) and (1, 1); their unit."""
    told, base = truth.numerator, truth.denominator
    work.step(1 + len(law.masses) // 500)
    q, p = first[0] * base, first[1] * base
    points, before = [(0, 0), (q, p)], 0
    for mass in (*reversed(law.masses), 0):  # one more than k of the others' ones, or k of them and the user's
        p, q = p + told * mass + (base - told) * before, q + (base - told) * mass + told * before
        points.append((q, p))
        before = mass
    whole = law.unit * base
    return [*points, (whole, whole)], whole


def around(found: Sequence[Point], most: int) -> list[Point]:
    """Corners of a curve that is nowhere below the concave one with these corners: some of its edges, made longer."""
    edges = list(pairwise(found))
    if len(edges) <= most:
        return list(found)
    stride = 1 + len(edges) // most
    chosen = [*edges[:-1:stride], edges[-1]]
    points = [found[0], *(meeting(one, other) for one, other in pairwise(chosen)), found[-1]]
    return corners(sorted(points))


def meeting(one: tuple[Point, Point], other: tuple[Point, Point]) -> Point:
    """Where the lines of two edges of a concave curve meet, the steeper one first; Q rounded down, P up."""
    (q0, p0), (q1, p1) = one
    (q2, p2), (q3, p3) = other
    dq, dp, eq, ep = q1 - q0, p1 - p0, q3 - q2, p3 - p2
    turn = dp * eq - ep * dq  # > 0, as corners are where the slope falls
    along = (p2 - p0) * eq - (q2 - q0) * ep
    return q0 + along * dq // turn, p0 - (-along * dp // turn)


def corners(points: Sequence[Point]) -> list[Point]:
    """The corners of the least concave curve that is nowhere below the points, which are in order of Q, then of P."""
    found: list[Point] = []
    for point in points:
        while len(found) > 1 and _is_below(found[-2], found[-1], point):
            found.pop()
        if not found or found[-1] != point:
            found.append(point)
    return found


def _is_below(a: Point, b: Point, c: Point) -> bool:
    """Whether b is on or below the line from a to c."""
    return (b[1] - a[1]) * (c[0] - a[0]) <= (c[1] - a[1]) * (b[0] - a[0])


def hull(curves: Sequence[Hull]) -> Hull:
    """The concave hull of all the curves, which have one unit."""
    units = {one.unit for one in curves}
    unit = max(units)
    points = sorted({(q * (unit // one.unit), p * (unit // one.unit)) for one in curves for q, p in one.corners})
    if any(unit % one for one in units):
        raise ArithmeticError("curves must have units that divide the greatest")
    return Hull(tuple(corners(points)), unit)


def within_odds(curve: Hull, odds: Fraction) -> Hull:
    """The curve, but nowhere above that of one answer, whose odds are > 1: P <= odds Q, and 1 - Q <= odds (1 - P).

    Where masses were rounded, an outcome might be impossible under Q; with this none is.
    """
    first = below_line(list(curve.corners), odds)
    other = below_line(mirrored(first, curve.unit), odds)
    found = Hull(tuple(mirrored(other, curve.unit)), curve.unit)
    edges = [(p1 - p0, q1 - q0) for (q0, p0), (q1, p1) in pairwise(found.corners)]
    if all(dp <= odds * dq and dq <= odds * dp for dp, dq in edges):
        return found
    unit = odds.numerator + odds.denominator
    return Hull(((0, 0), (odds.denominator, odds.numerator), (unit, unit)), unit)


def mirrored(found: Sequence[Point], unit: int) -> list[Point]:
    """The curve of (Q, P) in place of (P, Q)."""
    return [(unit - p, unit - q) for q, p in reversed(found)]


def below_line(found: list[Point], odds: Fraction) -> list[Point]:
    """The concave curve from (0, 0), cut off where it is above P = odds Q, at a point farther along the line."""
    n, d = odds.numerator, odds.denominator
    place = next((i for i, (q, p) in enumerate(found) if i and p * d <= q * n), 1)
    (q0, p0), (q1, p1) = found[place - 1], found[place]
    over, under = p0 * d - q0 * n, q1 * n - p1 * d
    if place == 1 or over <= 0:
        return found
    steps = -(-(q0 * (over + under) + over * (q1 - q0)) // (d * (over + under)))
    return corners(sorted([(0, 0), (steps * d, steps * n), *found[place:]]))
