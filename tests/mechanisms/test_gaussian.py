"""gaussian: a density, the least loss, and no sampler; and every constant of the density is needed."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.kernel.judgements import KernelError
from refdp.kernel.rules import instantiate
from refdp.mechanisms import GAUSSIAN
from refdp.pipeline import noise_measurement
from refdp.provers.lemmas import lemma
from refdp.spec.obligations import privacy
from refdp.spec.samplers import sampler_obligations
from refdp.terms.evaluation import evaluate
from refdp.transformations import clamped_sum
from tests.claimed import gaussian as gaussian_proofs
from tests.exactness.entering import written
from tests.exactness.refusals import refusal
from tests.exactness.variants import verdict, verdicts
from tests.mechanisms.checks import MP, TINY, misses, real
from tests.mechanisms.refused_alike import DENSITIES

STEM = "wrong_gaussian"
PARAMETERS = [F(1), F(1, 2), F(7, 3)]
POINTS = [F(0), F(1, 3), F(-2), F(7, 2)]


def variant(field, body, reads="z sigma"):
    """The noise with one other formula."""
    return replace(GAUSSIAN, stem=STEM, **{field: written(field, reads, body)})


def mapped(body):
    """The noise with another map."""
    return replace(GAUSSIAN, stem=STEM, privacy_maps={"concentrated": written("wrong_map", "d_in sigma", body)})


def made(sigma, dimension=None):
    """The measurement: it has a map and densities, and draws nothing."""
    return noise_measurement(GAUSSIAN, "concentrated", dimension, sigma=sigma)


def density(sigma, z):
    """The definition."""
    return MP.exp(-real(z**2 / (2 * sigma**2))) / (real(sigma) * MP.sqrt(2 * MP.pi))


def divergence(sigma, d_in, order):
    """The Renyi divergence between densities d_in apart, by the trapezoidal rule.

    For the entire integrand exp(-u^2 / 2) with step h its error is below 3 exp(-2 pi^2 / h^2): at h = 1/5, 10^-213.
    """
    n, h = real(order), F(1, 5)
    points = [sigma * h * k for k in range(-250, 251)]
    moment = real(sigma * h) * sum(density(sigma, z) ** n * density(sigma, z - d_in) ** (1 - n) for z in points)
    return MP.log(moment) / (n - 1)


@pytest.mark.parametrize("sigma", PARAMETERS)
def test_gaussian_density_is_its_definition(sigma):
    for x in (F(0), F(5, 2)):
        assert misses(f"gaussian({sigma})", x, {x + z: density(sigma, z) for z in POINTS}) == []


@pytest.mark.parametrize("sigma", PARAMETERS)
def test_gaussian_density_integrates_to_1(sigma):
    """By the trapezoidal rule, whose error for this density is below 3 exp(-2 pi^2 / h^2): at h = 1/5, 10^-213."""
    h = F(1, 5)
    total = real(sigma * h) * sum(density(sigma, sigma * h * k) for k in range(-250, 251))
    assert abs(total - 1) < TINY


@pytest.mark.parametrize("sigma", PARAMETERS)
@pytest.mark.parametrize("order", [2, 3, F(3, 2)])
def test_gaussian_map_is_the_least_rho(sigma, order):
    for d_in in (sigma / 3, 2 * sigma):
        assert abs(divergence(sigma, d_in, order) - real(order * made(sigma).map(d_in))) < TINY


def test_gaussian_of_worked_examples():
    assert (made(F(2)).map(1), made(F(2), 3).map(3), made(F(1, 2)).map("1/2")) == (F(1, 8), F(9, 8), F(1, 2))


@pytest.mark.parametrize("body", ["d_in ** 2 / (4 * sigma ** 2)", "d_in ** 2 / (2 * sigma ** 2) * 999 / 1000",
                                  "d_in ** 2 / (2 * sigma)", "d_in / (2 * sigma ** 2)",
                                  "d_in ** 2 / (2 * (sigma + 1) ** 2)"])  # fmt: skip
def test_gaussian_with_a_smaller_map_is_not_proved(body):
    assert verdict(mapped(body), "renyi_exponent_is_bounded") == "disproved"


@pytest.mark.parametrize(
    ("field", "body", "reads", "key"),
    [
        ("log_weight", "-(z ** 2) / sigma ** 2", "z sigma", "renyi_exponent_is_bounded"),
        ("log_weight", "-(z ** 2) / (2 * sigma ** 2) * 1001 / 1000", "z sigma", "renyi_exponent_is_bounded"),
        ("log_weight", "-(z ** 2) / (2 * sigma)", "z sigma", "renyi_exponent_is_bounded"),
        ("log_weight", "-abs(z) / sigma", "z sigma", "renyi_exponent_is_bounded"),
        ("log_weight", "z ** 2 / (2 * sigma ** 2)", "z sigma", "tail_is_geometric"),
        ("tail_rate", "2 / sigma", "sigma", "tail_is_geometric"),
        ("tail_rate", "1001 / 1000 / sigma", "sigma", "tail_is_geometric"),
        ("tail_rate", "0 * sigma", "sigma", "tail_is_geometric"),
        ("tail_offset", "1 / 4 + 0 * sigma", "sigma", "tail_is_geometric"),
    ],
)
def test_gaussian_with_a_wrong_formula_is_not_proved(field, body, reads, key):
    assert verdict(variant(field, body, reads), key) == "disproved"


@pytest.mark.parametrize("body", ["2 * sigma", "sigma * 999 / 1000", "-sigma", "sigma + 1", "1"])
def test_gaussian_with_a_wrong_deviation_has_no_exact_delta(body):
    assert verdict(variant("deviation", body, "sigma"), "weight_is_normal") == "disproved"


@pytest.mark.parametrize(
    "body", ["-(z ** 2) / (4 * sigma ** 2)", "-abs(z) / sigma", "-(z ** 2) / (2 * sigma ** 2) + 1"]
)
def test_gaussian_with_a_wrong_density_has_no_exact_delta(body):
    assert verdict(variant("log_weight", body), "weight_is_normal") == "disproved"


@pytest.mark.parametrize("body", ["-(z ** 2) / (4 * sigma ** 2)", "-abs(z) / sigma"])
def test_gaussian_with_a_wrong_density_has_another_half_line(body):
    assert verdict(variant("log_weight", body), "loss_is_linear") == "disproved"


@pytest.mark.parametrize(
    "body",
    ["-(sigma**2 * bound) / d_in * 999 / 1000", "-(sigma**2 * bound) / (2 * d_in)", "-(sigma * bound) / d_in",
     "sigma**2 * bound / d_in", "-(sigma**2 * bound)", "d_in / 2 + 0 * bound * sigma"],
)  # fmt: skip
def test_gaussian_with_an_output_that_is_not_far_enough_is_not_proved(body):
    wrong = variant("far_output", body.replace("**", " ** "), "bound d_in sigma")
    assert verdict(wrong, "loss_exceeds_every_bound") == "disproved"


def test_gaussian_with_an_output_that_is_farther_is_proved():
    wrong = variant("far_output", "-(sigma ** 2 * bound) / d_in - 1", "bound d_in sigma")
    assert verdict(wrong, "loss_exceeds_every_bound") == "proved"


@pytest.mark.parametrize("sigma", PARAMETERS)
@pytest.mark.parametrize("order", [2, F(3, 2)])
def test_gaussian_exact_divergence_is_its_definition(sigma, order):
    theorem = gaussian_proofs.renyi_exact()
    for d_in in (sigma / 3, 2 * sigma):
        values = {"sigma": str(sigma), "d_in": str(d_in), "order": str(order)}
        exact = instantiate(theorem, values=values).claim.said[1].arguments[1]
        assert abs(divergence(sigma, d_in, order) - real(evaluate(exact, {}))) < TINY


def test_gaussian_with_a_map_that_does_not_add_up_is_not_proved():
    assert verdict(mapped("-(d_in ** 2) / (2 * sigma ** 2)"), "map_grows.concentrated") == "disproved"
    assert verdict(mapped("d_in / (2 * sigma ** 2)"), "losses_accumulate.concentrated") == "disproved"


@pytest.mark.parametrize("body", ["sqrt(2 * pi())", "sigma * sqrt(pi())", "sigma * sqrt(2 * pi()) * 1001 / 1000",
                                  "sigma * pi()", "sigma * sqrt(2 * pi()) + 1", "2 * sigma"])  # fmt: skip
def test_gaussian_with_a_wrong_normaliser_is_not_proved(body):
    assert verdict(variant("normaliser", body, "sigma"), "integral_is_the_normaliser") in {"disproved", "unknown"}


def test_gaussian_under_another_measure_is_not_proved():
    assert refusal(lambda: privacy("gaussian", "pure")) == "gaussian has no privacy map for pure"
    with pytest.raises(KernelError, match="has no obligation"):
        lemma("gaussian.loss_is_bounded")


def test_gaussian_is_proved_under_another_stem():
    found = verdicts(replace(GAUSSIAN, stem="same_gaussian"))
    assert found == dict.fromkeys(found, "proved")
    assert "integral_is_the_normaliser" in found


def test_gaussian_has_no_sampler():
    assert refusal(lambda: made(F(1))(0)) == "gaussian has no sampler"
    assert refusal(lambda: sampler_obligations("gaussian")) == "gaussian has no sampler"


@pytest.mark.parametrize(("call", "said"), DENSITIES)
def test_gaussian_refuses_in_one_sentence(call, said):
    assert refusal(lambda: call(made)) == said.format(parameter="sigma")


@pytest.mark.parametrize("value", [F(0), F(-3, 2)])
def test_gaussian_of_a_parameter_that_is_not_positive_has_no_density(value):
    assert refusal(lambda: misses(f"gaussian({value})", F(0), {F(0): real(1)})) == f"gaussian({value}) breaks 0 < sigma"


def test_gaussian_follows_only_where_the_domain_meets():
    assert (clamped_sum(0, 3) >> made(F(3))).d_out
    assert refusal(lambda: clamped_sum(0, 3) >> made(F(1), 2)) == (
        "the output domain grid(1) does not lie in the input domain vector(reals(), 2)"
    )
