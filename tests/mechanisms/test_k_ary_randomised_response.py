"""k_ary_randomised_response: masses, the least epsilon, and the sampler; and every constant of them is needed."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import product

import pytest

from refdp.mechanisms import k_ary_randomised_response
from refdp.mechanisms.k_ary_randomised_response import K_ARY_RANDOMISED_RESPONSE
from refdp.spec.samplers import SCHEMES, TruthOrOther
from tests.exactness.entering import written
from tests.exactness.refusals import refusal, shows
from tests.exactness.variants import verdict, verdicts
from tests.mechanisms.checks import MP, NOT_NUMBERS, TINY, finite_masses, program, real, refuted, walked, worst_loss
from tests.mechanisms.refused_alike import after_a_flag, after_numbers

STEM = "wrong_response"
RIGHT = SCHEMES["k_ary_randomised_response"]


def variant(field, body, reads):
    """The mechanism with one other formula."""
    return replace(K_ARY_RANDOMISED_RESPONSE, stem=STEM, **{field: written(field, reads, body)})


READS = {
    "size": "k",
    "pmf": "output input k truth",
    "cumulative": "output input k truth",
    "ratio_bound": "k truth",
    "truth": "k truth",
}
NAMES = ["k", "truth"]
DOMAIN = "finite(3)"
SAME, OTHER = "indicator(output == input)", "(1 - truth) / (k - 1)"
WRONG = [
    ("ratio_is_bounded", "ratio_bound", "truth * (k - 1) / (1 - truth) / 2"),
    ("ratio_is_bounded", "ratio_bound", "truth * (k - 1) / (1 - truth) * 999 / 1000"),
    ("ratio_is_bounded", "ratio_bound", "truth / (1 - truth)"),
    ("ratio_is_bounded", "ratio_bound", "truth * k / (1 - truth) / 2"),
    ("ratio_is_bounded", "ratio_bound", "truth * (k - 2) / (1 - truth) + 1"),
    ("cumulative_grows_by_the_mass", "pmf", f"{SAME} * truth + (1 - {SAME}) * (1 - truth) / k"),
    ("cumulative_grows_by_the_mass", "pmf", f"{SAME} * truth + (1 - {SAME}) * (1 - truth)"),
    ("cumulative_grows_by_the_mass", "pmf", f"{SAME} * (truth + (1 - truth) / k) + (1 - {SAME}) * (1 - truth) / k"),
    ("cumulative_grows_by_the_mass", "pmf", f"({SAME} * truth + (1 - {SAME}) * {OTHER}) * 1001 / 1000"),
    ("masses_are_not_negative", "pmf", f"{SAME} * 2 * truth + (1 - {SAME}) * (1 - 2 * truth) / (k - 1)"),
    ("cumulative_grows_by_the_mass", "cumulative",
     "(output + 1) * (1 - truth) / k + indicator(input <= output) * truth"),
    ("cumulative_runs_from_0_to_1", "cumulative", f"output * {OTHER} + indicator(input <= output) * (truth - {OTHER})"),
    ("cumulative_runs_from_0_to_1", "cumulative", f"(output + 1) * {OTHER} + indicator(input <= output) * truth"),
    ("cumulative_grows_by_the_mass", "cumulative",
     f"(output + 1) * {OTHER} + indicator(input <= output - 1) * (truth - {OTHER})"),
    ("cumulative_runs_from_0_to_1", "size", "k + 1"),
    ("cumulative_runs_from_0_to_1", "size", "k - 1"),
]  # fmt: skip
TRUTHS = ["1 - truth", "truth / 2", "truth * 999 / 1000", "1 / k", "truth + (1 - truth) / k", "1"]


def made(k=3, truth="1/2"):
    return k_ary_randomised_response(k, truth)


def by_hand(k, truth, x):
    """The definition."""
    return {y: truth if y == x else (1 - truth) / (k - 1) for y in range(k)}


@pytest.mark.parametrize(("k", "truth"), [(2, F(3, 4)), (3, F(1, 2)), (4, F(1, 4)), (5, F(9, 10))])
def test_k_ary_randomised_response_masses_are_their_definition(k, truth):
    for x in range(k):
        found = finite_masses(f"k_ary_randomised_response({k}, {truth})", F(x))
        assert {y: (p.lower, p.upper) for y, p in found.items()} == {y: (p, p) for y, p in by_hand(k, truth, x).items()}
        assert sum(p.lower for p in found.values()) == 1
    assert made(k, truth).pmf(k, 0).upper == 0


@pytest.mark.parametrize(("k", "truth"), [(2, F(3, 4)), (3, F(1, 2)), (4, F(1, 4)), (5, F(9, 10))])
def test_k_ary_randomised_response_map_is_the_least_epsilon(k, truth):
    laws = [{y: real(p) for y, p in by_hand(k, truth, x).items()} for x in range(k)]
    worst = max(worst_loss(p, q) for p, q in product(laws, repeat=2))
    assert abs(worst - MP.log(real(made(k, truth).map(1).argument if truth > F(1, k) else 1))) < TINY


def test_k_ary_randomised_response_of_worked_examples():
    assert str(made().map(1)) == "ln(2)"
    assert made(4, "1/4").map(1) == 0
    assert made(4, "1/2").check(1, "1.0987")
    assert not made(4, "1/2").check(1, "1.0986")


def test_k_ary_randomised_response_with_the_truth_of_the_binary_exceeds_its_epsilon():
    """truth = e^epsilon / (1 + e^epsilon) = 3/4 would be ln(3) for two values; for three it is ln(6)."""
    assert str(made(3, "3/4").map(1)) == "ln(6)"


@pytest.mark.parametrize(("k", "truth"), [(2, "3/4"), (3, "1/2"), (3, "2/3"), (4, "1/4")])
def test_k_ary_randomised_response_sampler_has_the_masses(k, truth):
    subject = f"k_ary_randomised_response({k}, {truth})"
    for x in map(F, range(k)):
        found = walked(subject, x, 16)
        assert 1 - found.unresolved >= F(999, 1000)
        assert refuted(found, subject, x, map(F, range(k))) == []


def test_k_ary_randomised_response_sampler_with_a_wrong_truth_is_told_apart():
    wrong = replace(K_ARY_RANDOMISED_RESPONSE, stem=STEM)
    for body in TRUTHS:
        scheme = TruthOrOther(written("truth_told", "k truth", body))
        found = walked(f"{STEM}(3, 2/3)", F(0), 16, wrong, scheme)
        assert refuted(found, "k_ary_randomised_response(3, 2/3)", F(0)) != [], body


def test_k_ary_randomised_response_sampler_that_draws_any_value_is_told_apart():
    """Else one of all k values, not of the k - 1 others: the truth is told too often."""
    found = program(lambda coins: F(0) if coins.bernoulli(F(1, 2)) else F(coins.uniform(3)), 12)
    assert 0 in refuted(found, "k_ary_randomised_response(3, 1/2)", F(0))


REFUSED = [
    (lambda: made(1), "k must be >= 2, got 1"),
    (lambda: made(0), "k must be >= 2, got 0"),
    (lambda: made("5/2"), "k must be a whole number, got 5/2"),
    (lambda: made(3, 1), "truth must be < 1, got 1"),
    (lambda: made(3, "1/4"), "1 <= truth * k must hold, got k = 3, truth = 1/4"),
    (lambda: made(3, -1), "1 <= truth * k must hold, got k = 3, truth = -1"),
    (lambda: made()(3), "the input must be a member of finite(3)"),
    (lambda: made()(-1), "the input must be a member of finite(3)"),
    (lambda: made()(F(1, 2)), "the input must be a member of finite(3)"),
    (lambda: made()("0"), "the input must be a member of finite(3)"),
    (lambda: made()(1.0), 'input must be exact, got the float 1.0; write "1.0" for 1'),
    (lambda: made().map(-1), "d_in must be >= 0, got -1"),
]


@pytest.mark.parametrize("body", ["1 - truth", "(1 - truth) / k", "(1 - truth) / (k - 1) * 999 / 1000"])
def test_k_ary_randomised_response_with_another_mass_of_a_lie_has_another_divergence(body):
    wrong = replace(K_ARY_RANDOMISED_RESPONSE, stem=STEM, miss=written("miss", "k truth", body))
    assert verdict(wrong, "mass_is_hit_or_miss") == "disproved"


def test_k_ary_randomised_response_is_proved_under_another_stem():
    found = verdicts(replace(K_ARY_RANDOMISED_RESPONSE, stem="same_response"), RIGHT)
    assert found == dict.fromkeys(found, "proved")
    assert len(found) == 7


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_k_ary_randomised_response_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict(variant(field, body, READS[field]), key) == "disproved"


@pytest.mark.parametrize("body", TRUTHS)
def test_k_ary_randomised_response_with_a_wrong_truth_of_its_sampler_is_not_proved(body):
    wrong = replace(K_ARY_RANDOMISED_RESPONSE, stem=STEM)
    scheme = TruthOrOther(written("truth_told", READS["truth"], body))
    assert verdict(wrong, "sampler.draws_have_the_masses", scheme) == "disproved"


@pytest.mark.parametrize("parameter", NAMES)
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_k_ary_randomised_response_refuses_what_is_no_exact_number(parameter, value):
    assert shows(refusal(lambda: made(**{parameter: value})), parameter, value)


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_k_ary_randomised_response_refuses_in_one_sentence(call, said):
    assert refusal(call) == said


def test_k_ary_randomised_response_follows_only_where_the_domain_meets():
    assert after_numbers(made) == [f"the output domain grid(1) does not lie in the input domain {DOMAIN}"] * 2


def test_k_ary_randomised_response_refuses_another_metric():
    assert after_a_flag(made) == "the output metric absolute is not the input metric discrete"
