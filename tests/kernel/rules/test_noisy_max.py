"""Noisy maxima: private by their lemmas, or by the law of another selection, and by nothing less."""

from dataclasses import replace

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms import GUMBEL_NOISY_MAX
from refdp.spec import obligations
from tests.kinds import lemmas, mechanism, registered

MAXIMA = ["exponential_noisy_max", "laplace_noisy_max"]
SAME = {"exponential_noisy_max": "permute_and_flip", "gumbel_noisy_max": "exponential"}


def same(stem):
    return rules.same_law(*lemmas(stem, obligations.same_law(stem)), stem=stem)


@pytest.mark.parametrize("stem", MAXIMA)
def test_noisy_max_is_private_for_any_number_of_candidates(stem):
    claim = mechanism(stem).claim
    assert (str(claim.domain), claim.metric, str(claim.d_out[0])) == (
        "vector(reals(), candidates)", "linf", "2 * d_in / scale",
    )  # fmt: skip
    assert [str(c) for c in claim.given] == ["0 < scale", "0 <= d_in", "integer(candidates)", "1 <= candidates"]


@pytest.mark.parametrize("stem", MAXIMA)
def test_noisy_max_with_a_lemma_missing_is_refused(stem):
    found = lemmas(stem, obligations.privacy(stem))
    for i in range(len(found)):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            rules.noisy_max(*found[:i], *found[i + 1 :], stem=stem)


def test_noisy_max_without_a_map_is_refused():
    with pytest.raises(KernelError, match="has no privacy map of its own"):
        rules.noisy_max(stem="gumbel_noisy_max")


@pytest.mark.parametrize("rule", [rules.noisy_max, rules.same_law])
@pytest.mark.parametrize("stem", ["exponential", "laplace", "staircase", "nothing"])
def test_noisy_max_of_another_kind_is_refused(rule, stem):
    with pytest.raises(KernelError, match="is not a registered NoisyMax"):
        rule(stem=stem)


@pytest.mark.parametrize(("stem", "other"), SAME.items())
def test_same_law_names_the_other_selection(stem, other):
    assert str(same(stem).claim.term) == (
        f"same_law({stem}(scale), {other}(scale), 0 < scale, integer(candidates), 1 <= candidates)"
    )


@pytest.mark.parametrize("stem", SAME)
def test_same_law_with_a_lemma_missing_is_refused(stem):
    found = lemmas(stem, obligations.same_law(stem))
    for i in range(len(found)):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            rules.same_law(*found[:i], *found[i + 1 :], stem=stem)


@pytest.mark.parametrize("other", ["permute_and_flip", "laplace_noisy_max", ""])
def test_same_law_as_what_does_not_fit_is_refused(other):
    misfit = replace(GUMBEL_NOISY_MAX, stem="misfit", same_law_as=other)
    with registered(misfit), pytest.raises(KernelError, match="has not the law of"):
        rules.same_law(stem="misfit")


def test_same_law_carries_privacy_over():
    private = rules.by_the_same_law(mechanism("permute_and_flip"), same("exponential_noisy_max"))
    assert private.claim == mechanism("exponential_noisy_max").claim


def test_same_law_carries_privacy_over_at_numbers():
    values = {"scale": "4", "d_in": "1", "candidates": "3"}
    closed = rules.instantiate(mechanism("exponential"), values=values)
    law = rules.instantiate(same("gumbel_noisy_max"), values={"scale": "4", "candidates": "3"})
    found = rules.by_the_same_law(closed, law).claim
    assert str(found.term) == "private(gumbel_noisy_max(4), vector(reals(), 3), linf(1), pure(1/2))"


def test_same_law_keeps_its_conditions():
    """With the parameters of the first at numbers, those of the second must be at the same ones."""
    closed = rules.instantiate(mechanism("exponential"), values={"scale": "4"})
    with pytest.raises(KernelError, match="is not the selection whose law it is"):
        rules.by_the_same_law(closed, same("gumbel_noisy_max"))
    law = rules.instantiate(same("gumbel_noisy_max"), values={"scale": "4"})
    given = rules.by_the_same_law(closed, law).claim.given
    assert [str(c) for c in given] == ["0 <= d_in", "integer(candidates)", "1 <= candidates"]


def test_by_the_same_law_of_another_selection_or_claim_is_refused():
    law, private = same("gumbel_noisy_max"), mechanism("exponential")
    normalised = rules.normalised(stem="exponential")
    for first, second, why in (
        (mechanism("permute_and_flip"), law, "is not the selection whose law it is"),
        (rules.by_the_same_law(private, law), law, "is not the selection whose law it is"),
        (private, normalised, "expected a claim of the same law"),
        (private, private, "expected a claim of the same law"),
        (law, law, "expected a private claim"),
    ):
        with pytest.raises(KernelError, match=why):
            rules.by_the_same_law(first, second)
