"""Masses sum to 1, and a sampler draws from them, only by all of the lemmas that say so."""

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.laws import SAMPLING_CODE
from refdp.spec import obligations
from refdp.spec.samplers import SCHEMES, drawn_from
from tests.kinds import believed, lemmas, sampler, sampler_premises

LAWS = ["discrete_laplace", "discrete_gaussian", "laplace", "gaussian", "randomised_response",
        "k_ary_randomised_response", "truncated_geometric", "exponential", "permute_and_flip"]  # fmt: skip

PRIMITIVES = ["bernoulli", "uniform", "bernoulli_exp", "geometric_exp", "permutation"]


@pytest.mark.parametrize("stem", LAWS)
def test_normalised_speaks_of_the_mechanism_at_all_parameters(stem):
    theorem = rules.normalised(*lemmas(stem, obligations.law(stem)), stem=stem)
    assert (theorem.claim.kind, theorem.claim.subject.operator) == ("normalised", stem)
    selects = stem in ("exponential", "permute_and_flip")
    assert ("integer(candidates)" in map(str, theorem.claim.given)) is selects
    assert ("1 <= candidates" in map(str, theorem.claim.given)) is selects


@pytest.mark.parametrize("stem", [*SCHEMES, *PRIMITIVES])
def test_sampler_law_trusts_that_the_code_takes_the_steps(stem):
    theorem = sampler(stem)
    assert (theorem.claim.kind, theorem.claim.subject.operator) == ("sampler_law", stem)
    assert theorem.trusts - {"a test"} == {SAMPLING_CODE}


def test_one_sampler_calls_nothing_but_flips_and_another_law_beside_its_lemmas_is_refused():
    assert [stem for stem in SCHEMES if not drawn_from(stem)] == ["rounded_scaled_cauchy", "rounded_scaled_student"]
    premises = sampler_premises("rounded_scaled_cauchy")
    for wrong in ([], [*premises, sampler("bernoulli")], [*premises, premises[0]]):
        with pytest.raises(KernelError, match="the premises must"):
            rules.sampler_law(*wrong, stem="rounded_scaled_cauchy")


@pytest.mark.parametrize(
    "stem", [*(s for s in SCHEMES if drawn_from(s)), "bernoulli_exp", "geometric_exp", "permutation"]
)
def test_sampler_law_rests_on_the_law_of_each_primitive_that_it_calls(stem):
    premises = sampler_premises(stem)
    calls = len(drawn_from(stem))
    assert calls
    last = "the premises must end in the laws of " + ", ".join(drawn_from(stem))
    for i in range(len(premises) - calls, len(premises)):
        with pytest.raises(KernelError, match=last):
            rules.sampler_law(*premises[:i], *premises[i + 1 :], stem=stem)
        with pytest.raises(KernelError, match=last):
            rules.sampler_law(*premises[:i], sampler("discrete_laplace"), *premises[i + 1 :], stem=stem)
        parameter = premises[i].claim.subject.arguments[0]
        one = rules.instantiate(premises[i], values={str(parameter): "1"})
        with pytest.raises(KernelError, match=last):
            rules.sampler_law(*premises[:i], one, *premises[i + 1 :], stem=stem)


def test_sampler_law_of_a_primitive_speaks_of_all_its_parameters():
    assert {stem: str(sampler(stem).claim.term) for stem in PRIMITIVES} == {
        "bernoulli": "sampler_law(bernoulli(p), 0 <= p, p <= 1)",
        "uniform": "sampler_law(uniform(n), integer(n), 1 <= n)",
        "bernoulli_exp": "sampler_law(bernoulli_exp(gamma), 0 <= gamma)",
        "geometric_exp": "sampler_law(geometric_exp(gamma), 0 < gamma)",
        "permutation": "sampler_law(permutation(n), integer(n), 1 <= n)",
    }


@pytest.mark.parametrize(
    ("rule", "needed", "stem"),
    [
        *(("normalised", obligations.law, s) for s in LAWS),
        *(("sampler_law", obligations.sampler, s) for s in [*SCHEMES, *PRIMITIVES]),
    ],
)
def test_law_with_a_lemma_missing_or_one_too_many_is_refused(rule, needed, stem):
    found, laws = (
        lemmas(stem, needed(stem)),
        sampler_premises(stem)[len(needed(stem)) :] if rule == "sampler_law" else [],
    )
    for i in range(len(found)):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            getattr(rules, rule)(*found[:i], *found[i + 1 :], *laws, stem=stem)
    with pytest.raises(KernelError, match=r"the premises must (be the lemmas|end in the laws)"):
        getattr(rules, rule)(*found, *laws, believed("composition.weaken"), stem=stem)


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
