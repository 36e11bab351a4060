"""`refdp account --calibrate`: the value that is found meets the target and the one beside it does not."""

import json
from collections import Counter
from fractions import Fraction as F

import pytest

import refdp
from refdp.cli.app import app
from tests.command_line import CliRunner

NOISE = {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": 50, "count": 1000}]}
MARKED = {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": "?", "count": 1000}]}
BOTH = {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": s} for s in (50, 60)]}


def with_value(spec, name, value):
    return {**spec, "events": [{**event, name: value} for event in spec["events"]]}


@pytest.mark.parametrize(
    ("spec", "name", "digits"), [(NOISE, "sigma", 4), (MARKED, "sigma", 6), (NOISE, "count", 3), (BOTH, "sigma", 2)]
)
def test_what_is_found_meets_the_target_and_its_neighbour_does_not(spec, name, digits):
    found = refdp.account(spec, epsilon=1, delta="1e-6", calibrate=name, digits=digits)["calibrated"]
    good = refdp.account(with_value(spec, name, found["meets"]), delta="1e-6")["epsilon"]
    bad = refdp.account(with_value(spec, name, found["fails"]), delta="1e-6")["epsilon"]
    assert F(good["upper"]) <= 1 < F(bad["lower"])
    unit = 1 if name == "count" else F(10) ** -(digits - len(found["meets"].partition(".")[0]))
    assert abs(F(found["meets"]) - F(found["fails"])) == unit


def test_calibration_equals_that_of_the_library():
    found = refdp.account(NOISE, epsilon=1, delta="1e-6", calibrate="sigma")["calibrated"]
    same = refdp.calibrate(MARKED, "1", "1e-6")
    assert (F(found["meets"]), F(found["fails"])) == (same.meets, same.fails)


def test_the_table_is_the_account_at_the_value(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(NOISE), encoding="utf-8")
    words = ["account", str(path), "--epsilon", "1", "--delta", "1e-6", "--calibrate", "sigma"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0
    assert "epsilon at least" in done.stdout
    assert "sigma = 133.6 provably meets epsilon 1 at delta 1e-6; sigma = 133.5 provably does not" in done.stdout


def test_a_target_that_nothing_meets_ends_with_code_3(tmp_path):
    """One event alone costs more than the target, whatever the noise of the other is."""
    events = [{"mechanism": "gaussian", "sigma": 50}, {"mechanism": "pure", "epsilon": 2}]
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"neighbours": "add_remove", "events": events}), encoding="utf-8")
    words = ["account", str(path), "--epsilon", "1", "--delta", "1e-6", "--calibrate", "sigma", "--timeout", "20"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 3
    assert "no sigma was found that meets epsilon 1 at delta 1e-6" in done.stdout


MANY = [([50, 60], ["F", "F"]), (["?", 60], ["F", "60"]), (["?", "?"], ["F", "F"])]


@pytest.mark.parametrize(("sigmas", "stand"), MANY)
def test_one_value_stands_in_every_event_that_has_the_parameter_or_in_those_that_are_marked(sigmas, stand):
    spec = {**NOISE, "events": [{"mechanism": "gaussian", "sigma": s, "count": i + 1} for i, s in enumerate(sigmas)]}
    found = refdp.account(spec, epsilon=1, delta="1e-6", calibrate="sigma", digits=2)
    sigma = str(F(found["calibrated"]["meets"]))
    counts = Counter()
    for i, value in enumerate(stand):
        counts[value.replace("F", sigma)] += i + 1
    assert found["events"] == [f"{count} x gaussian(sigma={s}, sensitivity=1)" for s, count in counts.items()]


def test_the_help_says_that_it_is_one_value():
    words = " ".join(CliRunner().invoke(app, ["account", "--help"]).stdout.split())
    assert "--calibrate NAME Find the sigma, scale, count, ... that meets --epsilon at --delta: one value for" in words
