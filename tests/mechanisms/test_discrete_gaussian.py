"""discrete_gaussian: masses, the least rho, and the sampler; and every constant of them is needed."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.mechanisms import discrete_gaussian
from refdp.mechanisms.discrete_gaussian import DISCRETE_GAUSSIAN
from refdp.spec.samplers import SCHEMES
from refdp.transformations import clamped_sum, histogram
from tests.exactness.entering import written
from tests.exactness.refusals import refusal, shows
from tests.exactness.variants import verdict, verdicts
from tests.mechanisms.checks import MP, NOT_NUMBERS, TINY, misses, real, refuted, renyi, walked

RIGHT = SCHEMES["discrete_gaussian"]
PARAMETERS = [(F(1), F(1)), (F(1, 2), F(1)), (F(3, 2), F(1)), (F(1), F(1, 2))]
STEM = "wrong_gaussian_noise"


def by_hand(sigma, step, x=F(0), steps=120):
    """The definition: weights exp(-z^2 / (2 sigma^2)) over their sum, cut where they are below e^-700."""
    weights = {k * step: MP.exp(-real((k * step) ** 2 / (2 * sigma**2))) for k in range(-steps, steps + 1)}
    total = sum(weights.values())
    return {x + z: w / total for z, w in weights.items()}


def variant(field, body, reads):
    """The noise with one other formula."""
    return replace(DISCRETE_GAUSSIAN, stem=STEM, **{field: written(field, reads, body)})


def mapped(body):
    """The noise with another map."""
    return replace(DISCRETE_GAUSSIAN, stem=STEM, privacy_maps={"concentrated": written("map", "d_in sigma", body)})


@pytest.mark.parametrize(("sigma", "step"), PARAMETERS)
def test_discrete_gaussian_masses_are_their_definition(sigma, step):
    for x in (F(0), 2 * step):
        law = {y: p for y, p in by_hand(sigma, step, x).items() if abs(y) <= 10 * step}
        assert misses(f"discrete_gaussian({sigma}, {step})", x, law) == []
    assert discrete_gaussian(sigma, step).pmf(step / 3, 0).upper == 0


@pytest.mark.parametrize(("sigma", "step"), PARAMETERS)
def test_discrete_gaussian_masses_sum_to_1(sigma, step):
    """Twenty steps either side leave out less than 2^-50."""
    inside = [discrete_gaussian(sigma, step).pmf(k * step, 0) for k in range(-20, 21)]
    assert sum(p.lower for p in inside) <= 1 <= sum(p.upper for p in inside) + F(1, 2**50)


@pytest.mark.parametrize(("sigma", "step"), PARAMETERS)
@pytest.mark.parametrize("order", [2, 3, 4])
def test_discrete_gaussian_map_is_the_least_rho(sigma, step, order):
    """At whole orders the shifted lattice is the lattice: the divergence is order times rho, to 150 digits."""
    for steps in (0, 1, 2):
        found = renyi(by_hand(sigma, step), by_hand(sigma, step, steps * step), order)
        rho = real(discrete_gaussian(sigma, step).map(steps * step))
        assert abs(found - order * rho) < TINY


@pytest.mark.parametrize("order", [F(3, 2), F(9, 4), F(21, 10)])
def test_discrete_gaussian_map_is_never_exceeded_between_whole_orders(order):
    for sigma, step in PARAMETERS:
        found = renyi(by_hand(sigma, step), by_hand(sigma, step, step), order)
        assert found <= real(order * discrete_gaussian(sigma, step).map(step)) + TINY


def test_discrete_gaussian_of_worked_examples():
    assert discrete_gaussian(2).map(1) == F(1, 8)
    assert discrete_gaussian("1/2").map(3) == 18
    assert (histogram(2, norm="l2") >> discrete_gaussian(2, dimension=2)).map(3) == F(9, 8)
    assert discrete_gaussian(2).check(1, "1/8")
    assert not discrete_gaussian(2).check(1, "999/8000")


def test_discrete_gaussian_is_proved_under_another_stem():
    found = verdicts(replace(DISCRETE_GAUSSIAN, stem="same_gaussian_noise"), RIGHT)
    assert found == dict.fromkeys(found, "proved")
    assert len(found) == 10


@pytest.mark.parametrize("body", ["d_in ** 2 / (4 * sigma ** 2)", "d_in ** 2 / (2 * sigma ** 2) * 999 / 1000",
                                  "d_in ** 2 / (2 * sigma)", "d_in / (2 * sigma ** 2)",
                                  "d_in ** 2 / (2 * (sigma + 1) ** 2)"])  # fmt: skip
def test_discrete_gaussian_with_a_smaller_map_is_not_proved(body):
    assert verdict(mapped(body), "renyi_exponent_is_bounded") == "disproved"


def test_discrete_gaussian_with_a_map_that_falls_is_not_proved():
    assert verdict(mapped("-(d_in ** 2) / (2 * sigma ** 2)"), "map_grows.concentrated") == "disproved"
    assert verdict(mapped("(d_in ** 2 + 1) / (2 * sigma ** 2)"), "losses_accumulate.concentrated") == "disproved"
    assert verdict(mapped("d_in / (2 * sigma ** 2)"), "losses_accumulate.concentrated") == "disproved"


@pytest.mark.parametrize(
    ("field", "body", "key"),
    [
        ("log_weight", "-(z ** 2) / sigma ** 2", "renyi_exponent_is_bounded"),
        ("log_weight", "-(z ** 2) / (2 * sigma ** 2) * 1001 / 1000", "renyi_exponent_is_bounded"),
        ("log_weight", "-(z ** 2) / (2 * sigma)", "renyi_exponent_is_bounded"),
        ("log_weight", "-abs(z) / sigma", "renyi_exponent_is_bounded"),
        ("log_weight", "-abs(z) / sigma", "parallelogram_law_holds"),
        ("log_weight", "-(z ** 4) / (2 * sigma ** 2)", "parallelogram_law_holds"),
        ("log_weight", "1 - z ** 2 / (2 * sigma ** 2)", "parallelogram_law_holds"),
        ("log_weight", "-((z - 1) ** 2) / (2 * sigma ** 2)", "weights_are_log_concave"),
        ("log_weight", "z ** 2 / (2 * sigma ** 2)", "weights_are_log_concave"),
        ("log_weight", "0 * z * sigma", "weights_are_log_concave"),
        ("log_weight", "-(z ** 2) / sigma ** 2", "sampler.draws_have_the_weights"),
        ("tail_rate", "2 / sigma", "tail_is_geometric"),
        ("tail_rate", "1001 / 1000 / sigma", "tail_is_geometric"),
        ("tail_rate", "0 * sigma", "tail_is_geometric"),
        ("tail_offset", "1 / 4 + 0 * sigma", "tail_is_geometric"),
        ("tail_offset", "999 / 2000 + 0 * sigma", "tail_is_geometric"),
    ],
)
def test_discrete_gaussian_with_a_wrong_formula_is_not_proved(field, body, key):
    reads = "z sigma" if field == "log_weight" else "sigma"
    scheme = RIGHT if key.startswith("sampler") else None
    assert verdict(variant(field, body, reads), key, scheme) == "disproved"


ACCEPTANCES = {
    "twice": "-((abs(z) - sigma ** 2 / proposal_scale) ** 2) / sigma ** 2",
    "half": "-((abs(z) - sigma ** 2 / proposal_scale) ** 2) / (4 * sigma ** 2)",
    "always": "0 * z",
    "another centre": "-((abs(z) - sigma / proposal_scale) ** 2) / (2 * sigma ** 2)",
    "no centre": "-(z ** 2) / (2 * sigma ** 2)",
    "no absolute value": "-((z - sigma ** 2 / proposal_scale) ** 2) / (2 * sigma ** 2)",
    "999 of 1000": "-((abs(z) - sigma ** 2 / proposal_scale) ** 2) / (2 * sigma ** 2) * 999 / 1000",
    "no probability": "-(z ** 2) / (2 * sigma ** 2) + abs(z) / proposal_scale",
}


def accepting(body):
    """The scheme with another acceptance."""
    return replace(RIGHT, log_acceptance=written("log_acceptance", "z sigma proposal_scale", body))


@pytest.mark.parametrize("body", ACCEPTANCES.values(), ids=ACCEPTANCES)
def test_discrete_gaussian_with_a_wrong_acceptance_is_not_proved(body):
    wrong = replace(DISCRETE_GAUSSIAN, stem=STEM)
    assert verdict(wrong, "sampler.draws_have_the_weights", accepting(body)) == "disproved"


@pytest.mark.parametrize("body", ["0 * sigma", "-(sigma ** 2) / proposal_scale ** 2",
                                  "-(sigma ** 2) / (2 * proposal_scale)"])  # fmt: skip
def test_discrete_gaussian_with_a_wrong_constant_is_not_proved(body):
    scheme = replace(RIGHT, log_constant=written("log_constant", "sigma proposal_scale", body))
    assert verdict(replace(DISCRETE_GAUSSIAN, stem=STEM), "sampler.draws_have_the_weights", scheme) == "disproved"


@pytest.mark.parametrize(("sigma", "step", "least"), [("1/2", "1", F(1, 2)), ("1", "1", F(9, 20))])
def test_discrete_gaussian_sampler_has_the_masses(sigma, step, least):
    subject, x = f"discrete_gaussian({sigma}, {step})", F(1)
    found = walked(subject, x, 14)
    assert 1 - found.unresolved >= least
    assert refuted(found, subject, x, map(F, range(-5, 8))) == []


@pytest.mark.parametrize("proposed", ["always"])
def test_discrete_gaussian_sampler_that_accepts_too_much_is_told_apart(proposed):
    wrong = replace(DISCRETE_GAUSSIAN, stem=STEM)
    found = walked(f"{STEM}(1/2, 1)", F(0), 14, wrong, accepting(ACCEPTANCES[proposed]))
    assert 0 in refuted(found, "discrete_gaussian(1/2, 1)", F(0))


def test_discrete_gaussian_measurement_draws_on_the_grid():
    m = discrete_gaussian(1, "1/2")
    assert all((m(F(3, 2)) * 2).denominator == 1 for _ in range(20))
    assert len(discrete_gaussian(1, dimension=3)((0, 1, 2))) == 3


@pytest.mark.parametrize("parameter", ["sigma", "granularity"])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_discrete_gaussian_refuses_what_is_no_exact_number(parameter, value):
    assert shows(refusal(lambda: discrete_gaussian(**{"sigma": 1, parameter: value})), parameter, value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: discrete_gaussian(0), "sigma must be > 0, got 0"),
        (lambda: discrete_gaussian("-1/2"), "sigma must be > 0, got -1/2"),
        (lambda: discrete_gaussian(1, 0), "granularity must be > 0, got 0"),
        (lambda: discrete_gaussian(1, dimension=0), "dimension must be a whole number >= 1, got 0"),
        (lambda: discrete_gaussian(1).map(-1), "d_in must be >= 0, got -1"),
        (lambda: discrete_gaussian(1).check(1, (1, 0)), "d_out must be 1 number(s) under concentrated, got 2"),
        (lambda: discrete_gaussian(1)(F(1, 2)), "the input must be a member of grid(1)"),
        (lambda: discrete_gaussian(1)(0.5), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
        (lambda: discrete_gaussian(1, dimension=2)((1, 2, 3)), "the input must be a member of vector(grid(1), 2)"),
    ],
)
def test_discrete_gaussian_refuses_in_one_sentence(call, said):
    assert refusal(call) == said


def test_discrete_gaussian_follows_only_where_domain_and_metric_meet():
    assert refusal(lambda: clamped_sum(0, 1) >> discrete_gaussian(1, 2)) == (
        "the output domain grid(1) does not lie in the input domain grid(2)"
    )
    assert refusal(lambda: histogram(3) >> discrete_gaussian(1, dimension=3)) == (
        "the output metric l1 is not the input metric l2"
    )
