"""gumbel_noisy_max: its law by integration is that of the exponential mechanism; its privacy comes from there."""

from dataclasses import replace
from fractions import Fraction as F
from random import Random

import pytest

from refdp.mechanisms import EXPONENTIAL_NOISY_MAX, GUMBEL_NOISY_MAX
from refdp.mechanisms.exponential import EXPONENTIAL
from refdp.sampling.coins import Coins
from refdp.sampling.schemes import draw
from refdp.sampling.tree import Tape
from refdp.spec.obligations import privacy
from refdp.spec.samplers import BySameLaw, sampler_obligations
from refdp.spec.signatures import mechanism_signature
from refdp.terms.reading import read
from tests.claimed import exponential, gumbel_noisy_max
from tests.exactness.entering import entered, written
from tests.exactness.refusals import refusal
from tests.exactness.variants import verdict, verdicts
from tests.mechanisms.checks import MP, finite_masses, real

STEM = "wrong_max"
SCORES = [(F(0),), (F(0), F(0)), (F(0), F(1)), (F(3), F(1), F(5, 2)), (F(-1), F(-1), F(2), F(0))]
CLOSE = MP.mpf(10) ** -15


def variant(field, body, reads):
    """The mechanism with one other formula."""
    return replace(GUMBEL_NOISY_MAX, stem=STEM, **{field: written(field, reads, body)})


def by_quadrature(scale, scores):
    """The definition: the winner's density times the others' distribution functions exp(-e^(-z / scale))."""
    units = [real(s / scale) for s in scores]
    with MP.workdps(20):

        def winner(i):
            def integrand(z):
                return MP.exp(-z - sum(MP.exp(-(z + units[i] - t)) for t in units))

            return MP.quad(integrand, [-8, -3, 0, 3, 10, 60])

        return {F(i): winner(i) for i in range(len(scores))}


@pytest.mark.parametrize("scale", [F(1), F(2)])
@pytest.mark.parametrize("scores", SCORES)
def test_gumbel_noisy_max_masses_are_their_definition(scale, scores):
    found, expected = finite_masses(f"gumbel_noisy_max({scale})", scores), by_quadrature(scale, scores)
    for i, p in expected.items():
        assert real(found[i].lower) - CLOSE <= p <= real(found[i].upper) + CLOSE
    assert found == finite_masses(f"exponential({scale})", scores)


def test_gumbel_noisy_max_is_proved_under_another_stem():
    found = verdicts(replace(GUMBEL_NOISY_MAX, stem="same_max"))
    assert found == dict.fromkeys(found, "proved")
    assert list(found) == ["scale_is_positive", "weights_are_the_shifts", "integral_over_the_winner"]


@pytest.mark.parametrize("body", ["2 * scale", "scale * 999 / 1000", "scale + 1"])
def test_gumbel_noisy_max_with_another_scale_has_not_the_law(body):
    assert verdict(variant("scale", body, "scale"), "weights_are_the_shifts") == "disproved"


@pytest.mark.parametrize(
    "body", ["score / (2 * scale)", "score / scale * 1001 / 1000", "score ** 2 / scale", "0 * score"]
)
def test_gumbel_noisy_max_has_not_the_law_of_other_weights(body):
    other = replace(
        EXPONENTIAL, stem="other", log_weight=written("log_weight", "score scale", f"{body} + 0 * score * scale")
    )
    with entered(other):
        wrong = replace(GUMBEL_NOISY_MAX, stem=STEM, same_law_as="other")
        assert verdict(wrong, "weights_are_the_shifts") == "disproved"


def test_gumbel_noisy_max_wants_the_same_parameters_and_conditions():
    loose = replace(EXPONENTIAL, stem="loose", conditions=(read("1 <= scale"),))
    renamed = replace(GUMBEL_NOISY_MAX, stem=STEM, same_law_as="loose")
    with entered(loose):
        assert verdict(renamed, "weights_are_the_shifts") == "refused"
    for other in ("permute_and_flip", "laplace"):
        assert verdict(replace(renamed, same_law_as=other), "weights_are_the_shifts") == "refused"


def test_gumbel_noisy_max_has_no_map_of_its_own():
    """e^-z stands in the exponent of its density; z3 compares no such exponents."""
    assert refusal(lambda: privacy("gumbel_noisy_max")) == "gumbel_noisy_max has no privacy map of its own"
    assert refusal(lambda: mechanism_signature(GUMBEL_NOISY_MAX)) == "gumbel_noisy_max has no privacy map"
    mapped = replace(GUMBEL_NOISY_MAX, stem=STEM, privacy_map=EXPONENTIAL_NOISY_MAX.privacy_map)
    assert verdict(mapped, "density_moves_by_the_map") == "refused"


def test_gumbel_noisy_max_claims_what_the_exponential_mechanism_does():
    mine, its = gumbel_noisy_max.pure().claim, exponential.pure().claim
    assert replace(mine, subject=its.subject) == its


def test_gumbel_noisy_max_draws_what_exponential_draws():
    """On the same flips; and its sampler's law is a claim about that law and the reason why the two are the same."""
    source = Random(5)
    flips = [source.getrandbits(1) for _ in range(4000)]
    first, second = (
        [draw(read(f"{stem}(2)"), scores, coins) for scores in SCORES]
        for stem, coins in (("gumbel_noisy_max", Coins(Tape(flips))), ("exponential", Coins(Tape(flips))))
    )
    assert first == second
    *why, last = (p.claim for p in gumbel_noisy_max.sampler_law().premises)
    assert [c.digest for c in why] == [p.claim.digest for p in gumbel_noisy_max.law_of_exponential().premises]
    assert last.subject == read("exponential(scale)")


def test_gumbel_noisy_max_is_not_drawn_from_another_law():
    other = BySameLaw("permute_and_flip")
    with entered(replace(GUMBEL_NOISY_MAX, stem=STEM), schemes={STEM: other}):
        assert "is not claimed to have the law of" in refusal(lambda: sampler_obligations(STEM))
