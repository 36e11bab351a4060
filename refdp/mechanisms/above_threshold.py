"""Above threshold (sparse vector): which of the answers are above a threshold, by Laplace noise on both; no values.

Claim: (d_in / threshold_scale + positives 2 d_in / answer_scale)-DP for answers that each move by at most d_in, however
many there are; (d_in / threshold_scale + positives d_in / answer_scale)-DP where no answer rises while another falls.
It exists to prove things about; `discrete_above_threshold` draws.
Source: LSL17 Alg. 7; DR14 Thm 3.23.
"""

from __future__ import annotations

from refdp.spec.above_threshold import AboveThreshold
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def noise_on_threshold(threshold_scale: Real) -> Real:
    """The scale of the noise on the threshold."""
    return threshold_scale


@formula
def noise_on_answers(answer_scale: Real) -> Real:
    """The scale of the noise on each answer."""
    return answer_scale


@formula
def threshold_loss(d_in: Real, threshold_scale: Real) -> Real:
    """The loss when the noise on the threshold moves by at most d_in."""
    return d_in / threshold_scale


@formula
def answer_loss(d_in: Real, answer_scale: Real) -> Real:
    """The loss when the noise on one answer moves by at most d_in."""
    return d_in / answer_scale


ABOVE_THRESHOLD = register(
    AboveThreshold(
        stem="above_threshold",
        parameters=("threshold", "positives", "threshold_scale", "answer_scale"),
        conditions=(
            read("integer(positives)"),
            read("1 <= positives"),
            read("0 < threshold_scale"),
            read("0 < answer_scale"),
        ),
        example={"threshold": term(0), "positives": term(1), "threshold_scale": term(2), "answer_scale": term(4)},
        noise="laplace",
        threshold_scale=noise_on_threshold,
        answer_scale=noise_on_answers,
        threshold_loss=threshold_loss,
        answer_loss=answer_loss,
    )
)
