"""Vectors as tests: one for each case; what agrees passes, what does not fails with the case, the rest is skipped."""

import json

import pytest

from tests.meta.repository import ROOT

FILE = ROOT / "vectors" / "pmf_randomised_response_test.json"
DRAWN = ROOT / "vectors" / "sampler_statistical_test.json"
TEXT = """
from fractions import Fraction
import pytest

class Right:
    def pmf(self, algorithm, params, input, output):
        truth = Fraction(params["truth"])
        return truth if input == output else (1 - truth if output in ("0", "1") else 0)

class Wrong(Right):
    def pmf(self, **asked):
        return super().pmf(**asked) * Fraction(9, 10)

class Silent:
    def cdf(self, **asked):
        return NotImplemented

class Raising:
    def pmf(self, **asked):
        raise KeyError("a defect of its own")

@pytest.fixture
def made():
    return Right()

test_right = vectors({file!r}, against=Right())
test_wrong = vectors({file!r}, against=Wrong())
test_silent = vectors({file!r}, against=Silent())
test_raising = vectors({file!r}, against=Raising())

@vectors({file!r})
def test_of_a_fixture(made):
    return made
"""


def test_known_answers_are_a_test_for_each_case(project):
    cases = json.loads(FILE.read_text())["numberOfTests"]
    run = project(TEXT.replace("{file!r}", repr(str(FILE)))).run()
    assert run.outcomes() == {
        "test_right": "PASS",
        "test_wrong": "FAIL",
        "test_silent": "SKIPPED",
        "test_raising": "ERROR",
        "test_of_a_fixture": "PASS",
    }
    told = {name: one["told"] for name, one in run.targets.items()}
    assert told["test_right"] == f"{cases} cases: {cases} PASS"
    assert "wrong: pmf is below its lower bound 5e-1: " in told["test_wrong"]
    assert "(pmf gave" in told["test_wrong"]
    assert 'raise KeyError("a defect of its own")' in run.text
    assert len(run.targets["test_wrong"]["evidence"]["rows"]) == cases


@pytest.mark.long
def test_known_answers_that_are_drawn_share_the_budget(project):
    """A case that draws is refuted by its own share of alpha, and drawn once: a rerun hears the same again."""
    run = project(f"""
import random

class Zeros:
    def samples(self, algorithm, params, input, count):
        return [0] * count if algorithm == "discrete_laplace" else NotImplemented

test_zeros = vectors({str(DRAWN)!r}, against=Zeros(), types=["SamplerStatistical"])

@sampler_matches(ONE, **FEW)
def test_other(n, rng):
    return laplace(n, rng)
""").run()
    cases = json.loads(DRAWN.read_text())["numberOfTests"]
    assert run.outcomes() == {"test_zeros": "FAIL", "test_other": "INCONCLUSIVE"}
    assert run.targets["test_other"]["alpha"] == f"1/{(cases + 1) * 10**9}"
