"""About how often an event may be run for a target, in floats: where to look first.  It bounds nothing.

With K(t) = ln E[e^(t L)], L the loss of the product, delta(epsilon) is about e^(K(t) - t epsilon) times the mean of
e^(-t Z) (1 - e^-Z)+ for normal Z of mean 0 and variance K''(t), where K'(t) = epsilon.  K is linear in the count.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, inf, isfinite, log, log1p, pi, sqrt

from refdp.accounting import losses
from refdp.accounting.losses import Composition, Loss
from refdp.accounting.masses import one_mass
from refdp.accounting.numbers import LARGEST_COUNT
from refdp.accounting.theorems.renyi_moments import log_moment, why_not
from refdp.numerics.enclosures import precision

NODES = (*range(1, 17), 18, 20, 22, 24, 28, 32, 40, 48, 56, 64, 80, 96, 128, 192, 256)
"""The t at which K is worked out: whole, as moments of sampled pairs are."""
BITS = 96
HALVINGS = 60
FAR = 25.0
"""From here on the normal tail is its asymptotic series."""
CLOSE = 32
"""A step to a crossing goes beyond it by one in so many of its length: estimates are so good near a count."""
FARTHEST = 10_000.0
"""Beyond this ln(delta / target) stands for a delta of 0, of which nothing is learnt."""
MOST_PARTS, MOST_OUTCOMES = 16, 500
"""Of more different pairs, or of laws of more outcomes, no estimate is made: it would take longer than it saves."""
REPLACED = 4
"""A row replaced moves noise twice as far, which for small losses is worth about so many samples."""


@dataclass(frozen=True, slots=True)
class Growth:
    """K at 0 and at the nodes, of what is always run and of one run more; and ln of the mass of finite losses."""

    nodes: tuple[float, ...]
    always: tuple[float, ...]
    each: tuple[float, ...]
    kept_always: float
    kept_each: float

    def log_delta(self, count: float, epsilon: float) -> float:
        """About ln delta(epsilon) at that count."""
        heights = [a + count * b for a, b in zip(self.always, self.each, strict=True)]
        best = min(range(len(heights)), key=lambda i: heights[i] - self.nodes[i] * epsilon)
        i = min(max(best, 1), len(heights) - 2)
        (x, y, z), (f, g, h) = self.nodes[i - 1 : i + 2], heights[i - 1 : i + 2]
        left, right = (g - f) / (y - x), (h - g) / (z - y)
        curvature = max(2 * (right - left) / (z - x), 1e-300)
        slope = left + curvature * (y - x) / 2
        t = min(max(y + (epsilon - slope) / curvature, -0.9), 2 * z)
        lowest = g + slope * (t - y) + curvature * (t - y) ** 2 / 2 - t * epsilon
        finite = lowest + _log_excess(t, sqrt(curvature))
        infinite = -(self.kept_always + count * self.kept_each)
        return max(finite, log(infinite)) if infinite > 0 else min(finite, 0.0)


def _log_excess(t: float, s: float) -> float:
    """ln E[e^(-t Z) (1 - e^-Z)+], Z normal of standard deviation s."""
    gap = _scaled_tail(t * s) - _scaled_tail((t + 1) * s)
    return log(gap) if gap > 0 else -inf


def _scaled_tail(z: float) -> float:
    """e^(z^2 / 2) P[N > z]."""
    if z > FAR:
        return (1 - 1 / z**2 + 3 / z**4) / (z * sqrt(2 * pi))
    return exp(min(z * z / 2, 700.0)) * erfc(z / sqrt(2)) / 2


def growths(products: list[tuple[Composition, Composition]]) -> list[Growth]:
    """How K grows, from the products at counts 1 and 2; without those of which no moments are known."""
    found = []
    for once, twice in products:
        if max(len(once.parts), len(twice.parts)) > MOST_PARTS:
            continue
        if not all(is_quick(loss) for loss, _ in (*once.parts, *twice.parts)):
            continue
        (first, kept), (second, kept_more) = _moments(once), _moments(twice)
        each = tuple(b - a for a, b in zip(first, second, strict=True))
        always = tuple(a - b for a, b in zip(first, each, strict=True))
        sure = next((i for i, b in enumerate(second) if not isfinite(b)), len(second))  # beyond, floats overflow
        if sure >= 3:
            nodes = tuple(float(t) for t in (0, *NODES)[:sure])
            found.append(Growth(nodes, always[:sure], each[:sure], 2 * kept - kept_more, kept_more - kept))
    return found


def _moments(product: Composition) -> tuple[tuple[float, ...], float]:
    """K at 0 and at the nodes, and ln of the mass of finite losses."""
    with precision(BITS):
        heights = [0.0, *(sum(_weight(p) * n * _log_moment(p, t) for p, n in product.parts) for t in NODES)]
    kept = sum(n * log1p(-float(one_mass(loss))) for loss, n in product.parts)
    return tuple(heights), kept


def is_quick(loss: Loss) -> bool:
    """Whether moments of the pair, or of one like it, are known and soon worked out."""
    base = loss.base if isinstance(loss, losses.Sampled | losses.FixedSize) else loss
    small = not isinstance(base, losses.Finite) or len(base.outcomes) <= MOST_OUTCOMES
    return small and why_not(_like(loss)) is None


def _log_moment(loss: Loss, t: int) -> float:
    """K(t) of one pair, or of one that is like it."""
    return float(log_moment(_like(loss), Fraction(t + 1)))


def _like(loss: Loss) -> Loss:
    """The pair, or another that costs about as much, of which moments are known."""
    match loss:
        case losses.Sampled(base, rate, "replace") | losses.FixedSize(base, rate):
            return losses.Sampled(base, rate, "remove")
    return loss


def _weight(loss: Loss) -> int:
    """How often the pair that is like it is taken."""
    return REPLACED if isinstance(loss, losses.Sampled) and loss.direction == "replace" else 1


@dataclass(frozen=True, slots=True)
class Estimate:
    """About how ln(delta / target) at epsilon grows with the count."""

    sides: tuple[Growth, ...]
    epsilon: float
    log_target: float

    def height(self, count: float) -> float:
        """About ln(delta / target): more than 0 where the target is not met."""
        return max(side.log_delta(count, self.epsilon) for side in self.sides) - self.log_target

    def count_at(self, height: float) -> int:
        """About the count of that height, from 1 to LARGEST_COUNT."""
        low, high = 0.0, log(LARGEST_COUNT)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.height(exp(middle)) < height else (low, middle)
        return min(max(round(exp(low)), 1), LARGEST_COUNT)

    def beyond(self, count: int, height: float, upward: bool) -> int:
        """About where the target is crossed, and a little beyond, if `count` has that height: above it, or below."""
        near = abs(height) < FARTHEST
        crossing = self.count_at(self.height(count) - height) if near else count
        step = (abs(crossing - count) if near else CLOSE * count // 8) // CLOSE + 1
        return max(crossing, count) + step if upward else min(crossing, count) - step


def estimate(products: list[tuple[Composition, Composition]], epsilon: Fraction, delta: Fraction) -> Estimate | None:
    """The estimate from the products of each direction at counts 1 and 2; None where there is none."""
    try:
        sides = tuple(growths(products))
        found = Estimate(sides, float(epsilon), log(delta.numerator) - log(delta.denominator)) if sides else None
        if found is not None:
            found.height(1.0)
        return found
    except (ArithmeticError, ValueError):  # a float is too small for it, or a moment has no value
        return None


__all__ = ["Estimate", "estimate"]
