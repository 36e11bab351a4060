"""One alpha for a run: split over all that was collected, the same whatever is chosen, on one process or on two."""

from fractions import Fraction

import pytest

from refdp.testing import settings
from refdp.testing.budget import divided
from tests.testing.projects import PLUGIN

TEXT = """
import pytest

@sampler_matches(ONE, **FEW)
def test_first(n, rng):
    return laplace(n, rng)

@pytest.mark.parametrize("place", [0, 3])
@sampler_matches(ONE, **FEW)
def test_second(n, seed, place):
    import random
    return laplace(n, random.Random(seed))

@moves_at_most(10, space=Table(Whole(0, 10)), samples=50)
def test_exact(x):
    return sum(x)

def test_of_something_else():
    pass
"""
STATISTICAL = ("test_first", "test_second[0]", "test_second[3]")


def shares(run):
    return {name: Fraction(one["alpha"]) for name, one in run.targets.items()}


def test_budget_is_split_over_what_was_collected_not_over_what_is_chosen(project):
    made = project(TEXT)
    whole, chosen = made.run(), made.run("-k", "first or exact")
    assert shares(whole) == dict.fromkeys(STATISTICAL, Fraction(1, 3 * 10**9)) | {"test_exact": Fraction(0)}
    assert shares(chosen) == {"test_first": Fraction(1, 3 * 10**9), "test_exact": Fraction(0)}
    assert chosen.targets["test_first"]["record"] == whole.targets["test_first"]["record"]


@pytest.mark.once
def test_budget_and_draws_are_the_same_on_two_workers(project):
    made = project(TEXT)
    alone, together = made.run(), made.pytester.runpytest_subprocess(*PLUGIN, "-n", "2", "--refdp-report=two.json")
    together.assert_outcomes(passed=5, warnings=3)
    assert "refdp: 4 statements (3 INCONCLUSIVE, 1 PASS), alpha spent 1e-09 of 1e-09" in str(together.stdout)
    import json

    found = json.loads((made.pytester.path / "two.json").read_text())["targets"]
    two = {one["target"].partition("::")[2]: one for one in found}
    assert set(two) == set(alone.targets)
    for name, one in two.items():
        assert (one["alpha"], one["record"]) == (alone.targets[name]["alpha"], alone.targets[name]["record"])


def test_budget_of_a_nightly_run_draws_anew_and_its_seed_draws_again(project):
    made = project(TEXT)
    only = ("-k", "first", "--refdp-profile=nightly", "--refdp-samples=300")
    first, second = made.run(*only), made.run(*only)
    assert first.targets["test_first"]["record"]["chunks"] != second.targets["test_first"]["record"]["chunks"]
    seed = first.report["campaign"]["environment"].partition("--refdp-seed=")[2].split()[0]
    again = made.run(*only, f"--refdp-seed={seed}")
    assert again.targets["test_first"]["record"] == first.targets["test_first"]["record"]


RERUN = """
import pytest
from _pytest.runner import runtestprotocol

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    for attempt in range(3):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if attempt == 2 or not any(report.failed for report in reports):
            break
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    return True
"""
"""Runs what fails up to three times and tells of the last: what plugins for flaky tests do."""


def test_budget_gives_no_fresh_chance_to_a_rerun(project):
    """A sampler that is wrong at first, and right from then on, stays refuted; nothing more is drawn from it."""
    made = project("""
CALLS = []

@sampler_matches(ONE)
def test_wrong_at_first(n, rng):
    CALLS.append(n)
    return laplace(n, rng, 3.0 if len(CALLS) == 1 else 1.0)

@sampler_matches(ONE, **FEW)
def test_fails_to_decide(n, rng, calls=[]):
    calls.append(n)
    if len(calls) == 2:
        raise OSError("the device is busy")
    return laplace(n, rng)
""")
    made.pytester.makeconftest(RERUN)
    run = made.run("--refdp-strict")
    assert run.outcomes() == {"test_wrong_at_first": "FAIL", "test_fails_to_decide": "INCONCLUSIVE"}
    assert len(run.targets["test_wrong_at_first"]["record"]["chunks"]) == 1
    assert run.targets["test_fails_to_decide"]["samples"] == 1000


def test_budget_divided_spends_all_of_it():
    assert divided(Fraction(1, 10), ["a", "b", "c"]) == dict.fromkeys("abc", Fraction(1, 30))
    assert divided(Fraction(1, 10), []) == {}
    assert divided(Fraction(1, 10), ["a", "b", "a"]) == {"a": Fraction(1, 20), "b": Fraction(1, 20)}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--refdp-budget=0"], "--refdp-budget must be >= 1e-200 and < 1"),
        (["--refdp-budget=nan"], "--refdp-budget must be >= 1e-200 and < 1"),
        (["--refdp-budget=1/0"], "--refdp-budget must be >= 1e-200 and < 1"),
        (["--refdp-seed=-1"], "--refdp-seed must be a whole number >= 0"),
        (["--refdp-samples=0"], "--refdp-samples must be a whole number >= 1"),
        (["--refdp-samples=1e5"], "--refdp-samples must be a whole number >= 1"),
        (["--refdp-report=a.txt"], "--refdp-report must name files .json and .html"),
        (["--refdp-report=no/a.json"], "in a folder that there is"),
        (["--refdp-wealth=w.sqlite"], "the same draws must not count twice"),
        (["--refdp-wealth=w.sqlite", "--refdp-profile=nightly", "--refdp-seed=1"], "leave --refdp-seed out"),
        (["--refdp-restart=*"], "--refdp-restart needs --refdp-wealth"),
    ],
)
def test_budget_refuses_options_that_cannot_be_used(options, sentence, tmp_path):
    from argparse import ArgumentParser

    from refdp.testing.plugin import OPTIONS

    parser = ArgumentParser()
    for name, how in OPTIONS:
        parser.add_argument(name, **how)
    given = vars(parser.parse_args(options))
    with pytest.raises(settings.OptionError, match=sentence.replace("(", "\\(")):
        settings.read(lambda name: given[name.strip("-").replace("-", "_")], tmp_path)
