"""Claims name metrics and measures that are known, and exact distances."""

import sys
from fractions import Fraction

import pytest

from refdp.auditing.targets import Adapted, Claim, Limits, function
from refdp.auditing.targets.target import limits_from_json, limits_json
from refdp.auditing.targets.words import FOREIGN, OPENDP, WordError, refdp_word
from refdp.spec.distances import MEASURES, METRICS


def test_claims_are_written_as_they_are_read():
    assert str(Claim("symmetric", Fraction(2), "absolute")) == "symmetric 2 -> absolute the library's map"
    assert str(Claim("change_one", Fraction(1), "approximate", (Fraction(1), Fraction(1, 10)))).endswith("1, 1/10")


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        (("euclid", Fraction(1), "l1"), WordError, "metric must be one of"),
        (("pure", Fraction(1), "l1"), WordError, "metric must be one of"),
        (("l1", Fraction(1), "epsilon"), WordError, "metric must be one of"),
        (("l1", Fraction(-1), "l1"), ValueError, "distances must be >= 0, got -1"),
        (("l1", 0.5, "l1"), TypeError, "distances must be exact, got 0.5"),
        (("l1", Fraction(1), "l1", (0.5,)), TypeError, "distances must be exact"),
    ],
)
def test_claims_refuse_unknown_words_and_inexact_distances(arguments, error, reason):
    with pytest.raises(error, match=reason):
        Claim(*arguments)


def test_words_of_opendp_are_words_of_refdp_or_named_exactly():
    assert set(OPENDP.values()) <= set(METRICS) | set(MEASURES) | set(FOREIGN)
    assert refdp_word("AbsoluteDistance(f64)") == refdp_word("AbsoluteDistance<f64>") == "absolute"
    assert refdp_word("Approximate(MaxDivergence)") == "approximate"
    with pytest.raises(WordError, match="got L0Distance"):
        refdp_word("L0Distance(i32)")


def test_limits_are_written_and_read_as_text():
    limits = Limits(call=0.5, memory=2**40)
    assert limits_from_json(limits_json(limits)) == limits
    with pytest.raises(ValueError, match="memory must be > 0, got 0"):
        Limits(memory=0)


def test_targets_refuse_an_unknown_family_and_a_function_without_a_module():
    with pytest.raises(ValueError, match="family must be one of"):
        Adapted("tumult", {}, sys.executable)
    with pytest.raises(ValueError, match="module:function, got f"):
        function("f")
