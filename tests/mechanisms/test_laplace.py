"""laplace: a density, the least loss, and no sampler; and every constant of the density is needed."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import pairwise

import pytest

from refdp.kernel.judgements import KernelError
from refdp.kernel.rules import instantiate
from refdp.mechanisms import LAPLACE
from refdp.numerics.enclosures import enclose
from refdp.pipeline import noise_measurement
from refdp.provers.lemmas import lemma
from refdp.spec.obligations import privacy
from refdp.spec.samplers import sampler_obligations
from refdp.transformations import clamped_sum
from tests.claimed import laplace as laplace_proofs
from tests.exactness.entering import written
from tests.exactness.refusals import refusal
from tests.exactness.variants import verdict, verdicts
from tests.mechanisms.checks import MP, TINY, misses, real
from tests.mechanisms.refused_alike import DENSITIES

STEM = "wrong_laplace"
PARAMETERS = [F(1), F(1, 2), F(7, 3)]
POINTS = [F(0), F(1, 3), F(-2), F(7, 2)]


def variant(field, body, reads="z scale"):
    """The noise with one other formula."""
    return replace(LAPLACE, stem=STEM, **{field: written(field, reads, body)})


def mapped(body):
    """The noise with another map."""
    return replace(LAPLACE, stem=STEM, privacy_maps={"pure": written("wrong_map", "d_in scale", body)})


def made(scale, dimension=None):
    """The measurement: it has a map and densities, and draws nothing."""
    return noise_measurement(LAPLACE, "pure", dimension, scale=scale)


def density(scale, z):
    """The definition."""
    return MP.exp(-real(abs(z) / scale)) / (2 * real(scale))


@pytest.mark.parametrize("scale", PARAMETERS)
def test_laplace_density_is_its_definition(scale):
    for x in (F(0), F(5, 2)):
        assert misses(f"laplace({scale})", x, {x + z: density(scale, z) for z in POINTS}) == []


@pytest.mark.parametrize("scale", PARAMETERS)
def test_laplace_density_integrates_to_1(scale):
    """By quadrature of each half, where the density is smooth, to 40 digits."""
    with MP.workdps(60):
        half = MP.quad(
            lambda z: MP.exp(-z / real(scale)) / (2 * real(scale)), [0, real(scale) * 20, MP.inf], maxdegree=9
        )
    assert abs(2 * half - 1) < MP.mpf(10) ** -40


@pytest.mark.parametrize("scale", PARAMETERS)
@pytest.mark.parametrize("d_in", [F(0), F(1, 3), F(2)])
def test_laplace_map_is_the_least_epsilon(scale, d_in):
    losses = [abs(MP.log(density(scale, z) / density(scale, z - d_in))) for z in (*POINTS, d_in)]
    assert abs(max(losses) - real(made(scale).map(d_in))) < TINY


def test_laplace_of_worked_examples():
    assert (made(F(25)).map(12), made(F(25), 3).map(12)) == (F(12, 25), F(12, 25))


@pytest.mark.parametrize("body", ["d_in / scale / 2", "d_in / scale * 999 / 1000", "d_in / (scale + 1)",
                                  "d_in / (2 * scale ** 2)", "0 * d_in"])  # fmt: skip
def test_laplace_with_a_smaller_map_is_not_proved(body):
    assert verdict(mapped(body), "loss_is_bounded") == "disproved"


@pytest.mark.parametrize(
    ("field", "body", "reads", "key"),
    [
        ("log_weight", "-2 * abs(z) / scale", "z scale", "loss_is_bounded"),
        ("log_weight", "-abs(z) / scale * 1001 / 1000", "z scale", "loss_is_bounded"),
        ("log_weight", "-(z ** 2) / scale", "z scale", "loss_is_bounded"),
        ("log_weight", "abs(z) / scale", "z scale", "tail_is_geometric"),
        ("tail_rate", "2 / scale", "scale", "tail_is_geometric"),
        ("tail_rate", "1001 / 1000 / scale", "scale", "tail_is_geometric"),
        ("tail_rate", "0 * scale", "scale", "tail_is_geometric"),
        ("tail_offset", "-1 / 1000 + 0 * scale", "scale", "tail_is_geometric"),
    ],
)
def test_laplace_with_a_wrong_formula_is_not_proved(field, body, reads, key):
    assert verdict(variant(field, body, reads), key) == "disproved"


def test_laplace_with_a_map_that_does_not_add_up_is_not_proved():
    assert verdict(mapped("(d_in + 1) / scale"), "losses_accumulate.pure") == "disproved"


@pytest.mark.parametrize("body", ["scale", "2 * scale * 1001 / 1000", "2 * scale + 1", "2", "2 * scale ** 2"])
def test_laplace_with_a_wrong_normaliser_is_not_proved(body):
    assert verdict(variant("normaliser", body, "scale"), "integral_is_the_normaliser") in {"disproved", "unknown"}


@pytest.mark.parametrize(
    "body", ["-(scale * bound) / d_in", "-(scale * bound * 1000)", "-bound * (1 + scale) / d_in ** 2"]
)
def test_laplace_has_no_output_that_is_far_enough(body):
    """Its loss is bounded, so no formula will do."""
    assert verdict(variant("far_output", body, "bound d_in scale"), "loss_exceeds_every_bound") == "disproved"


def divergence(scale, d_in, order):
    """The Renyi divergence between densities d_in apart, by quadrature of each smooth part."""
    n, d = real(order), real(d_in)

    def integrand(z):
        return density_at(scale, z) ** n * density_at(scale, z - d) ** (1 - n)

    with MP.workdps(60):
        cuts = [-200 * real(scale), MP.mpf(0), d, d + 200 * real(scale)]
        moment = sum(MP.quad(integrand, list(cut)) for cut in pairwise(cuts))
        return MP.log(moment) / (n - 1)


def density_at(scale, z):
    """The density at a number of mpmath."""
    return MP.exp(-abs(z) / real(scale)) / (2 * real(scale))


@pytest.mark.parametrize("scale", PARAMETERS)
@pytest.mark.parametrize("order", [2, F(3, 2), 7])
def test_laplace_exact_divergence_is_its_definition(scale, order):
    theorem = laplace_proofs.renyi_exact()
    for d_in in (scale / 3, 2 * scale):
        values = {"scale": str(scale), "d_in": str(d_in), "order": str(order)}
        exact = enclose(instantiate(theorem, values=values).claim.said[1].arguments[1], {}, 128)
        found = divergence(scale, d_in, order)
        assert real(exact.lower) - MP.mpf(10) ** -30 <= found <= real(exact.upper) + MP.mpf(10) ** -30


@pytest.mark.parametrize(
    ("field", "body", "key"),
    [
        ("log_weight", "-abs(z) / (2 * scale)", "weight_is_linear"),
        ("log_weight", "-abs(z) / scale * 1001 / 1000", "weight_is_linear"),
        ("log_weight", "-(z ** 2) / scale", "exponent_by_cases"),
        ("log_weight", "-max(z, -2 * z) / scale", "exponent_by_cases"),
        ("log_weight", "-abs(z) / scale - 1", "weight_is_linear"),
    ],
)
def test_laplace_with_another_weight_has_another_divergence(field, body, key):
    assert verdict(variant(field, body), key) == "disproved"


@pytest.mark.parametrize("body", ["d_in ** 2 / scale", "(d_in + 1) / scale", "-d_in / scale", "0 * d_in / scale"])
def test_laplace_with_a_map_that_is_not_linear_has_another_divergence(body):
    assert verdict(mapped(body), "weight_is_linear") == "disproved"


def test_laplace_under_another_measure_is_not_proved():
    assert refusal(lambda: privacy("laplace", "concentrated")) == "laplace has no privacy map for concentrated"
    with pytest.raises(KernelError, match="has no obligation"):
        lemma("laplace.renyi_exponent_is_bounded")


def test_laplace_is_proved_under_another_stem():
    found = verdicts(replace(LAPLACE, stem="same_laplace"))
    assert found == dict.fromkeys(found, "proved")
    assert "integral_is_the_normaliser" in found


def test_laplace_has_no_sampler():
    assert refusal(lambda: made(F(1))(0)) == "laplace has no sampler"
    assert refusal(lambda: sampler_obligations("laplace")) == "laplace has no sampler"


@pytest.mark.parametrize(("call", "said"), DENSITIES)
def test_laplace_refuses_in_one_sentence(call, said):
    assert refusal(lambda: call(made)) == said.format(parameter="scale")


@pytest.mark.parametrize("value", [F(0), F(-3, 2)])
def test_laplace_of_a_parameter_that_is_not_positive_has_no_density(value):
    assert refusal(lambda: misses(f"laplace({value})", F(0), {F(0): real(1)})) == f"laplace({value}) breaks 0 < scale"


def test_laplace_follows_only_where_the_domain_meets():
    assert (clamped_sum(0, 3) >> made(F(3))).d_out
    assert refusal(lambda: clamped_sum(0, 3) >> made(F(1), 2)) == (
        "the output domain grid(1) does not lie in the input domain vector(reals(), 2)"
    )
