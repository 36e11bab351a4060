"""Exact Renyi divergences: by all of their lemmas; and a claim below one is refuted, at its own order only."""

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.spec import obligations
from tests.kinds import lemmas, mechanism

STEMS = ["laplace", "gaussian", "randomised_response", "k_ary_randomised_response"]
AT_1 = {"sigma": "1", "d_in": "1", "order": "2"}
CLAIM = "private(gaussian(1), reals(), absolute(1), renyi(2, {}))"


def exact(stem="gaussian", **values):
    found = rules.renyi_divergence(*lemmas(stem, obligations.divergence(stem)), stem=stem)
    return rules.instantiate(found, values=values) if values else found


def bound(stem):
    return rules.renyi_bound(*lemmas(stem, obligations.divergence(stem)), stem=stem)


@pytest.mark.parametrize("stem", STEMS)
def test_renyi_bound_is_the_exact_divergence(stem):
    law, private = exact(stem).claim, bound(stem).claim
    assert law.said[1].arguments == private.d_out
    assert law.said[0].arguments == (private.d_in,)
    assert law.given == private.given
    assert str(law.given[-1]) == "1 < order"
    assert private.domain == mechanism(stem).claim.domain if "response" in stem else str(private.domain) == "reals()"


@pytest.mark.parametrize("rule", [rules.renyi_divergence, rules.renyi_bound])
@pytest.mark.parametrize("stem", STEMS)
def test_renyi_divergence_with_a_lemma_missing_is_refused(rule, stem):
    found = lemmas(stem, obligations.divergence(stem))
    for i in range(len(found)):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            rule(*found[:i], *found[i + 1 :], stem=stem)


@pytest.mark.parametrize("rule", [rules.renyi_divergence, rules.renyi_bound])
@pytest.mark.parametrize("stem", ["discrete_laplace", "discrete_gaussian", "exponential", "staircase", "count"])
def test_renyi_divergence_without_a_closed_form_is_refused(rule, stem):
    with pytest.raises(KernelError, match="has no Renyi divergence in closed form"):
        rule(stem=stem)


def test_renyi_divergence_wants_an_order_above_1():
    for order in ("1", "1/2"):
        with pytest.raises(KernelError, match="does not hold"):
            exact(order=order)


@pytest.mark.parametrize("epsilon", ["999/1000", "0", "ln(2)"])
def test_renyi_claim_below_the_divergence_is_refuted(epsilon):
    claim = CLAIM.format(epsilon)
    assert str(rules.renyi_exceeded(exact(**AT_1), claim=claim).claim.term) == f"refuted({claim})"


@pytest.mark.parametrize("epsilon", ["1", "1001/1000"])
def test_renyi_claim_at_the_divergence_is_not_refuted(epsilon):
    with pytest.raises(KernelError, match="is not more than"):
        rules.renyi_exceeded(exact(**AT_1), claim=CLAIM.format(epsilon))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("renyi(2,", "renyi(3,", "is not about"),
        ("absolute(1)", "absolute(1/2)", "is not about"),
        ("absolute(1)", "discrete(1)", "is not about"),
        ("gaussian(1)", "gaussian(2)", "is not about"),
        ("gaussian(1)", "laplace(1)", "is not about"),
        ("reals()", "grid(2)", "the inputs of"),
        ("renyi(2, 0)", "concentrated(0)", "expected a claim under Renyi DP"),
        ("renyi(2, 0))", "renyi(2, 0), 1 < 2)", "a counterexample is of a closed claim"),
        ("gaussian(1)", "gaussian(sigma)", "a counterexample is of a closed claim"),
    ],
)
def test_renyi_claim_about_something_else_is_not_refuted(old, new, why):
    """A grid of step 2 has no two points one apart: there the claim says less."""
    claim = CLAIM.format("0")
    assert rules.renyi_exceeded(exact(**AT_1), claim=claim)
    with pytest.raises(KernelError, match=why):
        rules.renyi_exceeded(exact(**AT_1), claim=claim.replace(old, new))


def test_renyi_claim_is_refuted_by_a_closed_divergence_only():
    for law in (exact(), exact(sigma="1", d_in="1"), exact(order="2")):
        with pytest.raises(KernelError, match="expected a closed Renyi divergence"):
            rules.renyi_exceeded(law, claim=CLAIM.format(0))
    for other in (rules.normalised(stem="exponential"), mechanism("randomised_response")):
        with pytest.raises(KernelError, match="expected a Renyi divergence"):
            rules.renyi_exceeded(other, claim=CLAIM.format(0))


def test_renyi_claim_refuted_at_one_order_says_nothing_of_a_smaller_one():
    """D grows with the order: 3/2 is too little at order 4, and enough at order 2."""
    at_4 = exact(sigma="1", d_in="1", order="4")
    false = rules.renyi_exceeded(at_4, claim="private(gaussian(1), reals(), absolute(1), renyi(4, 3/2))")
    general = "private(gaussian(sigma), reals(), absolute(d_in), renyi({}, {}), 0 < sigma, 0 <= d_in, 1 < 2)"
    values = {"sigma": "1", "d_in": "1"}
    assert rules.false_instance(false, claim=general.format(4, "1"), values=values)
    for order in ("2", "3", "5"):
        with pytest.raises(KernelError, match="is no instance of"):
            rules.false_instance(false, claim=general.format(order, "1"), values=values)


@pytest.mark.parametrize("stem", ["randomised_response", "k_ary_randomised_response"])
def test_renyi_claim_about_a_finite_law_is_refuted(stem):
    values = {"truth": "3/4", "order": "2"} | ({"k": "3"} if "k_ary" in stem else {})
    subject, size = ("k_ary_randomised_response(3, 3/4)", 3) if "k_ary" in stem else ("randomised_response(3/4)", 2)
    claim = f"private({subject}, finite({size}), discrete(1), renyi(2, 0))"
    assert rules.renyi_exceeded(exact(stem, **values), claim=claim).claim.claim.measure == "renyi"
    with pytest.raises(KernelError, match="the inputs of"):
        rules.renyi_exceeded(exact(stem, **values), claim=claim.replace(f"finite({size})", "finite(1)"))
