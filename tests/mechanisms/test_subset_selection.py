"""subset_selection: every formula is needed as it stands; law, draws and refusals: test_local_randomisers."""

import pytest

from tests.mechanisms.local_variants import verdict_with, verdicts_elsewhere

WRONG = [
    ("masses_are_within_the_ratio", "ratio_bound", "truth / (1 - truth)"),
    ("masses_are_within_the_ratio", "ratio_bound", "truth * (k - d - 1) / ((1 - truth) * d)"),
    ("masses_are_within_the_ratio", "chosen", "k - d"),
    ("some_reports_support", "chosen", "d + 1"),
    ("some_reports_support", "chosen", "d - 1"),
    ("masses_are_within_the_ratio", "size", "k + 1"),
]


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_subset_selection_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict_with("subset_selection", key, field, body) == "disproved"


def test_subset_selection_is_proved_under_another_stem():
    assert verdicts_elsewhere("subset_selection") == {"proved"}
