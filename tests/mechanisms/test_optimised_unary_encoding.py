"""optimised_unary_encoding: every formula is needed as it stands; law, draws and refusals: test_local_randomisers."""

import pytest

from tests.mechanisms.local_variants import verdict_with, verdicts_elsewhere

WRONG = [
    ("ratio_bounds_an_exchanged_bit", "ratio_bound", "(ratio + 1) / 2"),
    ("ratio_bounds_an_exchanged_bit", "raised", "1 / (ratio + 2)"),
    ("ratio_bounds_an_exchanged_bit", "kept", "3 / 4"),
]


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_optimised_unary_encoding_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict_with("optimised_unary_encoding", key, field, body) == "disproved"


def test_optimised_unary_encoding_is_proved_under_another_stem():
    assert verdicts_elsewhere("optimised_unary_encoding") == {"proved"}
