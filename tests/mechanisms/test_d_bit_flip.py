"""d_bit_flip: every formula is needed as it stands; law, draws and refusals: test_local_randomisers."""

import pytest

from tests.mechanisms.local_variants import verdict_with, verdicts_elsewhere

WRONG = [
    ("ratio_bounds_an_exchanged_bit", "ratio_bound", "truth / (1 - truth)"),
    ("some_bits_are_sent", "sent", "d + 1"),
    ("some_bits_are_sent", "sent", "d - 1"),
    ("some_bits_are_sent", "dimension", "k - 1"),
]


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_d_bit_flip_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict_with("d_bit_flip", key, field, body) == "disproved"


def test_d_bit_flip_is_proved_under_another_stem():
    assert verdicts_elsewhere("d_bit_flip") == {"proved"}
