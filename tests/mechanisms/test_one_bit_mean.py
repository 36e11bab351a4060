"""one_bit_mean: every formula is needed as it stands; law, draws and refusals: test_local_randomisers."""

import pytest

from tests.mechanisms.local_variants import verdict_with, verdicts_elsewhere

WRONG = [
    ("neither_bit_is_much_likelier", "ratio_bound", "999 / 1000 * ratio"),
    ("neither_bit_is_much_likelier", "upper", "greatest * 6 / 5"),
    ("rate_is_a_probability", "upper", "2 * greatest"),
    ("neither_bit_is_much_likelier", "lower", "0 - greatest / 8"),
    ("interval_has_members", "lower", "greatest + 1"),
    ("neither_bit_is_much_likelier", "rate", "input / greatest"),
    ("rate_is_a_probability", "rate", "1 / (ratio + 1) + input / greatest"),
]


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_one_bit_mean_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict_with("one_bit_mean", key, field, body) == "disproved"


def test_one_bit_mean_is_proved_under_another_stem():
    assert verdicts_elsewhere("one_bit_mean") == {"proved"}
