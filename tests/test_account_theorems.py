"""Accounts of pipelines as theorems: noise is accounted for as noise, samples as samples, anything else by its loss."""

import pytest

import refdp
from refdp.derivations import account_theorem
from refdp.kernel.judgements import KernelError
from refdp.pipeline import PipelineError


def noisy(sigma=3):
    return refdp.count() >> refdp.discrete_gaussian(sigma)


def test_composition_of_noise_a_selection_and_a_sample_is_one_theorem():
    parts = [noisy(), refdp.count() >> refdp.discrete_laplace(4)]
    found = account_theorem([*parts, refdp.sampled("1/10") >> parts[1]], 1, "2", "1/100", [4, 2, 3])
    assert str(found.claim.term) == (
        "private(compose(repeated(chain(count(records()), discrete_gaussian(3, 1)), 4), "
        "repeated(chain(count(records()), discrete_laplace(4, 1)), 2), "
        "repeated(poisson_sampled(1/10, chain(count(records()), discrete_laplace(4, 1))), 3)), table(records()), "
        "symmetric(1), approximate(2, 1/100))"
    )
    assert "Arb" in found.trusts


def test_what_is_no_noise_is_accounted_for_by_its_measure():
    own = refdp.randomised_response("3/4")
    found = account_theorem([own], 1, "0.9", "1/2", [2])
    assert str(found.claim.subject) == "repeated(randomised_response(3/4), 2)"
    clamped = refdp.count() >> refdp.discrete_laplace(4) >> refdp.clamp_output(0, 9)
    assert str(account_theorem([clamped], 1, "1/4", "1/1000").claim.subject).startswith(
        "post_process(clamp_output(0, 9)"
    )


def test_what_is_known_by_divergences_is_accounted_for_by_them():
    clamped = refdp.count() >> refdp.discrete_gaussian(3) >> refdp.clamp_output(0, 9)
    found = account_theorem([clamped, noisy()], 1, "3", "1/1000", [2, 1])
    assert str(found.claim.subject).startswith("compose(repeated(post_process(clamp_output(0, 9)")
    assert found.trusts >= {"engine: Renyi divergences", "Arb"}
    with pytest.raises(KernelError, match="has no bound on samples"):
        account_theorem([clamped], 1, "3", "1/1000", rates=["1/2"])


def test_account_that_no_engine_shows_and_counts_that_do_not_fit_are_refused():
    with pytest.raises(KernelError, match="no engine shows that they have at most delta 1/1000 at epsilon 1"):
        account_theorem([noisy()], 1, "1", "1/1000", [9])
    for measurements, counts in (([noisy()], [1, 2]), ([], [])):
        with pytest.raises(KernelError, match="counts and rates must be one for each"):
            account_theorem(measurements, 1, "1", "1/1000", counts)
    with pytest.raises(KernelError, match="counts and rates must be one for each"):
        account_theorem([noisy()], 1, "1", "1/1000", rates=["1/2", "1/2"])
    with pytest.raises(PipelineError):
        account_theorem([refdp.sampled("1/10") >> (refdp.count("change_one") >> refdp.discrete_laplace(2))], 1, 1, 0)


def test_a_thousand_steps_of_noise_on_samples_are_one_theorem_and_replay(tmp_path):
    """As a gradient is trained on: 1000 batches of a hundredth of the rows, noise as great as one row."""
    step = refdp.count() >> refdp.discrete_gaussian(1)
    found = account_theorem([step], 1, "3", "1/100000", [1000], ["1/100"])
    assert str(found.claim.subject) == (
        "repeated(poisson_sampled(1/100, chain(count(records()), discrete_gaussian(1, 1))), 1000)"
    )
    path = tmp_path / "training.json"
    refdp.write_certificate(found, path)
    [judged] = refdp.check(str(path))["certificates"]
    assert (judged["verdict"], judged["conclusion"]) == ("PROVED", str(found.claim.term))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("1/100000", "1/10000000000"), encoding="utf-8")
    [judged] = refdp.check(str(path))["certificates"]
    assert judged["verdict"] == "REJECTED"


def test_samples_of_mechanisms_that_are_sampled_already_are_sampled_twice():
    once = refdp.sampled("1/2") >> (refdp.count() >> refdp.discrete_laplace(2))
    found = account_theorem([once], 1, "1", "1/100", rates=["1/3"]).claim
    assert str(found.subject).startswith("poisson_sampled(1/3, poisson_sampled(1/2, chain(")
