"""laplace_noisy_max: its law by integration, a map that is approached, and what giving out the value costs."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import product

import pytest

from refdp.mechanisms import LAPLACE_NOISY_MAX
from refdp.spec.samplers import sampler_obligations
from tests.exactness.entering import written
from tests.exactness.refusals import refusal
from tests.exactness.variants import verdict, verdicts
from tests.mechanisms.checks import MP, finite_masses, real, worst_loss

STEM = "wrong_max"
SCALES = [F(2), F(1, 3)]
SCORES = [(F(0),), (F(0), F(0)), (F(0), F(1)), (F(3), F(1), F(5, 2)), (F(-1), F(-1), F(2), F(0)), (F(0), F(60))]
CLOSE = MP.mpf(10) ** -15


def variant(field, body, reads):
    """The mechanism with one other formula."""
    return replace(LAPLACE_NOISY_MAX, stem=STEM, **{field: written(field, reads, body)})


def below(t):
    """P[Z < t] for Laplace noise of scale 1."""
    return MP.exp(t) / 2 if t < 0 else 1 - MP.exp(-t) / 2


def by_quadrature(scale, scores):
    """The definition, cut at every kink."""
    units = [real(s / scale) for s in scores]
    with MP.workdps(20):

        def winner(i):
            cuts = sorted({MP.mpf(0), *(t - units[i] for j, t in enumerate(units) if j != i)})
            edges = [cuts[0] - 60, cuts[0] - 5, *cuts, cuts[-1] + 5, cuts[-1] + 60]
            others = [t for j, t in enumerate(units) if j != i]
            return MP.quad(lambda z: MP.exp(-abs(z)) / 2 * MP.fprod(below(z + units[i] - t) for t in others), edges)

        return {F(i): winner(i) for i in range(len(scores))}


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("scores", SCORES)
def test_laplace_noisy_max_masses_are_their_definition(scale, scores):
    found, expected = finite_masses(f"laplace_noisy_max({scale})", scores), by_quadrature(scale, scores)
    for i, p in expected.items():
        assert real(found[i].lower) - CLOSE <= p <= real(found[i].upper) + CLOSE
        assert found[i].upper - found[i].lower < F(1, 2**50)
    assert sum(p.lower for p in found.values()) <= 1 <= sum(p.upper for p in found.values())


@pytest.mark.parametrize("gap", [F(0), F(1, 2), F(3)])
def test_laplace_noisy_max_of_two_is_the_tail_of_a_difference(gap):
    """P[Z - Z' > g] = e^-g (2 + g) / 4 for g >= 0: the two are of scale 1."""
    worse = finite_masses("laplace_noisy_max(1)", (F(0), gap))[F(0)]
    expected = MP.exp(-real(gap)) * (2 + real(gap)) / 4
    assert real(worse.lower) - CLOSE <= expected <= real(worse.upper) + CLOSE


def middle(scale, scores):
    """The masses, to 15 digits."""
    found = finite_masses(f"laplace_noisy_max({scale})", scores)
    return {i: (real(p.lower) + real(p.upper)) / 2 for i, p in found.items()}


@pytest.mark.parametrize("scale", SCALES)
def test_laplace_noisy_max_map_is_never_exceeded(scale):
    bound = 2 / real(scale) + CLOSE
    for scores in ((F(0), F(0)), (F(0), F(4)), (F(0), F(2), F(1))):
        here = middle(scale, scores)
        for moves in product((-1, 0, 1), repeat=len(scores)):
            assert worst_loss(here, middle(scale, tuple(s + m for s, m in zip(scores, moves, strict=True)))) <= bound


def test_laplace_noisy_max_map_is_approached_by_far_scores():
    losses = [worst_loss(middle(1, (F(0), g)), middle(1, (F(1), g - 1))) for g in (F(4), F(8), F(16))]
    assert losses == sorted(losses)
    assert MP.mpf("1.8") < losses[-1] < 2


def test_laplace_noisy_max_is_proved_under_another_stem():
    found = verdicts(replace(LAPLACE_NOISY_MAX, stem="same_max"))
    assert found == dict.fromkeys(found, "proved")
    assert list(found) == ["scale_is_positive", "density_moves_by_the_map"]


@pytest.mark.parametrize(
    "body", ["d_in / scale", "2 * d_in / scale * 999 / 1000", "2 * d_in / (scale + 1)", "0 * d_in"]
)
def test_laplace_noisy_max_with_a_smaller_map_is_not_proved(body):
    assert verdict(variant("privacy_map", body, "d_in scale"), "density_moves_by_the_map") == "disproved"


@pytest.mark.parametrize(
    ("body", "key"),
    [("scale * 999 / 1000", "density_moves_by_the_map"), ("-scale", "scale_is_positive"),
     ("0 * scale", "scale_is_positive")],
)  # fmt: skip
def test_laplace_noisy_max_with_a_wrong_scale_is_not_proved(body, key):
    assert verdict(variant("scale", body, "scale"), key) == "disproved"


@pytest.mark.parametrize("other", ["permute_and_flip", "exponential", "laplace"])
def test_laplace_noisy_max_has_the_law_of_no_selection_here(other):
    assert verdict(replace(LAPLACE_NOISY_MAX, stem=STEM, same_law_as=other), "scale_is_positive") == "refused"


def test_laplace_noisy_max_has_no_sampler():
    assert refusal(lambda: sampler_obligations("laplace_noisy_max")) == "laplace_noisy_max has no sampler"
