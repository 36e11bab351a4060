"""Masses sum to 1, and a sampler draws from them, only by all of the lemmas that say so."""

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.laws import SAMPLING_CODE
from refdp.spec import obligations
from refdp.spec.samplers import SCHEMES
from tests.kinds import believed, lemmas

LAWS = ["discrete_laplace", "discrete_gaussian", "laplace", "gaussian", "randomised_response",
        "k_ary_randomised_response", "truncated_geometric", "exponential", "permute_and_flip"]  # fmt: skip


@pytest.mark.parametrize("stem", LAWS)
def test_normalised_speaks_of_the_mechanism_at_all_parameters(stem):
    theorem = rules.normalised(*lemmas(stem, obligations.law(stem)), stem=stem)
    assert (theorem.claim.kind, theorem.claim.subject.operator) == ("normalised", stem)
    selects = stem in ("exponential", "permute_and_flip")
    assert ("integer(candidates)" in map(str, theorem.claim.given)) is selects
    assert ("1 <= candidates" in map(str, theorem.claim.given)) is selects


@pytest.mark.parametrize("stem", SCHEMES)
def test_sampler_law_trusts_the_code_of_the_primitives(stem):
    theorem = rules.sampler_law(*lemmas(stem, obligations.sampler(stem)), stem=stem)
    assert (theorem.claim.kind, theorem.claim.subject.operator) == ("sampler_law", stem)
    assert theorem.trusts == {SAMPLING_CODE, "a test"}


@pytest.mark.parametrize(
    ("rule", "needed", "stem"),
    [*(("normalised", obligations.law, s) for s in LAWS), *(("sampler_law", obligations.sampler, s) for s in SCHEMES)],
)
def test_law_with_a_lemma_missing_or_one_too_many_is_refused(rule, needed, stem):
    found = lemmas(stem, needed(stem))
    for i in range(len(found)):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            getattr(rules, rule)(*found[:i], *found[i + 1 :], stem=stem)
    with pytest.raises(KernelError, match="the premises must be the lemmas"):
        getattr(rules, rule)(*found, believed("composition.weaken"), stem=stem)


def test_sampler_law_rests_on_the_sampler_that_it_draws_from():
    """The discrete Gaussian accepts discrete Laplace draws, the truncated geometric clamps them."""
    for stem in ("discrete_gaussian", "truncated_geometric"):
        inner = [key for key in obligations.sampler(stem) if "discrete_laplace" in key]
        assert inner
        assert (
            obligations.sampler(stem)[inner[0]]
            == obligations.sampler("discrete_laplace")["sampler.draws_have_the_weights"]
        )


@pytest.mark.parametrize("stem", ["count", "composition", "clamp_output", "clamp"])
def test_normalised_of_what_has_no_law_is_refused(stem):
    with pytest.raises(KernelError, match="has no law"):
        rules.normalised(stem=stem)


@pytest.mark.parametrize("stem", ["laplace", "gaussian", "renormalised_geometric", "count", "nothing"])
def test_sampler_law_of_what_has_no_sampler_is_refused(stem):
    with pytest.raises(KernelError, match="has no sampler"):
        rules.sampler_law(stem=stem)


def test_normalised_of_what_is_not_registered_is_refused():
    with pytest.raises(KernelError, match="is not registered"):
        rules.normalised(stem="nothing")
