"""staircase: a density of steps that integrates to 1, the least loss one sensitivity apart; each constant is needed."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.kernel.judgements import KernelError
from refdp.mechanisms import STAIRCASE
from refdp.numerics.masses import mass
from refdp.provers.lemmas import lemma
from refdp.spec.samplers import sampler_obligations
from refdp.spec.signatures import mechanism_signature
from refdp.terms.reading import read
from tests.claimed import staircase
from tests.exactness.entering import written
from tests.exactness.refusals import refusal
from tests.exactness.variants import verdict, verdicts
from tests.mechanisms.checks import MP, TINY, encloses, misses, real

STEM = "wrong_staircase"
PARAMETERS = [(F(1), F(1), F(1, 3)), (F(1, 2), F(2), F(9, 10)), (F(3), F(1, 4), F(1, 2))]


def variant(field, body, reads):
    """The noise with one other formula."""
    return replace(STAIRCASE, stem=STEM, **{field: written(field, reads, body)})


def density(epsilon, sensitivity, gamma, z):
    """GV16: a on [0, gamma D), a e^-epsilon on [gamma D, D), and e^-epsilon times the same D further out; even."""
    b = MP.exp(-real(epsilon))
    a = (1 - b) / (2 * real(sensitivity) * (real(gamma) + b * (1 - real(gamma))))
    far, steps = abs(z), 0
    while far >= sensitivity:
        far, steps = far - sensitivity, steps + 1
    return a * b ** (steps + (0 if far < gamma * sensitivity else 1))


def edges(sensitivity, gamma):
    """Where the density jumps, around them, and at no special place."""
    jumps = [sensitivity * k + s for k in range(3) for s in (F(0), gamma * sensitivity)]
    return sorted({sign * (j + shift) for j in jumps for shift in (F(0), F(1, 1000)) for sign in (1, -1)})


@pytest.mark.parametrize("given", PARAMETERS)
def test_staircase_density_is_its_definition(given):
    subject = "staircase({}, {}, {})".format(*given)
    for x in (F(0), F(5, 2)):
        assert misses(subject, x, {x + z: density(*given, z) for z in edges(*given[1:])}) == []


@pytest.mark.parametrize("given", PARAMETERS)
def test_staircase_density_integrates_to_1(given):
    """Step by step over 4000 levels of one side: what is left is below e^-2000."""
    epsilon, sensitivity, gamma = given
    level = density(*given, F(0)) * real(gamma * sensitivity)
    level += density(*given, gamma * sensitivity) * real((1 - gamma) * sensitivity)
    total = sum(level * MP.exp(-real(epsilon)) ** k for k in range(4000))
    assert abs(2 * total - 1) < TINY


@pytest.mark.parametrize("given", PARAMETERS)
def test_staircase_map_is_the_least_epsilon_one_sensitivity_apart(given):
    """Over a lattice of outputs and of distances up to one sensitivity; reached at it."""
    epsilon, sensitivity, _ = given
    points = [sensitivity * F(k, 20) for k in range(-50, 51)]
    losses = {
        d: max(MP.log(density(*given, y) / density(*given, y - d)) for y in points)
        for d in (sensitivity * F(k, 10) for k in range(11))
    }
    assert max(losses.values()) <= real(epsilon) + TINY
    assert abs(losses[sensitivity] - real(epsilon)) < TINY


def test_staircase_signature_speaks_of_one_sensitivity():
    found = mechanism_signature(STAIRCASE)
    assert (found.metric, str(found.d_in), list(map(str, found.d_out))) == ("absolute", "sensitivity", ["epsilon"])


def test_staircase_is_proved_under_another_stem():
    found = verdicts(replace(STAIRCASE, stem="same_staircase"))
    assert found == dict.fromkeys(found, "proved")
    assert len(found) == 4


@pytest.mark.parametrize("body", ["epsilon * 999 / 1000", "0 * epsilon"])
def test_staircase_with_a_smaller_map_is_not_proved(body):
    assert verdict(variant("privacy_map", body, "epsilon"), "loss_is_bounded") == "disproved"


@pytest.mark.parametrize(
    ("field", "body", "reads", "key"),
    [
        ("log_height", "-(2 * height * epsilon)", "height epsilon", "loss_is_bounded"),
        ("log_height", "-(height * epsilon) * 1001 / 1000", "height epsilon", "loss_is_bounded"),
        ("log_height", "height * epsilon", "height epsilon", "heights_are_geometric"),
        ("log_height", "-(height * epsilon) - 1", "height epsilon", "heights_are_geometric"),
        ("log_height", "-(height ** 2 * epsilon)", "height epsilon", "heights_are_geometric"),
        ("log_height", "0 * height * epsilon", "height epsilon", "heights_are_geometric"),
        ("inner", "gamma", "sensitivity gamma", "levels_have_a_break"),
        ("inner", "(1 + gamma) * sensitivity", "sensitivity gamma", "levels_have_a_break"),
        ("inner", "-gamma * sensitivity", "sensitivity gamma", "levels_have_a_break"),
        ("inner", "gamma * sensitivity / 2", "sensitivity gamma", "sum_of_levels_is_the_normaliser"),
        ("inner", "(1 - gamma) * sensitivity", "sensitivity gamma", "sum_of_levels_is_the_normaliser"),
        ("width", "2 * sensitivity", "sensitivity", "sum_of_levels_is_the_normaliser"),
        ("width", "0 * sensitivity", "sensitivity", "levels_have_a_break"),
    ],
)
def test_staircase_with_a_wrong_formula_is_not_proved(field, body, reads, key):
    assert verdict(variant(field, body, reads), key) == "disproved"


RIGHT = "2 * sensitivity * (gamma + (1 - gamma) * ratio) / (1 - ratio)"
WRONG = [
    "sensitivity * (gamma + (1 - gamma) * ratio) / (1 - ratio)",
    "2 * sensitivity * (gamma + (1 - gamma) * ratio ** 2) / (1 - ratio)",
    "2 * sensitivity * (gamma + (1 - gamma) * ratio) / (1 - ratio ** 2)",
    "2 * sensitivity * (1 - gamma + gamma * ratio) / (1 - ratio)",
    "2 * (gamma + (1 - gamma) * ratio) / (1 - ratio)",
    f"{RIGHT} * 1001 / 1000",
    f"{RIGHT} + 1",
]


@pytest.mark.parametrize("body", WRONG)
def test_staircase_with_a_wrong_normaliser_is_not_proved(body):
    wrong = variant("normaliser", body, "ratio sensitivity gamma")
    assert verdict(wrong, "sum_of_levels_is_the_normaliser") == "disproved"


def test_staircase_has_no_sampler_and_no_obligation_of_another_measure():
    assert refusal(lambda: sampler_obligations("staircase")) == "staircase has no sampler"
    with pytest.raises(KernelError, match="has no obligation"):
        lemma("staircase.renyi_exponent_is_bounded")


@pytest.mark.parametrize("given", ["0, 1, 1/2", "1, 0, 1/2", "1, 1, 0", "1, 1, 1", "-1, 1, 1/2"])
def test_staircase_outside_its_conditions_has_no_density(given):
    assert "breaks" in refusal(lambda: mass(read(f"staircase({given})"), F(0), F(0)))


def test_staircase_claim_is_about_one_sensitivity():
    claim = staircase.pure().claim
    assert str(claim.term) == (
        "private(staircase(epsilon, sensitivity, gamma), reals(), absolute(sensitivity), pure(epsilon), 0 < epsilon, "
        "0 < sensitivity, 0 < gamma, gamma < 1)"
    )


def test_staircase_at_gamma_near_0_and_1_is_laplace_like():
    """One step a level: the density at the break is that of the level's other part."""
    for gamma, inside in ((F(1, 10**6), F(1, 2)), (1 - F(1, 10**6), F(1, 2))):
        given = (F(1), F(1), gamma)
        assert encloses(mass(read("staircase({}, {}, {})".format(*given)), inside, F(0)), density(*given, inside))
