"""laplace_stability_histogram: every formula is needed as it stands, and there is no sampler."""

import pytest

from refdp.spec.samplers import sampler_obligations
from tests.claimed import laplace_stability_histogram
from tests.exactness.refusals import refusal
from tests.mechanisms.local_variants import verdict_with

WRONG = [
    ("count_moves_by_its_loss", "scale", "scale / 2"),
    ("count_moves_by_its_loss", "scale", "scale * 999 / 1000"),
    ("count_moves_by_its_loss", "loss", "1 / scale"),
    ("threshold_is_at_least_1", "threshold", "threshold - 1"),
    ("scale_is_positive", "scale", "scale - 1"),
]


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_laplace_stability_histogram_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict_with("laplace_stability_histogram", key, field, body) == "disproved"


def test_laplace_stability_histogram_has_the_tail_of_its_noise():
    claim = laplace_stability_histogram.add_remove().claim
    assert [str(t) for t in claim.d_out] == ["1 / scale", "exp(-((threshold - 1) / scale)) / 2"]


def test_laplace_stability_histogram_has_no_sampler():
    said = refusal(lambda: sampler_obligations("laplace_stability_histogram"))
    assert said == "laplace_stability_histogram has no sampler"
