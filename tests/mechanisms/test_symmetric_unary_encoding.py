"""symmetric_unary_encoding: every formula is needed as it stands; law, draws and refusals: test_local_randomisers."""

import pytest

from tests.mechanisms.local_variants import verdict_with, verdicts_elsewhere

WRONG = [
    ("ratio_bounds_an_exchanged_bit", "ratio_bound", "truth / (1 - truth)"),
    ("ratio_bounds_an_exchanged_bit", "ratio_bound", "999 / 1000 * truth ** 2 / (1 - truth) ** 2"),
    ("bits_are_likelier_where_set", "raised", "2 - 2 * truth"),
    ("bits_are_likelier_where_set", "kept", "7 / 8 - truth"),
    ("bits_are_likelier_where_set", "kept", "2 * truth"),
    ("some_bits_are_sent", "dimension", "k - 1"),
]


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_symmetric_unary_encoding_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict_with("symmetric_unary_encoding", key, field, body) == "disproved"


def test_symmetric_unary_encoding_is_proved_under_another_stem():
    assert verdicts_elsewhere("symmetric_unary_encoding") == {"proved"}
