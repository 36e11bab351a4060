"""Above threshold without noise on the threshold: each answer is compared with noise of its own alone.

It exists to prove things about: the loss of the answers above does not pay for it.
"""

from __future__ import annotations

from refdp.mechanisms.above_threshold import noise_on_answers
from refdp.spec.above_threshold import AboveThreshold
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import term

ABOVE_EXACT_THRESHOLD = register(
    AboveThreshold(
        stem="above_exact_threshold",
        parameters=("threshold", "positives", "answer_scale"),
        conditions=(read("integer(positives)"), read("1 <= positives"), read("0 < answer_scale")),
        example={"threshold": term(0), "positives": term(1), "answer_scale": term(2)},
        noise="laplace",
        answer_scale=noise_on_answers,
    )
)
