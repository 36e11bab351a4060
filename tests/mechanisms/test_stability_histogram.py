"""stability_histogram: every formula is needed as it stands; draws and refusals; by enumeration: tests/exactness."""

from fractions import Fraction as F

import pytest

import refdp
from refdp.mechanisms import stability_histogram
from tests.exactness.refusals import refusal
from tests.mechanisms.local_variants import verdict_with, verdicts_elsewhere

WRONG = [
    ("count_moves_by_its_loss", "scale", "scale / 2"),
    ("count_moves_by_its_loss", "scale", "scale * 999 / 1000"),
    ("count_moves_by_its_loss", "loss", "1 / scale"),
    ("threshold_is_at_least_1", "threshold", "threshold - 1"),
    ("scale_is_positive", "scale", "scale - 1"),
]


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_stability_histogram_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict_with("stability_histogram", key, field, body) == "disproved"


def test_stability_histogram_is_proved_under_another_stem():
    assert verdicts_elsewhere("stability_histogram") == {"proved"}


def test_stability_histogram_has_the_delta_of_its_threshold():
    """15 is the least threshold for a millionth at scale 1, and its map is of one row."""
    epsilon, delta = stability_histogram(1, 15).map(1)
    assert (epsilon, delta < F(1, 10**6)) == (1, True)
    assert stability_histogram(1, 14).map(1)[1] > F(1, 10**6)
    assert stability_histogram(1, 15, neighbours="change_one").map(1) == (2, delta)
    theorem = refdp.theorem(stability_histogram(1, 15), 1)
    assert str(theorem.claim.d_in) == "1"


def test_stability_histogram_gives_what_is_far_above_and_nothing_else():
    """Noise beyond 900 has less than 10^-300 of the probability; keys come in order, texts after numbers."""
    m = stability_histogram(1, 1000, rows="labels('a', 'b', 3)")
    table = ("b",) * 2000 + (3,) * 2000 + ("a",) * 3
    assert [key for key, _ in m(table)] == [3, "b"]
    assert all(count.denominator == 1 and count >= 1000 for _, count in m(table))
    assert m(()) == ()
    assert m(tuple(reversed(table)))[0][0] == 3


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: stability_histogram(1, 15).map(2), "d_in must be 1, where the map of"),
        (lambda: stability_histogram(1, 15).check(0, (1, 1)), "d_in must be 1, where the map of"),
        (lambda: stability_histogram(0, 15), "scale must be > 0, got 0"),
        (lambda: stability_histogram(1, 0), "threshold must be >= 1, got 0"),
        (lambda: stability_histogram(1, "3/2"), "threshold must be a whole number, got 3/2"),
        (lambda: stability_histogram(1, 15, neighbours="near"), "neighbours must be one of add_remove, change_one"),
        (lambda: stability_histogram(1, 15)(("a",)), "the input must be a member of table(grid(1))"),
        (lambda: stability_histogram(0.5, 15), "must be exact, got the float 0.5"),
    ],
)
def test_stability_histogram_refuses_in_one_sentence(call, said):
    assert said in refusal(call)
