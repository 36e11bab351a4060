"""PASS with its power, FAIL with what betrays, INCONCLUSIVE, ERROR: each for what it should be.

False alarms: at most 1e-9 for each run of pytest, and with the fixed seed of the profile `pr` none ever.
"""

import re

import pytest

from refdp.auditing.campaigns.documents import text
from refdp.commands.audit import audit

pytestmark = pytest.mark.once

SAMPLERS = """
def wrong_scale(n, rng):
    return laplace(n, rng, 1.5)

def clamped(n, rng):
    return [max(-2, min(2, z)) for z in laplace(n, rng)]

def slower(n, rng):
    return laplace(n, rng)

@sampler_matches(ONE, mutants=[wrong_scale, clamped], **COARSE)
def test_right(n, rng):
    return laplace(n, rng)

@sampler_matches(ONE)
def test_wrong_scale(n, rng):
    return laplace(n, rng, 1.5)

@sampler_matches(ONE, mutants=[clamped, slower], **COARSE)
def test_survivor(n, rng):
    return laplace(n, rng)

@sampler_matches(ONE, **FEW)
def test_few(n, rng):
    return laplace(n, rng)

@sampler_matches(ONE)
def test_nan(n):
    return [float("nan")] * n

@sampler_matches(ONE)
def test_too_few_values(n):
    return [0] * (n - 1)

@sampler_matches(ONE)
def test_no_values(n):
    return None

@sampler_matches(ONE)
def test_impossible(n, rng):
    from fractions import Fraction
    return [Fraction(1, 2)] + laplace(n - 1, rng)

@sampler_matches(ONE)
def test_repeated(n):
    import random
    return laplace(n, random.Random(0))

@sampler_matches(ONE)
def test_raises(n):
    raise KeyError("a defect of its own")
"""


def test_outcomes_of_samplers(project):
    run = project(SAMPLERS).run("-rA")
    assert run.outcomes() == {
        "test_right": "PASS",
        "test_wrong_scale": "FAIL",
        "test_survivor": "FAIL",
        "test_few": "INCONCLUSIVE",
        "test_nan": "ERROR",
        "test_too_few_values": "ERROR",
        "test_no_values": "ERROR",
        "test_impossible": "FAIL",
        "test_repeated": "ERROR",
        "test_raises": "ERROR",
    }
    run.done.assert_outcomes(passed=2, failed=8)
    told = {name: one["told"] for name, one in run.targets.items()}
    assert "each would have been seen with probability >= 0.999" in told["test_right"]
    assert "explains the counts better, as in" in told["test_wrong_scale"]
    assert "mutant slower was not caught by" in told["test_survivor"]
    assert "clamped" not in told["test_survivor"]
    assert "nan is a float" in told["test_nan"]
    assert re.search("must return n = ([0-9]+)[0-9] draws, got [0-9]+", told["test_too_few_values"])
    assert "must return a list or an array of n draws, got NoneType" in told["test_no_values"]
    assert "without statistics" in told["test_impossible"]
    assert "not independent" in told["test_repeated"]
    assert [m["caught"] for m in run.targets["test_right"]["mutants"]] == [True, True]
    # An exception keeps its own traceback and shows nothing of refdp's.
    assert 'raise KeyError("a defect of its own")' in run.text
    assert "refdp/testing" not in run.text.partition("warnings summary")[0]
    assert "RefdpInconclusive" in run.text


def test_outcomes_strict_fails_what_is_not_decided(project):
    text = "@sampler_matches(ONE, **FEW)\ndef test_few(n, rng):\n    return laplace(n, rng)\n"
    run = project(text).run("--refdp-strict")
    run.done.assert_outcomes(failed=1)
    assert "INCONCLUSIVE: Not refuted by 1000 draws, too few" in run.text


CLAIMS = """
def half(x, n, rng):
    return release(x, n, rng, 0.5)

def nothing(x, n):
    return [x] * n

def almost(x, n, rng):
    return release(x, n, rng, 0.98)

@satisfies(epsilon=1, pair=(0, 1), mutants=[half, nothing], **SHORT)
def test_private(x, n, rng):
    return release(x, n, rng)

@satisfies(epsilon=1, pairs=[(0, 0), (0, 1)], **SHORT)
def test_half(x, n, rng):
    return release(x, n, rng, 0.5)

@satisfies(epsilon=1, pair=(0, 1), mutants=[almost], **SHORT)
def test_survivor(x, n, rng):
    return release(x, n, rng)

@satisfies(epsilon=1, pair=(0, 1), detects="1.01", **SHORT)
def test_detects_too_little(x, n, rng):
    return release(x, n, rng)

@satisfies(epsilon=1, pair=(0, 1), samples=10, train=128)
def test_few(x, n, rng):
    return release(x, n, rng)

@satisfies(epsilon=1, pair=(0, 1), **SHORT)
def test_nan(x, n, rng):
    return [float("nan")] * n

@satisfies(epsilon=1, pair=(0, 1), allow_nan=True, **SHORT)
def test_nan_is_an_answer(x, n, rng):
    return [float("nan") if rng.random() < 0.1 else y for y in release(x, n, rng)]

@satisfies(epsilon=1, pair=(0.0, 1.0), views=["low_bits"], samples=1500, train=300)
def test_low_bits(x, n, rng):
    return [x + rng.expovariate(1) - rng.expovariate(1) for _ in range(n)]
"""


def test_outcomes_of_claims(project):
    run = project(CLAIMS).run()
    assert run.outcomes() == {
        "test_private": "PASS",
        "test_half": "FAIL",
        "test_survivor": "FAIL",
        "test_detects_too_little": "INCONCLUSIVE",
        "test_few": "INCONCLUSIVE",
        "test_nan": "ERROR",
        "test_nan_is_an_answer": "PASS",
        "test_low_bits": "FAIL",
    }
    told = {name: one["told"] for name, one in run.targets.items()}
    assert "would have seen epsilon >=" in told["test_private"]
    assert "Claim refuted: epsilon >= 1." in told["test_half"]
    assert "allow_nan=True" in told["test_nan"]
    assert "The bits of the floats tell the inputs apart" in told["test_low_bits"]


MOVES = """
SMALL = Table(Whole(0, 10))

def doubled(x):
    return 2 * sum(x)

def lopsided(x):
    return x[0] if x else 11

@moves_at_most(10, space=SMALL, mutants=[doubled, lopsided])
def test_sum(x):
    return sum(x)

@moves_at_most(9, space=SMALL)
def test_too_small(x):
    return sum(x)

@moves_at_most(10, space=SMALL)
def test_mean_of_nothing(x):
    return sum(x) / len(x)

@moves_at_most(10, space=SMALL)
def test_unsteady(x, state=[0]):
    state[0] += 1
    return state[0] * 100

@moves_at_most(10, space=SMALL)
def test_never(x):
    raise KeyError("a defect of its own")
"""


def test_outcomes_of_moves(project):
    run = project(MOVES).run("--refdp-samples=300")
    assert run.outcomes() == {
        "test_sum": "PASS",
        "test_too_small": "FAIL",
        "test_mean_of_nothing": "FAIL",
        "test_unsteady": "ERROR",
        "test_never": "ERROR",
    }
    assert [m["caught"] for m in run.targets["test_sum"]["mutants"]] == [True, True]
    assert "10 apart, where 9 is claimed" in run.targets["test_too_small"]["told"]
    assert "ZeroDivisionError" in run.targets["test_mean_of_nothing"]["told"]
    assert "not deterministic" in run.targets["test_unsteady"]["told"]
    assert 'raise KeyError("a defect of its own")' in run.text


def test_outcomes_are_on_a_page(project):
    made = project("@sampler_matches(ONE, **COARSE)\ndef test_right(n, rng):\n    return laplace(n, rng)\n")
    made.run("--refdp-report=audit.json,audit.html")
    page = (made.pytester.path / "audit.html").read_text(encoding="utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "test_it.py::test_right" in page
    assert "each would have been seen with probability" in page


def test_outcomes_title_counts_and_tells_alpha(project):
    text = "@sampler_matches(ONE, **FEW)\ndef test_few(n, rng):\n    return laplace(n, rng)\n"
    run = project(text).run("--refdp-budget=1e-6")
    assert "refdp: 1 statement (1 INCONCLUSIVE), alpha spent 1e-06 of 1e-06, profile pr, seed 20260101" in run.text


def test_outcomes_are_properties_of_junit(project):
    text = "@sampler_matches(ONE, **COARSE)\ndef test_right(n, rng):\n    return laplace(n, rng)\n"
    made = project(text)
    made.run("--junitxml=junit.xml")
    found = (made.pytester.path / "junit.xml").read_text()
    for name in ("outcome", "alpha", "draws", "power", "e_value"):
        assert f'name="refdp_{name}"' in found
    assert 'name="refdp_alpha" value="1e-09"' in found


@pytest.mark.long
def test_outcomes_replay_from_the_report(project, tmp_path):
    """What a test says that could not be judged is not replayed here, and the command that would is named."""
    names = "test_right or test_few or test_nan or test_private or test_half or test_too_few_values"
    report = project(SAMPLERS + CLAIMS.replace("test_nan", "test_claim_nan").replace("test_few", "test_claim_few")).run(
        "-k", names
    )
    place = tmp_path / "report.json"
    place.write_text(text(report.report))
    found = audit(replay=place)
    assert found["surprises"] == []
    again = {one["target"].partition("::")[2]: one["recomputed"] for one in found["targets"]}
    assert again.pop("test_too_few_values").startswith("not here: python -m pytest")
    assert set(again) == {"test_right", "test_few", "test_nan", "test_private", "test_half"}
    assert set(again.values()) == {"the same"}
