"""Binary randomised response: M(bit) = bit with probability `truth`, else its negation.

Claim: ln(truth / (1 - truth))-DP between any two values, the local model; truth = e^epsilon / (1 + e^epsilon).
Source: War65; DR14 Sec. 3.2.
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.finite import FiniteLaw
from refdp.spec.formulas import Real, formula, indicator
from refdp.spec.registry import register
from refdp.spec.samplers import TruthOrOther, draws
from refdp.spec.signatures import mechanism_signature
from refdp.spec.tails import Estimator
from refdp.terms.reading import read


@formula
def size() -> Real:
    """The number of values."""
    return 2


@formula
def pmf(output: Real, input: Real, truth: Real) -> Real:  # noqa: A002
    """P[M(input) = output]."""
    return indicator(output == input) * truth + (1 - indicator(output == input)) * (1 - truth)


@formula
def cumulative(output: Real, input: Real, truth: Real) -> Real:  # noqa: A002
    """P[M(input) <= output]."""
    return (output + 1) * (1 - truth) + indicator(input <= output) * (2 * truth - 1)


@formula
def ratio_bound(truth: Real) -> Real:
    """e^epsilon: the truth against the lie."""
    return truth / (1 - truth)


@formula
def probability_of_truth(truth: Real) -> Real:
    """With what probability the sampler tells the truth."""
    return truth


@formula
def miss(truth: Real) -> Real:
    """The mass of each answer that is not the input."""
    return 1 - truth


@formula
def offset(truth: Real) -> Real:
    """The mean of the answers where every bit is 0: (mean - offset) width estimates the mean of the bits."""
    return 1 - truth


@formula
def width(truth: Real) -> Real:
    """How far the estimates from one answer are apart: (1 + e^epsilon) / (e^epsilon - 1)."""
    return 1 / (2 * truth - 1)


RANDOMISED_RESPONSE = register(
    FiniteLaw(
        stem="randomised_response",
        parameters=("truth",),
        conditions=(read("1/2 <= truth"), read("truth < 1")),
        example={"truth": read("3/4")},
        size=size,
        pmf=pmf,
        cumulative=cumulative,
        ratio_bound=ratio_bound,
        hit=probability_of_truth,
        miss=miss,
        estimator=Estimator(offset, width, (read("1/2 < truth"),)),
    )
)
draws("randomised_response", TruthOrOther(probability_of_truth))


def randomised_response(truth: Exactly) -> Measurement:
    """bit -> bit with probability truth, else 1 - bit; 1/2 <= truth < 1, exact.  Raises ValueError for others.

    >>> str(randomised_response("3/4").map(1))
    'ln(3)'
    """
    signature = mechanism_signature(RANDOMISED_RESPONSE)
    return measurement(RANDOMISED_RESPONSE, signature, truth=exact(truth, "truth"))
