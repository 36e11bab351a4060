"""The exact delta of additive noise on a grid, enclosed: log-concave weights make the worst event a half line.

All that is used of the weights a_k = exp(log_weight(k g)): a_(-k) = a_k > 0, and from each k >= 0 to the next they fall
by a factor < 1 that never grows.  docs/soundness.md says why, under `grid_noise`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from refdp.numerics.arithmetic import Intervals
from refdp.numerics.exact import Undecided, decide
from refdp.numerics.intervals import Interval
from refdp.spec.noise import AdditiveNoise
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, number

LARGEST_INDEX = 100_000
"""No grid point farther out than this many steps is looked at."""

Weight = Callable[[int], Interval]
"""Index -> enclosure of the weight."""


def grid_delta(noise: AdditiveNoise, values: Mapping[str, Fraction], steps: int, epsilon: Term, bits: int) -> Interval:
    """Enclosure of the greatest P(S) - e^epsilon Q(S), P and Q the laws at inputs `steps` >= 1 grid steps apart.

    `values` are those of the noise's parameters; epsilon >= 0 is closed.  Undecided where the sums are too long.
    """
    arithmetic = Intervals(bits)
    if not 1 <= steps <= LARGEST_INDEX:
        raise Undecided(f"the inputs must be 1 to {LARGEST_INDEX} steps apart, got {steps}")

    @cache
    def weight(k: int) -> Interval:
        found: Interval = arithmetic.function("exp", arithmetic.number(log_weight(noise, values, k)))
        return found

    start = first_exceeding(noise, values, steps, epsilon)
    whole = weight(0) + tail_sum(weight, 1, bits) * arithmetic.number(Fraction(2))
    factor = arithmetic.function("exp", evaluate(epsilon, {}, arithmetic))
    far = tail_sum(weight, start, bits)
    near = sum((weight(k) for k in range(start - steps, start)), far)
    return (near - factor * far) / whole


def log_weight(noise: AdditiveNoise, values: Mapping[str, Fraction], k: int) -> Fraction:
    """ln of the weight k steps from the middle; TermError where it is not rational."""
    return Fraction(evaluate(noise.log_weight.term, {**values, "z": k * values["granularity"]}))


def first_exceeding(noise: AdditiveNoise, values: Mapping[str, Fraction], steps: int, epsilon: Term) -> int:
    """The least k at which ln(a_(k - steps) / a_k) > epsilon >= 0; Undecided if there is none within LARGEST_INDEX."""

    def exceeds(k: int) -> bool:
        return decide(epsilon < number(log_weight(noise, values, k - steps) - log_weight(noise, values, k)))

    low, high = 0, steps + 1  # at k = 0 the quotient is a_steps / a_0 < 1, and it never falls as k grows
    while not exceeds(high):
        low, high = high, 2 * high
        if high > LARGEST_INDEX:
            raise Undecided(f"no output within {LARGEST_INDEX} steps has a loss above {epsilon}")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if exceeds(middle) else (middle, high)
    return high


def tail_sum(weight: Weight, start: int, bits: int) -> Interval:
    """Enclosure of the sum of the weights from the index `start` on."""
    total, enough = Interval(Fraction(0), Fraction(0), bits), Fraction(1, 2**bits)
    for k in range(start, LARGEST_INDEX):
        here = weight(k)
        if k >= 0 and here.lower <= enough * total.upper:  # else the rest, which is no less, is too much
            # The factors from k on are at most a_(k + 1) / a_k < 1, so the rest is at most a_k / (1 - a_(k + 1) / a_k).
            after = weight(k + 1)
            if after.upper < here.lower:
                rest = here / (Interval(Fraction(1), Fraction(1), bits) - after / here)
                if rest.upper <= enough * total.upper:
                    return Interval(total.lower, (total + rest).upper, bits)
        total = total + here
    raise Undecided(f"a sum of weights is not enclosed within {LARGEST_INDEX} steps")
