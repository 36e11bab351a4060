"""Above threshold (sparse vector) with discrete Laplace noise: answers, threshold and noise on multiples of a number.

Claim: (d_in / threshold_scale + positives 2 d_in / answer_scale)-DP for answers that each move by at most d_in, however
many there are; (d_in / threshold_scale + positives d_in / answer_scale)-DP where no answer rises while another falls.
Source: LSL17 Alg. 7; GRS12 (the noise); CKS20 Sec. 5.2 (the sampler).
"""

from __future__ import annotations

from refdp.mechanisms.above_threshold import answer_loss, noise_on_answers, noise_on_threshold, threshold_loss
from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.above_threshold import AboveThreshold
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.samplers import ThresholdFirst, draws
from refdp.spec.signatures import threshold_signature
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def threshold_rate(threshold_scale: Real, granularity: Real) -> Real:
    """ln of the factor by which one step of the threshold's noise is rarer than the one before."""
    return granularity / threshold_scale


@formula
def answer_rate(answer_scale: Real, granularity: Real) -> Real:
    """ln of the factor by which one step of an answer's noise is rarer than the one before."""
    return granularity / answer_scale


DISCRETE_ABOVE_THRESHOLD = register(
    AboveThreshold(
        stem="discrete_above_threshold",
        parameters=("threshold", "positives", "threshold_scale", "answer_scale", "granularity"),
        conditions=(
            read("integer(positives)"),
            read("1 <= positives"),
            read("0 < threshold_scale"),
            read("0 < answer_scale"),
            read("0 < granularity"),
            read("multiple(threshold, granularity)"),
        ),
        example={
            "threshold": term(0),
            "positives": term(1),
            "threshold_scale": term(2),
            "answer_scale": term(4),
            "granularity": term(1),
        },
        noise="discrete_laplace",
        threshold_scale=noise_on_threshold,
        answer_scale=noise_on_answers,
        threshold_loss=threshold_loss,
        answer_loss=answer_loss,
    )
)
draws("discrete_above_threshold", ThresholdFirst(threshold_rate, answer_rate))


def discrete_above_threshold(
    threshold: Exactly,
    positives: Exactly,
    threshold_scale: Exactly,
    answer_scale: Exactly,
    granularity: Exactly = 1,
    monotone: bool = False,
) -> Measurement:
    """answers -> the places of those that are above the threshold, from 0, until so many `positives` have been found.

    Answers and threshold are multiples of granularity > 0; scales > 0, exact, in their unit; positives >= 1 whole.
    With `monotone` the map is for answers none of which rises while another falls.  Raises ValueError for others.

    >>> discrete_above_threshold(100, 1, threshold_scale=2, answer_scale=4).map(1)
    Fraction(1, 1)
    """
    if not isinstance(monotone, bool):
        raise ValueError(f"monotone must be True or False, got {monotone!r}")
    return measurement(
        DISCRETE_ABOVE_THRESHOLD,
        threshold_signature(DISCRETE_ABOVE_THRESHOLD, "monotone" if monotone else "linf"),
        threshold=exact(threshold, "threshold"),
        positives=exact(positives, "positives"),
        threshold_scale=exact(threshold_scale, "threshold_scale"),
        answer_scale=exact(answer_scale, "answer_scale"),
        granularity=exact(granularity, "granularity"),
    )
