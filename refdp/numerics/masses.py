"""Certified masses of a mechanism at an input, and how far its noise strays, read off its formulas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from refdp.numerics.arithmetic import Intervals
from refdp.numerics.enclosures import GUARD, Balls, enclose, geometric, log_concave_sum, precision
from refdp.numerics.exact import decide
from refdp.numerics.intervals import Interval
from refdp.spec import registry
from refdp.spec.level_noise import LevelNoise
from refdp.spec.noise import AdditiveNoise
from refdp.spec.semantics import law, value
from refdp.terms.evaluation import RATIONALS, evaluate
from refdp.terms.term import Term, TermError, exp, ln, number, term

BLOCKS = 8192
"""In how many parts weights are added up where an accuracy is searched: each weight alone if there are no more."""
BLOCK_BITS = 256
"""Working precision there: the weights of neighbours differ by 2^-111 of themselves at a scale of 2^55 steps."""
FAR = 2**20
"""Beyond the last block is at most that part of what may be outside."""


def masses(subject: Term, x: Any, bits: int = 64) -> dict[Any, Interval]:
    """Outcome -> enclosure of P[M(x) = outcome], exact where it is rational; for finitely many outcomes."""
    try:
        return {y: Interval(p, p) for y, p in law(subject, x, RATIONALS).items()}
    except TermError:
        return dict(law(subject, x, Intervals(bits)))


def mass(subject: Term, output: Any, x: Any, bits: int = 64) -> Interval:
    """Enclosure of P[M(x) = output]; for a density, of its value there."""
    match subject.operator, subject.arguments:
        case "chain", (first, second):
            return mass(second, output, value(first, x), bits)
        case "compose", parts:
            return _product(mass(m, y, x, bits) for m, y in zip(parts, output, strict=True))
        case "coordinatewise", (one, _):
            return _product(mass(one, y, a, bits) for y, a in zip(output, x, strict=True))
    kind = registry.kind_of(subject.operator) if subject.operator in registry.stems() else None
    if isinstance(kind, LevelNoise):
        return level_density(kind, subject, Fraction(output) - Fraction(x), bits)
    noise = registry_noise(subject)
    if noise is None:
        return masses(subject, x, bits).get(output, Interval(Fraction(0), Fraction(0)))
    values = registry.values(noise, subject)
    z = Fraction(output) - Fraction(x)
    if noise.on_grid and (z / values["granularity"]).denominator != 1:
        return Interval(Fraction(0), Fraction(0))
    return weight(noise, z, values, bits) / normaliser(noise, values, bits)


def _product(found: Iterable[Interval]) -> Interval:
    """The mass of independent outcomes together."""
    total = Interval(Fraction(1), Fraction(1))
    for one in found:
        total = total * one
    return total


def registry_noise(subject: Term) -> AdditiveNoise | None:
    """The additive noise that the subject is, or None."""
    if subject.operator not in registry.stems():
        return None
    kind = registry.kind_of(subject.operator)
    return kind if isinstance(kind, AdditiveNoise) else None


def level_density(m: LevelNoise, subject: Term, z: Fraction, bits: int) -> Interval:
    """Enclosure of the density of level noise at z."""
    arithmetic, values = Intervals(bits), registry.values(m, subject)
    points = {key: arithmetic.number(v) for key, v in values.items()}
    fall = registry.evaluated(m.log_height, {**values, "height": Fraction(1)})
    ratio, height = (arithmetic.function("exp", arithmetic.number(e)) for e in (fall, m.log_weight(subject, z)))
    found: Interval = height / evaluate(m.normaliser.term, points | {"ratio": ratio}, arithmetic)
    return found


def weight(noise: AdditiveNoise, z: Fraction, values: Mapping[str, Fraction], bits: int) -> Interval:
    """Enclosure of exp(log_weight(z))."""
    arithmetic = Intervals(bits)
    exponent = Fraction(evaluate(noise.log_weight.at(z=term(z)), values))
    found: Interval = arithmetic.function("exp", arithmetic.number(exponent))
    return found


def normaliser(noise: AdditiveNoise, values: Mapping[str, Fraction], bits: int = 64) -> Interval:
    """Enclosure of the sum (integral) of the weights: by the closed form, else by partial sums and a tail bound.

    The claim STEM.normalised proves what either rests on: the closed form, or that the weights are log-concave.
    """
    if noise.normaliser is not None and not noise.on_grid:
        return enclose(noise.normaliser.term, values, bits)  # it may speak of pi
    if noise.normaliser is not None:
        arithmetic = Intervals(bits)
        points = {key: arithmetic.number(v) for key, v in values.items()}
        ratio = weight(noise, values["granularity"], values, bits)
        found: Interval = evaluate(noise.normaliser.term, points | {"ratio": ratio}, arithmetic)
        return found
    step = values["granularity"]
    return log_concave_sum(lambda k: _ball(noise, step * k, values, bits + GUARD), bits)


def _ball(noise: AdditiveNoise, z: Fraction, values: Mapping[str, Fraction], bits: int) -> Any:
    """A ball that holds exp(log_weight(z))."""
    balls = Balls(bits)
    return balls.function("exp", balls.number(Fraction(evaluate(noise.log_weight.term, {**values, "z": z}))))


def accuracy(subject: Term, probability: Fraction) -> Fraction:
    """The least a on the grid with P[|M(x) - x| <= a] >= probability, for additive noise on a grid; rounded up.

    ValueError unless 0 < probability < 1.
    """
    noise = registry_noise(subject)
    if noise is None or not noise.on_grid:
        raise TermError(f"{subject} is not additive noise on a grid")
    if not 0 < probability < 1:
        raise ValueError(f"probability must be in (0, 1), got {probability}")
    values = registry.values(noise, subject)
    if noise.normaliser is not None:
        return _geometric_accuracy(noise, values, probability)
    return _radius(noise, values, 1 - probability) * values["granularity"]


def is_inside(noise: AdditiveNoise, values: Mapping[str, Fraction], k: int, probability: Fraction) -> bool:
    """Whether P[|Z| <= k steps] >= probability for noise on a grid: decided where the normaliser is closed.

    Where it is not, False also where `_radius` does not tell.
    """
    if noise.normaliser is not None:
        return _geometric_inside(noise, values, k, probability)
    return k >= _radius(noise, values, 1 - probability)


def _radius(noise: AdditiveNoise, values: Mapping[str, Fraction], chance: Fraction) -> int:
    """A k with P[|Z| > k steps] <= chance: the least one, or where that is thousands of steps nearly the least.

    The weights w(0), w(1), ... fall and are log-concave (the claim STEM.normalised rests on it).  They are added up in
    blocks.  With r = w(a + 1) / w(a), the n weights after w(a) are at most w(a) r, ..., w(a) r^n, as ratios of
    neighbours fall; they are at least w(a) q, ..., w(a) q^n where q^n = w(a + n) / w(a), as their logarithms lie above
    the chord.  A block of one weight is known both ways.  What follows the last block is at most w(a) r / (1 - r).
    """
    with precision(BLOCK_BITS):

        @cache
        def w(k: int) -> Any:
            return _ball(noise, k * values["granularity"], values, BLOCK_BITS)

        allowed, end = Balls(BLOCK_BITS).number(chance), 1
        while not geometric(w(end), w(end + 1) / w(end)) <= allowed * w(0) / FAR:
            end *= 2
        size = max(1, end // BLOCKS)
        whole, above = w(0), list[Any]()
        for start in range(0, end, size):
            here, after, last = w(start), w(start + 1), w(start + size)
            above.append(last if size == 1 else geometric(here, after / here, size))
            whole += 2 * (last if size == 1 else geometric(here, ((last / here).log() / size).exp(), size))
        outside = geometric(w(end), w(end + 1) / w(end))
        for block in range(len(above) - 1, -1, -1):
            if not 2 * (outside + above[block]) <= allowed * whole:
                break
            outside += above[block]
        else:
            return 0
        if size > BLOCKS:
            return (block + 1) * size
        for k in range((block + 1) * size, block * size, -1):
            outside += w(k)
            if not 2 * outside <= allowed * whole:
                return k
    return block * size


def _geometric_accuracy(noise: AdditiveNoise, values: Mapping[str, Fraction], probability: Fraction) -> Fraction:
    """For weights ratio^|k|: P[|Z| > k steps] = 2 ratio^(k + 1) / (1 + ratio), compared exactly in logarithms."""

    def inside(k: int) -> bool:
        return _geometric_inside(noise, values, k, probability)

    low, high = -1, 1
    while not inside(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if middle >= 0 and inside(middle) else (middle, high)
    return high * values["granularity"]


def _geometric_inside(noise: AdditiveNoise, values: Mapping[str, Fraction], k: int, probability: Fraction) -> bool:
    """Whether P[|Z| > k steps] = 2 ratio^(k + 1) / (1 + ratio) <= 1 - probability, in logarithms."""
    log_ratio = number(Fraction(evaluate(noise.log_weight.at(z=term(values["granularity"])), values)))
    tail = ln(number(2)) + (k + 1) * log_ratio - ln(1 + exp(log_ratio))
    return decide(tail <= ln(number(1 - probability)))
