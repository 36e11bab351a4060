"""The best composition under approximate DP: closed losses, whole counts, and no delta that is too small."""

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.terms.reading import read
from tests.exactness.claims import private
from tests.exactness.entering import given
from tests.kinds import gaussian_at_1, noise, response, summed


def claim(*d_out, measure="approximate"):
    return given(private("randomised_response(3/4)", "finite(2)", "discrete", 1, measure, map(read, d_out)))


def test_optimal_delta_is_exact_where_the_losses_are_logarithms():
    found = rules.compose_many_optimal(claim("ln(3)", "0"), k="4", epsilon="2*ln(3)").claim
    assert [str(t) for t in found.d_out] == ["ln(9)", "9/32"]
    assert str(found.subject) == "repeated(randomised_response(3/4), 4)"
    both = rules.compose_optimal(claim("ln(3)", "1/10"), claim("ln(2)", "0"), epsilon="ln(3)").claim
    assert [str(t) for t in both.d_out] == ["ln(3)", "13/40"]  # 1 - (9/10) (3/4)
    assert str(both.subject) == "compose(randomised_response(3/4), randomised_response(3/4))"


def test_optimal_delta_of_a_single_mechanism_is_its_own():
    assert [str(t) for t in rules.compose_optimal(claim("ln(3)", "1/10"), epsilon="ln(3)").claim.d_out] == [
        "ln(3)",
        "1/10",
    ]
    assert [str(t) for t in rules.compose_optimal(claim("ln(3)", "0"), epsilon="0").claim.d_out] == ["0", "1/2"]


def test_optimal_delta_that_is_too_small_is_refused():
    for less in ("0.0201401", "0"):
        with pytest.raises(KernelError, match="not an upper bound"):
            rules.compose_many_optimal(claim("1/10", "0"), k="100", epsilon="2", d_out=["2", less])
    assert rules.compose_many_optimal(claim("1/10", "0"), k="100", epsilon="2", d_out=["2", "0.0201402"])
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.compose_many_optimal(claim("1/10", "0"), k="101", epsilon="2", d_out=["2", "0.0201402"])


@pytest.mark.parametrize("k", ["0", "-1", "1/2", "1000", "x", ""])
def test_optimal_composition_of_no_whole_number_is_refused(k):
    with pytest.raises(KernelError, match="k must be"):
        rules.compose_many_optimal(claim("ln(3)", "0"), k=k, epsilon="0")


def test_optimal_composition_of_too_many_kinds_of_losses_is_refused():
    parts = [claim(f"ln({n})", "0") for n in range(2, 12)]
    with pytest.raises(KernelError, match="at most 1000 sums"):
        rules.compose_optimal(*parts, epsilon="0")


@pytest.mark.parametrize(
    ("e", "d", "sentence"),
    [
        ("x", "0", "must be numbers"),
        ("1", "x", "must be numbers"),
        ("-1", "1/2", "epsilon must be >= 0"),
        ("1", "2", "delta <= 1"),
    ],
)
def test_optimal_composition_of_open_negative_or_impossible_losses_is_refused(e, d, sentence):
    with pytest.raises(KernelError, match=sentence):
        rules.compose_optimal(claim(e, d), epsilon="1")
    with pytest.raises(KernelError, match=sentence):
        rules.compose_many_optimal(claim(e, d), k="2", epsilon="1")


def test_optimal_composition_at_an_open_epsilon_is_refused():
    with pytest.raises(KernelError, match="epsilon must be a number"):
        rules.compose_optimal(claim("1", "0"), epsilon="x")


def test_optimal_composition_of_other_claims_is_refused():
    for other in (response(), gaussian_at_1(), response("loss_tail", "2")):
        with pytest.raises(KernelError, match="expected a private claim under approximate"):
            rules.compose_optimal(other, epsilon="1")
        with pytest.raises(KernelError, match="expected a private claim under approximate"):
            rules.compose_many_optimal(other, k="2", epsilon="1")
        with pytest.raises(KernelError, match="expected a private claim under approximate"):
            rules.compose_advanced(other)
    with pytest.raises(KernelError, match="cannot compose"):
        rules.compose_optimal(response("approximate", "2"), rules.pure_to_approximate(noise()), epsilon="1")
    with pytest.raises(KernelError, match="takes private claims"):
        rules.compose_optimal(summed("count"), epsilon="1")


def test_advanced_loss_is_the_printed_one():
    family = rules.compose_advanced(rules.pure_to_approximate(noise())).claim
    assert [str(c) for c in family.given[-5:]] == [
        "integer(k)",
        "1 <= k",
        "0 <= d_in / scale",
        "0 < delta",
        "delta < 1",
    ]
    found = rules.compose_advanced(claim("1/100", "0"), k="1000", delta="1/1000000", d_out=["1.71226", "1/1000000"])
    assert str(found.claim.subject) == "repeated(randomised_response(3/4), 1000)"
    many = rules.compose_advanced(claim("1/100", "1/10000"), k="10", delta="1/1000", d_out=["1", "1/500"])
    assert str(many.claim.d_out[1]) == "1/500"


@pytest.mark.parametrize("words", [
    {"k": "1000", "d_out": ["1.71225", "1/1000000"]}, {"k": "1001", "d_out": ["1.71226", "1/1000000"]},
    {"k": "1000", "d_out": ["1.71226", "9/10000000"]},
])  # fmt: skip
def test_advanced_loss_that_is_too_small_is_refused(words):
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.compose_advanced(claim("1/100", "0"), delta="1/1000000", **words)


@pytest.mark.parametrize("words", [
    {"k": "0"}, {"k": "3/2"}, {"k": "-1"}, {"delta": "0"}, {"delta": "1"}, {"delta": "2"},
])  # fmt: skip
def test_advanced_composition_at_no_count_or_probability_is_refused(words):
    with pytest.raises(KernelError):
        rules.compose_advanced(claim("1/100", "0"), **({"k": "4", "delta": "1/10"} | words), d_out=["90", "90"])


def test_advanced_composition_of_a_negative_epsilon_is_refused():
    with pytest.raises(KernelError, match="does not hold"):
        rules.compose_advanced(claim("-1/10", "1"), k="2", delta="1/10", d_out=["1", "3"])
