"""The least delta of mechanisms with losses (e_i, d_i): exactly where every e^(e_i) is rational, else enclosed.

delta(epsilon) = 1 - product (1 - d_i) (1 - D), D the excess of independent signs: section `compose_optimal` of
docs/soundness.md.  Losses are fixed beforehand; the mechanisms may be adaptive (Lemma 6.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod

from refdp.accounting.balls import ball, real
from refdp.accounting.theorems.guarantees import Guarantee, Number, alike, require
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.exact import exact, exact_real, upper_bound
from refdp.numerics.intervals import Interval

MOST_SUMS = 100_000
"""Most sums of losses that are told apart."""
BITS = 256


def exact_optimal_delta(ratios: Sequence[tuple[Fraction, Fraction, int]], factor: Fraction) -> Fraction:
    """The least delta at e^epsilon = factor of `count` mechanisms each with (ln ratio, delta): exact.

    Ratios are >= 1, 0 <= delta <= 1.  Source: MV16; KOV15 Thm 3.3 where all are equal.

    >>> exact_optimal_delta([(Fraction(3), Fraction(0), 4)], Fraction(9))
    Fraction(9, 32)
    """
    for ratio, delta, count in ratios:
        require(ratio >= 1, f"e^epsilon must be >= 1, got {ratio}")
        require(0 <= delta <= 1 and count >= 1, f"delta must be in [0, 1] and count >= 1, got {delta} and {count}")
    _few([count for *_, count in ratios])
    everything = prod((1 + ratio) ** count for ratio, _, count in ratios)
    excess = Fraction(0)
    for chosen in product(*(range(count + 1) for *_, count in ratios)):
        pairs = list(zip(ratios, chosen, strict=True))
        above = prod((ratio**j for (ratio, _, _), j in pairs), start=Fraction(1))
        below = factor * prod((ratio ** (count - j) for (ratio, _, count), j in pairs), start=Fraction(1))
        if above > below:
            excess += prod(comb(count, j) for (_, _, count), j in pairs) * (above - below)
    none_fails = prod(((1 - delta) ** count for _, delta, count in ratios), start=Fraction(1))
    least: Fraction = 1 - none_fails * (1 - excess / everything)
    return least


def _failure(g: Guarantee) -> Fraction:
    """The delta, at most 1: a greater one, such as groups may have, says no more than 1 does."""
    return min(g.delta, Fraction(1))


def _few(counts: list[int]) -> None:
    """The sums of losses are not too many to be listed."""
    sums = prod(count + 1 for count in counts)
    require(sums <= MOST_SUMS, f"at most {MOST_SUMS} sums of losses are told apart, got {sums}; take an engine")


def optimal_delta(parts: Sequence[Guarantee], epsilon: object) -> Interval:
    """Enclosure of the least delta at epsilon of mechanisms on the same data, losses fixed beforehand.

    Exact where every epsilon is ln of a rational number.  Raises HypothesisError.
    """
    first = alike(parts, "optimal composition")
    require(first.measure in ("pure", "approximate"), f"optimal composition is of epsilons, got {first.measure}")
    late = any(g.chosen == "adaptively" for g in parts)
    require(not late, "optimal composition needs losses fixed beforehand; for losses chosen adaptively take a filter")
    losses = Counter((g.loss[0], _failure(g)) for g in parts)
    e = exact_real(epsilon, "epsilon")
    if e.rational == 0 and all(exact_real(loss).rational == 0 for loss, _ in losses):
        ratios = [(exact_real(loss).argument, delta, count) for (loss, delta), count in losses.items()]
        found = exact_optimal_delta(ratios, e.argument)
        return Interval(found, found)
    _few(list(losses.values()))
    return _enclosed([(loss, delta, count) for (loss, delta), count in losses.items()], e)


def _enclosed(losses: list[tuple[Number, Fraction, int]], epsilon: Number) -> Interval:
    """The same by balls: what a ball's sign does not decide counts as (w)+, which holds both."""
    with precision(BITS):
        es = [real(exact_real(loss)) for loss, *_ in losses]
        counts, factor = [count for *_, count in losses], real(exact_real(epsilon)).exp()
        up = [[(e * j).exp() for j in range(n + 1)] for e, n in zip(es, counts, strict=True)]
        total = ball(0)
        for chosen in product(*(range(n + 1) for n in counts)):
            ways = prod(comb(n, j) for n, j in zip(counts, chosen, strict=True))
            above = prod((u[j] for u, j in zip(up, chosen, strict=True)), start=ball(1))
            below = factor * prod((u[n - j] for u, n, j in zip(up, counts, chosen, strict=True)), start=ball(1))
            total += ways * (above - below).max(ball(0))
        everything = prod(((1 + e.exp()) ** n for e, n in zip(es, counts, strict=True)), start=ball(1))
        none_fails = prod(((1 - delta) ** n for _, delta, n in losses), start=Fraction(1))
        found = interval(1 - ball(none_fails) * (1 - total / everything), BITS)
    return Interval(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)), BITS)


def optimal_epsilon(parts: Sequence[Guarantee], delta: object, width: Fraction = Fraction(1, 10**6)) -> Interval:
    """Enclosure, at most `width` wide, of the least epsilon >= 0 at which the least delta is at most `delta`.

    HypothesisError where no epsilon is: delta is less than the probability that some mechanism fails.
    """
    target, low = exact(delta, "delta"), Fraction(0)
    failing = Fraction(1) - prod((1 - _failure(g) for g in parts), start=Fraction(1))
    require(failing <= target <= 1, f"delta must be from {failing}, that some mechanism fails, to 1, got {target}")
    if optimal_delta(parts, low).upper <= target:
        return Interval(low, low)
    high = sum((_above(g.loss[0]) for g in parts), Fraction(0))
    while high - low > width:
        middle = (low + high) / 2
        found = optimal_delta(parts, middle)
        if found.upper <= target:
            high = middle
        elif found.lower > target:
            low = middle
        else:
            break
    return Interval(low, high)


def _above(x: Number) -> Fraction:
    """A rational number that is no smaller."""
    return x if isinstance(x, Fraction) else upper_bound(x.term)
