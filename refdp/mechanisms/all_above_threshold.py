"""Above threshold without a limit: all answers are compared, with noise of their own, with one noisy threshold.

It exists to prove things about: the loss with one answer above does not pay for it.
Source: LSL17 Alg. 6.
"""

from __future__ import annotations

from refdp.mechanisms.above_threshold import noise_on_answers, noise_on_threshold
from refdp.spec.above_threshold import AboveThreshold
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import term

ALL_ABOVE_THRESHOLD = register(
    AboveThreshold(
        stem="all_above_threshold",
        parameters=("threshold", "threshold_scale", "answer_scale"),
        conditions=(read("0 < threshold_scale"), read("0 < answer_scale")),
        example={"threshold": term(0), "threshold_scale": term(2), "answer_scale": term(4)},
        noise="laplace",
        threshold_scale=noise_on_threshold,
        answer_scale=noise_on_answers,
    )
)
