"""The theorem of a training on full batches with discrete Gaussian noise: from clipped gradients to (epsilon, delta).

Each step is a sum of clipped rows with noise on its grid, which is zCDP in every dimension; the rho of all steps add
up, whatever gradients are chosen in view of the outcomes before, and are converted once, at the order that serves best.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, isfinite, log, log1p, sqrt

from refdp.accounting.numbers import decimal_above
from refdp.derivations import theorem
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError, Private
from refdp.kernel.theorem import Theorem
from refdp.learning.training import Plan
from refdp.mechanisms.discrete_gaussian import discrete_gaussian
from refdp.numerics.exact import Undecided, upper_bound
from refdp.terms.term import ln, number
from refdp.transformations.clipped_vector_sum import clipped_vector_sum

DIGITS = 12
"""Significant digits of epsilon, rounded up."""
LARGEST_ORDER = 10**9


def step_theorem(plan: Plan, size: int, neighbours: str) -> Theorem:
    """|- one step of `size` weights, a clipped sum with its noise, is rho-zCDP for one row."""
    sums = clipped_vector_sum(plan.norm, size, plan.granularity, neighbours)
    return theorem(sums >> discrete_gaussian(plan.deviation, plan.granularity, dimension=size), 1)


def run_theorem(plan: Plan, size: int, neighbours: str, delta: Fraction) -> Theorem:
    """|- all steps, each on gradients that are chosen in view of the outcomes before, are (epsilon, delta)-DP.

    Raises ValueError unless 0 < delta < 1, or where epsilon is so large that it says nothing.
    """
    if not 0 < delta < 1:
        raise ValueError(f"delta must be > 0 and < 1 with discrete_gaussian noise, got {delta}")
    steps = rules.mapped_rounds(step_theorem(plan, size, neighbours), domain="table(rows)", k=str(plan.steps))
    claim = steps.claim
    if not isinstance(claim, Private):
        raise KernelError(f"{claim.term} is not private")
    rho = claim.d_out[0].rational
    order = best_order(rho, delta)
    at_order = rules.concentrated_to_renyi(steps, order=str(order))
    loss = rho * order
    a, d = number(order), number(delta)
    try:
        epsilon = upper_bound(number(loss) + ln((a - 1) / a) + ln(1 / (a * d)) / (a - 1), DIGITS)
    except Undecided:
        raise ValueError(
            f"noise_multiplier must be greater for {plan.steps} steps, got {plan.noise_multiplier}"
        ) from None
    return rules.renyi_to_approximate(
        at_order, delta=str(delta), sharp="yes", d_out=[str(max(epsilon, Fraction(0))), str(delta)]
    )


def best_order(rho: Fraction, delta: Fraction) -> Fraction:
    """About the order at which rho-zCDP tells the least epsilon: floats find it, and any order > 1 is right."""
    slope, level = float(rho), -log(delta.numerator) + log(delta.denominator)

    def epsilon(above: float) -> float:
        order = 1 + above
        return slope * order + log(above) - log1p(above) + (level - log(order)) / above if isfinite(above) else inf

    centre = sqrt(max(level, 1e-9) / slope) if slope > 0 else float(LARGEST_ORDER)
    tried = [min(max(centre * 2 ** (i / 64), 1e-6), float(LARGEST_ORDER)) for i in range(-256, 257)]
    best = min(tried, key=epsilon)
    return 1 + Fraction(decimal_above(Fraction(best), max(2, 4 - len(str(int(best))))))
