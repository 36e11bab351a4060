"""renormalised_geometric: its masses are weights over a sum that depends on the input; the claimed epsilon is false."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.kernel.judgements import KernelError
from refdp.mechanisms import RENORMALISED_GEOMETRIC
from refdp.provers.lemmas import lemma
from refdp.spec.obligations import law, obligations, privacy
from refdp.spec.samplers import sampler_obligations
from refdp.spec.signatures import mechanism_signature
from tests.exactness.entering import entered, written
from tests.exactness.refusals import refusal
from tests.mechanisms.checks import MP, TINY, encloses, finite_masses, real, worst_loss

PARAMETERS = [(F(1), 2), (F(2), 3), (F(1, 2), 1), (F(1, 3), 5)]


def by_hand(scale, upper, x):
    """The definition: weights exp(-|y - x| / scale) on 0, ..., upper over their sum."""
    weights = {F(y): MP.exp(-real(abs(y - x) / scale)) for y in range(upper + 1)}
    total = sum(weights.values())
    return {y: w / total for y, w in weights.items()}


@pytest.mark.parametrize(("scale", "upper"), PARAMETERS)
def test_renormalised_geometric_masses_are_their_definition(scale, upper):
    for x in map(F, range(upper + 1)):
        found, expected = finite_masses(f"renormalised_geometric({scale}, {upper})", x), by_hand(scale, upper, x)
        assert found.keys() == expected.keys()
        assert all(encloses(found[y], p) for y, p in expected.items())
        assert sum(p.lower for p in found.values()) <= 1 <= sum(p.upper for p in found.values())
        assert abs(sum(expected.values()) - 1) < TINY


@pytest.mark.parametrize(("scale", "upper"), [p for p in PARAMETERS if p[1] > 1])
def test_renormalised_geometric_exceeds_the_epsilon_of_the_truncated(scale, upper):
    """From the end to its neighbour: the end's own weight is 1 under both, and the sums differ."""
    first, second = by_hand(scale, upper, F(0)), by_hand(scale, upper, F(1))
    epsilon = 1 / real(scale)
    assert worst_loss(first, second) > epsilon + TINY
    assert worst_loss(first, second) <= 2 * epsilon


def test_renormalised_geometric_worst_loss_on_three_values():
    """With r = e^(-1/scale): at output 0 the ratio is (1 + 2 r) / (1 + r + r^2) / r."""
    r = MP.exp(-real(1))
    expected = MP.log((1 + 2 * r) / (1 + r + r**2) / r)
    assert abs(worst_loss(by_hand(F(1), 2, F(0)), by_hand(F(1), 2, F(1))) - expected) < TINY


def test_renormalised_geometric_on_two_values_has_the_epsilon():
    """Both are ends, and their sums are equal."""
    worst = worst_loss(by_hand(F(1, 2), 1, F(0)), by_hand(F(1, 2), 1, F(1)))
    assert abs(worst - 2) < TINY


def test_renormalised_geometric_is_not_proved_private():
    """No obligation could make the claim: there is no map, no signature and no lemma."""
    said = "renormalised_geometric has no privacy map"
    assert refusal(lambda: privacy("renormalised_geometric")) == said
    assert refusal(lambda: mechanism_signature(RENORMALISED_GEOMETRIC)) == said
    assert obligations("renormalised_geometric") == {}
    assert law("renormalised_geometric") == {}
    with pytest.raises(KernelError, match="has no obligation"):
        lemma("renormalised_geometric.loss_is_bounded")


@pytest.mark.parametrize("body", ["-abs(output - input) / (2 * scale)", "-(output - input) ** 2 / scale", "0 * output"])
def test_renormalised_geometric_with_other_weights_is_not_proved_and_has_other_masses(body):
    wrong = replace(
        RENORMALISED_GEOMETRIC, stem="wrong_renormalised", log_weight=written("w", "output input scale", body)
    )
    with entered(wrong):
        assert obligations("wrong_renormalised") == {}
        found = finite_masses("wrong_renormalised(1, 2)", F(0))
    assert not all(encloses(found[y], p) for y, p in by_hand(F(1), 2, F(0)).items())


def test_renormalised_geometric_has_no_sampler():
    assert refusal(lambda: sampler_obligations("renormalised_geometric")) == "renormalised_geometric has no sampler"


@pytest.mark.parametrize(
    ("subject", "x", "said"),
    [
        ("renormalised_geometric(0, 2)", F(0), "renormalised_geometric(0, 2) breaks 0 < scale"),
        ("renormalised_geometric(-1, 2)", F(0), "renormalised_geometric(-1, 2) breaks 0 < scale"),
        ("renormalised_geometric(1, 0)", F(0), "renormalised_geometric(1, 0) breaks 1 <= upper"),
        ("renormalised_geometric(1, 3/2)", F(0), "renormalised_geometric(1, 3/2) breaks integer(upper)"),
        ("renormalised_geometric(1)", F(0), "renormalised_geometric(1) is not renormalised_geometric(scale, upper)"),
        ("renormalised_geometric(1, 2)", F(3), "the input is not in the domain of renormalised_geometric(1, 2)"),
        ("renormalised_geometric(1, 2)", F(1, 2), "the input is not in the domain of renormalised_geometric(1, 2)"),
    ],
)
def test_renormalised_geometric_refuses_in_one_sentence(subject, x, said):
    assert refusal(lambda: finite_masses(subject, x)) == said
