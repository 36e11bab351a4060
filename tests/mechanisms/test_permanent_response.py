"""permanent_response: every formula is needed as it stands; law, draws and refusals: test_local_randomisers."""

import pytest

from tests.mechanisms.local_variants import verdict_with, verdicts_elsewhere

WRONG = [
    ("ratio_bounds_a_changed_bit", "ratio_bound", "(1 - f / 2) / f"),
    ("ratio_bounds_a_changed_bit", "kept", "1 - f / 3"),
    ("bits_are_likelier_where_set", "raised", "1 - f / 2 + 1 / 8"),
]


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_permanent_response_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict_with("permanent_response", key, field, body) == "disproved"


def test_permanent_response_is_proved_under_another_stem():
    assert verdicts_elsewhere("permanent_response") == {"proved"}
