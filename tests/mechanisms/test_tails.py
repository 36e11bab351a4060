"""Formulas for tails that are a little wrong are not proved, and claims that say a little more are refuted."""

from dataclasses import replace

import pytest

from refdp.kernel.judgements import KernelError
from refdp.kernel.rules import another_probability, instantiate, likelier_error, likelier_noise
from refdp.provers.witnesses import refuted_by_tail
from refdp.spec.registry import kind_of
from tests.claimed import discrete_laplace, gaussian, laplace, randomised_response
from tests.exactness.entering import written
from tests.exactness.variants import verdict

LINE, BELL = "alpha scale", "alpha sigma"
WRONG = [
    ("laplace", "tail_is_exact", "log_tail", LINE, "-alpha / scale * (999/1000)"),
    ("laplace", "tail_is_exact", "log_tail", LINE, "-alpha / scale * (1001/1000)"),
    ("laplace", "tail_is_exact", "log_tail", LINE, "-alpha / (2 * scale)"),
    ("laplace", "tail_is_bounded", "log_tail", LINE, "-alpha / scale * (1001/1000)"),
    ("laplace", "tail_is_bounded", "log_tail", LINE, "-alpha / scale - 1/1000"),
    ("laplace", "tail_is_bounded", "log_tail", LINE, "1/1000 - alpha / scale"),
    ("laplace", "radius_has_the_level", "radius", "level scale", "scale * level * (999/1000)"),
    ("laplace", "radius_has_the_level", "radius", "level scale", "-scale * level"),
    ("discrete_laplace", "tail_is_exact", "log_tail", LINE, "-alpha / scale * (999/1000)"),
    ("discrete_laplace", "tail_is_bounded", "log_tail", LINE, "-alpha / scale * (1001/1000)"),
    ("gaussian", "tail_is_bounded", "log_tail", BELL, "-alpha ** 2 / (2 * sigma ** 2) * (1001/1000)"),
    ("gaussian", "tail_is_bounded", "log_tail", BELL, "-alpha ** 2 / sigma ** 2"),
    ("gaussian", "tail_is_bounded", "log_tail", BELL, "-alpha / sigma"),
    ("gaussian", "weights_are_normal", "deviation", "sigma", "sigma * (999/1000)"),
    ("gaussian", "weights_are_normal", "deviation", "sigma", "-sigma"),
    ("discrete_gaussian", "tail_is_bounded", "log_tail", BELL, "-alpha ** 2 / (2 * sigma ** 2) * (1001/1000)"),
    ("exponential", "shortfall_is_bounded", "log_tail", LINE, "-alpha / scale * (1001/1000)"),
    ("exponential", "shortfall_is_bounded", "log_tail", LINE, "-2 * alpha / scale"),
    ("exponential", "radius_has_the_level", "radius", "level scale", "scale * level / 2"),
    ("permute_and_flip", "gap_is_bounded", "log_tail", LINE, "-alpha / scale * (1001/1000)"),
    ("permute_and_flip", "radius_has_the_level", "radius", "level scale", "scale * level / 2"),
]


@pytest.mark.parametrize(("stem", "key", "field", "parameters", "body"), WRONG)
def test_tail_with_a_wrong_formula_is_not_proved(stem, key, field, parameters, body):
    kind, wrong = kind_of(stem), {field: written(field, parameters, body)}
    other = replace(kind, **wrong) if field == "deviation" else replace(kind, tails=replace(kind.tails, **wrong))
    assert verdict(replace(other, stem="other"), key) == "disproved"


@pytest.mark.parametrize(
    ("key", "field", "parameters", "body"),
    [
        ("estimate_is_unbiased", "offset", "truth", "1 - truth + 1/1000"),
        ("estimate_is_unbiased", "offset", "truth", "0 * truth"),
        ("estimate_is_unbiased", "width", "truth", "999/1000 / (2 * truth - 1)"),
        ("estimate_is_unbiased", "width", "truth", "1 + 0 * truth"),
        ("width_is_positive", "width", "truth", "1 / (1 - 2 * truth)"),
        ("width_is_positive", "width", "truth", "0 * truth"),
    ],
)
def test_estimator_with_a_wrong_formula_is_not_proved(key, field, parameters, body):
    kind = kind_of("randomised_response")
    estimator = replace(kind.estimator, **{field: written(field, parameters, body)})
    assert verdict(replace(kind, stem="other", estimator=estimator), key) == "disproved"


def test_estimator_without_its_condition_is_not_proved():
    """With truth = 1/2 the answers say nothing, and the estimate divides by 0."""
    kind = kind_of("randomised_response")
    careless = replace(kind, stem="other", estimator=replace(kind.estimator, conditions=()))
    assert verdict(careless, "estimate_is_unbiased") == "disproved"


def test_truth_with_a_wrong_probability_is_not_proved():
    kind = kind_of("k_ary_randomised_response")
    wrong = replace(kind, stem="other", hit=written("hit", "truth k", "truth - 1/1000"))
    assert verdict(wrong, "truth_has_its_probability") == "disproved"


LAPLACE = "tail(laplace(scale), reals(), error(at_least({})), {}, 0 < scale, 0 < beta, beta < 1)"
AT_ONE_HALF = {"scale": "1", "beta": "1/2"}


@pytest.mark.parametrize(
    ("threshold", "bound", "nearby", "true"),
    [
        ("scale * ln(1 / beta)", "probability(beta)", "1/2", True),
        ("scale * ln(1 / beta)", "at_most(beta)", "1/2", True),
        ("scale * ln(1 / beta)", "probability(beta / 2)", "1/2", False),
        ("scale * ln(1 / beta)", "at_most(999/1000 * beta)", "1/2", False),
        ("scale * ln(1 / beta)", "probability(1001/1000 * beta)", "1/2", False),
        ("scale * ln(1 / (2 * beta))", "at_most(beta)", "1", False),
        ("scale * ln(2 / beta)", "probability(beta)", "1/4", False),
        ("999/1000 * scale * ln(1 / beta)", "probability(beta)", "5003/10000", False),
        ("999/1000 * scale * ln(1 / beta)", "at_most(beta)", "5003/10000", False),
        ("1001/1000 * scale * ln(1 / beta)", "probability(beta)", "4998/10000", False),
    ],
)
def test_laplace_accuracy_is_just_what_is_claimed(threshold, bound, nearby, true):
    """At beta = 1/2, against the exact tail at the probability nearby."""
    claim, exact = LAPLACE.format(threshold, bound), laplace.accuracy()
    premise = instantiate(exact, values={"scale": "1", "beta": nearby})
    if true:
        with pytest.raises(KernelError, match="does not contradict"):
            refuted_by_tail(claim, AT_ONE_HALF, another_probability, premise, at="0")
    else:
        assert refuted_by_tail(claim, AT_ONE_HALF, another_probability, premise, at="0").claim


GRID = "tail(discrete_laplace(scale, 1), grid(1), error({}), {}, 0 < scale)"


@pytest.mark.parametrize(
    ("event", "bound", "true"),
    [
        ("at_least(2)", "at_most(2 * exp(-2 / scale) / (1 + exp(-1 / scale)))", True),
        ("at_least(2)", "at_most(exp(-2 / scale))", False),
        ("more_than(2)", "at_most(exp(-2 / scale))", True),
        ("more_than(2)", "at_most(exp(-2 / scale) / 2)", False),
        ("at_least(2)", "at_most(exp(-1 / scale))", True),
        ("at_least(2)", "at_most(999/1000 * 2 * exp(-2 / scale) / (1 + exp(-1 / scale)))", False),
    ],
)
def test_discrete_laplace_accuracy_is_strict_where_it_must_be(event, bound, true):
    claim = GRID.format(event, bound)
    if true:
        with pytest.raises(KernelError, match="do not break"):
            refuted_by_tail(claim, {"scale": "3"}, likelier_noise, points="60")
    else:
        assert refuted_by_tail(claim, {"scale": "3"}, likelier_noise, points="60").claim


HOEFFDING = (
    "tail(estimate(randomised_response(truth), n), vector(finite(2), n), mean_error(at_least(1 / (2 * truth - 1) * "
    "sqrt(ln({} / beta) / ({} * n)))), at_most(beta), 1/2 < truth, truth < 1, integer(n), 1 <= n, 0 < beta, beta <= 1)"
)


@pytest.mark.parametrize(
    ("two", "twos", "values", "true"),
    [
        (2, 2, {"truth": "3/4", "n": "1", "beta": "11/50"}, True),
        (2, 4, {"truth": "3/4", "n": "1", "beta": "11/50"}, False),
        (2, 4, {"truth": "11/20", "n": "40", "beta": "1/100"}, False),
        (2, 2, {"truth": "11/20", "n": "40", "beta": "1/100"}, True),
        (1, 2, {"truth": "3/4", "n": "1", "beta": "9/10"}, False),
        (2, 2, {"truth": "3/4", "n": "1", "beta": "9/10"}, True),
    ],
)
def test_hoeffdings_constant_is_needed(two, twos, values, true):
    """The exact binomial tail, of bits that are all 1; 4 n, and ln(1 / beta), are refuted at concrete n."""
    ones = f"tuple_of({', '.join(['1'] * int(values['n']))})"
    claim = HOEFFDING.format(two, twos)
    if true:
        with pytest.raises(KernelError, match="does not break"):
            refuted_by_tail(claim, values, likelier_error, at=ones)
    else:
        assert refuted_by_tail(claim, values, likelier_error, at=ones).claim


def test_the_document_constant_is_the_width_of_the_estimates():
    found = randomised_response.accuracy_in_epsilon().claim
    assert str(found.threshold) == "(1 + exp(epsilon)) / (exp(epsilon) - 1) * sqrt(ln(2 / beta) / (2 * n))"


def test_tails_are_about_the_noise_of_the_mechanism_they_name():
    subjects = [str(m.accuracy().claim.subject) for m in (laplace, discrete_laplace, gaussian)]
    assert subjects == ["laplace(scale)", "discrete_laplace(scale, granularity)", "gaussian(sigma)"]
