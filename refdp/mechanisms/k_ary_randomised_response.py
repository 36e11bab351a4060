"""k-ary randomised response: M(value) = value with probability `truth`, else one of the k - 1 others, each as likely.

Claim: ln(truth (k - 1) / (1 - truth))-DP between any two values; truth = e^epsilon / (e^epsilon + k - 1).
Source: KBR16 Sec. 2.
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.finite import FiniteLaw
from refdp.spec.formulas import Real, formula, indicator
from refdp.spec.registry import register
from refdp.spec.samplers import TruthOrOther, draws
from refdp.spec.signatures import mechanism_signature
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def size(k: Real) -> Real:
    """The number of values."""
    return k


@formula
def pmf(output: Real, input: Real, k: Real, truth: Real) -> Real:  # noqa: A002
    """P[M(input) = output]."""
    return indicator(output == input) * truth + (1 - indicator(output == input)) * (1 - truth) / (k - 1)


@formula
def cumulative(output: Real, input: Real, k: Real, truth: Real) -> Real:  # noqa: A002
    """P[M(input) <= output]."""
    return (output + 1) * (1 - truth) / (k - 1) + indicator(input <= output) * (truth - (1 - truth) / (k - 1))


@formula
def ratio_bound(k: Real, truth: Real) -> Real:
    """e^epsilon: the truth against one of the others."""
    return truth * (k - 1) / (1 - truth)


@formula
def probability_of_truth(truth: Real) -> Real:
    """With what probability the sampler tells the truth."""
    return truth


@formula
def miss(k: Real, truth: Real) -> Real:
    """The mass of each answer that is not the input."""
    return (1 - truth) / (k - 1)


K_ARY_RANDOMISED_RESPONSE = register(
    FiniteLaw(
        stem="k_ary_randomised_response",
        parameters=("k", "truth"),
        conditions=(read("integer(k)"), read("2 <= k"), read("1 <= truth * k"), read("truth < 1")),
        example={"k": term(3), "truth": read("1/2")},
        size=size,
        pmf=pmf,
        cumulative=cumulative,
        ratio_bound=ratio_bound,
        hit=probability_of_truth,
        miss=miss,
    )
)
draws("k_ary_randomised_response", TruthOrOther(probability_of_truth))


def k_ary_randomised_response(k: Exactly, truth: Exactly) -> Measurement:
    """value -> value with probability truth, else another of 0, ..., k - 1; k >= 2 whole, 1/k <= truth < 1, exact.

    Raises ValueError for others.

    >>> str(k_ary_randomised_response(3, "1/2").map(1))
    'ln(2)'
    """
    return measurement(
        K_ARY_RANDOMISED_RESPONSE,
        mechanism_signature(K_ARY_RANDOMISED_RESPONSE),
        k=exact(k, "k"),
        truth=exact(truth, "truth"),
    )
