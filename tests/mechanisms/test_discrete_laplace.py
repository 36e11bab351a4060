"""discrete_laplace: masses, the least epsilon, and the sampler; and every constant of them is needed."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.mechanisms import discrete_laplace
from refdp.mechanisms.discrete_laplace import DISCRETE_LAPLACE
from refdp.spec.samplers import SCHEMES, SignedGeometric
from refdp.transformations import clamped_sum, histogram
from tests.exactness.entering import written
from tests.exactness.refusals import refusal, shows
from tests.exactness.variants import verdict, verdicts
from tests.mechanisms.checks import (
    MP,
    NOT_NUMBERS,
    TINY,
    misses,
    one_number,
    program,
    real,
    refuted,
    walked,
    worst_loss,
)

RIGHT = SCHEMES["discrete_laplace"]
PARAMETERS = [(F(1), F(1)), (F(1, 2), F(1)), (F(7, 3), F(1)), (F(1), F(1, 2)), (F(2, 3), F(3, 4))]


def by_hand(scale, step, x=F(0), steps=1200):
    """The definition: weights exp(-|z| / scale) over their sum, cut where they are below e^-250."""
    r = MP.exp(-real(step / scale))
    powers = [r ** abs(k) for k in range(-steps, steps + 1)]
    total = sum(powers)
    return {x + k * step: p / total for k, p in zip(range(-steps, steps + 1), powers, strict=True) if abs(k) <= 40}


def variant(field, body, reads="z scale granularity"):
    """The noise with one other formula."""
    return replace(DISCRETE_LAPLACE, stem="wrong_laplace_noise", **{field: written(field, reads, body)})


def mapped(body):
    """The noise with another map."""
    wrong = written("wrong_map", "d_in scale", body)
    return replace(DISCRETE_LAPLACE, stem="wrong_laplace_noise", privacy_maps={"pure": wrong})


@pytest.mark.parametrize(("scale", "step"), PARAMETERS)
def test_discrete_laplace_masses_are_their_definition(scale, step):
    for x in (F(0), -3 * step):
        assert misses(f"discrete_laplace({scale}, {step})", x, by_hand(scale, step, x)) == []
    assert discrete_laplace(scale, step).pmf(step / 3, 0).upper == 0


@pytest.mark.parametrize(("scale", "step"), PARAMETERS)
def test_discrete_laplace_masses_sum_to_1(scale, step):
    """Forty steps either side and the two geometric tails beyond: 2 r^41 / (1 + r)."""
    m, r = discrete_laplace(scale, step), MP.exp(-real(step / scale))
    inside = [m.pmf(k * step, 0) for k in range(-40, 41)]
    tail = 2 * r**41 / (1 + r)
    assert real(sum(p.lower for p in inside)) + tail <= 1 <= real(sum(p.upper for p in inside)) + tail


@pytest.mark.parametrize(("scale", "step"), PARAMETERS)
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_discrete_laplace_map_is_the_least_epsilon(scale, step, steps):
    worst = worst_loss(by_hand(scale, step), by_hand(scale, step, steps * step))
    assert abs(worst - real(discrete_laplace(scale, step).map(steps * step))) < TINY


def test_discrete_laplace_with_noise_of_the_source_costs_12_of_25():
    assert (clamped_sum(0, 12) >> discrete_laplace(25)).map(1) == F(12, 25)
    assert discrete_laplace(25).map(12) == F(12, 25)
    assert discrete_laplace(25).check(12, "12/25")
    assert not discrete_laplace(25).check(12, "479/1000")


def test_discrete_laplace_on_vectors_is_the_product():
    m = discrete_laplace(2, dimension=2)
    one = discrete_laplace(2)
    for y in ((0, 0), (3, -1)):
        joint, parts = m.pmf(y, (1, 0)), [one.pmf(y[0], 1), one.pmf(y[1], 0)]
        assert parts[0].lower * parts[1].lower <= joint.upper
        assert joint.lower <= parts[0].upper * parts[1].upper
    assert (m.map(3), m.input_metric) == (F(3, 2), "l1")


def test_discrete_laplace_is_proved_under_another_stem():
    found = verdicts(replace(DISCRETE_LAPLACE, stem="same_laplace_noise"), RIGHT)
    assert found == dict.fromkeys(found, "proved")
    assert len(found) == 10


@pytest.mark.parametrize("body", ["d_in / scale / 2", "d_in / scale * 999 / 1000", "d_in / (scale + 1)",
                                  "d_in / (2 * scale ** 2)", "0 * d_in"])  # fmt: skip
def test_discrete_laplace_with_a_smaller_map_is_not_proved(body):
    assert verdict(mapped(body), "loss_is_bounded") == "disproved"


@pytest.mark.parametrize("body", ["d_in ** 2 / scale - d_in", "sqrt(d_in) / scale", "1 / scale"])
def test_discrete_laplace_with_a_map_that_does_not_add_up_is_not_proved(body):
    assert verdict(mapped(body), "losses_accumulate.pure") in {"disproved", "unknown"}


@pytest.mark.parametrize(
    ("field", "body", "reads", "key"),
    [
        ("log_weight", "-2 * abs(z) / scale", "z scale", "loss_is_bounded"),
        ("log_weight", "-abs(z) * 1001 / 1000 / scale", "z scale", "loss_is_bounded"),
        ("log_weight", "-z ** 2 / scale", "z scale", "loss_is_bounded"),
        ("log_weight", "-abs(z) / scale + indicator(z == 0)", "z scale", "loss_is_bounded"),
        ("log_weight", "-abs(z - 1) / scale", "z scale", "weights_are_geometric"),
        ("log_weight", "abs(z) / scale", "z scale", "weights_are_geometric"),
        ("log_weight", "-abs(z) / scale + 1", "z scale", "weights_are_geometric"),
        ("log_weight", "-abs(z) / scale", "z scale", "sampler.draws_have_the_weights"),
        ("normaliser", "2 / (1 - ratio)", "ratio", "sum_is_the_normaliser"),
        ("normaliser", "(1 + ratio) / (1 - ratio) * 1001 / 1000", "ratio", "sum_is_the_normaliser"),
        ("normaliser", "(1 + ratio) / (1 - ratio) + 1", "ratio", "sum_is_the_normaliser"),
        ("normaliser", "1 / (1 - ratio)", "ratio", "sum_is_the_normaliser"),
        ("tail_rate", "2 / scale", "scale", "tail_is_geometric"),
        ("tail_rate", "1001 / 1000 / scale", "scale", "tail_is_geometric"),
        ("tail_rate", "0 * scale", "scale", "tail_is_geometric"),
        ("tail_rate", "-1 / scale", "scale", "tail_is_geometric"),
        ("tail_offset", "-1 / 1000 + 0 * scale", "scale", "tail_is_geometric"),
    ],
)
def test_discrete_laplace_with_a_wrong_formula_is_not_proved(field, body, reads, key):
    scheme = None
    if key.startswith("sampler"):
        scheme = SignedGeometric(written("rate", "scale granularity", "granularity / (2 * scale)"))
    assert verdict(variant(field, body, reads), key, scheme) == "disproved"


@pytest.mark.parametrize("body", ["granularity / scale / 2", "granularity / scale * 1001 / 1000", "1 / scale",
                                  "2 * granularity / scale", "granularity / (scale + 1)"])  # fmt: skip
def test_discrete_laplace_with_a_wrong_rate_of_its_sampler_is_not_proved(body):
    wrong = replace(DISCRETE_LAPLACE, stem="wrong_laplace_noise")
    scheme = SignedGeometric(written("rate", "scale granularity", body))
    assert verdict(wrong, "sampler.draws_have_the_weights", scheme) == "disproved"


@pytest.mark.parametrize(
    ("scale", "step", "least"), [("1", "1", F(9, 10)), ("1/2", "1", F(4, 5)), ("1", "1/2", F(3, 4))]
)
def test_discrete_laplace_sampler_has_the_masses(scale, step, least):
    subject, x = f"discrete_laplace({scale}, {step})", F(step)
    found = walked(subject, x, 14)
    assert 1 - found.unresolved >= least
    assert refuted(found, subject, x, [x + k * F(step) for k in range(-9, 10)]) == []


def test_discrete_laplace_measurement_draws_on_the_grid():
    m = discrete_laplace(1, "1/2")
    assert all((m(F(3, 2)) * 2).denominator == 1 for _ in range(20))
    assert len(discrete_laplace(1, dimension=3)((0, 1, 2))) == 3


@pytest.mark.parametrize("body", ["granularity / (2 * scale)", "2 * granularity / scale"])
def test_discrete_laplace_sampler_of_another_scale_is_told_apart(body):
    wrong = replace(DISCRETE_LAPLACE, stem="wrong_laplace_noise")
    scheme = SignedGeometric(written("rate", "scale granularity", body))
    found = walked("wrong_laplace_noise(1, 1)", F(0), 14, wrong, scheme)
    assert 0 in refuted(found, "discrete_laplace(1, 1)", F(0))


def test_discrete_laplace_sampler_that_keeps_minus_zero_is_told_apart():
    def twice_zero(coins):
        magnitude, minus = coins.geometric_exp(F(1)), coins.bernoulli(F(1, 2))
        return F(-magnitude if minus else magnitude)

    found = program(twice_zero, 14)
    assert 1 - found.unresolved >= F(9, 10)
    assert 0 in refuted(found, "discrete_laplace(1, 1)", F(0))


def test_discrete_laplace_sampler_without_a_sign_is_told_apart():
    found = program(lambda coins: F(coins.geometric_exp(F(1))), 14)
    assert 0 in refuted(found, "discrete_laplace(1, 1)", F(0))


@pytest.mark.parametrize("parameter", ["scale", "granularity"])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_discrete_laplace_refuses_what_is_no_exact_number(parameter, value):
    assert shows(refusal(lambda: discrete_laplace(**{"scale": 1, parameter: value})), parameter, value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: discrete_laplace(0), "scale must be > 0, got 0"),
        (lambda: discrete_laplace(-1), "scale must be > 0, got -1"),
        (lambda: discrete_laplace(1, 0), "granularity must be > 0, got 0"),
        (lambda: discrete_laplace(1, "-1/2"), "granularity must be > 0, got -1/2"),
        (lambda: discrete_laplace(1, dimension=0), "dimension must be a whole number >= 1, got 0"),
        (lambda: discrete_laplace(1, dimension="1/2"), "dimension must be a whole number >= 1, got 1/2"),
        (lambda: discrete_laplace(1, dimension=2.0), 'dimension must be exact, got the float 2.0; write "2.0" for 2'),
        (lambda: discrete_laplace(1).map(-1), "d_in must be >= 0, got -1"),
        (lambda: discrete_laplace(1).check(1, (1, 0)), "d_out must be 1 number(s) under pure, got 2"),
        (lambda: discrete_laplace(1)(F(1, 2)), "the input must be a member of grid(1)"),
        (lambda: discrete_laplace(1)(0.5), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
        (lambda: discrete_laplace(1)("one"), "the input must be a member of grid(1)"),
        (lambda: discrete_laplace(1)((1,)), one_number("grid(1)")),
        (lambda: discrete_laplace(1, dimension=2)((1,)), "the input must be a member of vector(grid(1), 2)"),
    ],
)
def test_discrete_laplace_refuses_in_one_sentence(call, said):
    assert refusal(call) == said


def test_discrete_laplace_follows_only_where_domain_and_metric_meet():
    assert refusal(lambda: clamped_sum(0, 1) >> discrete_laplace(1, 2)) == (
        "the output domain grid(1) does not lie in the input domain grid(2)"
    )
    assert refusal(lambda: histogram(3, norm="l2") >> discrete_laplace(1, dimension=3)) == (
        "the output metric l2 is not the input metric l1"
    )
    assert refusal(lambda: histogram(3) >> discrete_laplace(1)) == (
        "the output domain vector(grid(1), 3) does not lie in the input domain grid(1)"
    )
