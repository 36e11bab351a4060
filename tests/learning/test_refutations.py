"""Refuted loops have theorems of the kernel where it has words and a rule; twins and right loops have none."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

import refdp
from refdp.kernel.judgements import KernelError
from refdp.learning.refutations import WITHOUT, WITNESSES, refutation
from refdp.learning.training import Plan
from refdp.learning.variants import Claim, Judged, some_step

PLANS = [
    Plan(F(1, 10), 100, F(2), F(33), F(2)),
    Plan(F(1), 5, F(6), F(340), F(2)),
    Plan(F(1, 3), 1, F(3, 2), F(2), F(1), norm=F(7, 10), granularity=F(1, 4)),
]
CLAIMS = {100: F(234, 100), 5: F(144, 100), 1: F(11, 10)}


def loop(name, plan, epsilon=None, delta=F(1, 10**5)):
    return Judged(name, "", Claim("add_remove", CLAIMS[plan.steps] if epsilon is None else epsilon, delta), "REFUTED")


@pytest.mark.parametrize("plan", PLANS, ids=str)
@pytest.mark.parametrize("name", WITNESSES)
def test_loops_with_a_witness_have_a_theorem_about_their_own_numbers(plan, name):
    made = refutation(loop(name, plan), plan)
    if isinstance(made, str):  # the third plan has much noise: the event decides nothing, and nothing is claimed
        assert (plan.lot, name != "skipped_empty_lots") == (2, True)
        return
    assert str(made.claim.term).startswith("refuted(private(repeated(poisson_sampled(")
    assert f"poisson_sampled({plan.rate}, " in str(made.claim.term)
    assert f", {plan.steps}), table(" in str(made.claim.term)
    assert made.trusts == frozenset()


@pytest.mark.parametrize("name", WITNESSES)
def test_a_loop_that_keeps_its_claim_has_no_theorem(name):
    """The noise that is right, or a claim that promises nothing."""
    plan = replace(PLANS[0], lot=F(1))
    if name != "skipped_empty_lots":
        assert isinstance(refutation(loop(name, plan), plan), str)
    assert isinstance(refutation(loop(name, PLANS[0], delta=F(1)), PLANS[0]), str)


@pytest.mark.parametrize("name", [*WITHOUT, "another"])
def test_what_cannot_be_said_says_why(name):
    assert isinstance(refutation(loop(name, PLANS[0]), PLANS[0]), str)


def test_the_command_writes_them_and_they_replay(tmp_path):
    found = refdp.train(rate=1, lot=340, steps=5, noise_multiplier=6, variants=True, certificates=tmp_path)
    by_name = {one["name"]: one for one in found["variants"]}
    for name in WITNESSES:
        assert by_name[name]["verdict"] == "REFUTED"
        assert by_name[name]["conclusion"].startswith("refuted(private(")
    assert "without_certificate" in by_name["clipped_after_averaging"]
    checked = {one["path"]: one["verdict"] for one in refdp.check(tmp_path)["certificates"]}
    for name in WITNESSES:
        assert checked[by_name[name]["certificate"]] == "REFUTED"


@pytest.mark.parametrize("c", [F(1, 2), F(-3), F(40)])
@pytest.mark.parametrize("sigma", [F(1, 1000), F(1, 60), F(3)])
@pytest.mark.parametrize("steps", [1, 5, 1000])
def test_chances_of_some_step_are_enclosed_however_little_noise_there_is(c, sigma, steps):
    """At the rate 1 and noise of 1/57 of the norm the enclosure of a power once had no end."""
    for share in (F(0), F(1, 10), F(1)):
        found = some_step(c, sigma, steps, share)
        assert 0 <= found.lower <= found.upper <= 1
        assert found.upper - found.lower < F(1, 10**30)


def test_kernel_errors_are_reasons():
    with pytest.raises(KernelError):
        WITNESSES["skipped_empty_lots"](PLANS[0], Claim("add_remove", F(1), F(1)))
