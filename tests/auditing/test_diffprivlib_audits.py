"""Audits of diffprivlib, of sparse vectors and of noise in floats: the targets are what they say, and are judged so.

The campaigns themselves are run by `make test-long`, after `make audit-envs`.
"""

import json
import sys
import tomllib
from math import exp
from pathlib import Path
from random import Random

import pytest

import refdp
from refdp.auditing.campaigns.files import campaign
from refdp.auditing.judges.inputs import read
from refdp.auditing.neighbours.distances import apart
from tests.auditing.environments import python_of

AUDITS = Path(__file__).resolve().parents[2] / "audits"
FILES = ("diffprivlib.toml", "svt.toml", "floats.toml")
DEFECTS = 9
"""Of diffprivlib, in the notes of published defects."""
LOWS, HIGHS = [-0.5, -0.5, -0.5, 0.5], [0.5, 0.5, 0.5, -0.5]


@pytest.fixture(scope="module")
def targets():
    """The modules of audits/targets, with noise that is the same in every run."""
    sys.path.insert(0, str(AUDITS / "targets"))
    try:
        import floats
        import svt
    finally:
        sys.path.pop(0)
    svt.random = floats.random = Random(1).random
    return {"svt": svt, "floats": floats}


def above(threshold, scale):
    """P[Laplace noise of that scale >= threshold]."""
    tail = exp(-abs(threshold) / scale) / 2
    return tail if threshold > 0 else 1 - tail


def chance(pattern, answers, first, second):
    """P[the answers are above just as in the pattern], by summing over the threshold; without noise for scale 0."""
    total, step = 0.0, 1 / 64
    for i in range(-64 * 40, 64 * 40):
        t = (i + 0.5) * step
        weight = exp(-abs(t) / first) / (2 * first) * step
        for x, is_above in zip(answers, pattern, strict=True):
            p = above(t - x, second) if second else float(x >= t)
            weight *= p if is_above else 1 - p
        total += weight
    return total


@pytest.mark.parametrize(
    ("name", "arguments", "first", "second"),
    [
        ("svt1", (), 1.0, 2.0), ("svt1", (4,), 1.0, 8.0), ("svt2", (1,), 1.0, 2.0), ("svt4", (), 2.0, 2 / 3),
        ("svt5", (), 1.0, 0.0), ("svt6", (), 1.0, 1.0),
    ],
)  # fmt: skip
def test_sparse_vectors_have_the_noise_of_their_algorithms(targets, name, arguments, first, second):
    """Three answers below and one above, of epsilon = 2: the frequency in 6,000 runs within five deviations."""
    runs, pattern = 6000, [False, False, False, True]
    function = getattr(targets["svt"], name)
    for answers in (LOWS, HIGHS):
        seen = sum(function(answers, *arguments) == pattern for _ in range(runs)) / runs
        p = chance(pattern, answers, first, second)
        assert abs(seen - p) <= 5 * (p * (1 - p) / runs) ** 0.5


def test_the_third_tells_the_noisy_answer_and_the_second_draws_a_fresh_threshold(targets):
    """At epsilon = 1, (-1, -1, 0) gives two below and a value <= 7/2 with the probability 0.107; here it is scaled."""
    svt, runs = targets["svt"], 6000
    outputs = [svt.svt3([-0.5, -0.5, 0.0]) for _ in range(runs)]
    event = [y[:2] == [False, False] and len(y) == 3 and y[2] is not False and y[2] <= 1.75 for y in outputs]
    assert abs(sum(event) / runs - 0.107) <= 5 * (0.107 * 0.893 / runs) ** 0.5
    # Twice the same answer: alike if the threshold stayed, less so as it is drawn anew after an answer above.
    both = sum(svt.svt2([0.0, 0.0], 3) == [True, True] for _ in range(runs)) / runs
    p = 1 / 4  # 1/2 each, independent
    assert abs(both - p) <= 5 * (p * (1 - p) / runs) ** 0.5
    assert chance([True, True], [0.0, 0.0], 3.0, 6.0) > 0.29


def test_samplers_in_floats_add_noise_of_scale_1(targets):
    floats, runs = targets["floats"], 1000
    for name in ("inverse", "difference", "noise_rounded", "output_rounded", "exact"):
        sample = getattr(floats, name)
        beyond = sum(abs(sample(3.0) - 3.0) >= 1.0 for _ in range(runs)) / runs
        p = exp(-1.0)
        assert abs(beyond - p) <= 5 * (p * (1 - p) / runs) ** 0.5 + 1 / 1024


@pytest.mark.parametrize("name", FILES)
def test_pairs_are_neighbours_and_every_finding_has_a_source(name):
    data = tomllib.loads((AUDITS / name).read_text())
    for target in data["target"]:
        target = {**data["defaults"], **target}
        assert target["expected"] in ("REFUTED", "NOT_REFUTED")
        assert target.get("source") or target["expected"] == "NOT_REFUTED"
        for pair in target.get("pairs", []):
            metric = target["claim"].get("input")
            first, second = (read(x) for x in pair)
            assert metric is None or not apart(metric, first, second).exceeds(target["claim"]["d_in"])


@pytest.mark.parametrize("name", FILES[1:])
def test_campaigns_are_read(name):
    assert len(campaign(AUDITS / name).items) >= 6


def test_every_published_defect_of_diffprivlib_has_a_target():
    data = tomllib.loads((AUDITS / "diffprivlib.toml").read_text())
    names = [target["name"] for target in data["target"] if target["expected"] == "REFUTED"]
    assert len([name for name in names if name.startswith("DPL-")]) == len(names) == DEFECTS


@pytest.mark.long
@pytest.mark.parametrize("name", FILES)
def test_campaigns_end_as_expected_and_their_verdicts_are_reproduced(name, tmp_path):
    if name == "diffprivlib.toml":
        python_of("diffprivlib-0.6.6")
    report = tmp_path / "report.json"
    found = refdp.audit(AUDITS / name, workers=1, out=report)
    assert not found["surprises"]
    assert not found["unknown"]
    assert found["as_expected"] == len(found["targets"])
    assert all(float(t["processor_seconds"]) <= 60 for t in found["targets"])
    assert json.loads(report.read_text())["verdicts"] == found["verdicts"]
    again = refdp.audit(replay=report)
    assert again["replayed"] == len(found["targets"])
    assert not again["surprises"]
