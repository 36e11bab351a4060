"""Gaussian DP: of normal noise only, at just its mu, and what it implies."""

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.spec import obligations
from refdp.terms.reading import read
from tests.exactness.claims import private
from tests.exactness.entering import given
from tests.kinds import believed, lemmas, noise, response, summed

NEEDED = obligations.exact_delta("gaussian")


def normal(vector="no"):
    return rules.gaussian_noise(*lemmas("gaussian", NEEDED), stem="gaussian", vector=vector)


def claim(mu_squared, **words):
    return given(private("randomised_response(3/4)", "finite(2)", "discrete", 1, "gaussian", (read(mu_squared),)))


def test_gaussian_noise_has_the_ratio_of_sensitivity_and_deviation():
    assert str(normal().claim.term) == (
        "private(gaussian(sigma), reals(), absolute(d_in), gaussian(d_in ** 2 / sigma ** 2), 0 < sigma, 0 < d_in)"
    )
    vector = normal("yes").claim
    assert (vector.metric, str(vector.domain)) == ("l2", "vector(reals(), dimension)")
    at = rules.instantiate(normal(), values={"sigma": "2", "d_in": "3"}).claim
    assert str(at.d_out[0]) == "9/4"


def test_gaussian_noise_at_half_the_noise_is_four_times_the_loss():
    half = rules.instantiate(normal(), values={"sigma": "1", "d_in": "3"})
    with pytest.raises(KernelError, match="not"):
        rules.weaken(half, d_out=["9/4"])


def test_gaussian_noise_without_its_lemmas_or_of_another_kind_is_refused():
    every = lemmas("gaussian", NEEDED)
    for some in (every[:-1], [*every, every[0]], [], [believed("composition.weaken")]):
        with pytest.raises(KernelError, match="premises must be the lemmas"):
            rules.gaussian_noise(*some, stem="gaussian")
    for stem in ("laplace", "discrete_gaussian", "randomised_response"):
        with pytest.raises(KernelError):
            rules.gaussian_noise(*every, stem=stem)
    with pytest.raises(KernelError, match="expected yes or no"):
        rules.gaussian_noise(*every, stem="gaussian", vector="maybe")


def test_gaussian_losses_add_up_as_squares():
    assert str(rules.compose(claim("1"), claim("2")).claim.d_out[0]) == "3"
    assert str(rules.compose_many(claim("1/4"), k="10").claim.d_out[0]) == "5/2"
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.compose_many(claim("1/4"), k="11", d_out=["5/2"])


def test_gaussian_loss_is_approximate_at_each_epsilon():
    assert rules.gaussian_to_approximate(claim("5/2"), epsilon="5", d_out=["5", "0.0031223"])
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.gaussian_to_approximate(claim("5/2"), epsilon="5", d_out=["5", "0.0031222"])
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.gaussian_to_approximate(claim("5/2"), epsilon="5", d_out=["4.999", "0.0031223"])
    assert [str(c) for c in rules.gaussian_to_approximate(normal()).claim.given][-1] == "0 < d_in ** 2 / sigma ** 2"
    for mu_squared in ("0", "-1"):
        with pytest.raises(KernelError):
            rules.gaussian_to_approximate(claim(mu_squared), epsilon="1", d_out=["1", "1"])


def test_gaussian_loss_is_half_its_square_under_concentrated():
    assert str(rules.gaussian_to_concentrated(claim("1/4")).claim.d_out[0]) == "1/8"


def test_pure_loss_is_gaussian_at_a_large_enough_mu():
    assert str(rules.pure_to_gaussian(response(), mu_squared="18198/10000").claim.d_out[0]) == "9099/5000"
    for less in ("18197/10000", "0", "-1"):
        with pytest.raises(KernelError):
            rules.pure_to_gaussian(response(), mu_squared=less)
    family = rules.pure_to_gaussian(noise()).claim
    assert [str(c) for c in family.given[-2:]] == [
        "0 <= mu_squared", "(1 + exp(d_in / scale)) * normal_tail(sqrt(mu_squared) / 2) <= 1",
    ]  # fmt: skip


def test_gaussian_conversions_of_what_is_no_such_claim_are_refused():
    for rule in (rules.gaussian_to_approximate, rules.gaussian_to_concentrated):
        for other in (response(), summed("count"), noise()):
            with pytest.raises(KernelError, match="expected a private claim under gaussian"):
                rule(other)
    with pytest.raises(KernelError, match="expected a private claim under pure"):
        rules.pure_to_gaussian(claim("1"), mu_squared="1")


def test_gaussian_loss_is_not_sampled_by_a_rule():
    counted = given(private("randomised_response(3/4)", "table(finite(2))", "symmetric", 1, "gaussian", (read("1"),)))
    with pytest.raises(KernelError, match="stated for pure and approximate DP"):
        rules.poisson_sampled(counted, rate="1/2")
