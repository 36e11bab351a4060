"""hadamard_entry_response: every formula is needed as it stands; law, draws and refusals: test_local_randomisers."""

import pytest

from tests.mechanisms.local_variants import verdict_with, verdicts_elsewhere

WRONG = [
    ("masses_are_within_the_ratio", "ratio_bound", "2 * truth"),
]


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_hadamard_entry_response_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict_with("hadamard_entry_response", key, field, body) == "disproved"


def test_hadamard_entry_response_is_proved_under_another_stem():
    assert verdicts_elsewhere("hadamard_entry_response") == {"proved"}
