"""exponential_noisy_max: its law by integration, the law of permute and flip, the least loss; not with its value."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import product
from random import Random

import pytest

from refdp.mechanisms import EXPONENTIAL_NOISY_MAX, permute_and_flip
from refdp.sampling.coins import Coins
from refdp.sampling.schemes import draw
from refdp.sampling.tree import Tape
from refdp.spec.noisy_max import NoisyMax
from refdp.spec.samplers import BySameLaw, sampler_obligations
from refdp.terms.reading import read
from tests.claimed import exponential_noisy_max
from tests.exactness.entering import entered, written
from tests.exactness.refusals import refusal
from tests.exactness.variants import verdict, verdicts
from tests.mechanisms.checks import MP, encloses, finite_masses, real, worst_loss

STEM = "wrong_max"
SCALES = [F(2), F(1, 3)]
SCORES = [(F(0),), (F(0), F(0)), (F(0), F(1)), (F(3), F(1), F(5, 2)), (F(-1), F(-1), F(2), F(0))]


def variant(field, body, reads):
    """The mechanism with one other formula."""
    return replace(EXPONENTIAL_NOISY_MAX, stem=STEM, **{field: written(field, reads, body)})


def by_quadrature(scale, scores):
    """The definition: the integral of the winner's density times the others' distribution functions, from the best."""
    b, best = real(scale), max(scores)
    with MP.workdps(20):

        def winner(i):
            def integrand(v):
                below = [1 - MP.exp(-(v - real(t)) / b) for j, t in enumerate(scores) if j != i]
                return MP.exp(-(v - real(scores[i])) / b) / b * MP.fprod(below)

            return MP.quad(integrand, [real(best), real(best + 5 * scale), real(best + 40 * scale), MP.inf])

        return {F(i): winner(i) for i in range(len(scores))}


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("scores", SCORES)
def test_exponential_noisy_max_masses_are_their_definition(scale, scores):
    found, expected = finite_masses(f"exponential_noisy_max({scale})", scores), by_quadrature(scale, scores)
    assert len(found) == len(scores)
    for i, p in expected.items():
        assert real(found[i].lower) - MP.mpf(10) ** -15 <= p <= real(found[i].upper) + MP.mpf(10) ** -15
    assert abs(sum(expected.values()) - 1) < MP.mpf(10) ** -15


@pytest.mark.parametrize("scores", SCORES)
def test_exponential_noisy_max_has_the_masses_of_permute_and_flip(scores):
    first, second = (finite_masses(f"{stem}(2)", scores) for stem in ("exponential_noisy_max", "permute_and_flip"))
    assert first == second
    assert finite_masses("exponential(2)", scores) != second or len(set(scores)) == 1


@pytest.mark.parametrize("scale", SCALES)
def test_exponential_noisy_max_map_is_never_exceeded_and_reached(scale):
    bound = real(permute_and_flip(scale).map(1))
    for scores in ((F(0), F(0)), (F(0), F(4)), (F(0), F(2), F(1))):
        here = middle(scale, scores)
        losses = [
            worst_loss(here, middle(scale, tuple(s + m for s, m in zip(scores, moves, strict=True))))
            for moves in product((-1, 0, 1), repeat=len(scores))
        ]
        assert max(losses) <= bound + MP.mpf(10) ** -15
        assert scores != (F(0), F(4)) or max(losses) >= bound - MP.mpf(10) ** -15


def middle(scale, scores):
    """The masses, to 15 digits."""
    found = finite_masses(f"exponential_noisy_max({scale})", scores)
    return {i: (real(p.lower) + real(p.upper)) / 2 for i, p in found.items()}


def test_exponential_noisy_max_is_proved_under_another_stem():
    found = verdicts(replace(EXPONENTIAL_NOISY_MAX, stem="same_max"))
    assert found == dict.fromkeys(found, "proved")
    assert list(found) == ["scale_is_positive", "density_moves_by_the_map", "flips_are_the_survival"]


@pytest.mark.parametrize(
    "body", ["d_in / scale", "2 * d_in / scale * 999 / 1000", "2 * d_in / (scale + 1)", "0 * d_in"]
)
def test_exponential_noisy_max_with_a_smaller_map_is_not_proved(body):
    assert verdict(variant("privacy_map", body, "d_in scale"), "density_moves_by_the_map") == "disproved"


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ("scale * 999 / 1000", "density_moves_by_the_map"),
        ("scale / 2", "density_moves_by_the_map"),
        ("scale * 999 / 1000", "flips_are_the_survival"),
        ("2 * scale", "flips_are_the_survival"),
        ("-scale", "scale_is_positive"),
        ("scale - 1", "scale_is_positive"),
        ("0 * scale", "scale_is_positive"),
    ],
)
def test_exponential_noisy_max_with_a_wrong_scale_is_not_proved(body, key):
    assert verdict(variant("scale", body, "scale"), key) == "disproved"


def test_exponential_noisy_max_is_not_the_exponential_mechanism():
    """One-sided noise has the law of a selection by flips; that of a selection by weights is refused."""
    wrong = replace(EXPONENTIAL_NOISY_MAX, stem=STEM, same_law_as="exponential")
    assert verdict(wrong, "flips_are_the_survival") == "refused"
    assert verdict(replace(wrong, same_law_as=""), "scale_is_positive") == "proved"


def test_noise_of_another_shape_is_refused():
    assert refusal(lambda: replace(EXPONENTIAL_NOISY_MAX, stem=STEM, noise="cauchy")) == (
        "noise must be one of exponential, laplace, gumbel, got cauchy"
    )
    assert isinstance(EXPONENTIAL_NOISY_MAX, NoisyMax)


def test_exponential_noisy_max_draws_what_permute_and_flip_draws():
    """On the same flips; and its sampler's law is a claim about that law and the reason why the two are the same."""
    source = Random(5)
    flips = [source.getrandbits(1) for _ in range(4000)]
    first, second = (
        [draw(read(f"{stem}(2)"), scores, coins) for scores in SCORES]
        for stem, coins in (("exponential_noisy_max", Coins(Tape(flips))), ("permute_and_flip", Coins(Tape(flips))))
    )
    assert first == second
    *why, last = (p.claim for p in exponential_noisy_max.sampler_law().premises)
    assert [c.digest for c in why] == [p.claim.digest for p in exponential_noisy_max.law_of_permute_and_flip().premises]
    assert last.subject == read("permute_and_flip(scale)")


def test_exponential_noisy_max_is_not_drawn_from_another_law():
    other = BySameLaw("exponential")
    with entered(replace(EXPONENTIAL_NOISY_MAX, stem=STEM), schemes={STEM: other}):
        assert "is not claimed to have the law of" in refusal(lambda: sampler_obligations(STEM))


@pytest.mark.parametrize(
    ("subject", "scores", "said"),
    [
        ("exponential_noisy_max(0)", (F(0),), "exponential_noisy_max(0) breaks 0 < scale"),
        ("exponential_noisy_max(1)", (), "the input is not in the domain of exponential_noisy_max(1)"),
        ("exponential_noisy_max(1)", F(0), "the input is not in the domain of exponential_noisy_max(1)"),
    ],
)
def test_exponential_noisy_max_refuses_in_one_sentence(subject, scores, said):
    assert refusal(lambda: finite_masses(subject, scores)) == said


def test_exponential_noisy_max_claims_any_number_of_candidates():
    claim = exponential_noisy_max.pure().claim
    assert (claim.metric, str(claim.d_out[0])) == ("linf", "2 * d_in / scale")
    assert [str(c) for c in claim.given][-2:] == ["integer(candidates)", "1 <= candidates"]


def test_exponential_noisy_max_of_one_candidate_is_certain():
    assert encloses(finite_masses("exponential_noisy_max(1)", (F(7),))[F(0)], MP.mpf(1))
