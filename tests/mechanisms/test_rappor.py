"""rappor: every formula is needed as it stands; law, draws and refusals: test_local_randomisers."""

import pytest

from tests.mechanisms.local_variants import verdict_with, verdicts_elsewhere

WRONG = [
    ("ratio_bounds_an_exchanged_bit", "ratio_bound", "((1 - f / 2) * q + f / 2 * p) / ((1 - f / 2) * p + f / 2 * q)"),
    ("ratio_bounds_an_exchanged_bit", "raised", "(1 - f / 2) * p"),
    ("ratio_bounds_an_exchanged_bit", "kept", "q"),
]


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_rappor_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict_with("rappor", key, field, body) == "disproved"


def test_rappor_is_proved_under_another_stem():
    assert verdicts_elsewhere("rappor") == {"proved"}
