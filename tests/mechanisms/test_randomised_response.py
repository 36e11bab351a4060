"""randomised_response: masses, the least epsilon, and the sampler; and every constant of them is needed."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import product

import pytest

from refdp.mechanisms import randomised_response
from refdp.mechanisms.randomised_response import RANDOMISED_RESPONSE
from refdp.spec.samplers import SCHEMES, TruthOrOther
from tests.exactness.entering import written
from tests.exactness.refusals import refusal, shows
from tests.exactness.variants import verdict, verdicts
from tests.mechanisms.checks import (
    MP,
    NOT_NUMBERS,
    TINY,
    finite_masses,
    one_number,
    program,
    real,
    refuted,
    walked,
    worst_loss,
)
from tests.mechanisms.refused_alike import after_a_flag, after_numbers

STEM = "wrong_response"
RIGHT = SCHEMES["randomised_response"]


def variant(field, body, reads):
    """The mechanism with one other formula."""
    return replace(RANDOMISED_RESPONSE, stem=STEM, **{field: written(field, reads, body)})


READS = {
    "size": "",
    "pmf": "output input truth",
    "cumulative": "output input truth",
    "ratio_bound": "truth",
    "truth": "truth",
}
NAMES = ["truth"]
DOMAIN = "finite(2)"
SAME, CUMULATIVE = "indicator(output == input)", "(output + 1) * (1 - truth)"
WRONG = [
    ("ratio_is_bounded", "ratio_bound", "truth / (1 - truth) / 2"),
    ("ratio_is_bounded", "ratio_bound", "truth / (1 - truth) * 999 / 1000"),
    ("ratio_is_bounded", "ratio_bound", "truth"),
    ("ratio_is_bounded", "ratio_bound", "2 * truth"),
    ("ratio_is_bounded", "ratio_bound", "1 / (1 - truth) - 2"),
    ("ratio_is_bounded", "ratio_bound", "(1 - truth) / truth"),
    ("cumulative_grows_by_the_mass", "pmf", f"{SAME} * truth + (1 - {SAME}) * (1 - truth) / 2"),
    ("cumulative_grows_by_the_mass", "pmf", f"{SAME} * (1 - truth) + (1 - {SAME}) * truth"),
    ("cumulative_grows_by_the_mass", "pmf", f"{SAME} * truth + (1 - {SAME}) * truth"),
    ("cumulative_grows_by_the_mass", "pmf", f"({SAME} * truth + (1 - {SAME}) * (1 - truth)) * 1001 / 1000"),
    ("masses_are_not_negative", "pmf", f"{SAME} * 2 * truth + (1 - {SAME}) * (1 - 2 * truth)"),
    ("cumulative_runs_from_0_to_1", "cumulative", f"{CUMULATIVE} + indicator(input <= output) * truth"),
    (
        "cumulative_runs_from_0_to_1",
        "cumulative",
        "output * (1 - truth) + indicator(input <= output) * (2 * truth - 1)",
    ),
    ("cumulative_grows_by_the_mass", "cumulative", f"{CUMULATIVE} + indicator(output <= input) * (2 * truth - 1)"),
    ("cumulative_grows_by_the_mass", "cumulative", f"{CUMULATIVE} + indicator(input <= output - 1) * (2 * truth - 1)"),
    ("cumulative_runs_from_0_to_1", "size", "3"),
    ("cumulative_runs_from_0_to_1", "size", "1"),
]
TRUTHS = ["1 - truth", "truth / 2", "truth * 999 / 1000", "truth ** 2", "1", "2 * truth - 1"]


def made(truth="3/4"):
    return randomised_response(truth)


def by_hand(truth, x):
    """The definition."""
    return {y: truth if y == x else 1 - truth for y in range(2)}


@pytest.mark.parametrize("truth", [F(1, 2), F(3, 4), F(2, 3), F(999, 1000)])
def test_randomised_response_masses_are_their_definition(truth):
    for x in range(2):
        found = finite_masses(f"randomised_response({truth})", F(x))
        assert {y: (p.lower, p.upper) for y, p in found.items()} == {y: (p, p) for y, p in by_hand(truth, x).items()}
        assert sum(p.lower for p in found.values()) == 1
    assert made(truth).pmf(2, 0).upper == 0


@pytest.mark.parametrize("truth", [F(1, 2), F(3, 4), F(2, 3), F(999, 1000)])
def test_randomised_response_map_is_the_least_epsilon(truth):
    laws = [{y: real(p) for y, p in by_hand(truth, x).items()} for x in range(2)]
    worst = max(worst_loss(p, q) for p, q in product(laws, repeat=2))
    assert abs(worst - MP.log(real(made(truth).map(1).argument if truth > F(1, 2) else 1))) < TINY


def test_randomised_response_of_worked_examples():
    assert str(made("3/4").map(1)) == "ln(3)"
    assert made("1/2").map(1) == 0
    assert made("3/4").check(1, "1.0987")
    assert not made("3/4").check(1, "1.0986")


@pytest.mark.parametrize("truth", ["1/2", "3/4", "2/3", "9/10"])
@pytest.mark.parametrize("x", [F(0), F(1)])
def test_randomised_response_sampler_has_the_masses(truth, x):
    subject = f"randomised_response({truth})"
    found = walked(subject, x, 16)
    assert 1 - found.unresolved >= F(999, 1000)
    assert refuted(found, subject, x, [F(0), F(1)]) == []


def test_randomised_response_sampler_with_a_wrong_truth_is_told_apart():
    wrong = replace(RANDOMISED_RESPONSE, stem=STEM)
    for body in TRUTHS:
        found = walked(f"{STEM}(2/3)", F(0), 16, wrong, TruthOrOther(written("truth_told", "truth", body)))
        assert refuted(found, "randomised_response(2/3)", F(0)) != [], body


def test_randomised_response_sampler_that_flips_a_coin_instead_of_lying_is_told_apart():
    """Warner's second coin: truth, else 0 or 1 at random, tells the truth more often than it says."""
    found = program(lambda coins: F(0) if coins.bernoulli(F(3, 4)) else F(coins.uniform(2)), 12)
    assert refuted(found, "randomised_response(3/4)", F(0)) == [0, 1]


REFUSED = [
    (lambda: made(1), "truth must be < 1, got 1"),
    (lambda: made("5/4"), "truth must be < 1, got 5/4"),
    (lambda: made("1/4"), "truth must be >= 1/2, got 1/4"),
    (lambda: made(0), "truth must be >= 1/2, got 0"),
    (lambda: made(-1), "truth must be >= 1/2, got -1"),
    (lambda: made()(2), "the input must be a member of finite(2)"),
    (lambda: made()(-1), "the input must be a member of finite(2)"),
    (lambda: made()(F(1, 2)), "the input must be a member of finite(2)"),
    (lambda: made()(True), "the input must be a member of finite(2)"),
    (lambda: made()((1,)), one_number("finite(2)")),
    (lambda: made()(1.0), 'input must be exact, got the float 1.0; write "1.0" for 1'),
    (lambda: made().map(-1), "d_in must be >= 0, got -1"),
]


@pytest.mark.parametrize("body", ["truth", "(1 - truth) * 999 / 1000", "1 - truth / 2"])
def test_randomised_response_with_another_mass_of_a_lie_has_another_divergence(body):
    wrong = replace(RANDOMISED_RESPONSE, stem=STEM, miss=written("miss", "truth", body))
    assert verdict(wrong, "mass_is_hit_or_miss") == "disproved"


def test_randomised_response_is_proved_under_another_stem():
    found = verdicts(replace(RANDOMISED_RESPONSE, stem="same_response"), RIGHT)
    assert found == dict.fromkeys(found, "proved")
    assert len(found) == 9


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_randomised_response_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict(variant(field, body, READS[field]), key) == "disproved"


@pytest.mark.parametrize("body", TRUTHS)
def test_randomised_response_with_a_wrong_truth_of_its_sampler_is_not_proved(body):
    wrong = replace(RANDOMISED_RESPONSE, stem=STEM)
    scheme = TruthOrOther(written("truth_told", READS["truth"], body))
    assert verdict(wrong, "sampler.draws_have_the_masses", scheme) == "disproved"


@pytest.mark.parametrize("parameter", NAMES)
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_randomised_response_refuses_what_is_no_exact_number(parameter, value):
    assert shows(refusal(lambda: made(**{parameter: value})), parameter, value)


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_randomised_response_refuses_in_one_sentence(call, said):
    assert refusal(call) == said


def test_randomised_response_follows_only_where_the_domain_meets():
    assert after_numbers(made) == [f"the output domain grid(1) does not lie in the input domain {DOMAIN}"] * 2


def test_randomised_response_refuses_another_metric():
    assert after_a_flag(made) == "the output metric absolute is not the input metric discrete"
