"""one_bit_flip: every formula is needed as it stands; law, draws and refusals: test_local_randomisers."""

import pytest

from tests.mechanisms.local_variants import verdict_with, verdicts_elsewhere

WRONG = [
    ("masses_are_within_the_ratio", "ratio_bound", "999 / 1000 * truth / (1 - truth)"),
    ("masses_are_within_the_ratio", "told", "(1 + truth) / 2"),
    ("support_has_a_probability", "told", "2 * truth"),
    ("some_reports_support", "size", "k - 1"),
]


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_one_bit_flip_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict_with("one_bit_flip", key, field, body) == "disproved"


def test_one_bit_flip_is_proved_under_another_stem():
    assert verdicts_elsewhere("one_bit_flip") == {"proved"}
