"""Noise on a grid: the sums show a delta no smaller than the exact one, refute a smaller one, and no near miss."""

from fractions import Fraction

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.spec import obligations
from refdp.terms.reading import read
from tests.kinds import lemmas

LEAST = Fraction(7248776845953, 10**15)
"""The delta of sigma = 2 at epsilon = 1 and distance 1, rounded up; tests/exactness sums it anew."""
CLAIM = "private(discrete_gaussian({sigma}, {step}), grid({grid}), absolute({d_in}), approximate({epsilon}, {delta}))"


def claimed(sigma="2", step="1", grid="1", d_in="1", epsilon="1", delta=LEAST):
    return CLAIM.format(sigma=sigma, step=step, grid=grid, d_in=d_in, epsilon=epsilon, delta=delta)


def needed(stem="discrete_gaussian"):
    return lemmas(stem, obligations.log_concavity(stem))


def shown(**changes):
    return rules.grid_noise(*needed(), claim=claimed(**changes))


def refuted(**changes):
    return rules.grid_noise_exceeds(*needed(), claim=claimed(**changes))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"d_in": "3/2"},
        {"sigma": "1", "step": "1/2", "grid": "1/2", "d_in": "1/2"},
        {"epsilon": "ln(3)"},
        {"sigma": "21/10"},
    ],
)
def test_a_delta_no_smaller_than_the_sums_is_shown(changes):
    assert str(shown(**changes).claim.term) == str(read(claimed(**changes)))


@pytest.mark.parametrize(
    "changes",
    [
        {"delta": LEAST - Fraction(1, 10**15)},
        {"delta": LEAST / 2},
        {"sigma": "1998/1000"},
        {"d_in": "2"},
        {"epsilon": "999/1000"},
        {"sigma": "1", "step": "1/2", "grid": "1/2"},
    ],
)
def test_a_smaller_delta_is_refuted_and_not_shown(changes):
    assert str(refuted(**changes).claim.claim.term) == str(read(claimed(**changes)))
    with pytest.raises(KernelError, match="the sums do not show"):
        shown(**changes)


def test_a_true_delta_is_not_refuted():
    with pytest.raises(KernelError, match="the sums do not refute"):
        refuted()


WRONG = [
    ({"grid": "2"}, "is another grid"),
    ({"d_in": "1/2"}, "no two different inputs are 1/2 apart"),
    ({"epsilon": "-1/2"}, "epsilon must be >= 0"),
    ({"sigma": "0"}, "breaks 0 < sigma"),
    ({"step": "0", "grid": "0"}, "breaks 0 < granularity"),
    ({"d_in": "10 ** 6"}, "must be 1 to 100000 steps apart"),
]


@pytest.mark.parametrize(("changes", "why"), WRONG)
@pytest.mark.parametrize("judge", [shown, refuted])
def test_sums_are_of_what_the_claim_is_about(judge, changes, why):
    with pytest.raises(KernelError, match=why):
        judge(**changes)


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (claimed(sigma="sigma"), "expected a closed claim"),
        (claimed()[:-1] + ", 1 <= 2)", "expected a closed claim"),
        ("private(discrete_gaussian(2, 1), grid(1), absolute(1), pure(1))", "expected a closed claim"),
        ("stable(discrete_gaussian(2, 1), grid(1), absolute(1), grid(1), absolute(1))", "expected a closed claim"),
        ("private(discrete_gaussian(2, 1), grid(1), linf(1), approximate(1, 1))", "expected numbers by distance"),
        ("private(gaussian(2), reals(), absolute(1), approximate(1, 1))", "must have the condition 0 < granularity"),
        ("private(randomised_response(3/4), finite(2), discrete(1), approximate(1, 1))", "not a registered"),
        ("private(discrete_gaussian(2, 1), grid(1), absolute(1), approximate(1, exp(-1)))", "not a rational number"),
        ("private(discrete_laplace(2, 1), grid(1), absolute(1), approximate(1, 1/2))", "the premises must be"),
    ],
)
@pytest.mark.parametrize("rule", [rules.grid_noise, rules.grid_noise_exceeds])
def test_sums_are_of_closed_claims_about_noise_on_a_grid(rule, claim, why):
    with pytest.raises(KernelError, match=why):
        rule(*needed(), claim=claim)


@pytest.mark.parametrize("rule", [rules.grid_noise, rules.grid_noise_exceeds])
def test_sums_need_the_lemma(rule):
    with pytest.raises(KernelError, match="the premises must be the lemmas weights_are_log_concave"):
        rule(claim=claimed())


def test_a_loss_that_never_exceeds_epsilon_is_not_summed():
    """Below its own epsilon discrete Laplace noise has a delta; at it and above the claim is of pure DP."""
    claim = "private(discrete_laplace(2, 1), grid(1), absolute(1), approximate(1/2, 1/2))"
    with pytest.raises(KernelError, match="no output within 100000 steps has a loss above 1/2"):
        rules.grid_noise(*needed("discrete_laplace"), claim=claim)


def test_sums_that_are_too_wide_to_tell_show_and_refute_nothing(monkeypatch):
    monkeypatch.setattr("refdp.kernel.rules.grid.PRECISIONS", (8,))
    with pytest.raises(KernelError, match="the sums do not show"):
        shown()
    with pytest.raises(KernelError, match="the sums do not refute"):
        refuted(delta=LEAST - Fraction(1, 10**15))
