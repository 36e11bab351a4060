"""The witness against a claim about an error is told in numbers that are those of the rule that checked it."""

import pytest

import refdp

SAID = {
    "randomised_response.accuracy_with_4_n": ["mean_error >= 2 * sqrt(ln(100/11) / 4)", "at most 11/50", "it is 1/4"],
    "discrete_laplace.accuracy_as_a_bound": ["at most 1/2", "first 4 points", "at least a number in [0.533284920, "],
    "discrete_gaussian.accuracy_as_the_continuous": ["at most exp(-2) in [0.135335283, ", "and those inside to 1"],
    "exponential.accuracy_without_the_candidates": ["tuple_of(1, 0, 0, 0)", "it is in [0.524633113, 0.524633114]"],
    "laplace.accuracy_of_a_count_falls_with_n": ["is at most 1/2", "it is proved that", "= 7/10"],
}


@pytest.mark.parametrize("claim", SAID)
def test_witness_says_what_is_claimed_and_what_is_so(claim):
    told = " ".join(refdp.explain(claim)["witness"])
    assert [part for part in SAID[claim] if part not in told] == []


@pytest.mark.parametrize(
    ("claim", "word"), [("exponential.accuracy", "shortfall"), ("randomised_response.accuracy", "mean_error")]
)
def test_explain_says_what_the_error_is(claim, word):
    [found] = [d for d in refdp.explain(claim)["definitions"] if d["word"] == word]
    assert found["where"].startswith("refdp/spec/errors.py:")
