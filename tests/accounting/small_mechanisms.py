"""Mechanisms of three outcomes with a random law for each table, and the least pair that dominates pairs of laws."""

from fractions import Fraction
from itertools import pairwise
from math import lcm
from random import Random

from refdp.accounting import losses

OUTCOMES = 3


def law(random: Random) -> tuple[Fraction, ...]:
    """A random law; now and then with impossible outcomes."""
    weights = [random.choice((0, 1, 1, 2, 3, 7)) for _ in range(OUTCOMES)]
    weights[random.randrange(OUTCOMES)] += 1
    return tuple(Fraction(w, sum(weights)) for w in weights)


def possible_law(random: Random) -> tuple[Fraction, ...]:
    """A random law without impossible outcomes."""
    weights = [random.randrange(1, 7) for _ in range(OUTCOMES)]
    return tuple(Fraction(w, sum(weights)) for w in weights)


class Mechanism:
    """A law for each table: a table is a sorted tuple of values."""

    def __init__(self, seed, law=law):
        self.random, self.laws, self.law = Random(seed), {}, law

    def __call__(self, table):
        key = tuple(sorted(table))
        if key not in self.laws:
            self.laws[key] = self.law(self.random)
        return self.laws[key]


def mixture(weighted):
    """The mean of laws, each with its weight."""
    (scale, (weights,)), (unit, laws) = whole([w for w, _ in weighted]), whole(*(p for _, p in weighted))
    sums = (sum(w * law[i] for w, law in zip(weights, laws, strict=True)) for i in range(OUTCOMES))
    return tuple(Fraction(n, scale * unit) for n in sums)


def hockey_stick(p, q, x):
    """The sum over outcomes of (p - x q)_+."""
    return hockey_sticks(p, q)(x)


def hockey_sticks(p, q):
    """x -> H_x of two laws, in whole numbers."""
    unit, (first, second) = whole(p, q)

    def at(x):
        above, below = Fraction(x).as_integer_ratio()
        found = sum(d for a, b in zip(first, second, strict=True) if (d := below * a - above * b) > 0)
        return Fraction(found, below * unit)

    return at


def whole(*laws):
    """(a common denominator, the laws as whole numbers of it): sums of them take a tenth of the time of fractions."""
    unit = lcm(*(mass.denominator for law in laws for mass in law))
    return unit, [[mass.numerator * (unit // mass.denominator) for mass in law] for law in laws]


def dominating(pairs):
    """Outcomes (P, Q) of the least pair that dominates all of `pairs`: the concave hull of their trade-offs."""
    corners = {(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))}
    for p, q in pairs:
        power = level = Fraction(0)
        for a, b in sorted(zip(p, q, strict=True), key=lambda ab: ab[0] / ab[1] if ab[1] else 10**9, reverse=True):
            power, level = power + a, level + b
            corners.add((level, power))
    hull = []
    for corner in sorted({s: max(g for t, g in corners if t == s) for s, _ in corners}.items()):
        while len(hull) > 1 and cross(hull[-2], hull[-1], corner) >= 0:
            hull.pop()
        hull.append(corner)
    start = hull[0][1]
    cells = [(g1 - g0, s1 - s0) for (s0, g0), (s1, g1) in pairwise(hull)]
    return (*([(start, Fraction(0))] if start else []), *cells)


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])


def outcomes_of(base):
    """(P, Q) of each outcome of a pair of laws on finitely many; of a response its e^epsilon must be rational."""
    if isinstance(base, losses.Finite):
        return base.outcomes
    if not isinstance(base, losses.Response) or base.epsilon.rational != 0:
        raise TypeError(base)
    often, seldom = ((1 - base.delta) * part / (1 + base.epsilon.argument) for part in (base.epsilon.argument, 1))
    return ((base.delta, Fraction(0)), (often, seldom), (seldom, often), (Fraction(0), base.delta))


def laws_of(loss, x):
    """H_x of a pair, by the definitions in `losses`."""
    return profile_of_laws(loss)(x)


def profile_of_laws(loss):
    """x -> H_x of a pair, by the definitions in `losses`."""
    match loss:
        case losses.Finite() | losses.Response():
            return hockey_sticks(*zip(*outcomes_of(loss), strict=True))
        case losses.Sampled(base=base, rate=rate, direction=side):
            p, q = zip(*outcomes_of(base), strict=True)
            mixed = [rate * a + (1 - rate) * b for a, b in zip(p, q, strict=True)]
            return hockey_sticks(mixed, q) if side == "remove" else hockey_sticks(q, mixed)
        case losses.FixedSize(base=base, rate=rate):
            p, q = zip(*outcomes_of(base), strict=True)
            near_q = [rate * a + (1 - rate) * b for a, b in zip(p, q, strict=True)]
            near_p = [rate * b + (1 - rate) * a for a, b in zip(p, q, strict=True)]
            above, below = hockey_sticks(near_q, q), hockey_sticks(p, near_p)
            return lambda x: above(x) if x >= 1 else below(x)
        case losses.Mixture(parts=parts):
            found = [(weight, profile_of_laws(part)) for weight, part in parts]
            return lambda x: sum((weight * part(x) for weight, part in found), Fraction(0))
    raise TypeError(loss)


def ratios(p, q):
    """Where H_x bends, and some more places."""
    bends = {a / b for a, b in zip(p, q, strict=True) if b}
    return sorted(bends | {Fraction(k, 4) for k in range(13)})
