"""Above threshold without noise on the answers: all are compared with one noisy threshold.

It exists to prove things about: no loss pays for it.
Source: LSL17 Alg. 5.
"""

from __future__ import annotations

from refdp.mechanisms.above_threshold import noise_on_threshold
from refdp.spec.above_threshold import AboveThreshold
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import term

EXACT_ANSWERS_ABOVE_THRESHOLD = register(
    AboveThreshold(
        stem="exact_answers_above_threshold",
        parameters=("threshold", "positives", "threshold_scale"),
        conditions=(read("integer(positives)"), read("1 <= positives"), read("0 < threshold_scale")),
        example={"threshold": term(0), "positives": term(1), "threshold_scale": term(2)},
        noise="laplace",
        threshold_scale=noise_on_threshold,
    )
)
