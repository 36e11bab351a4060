"""Scales that a library answers for claims: too small ones are refuted by the exact delta of such noise."""

import math

import pytest

from refdp.auditing.judges.kinds import judge_of
from refdp.auditing.judges.task import Task, TaskError
from refdp.auditing.targets import function
from tests.auditing.environments import PLACE, python_of
from tests.auditing.judges.asking import ALPHA, judged, task

GAUSSIAN = {"noise": "gaussian", "epsilons": ["1/2", 10], "deltas": ["1e-5"]}
LAPLACE = {"noise": "laplace", "epsilons": ["1/3", 2], "sensitivities": [1, 3], "rounding": 0}


def words(result):
    return [row.verdict.partition(":")[0] for row in result.evidence.rows]


@pytest.mark.once
def test_the_textbook_formula_is_refuted_for_great_epsilon_and_loose_for_small():
    found = judged("noise_scale", "noise_sources:classical", **GAUSSIAN)
    assert found.verdict == "REFUTED"
    assert words(found) == ["LOOSE", "UNSOUND"]
    sigma = float(found.evidence.rows[1].answer)
    tails = [math.erfc((10 * sigma + s / (2 * sigma)) / math.sqrt(2)) / 2 for s in (-1, 1)]
    assert float(found.evidence.rows[1].lower) == pytest.approx(tails[0] - math.exp(10) * tails[1], rel=1e-9)
    assert "0.49988" in found.sentence  # the sigma that would do, rounded up
    assert len(found.witness) <= 80
    curve = found.evidence.curve
    assert curve.marked == 10.0
    assert curve.exact == tuple(sorted(curve.exact, reverse=True))
    at = dict(zip(curve.epsilons, curve.exact, strict=True))
    assert at[10.0] == pytest.approx(float(found.evidence.rows[1].lower), rel=1e-2)


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "fields", "verdict"),
    [
        ("analytic", GAUSSIAN, "NOT_REFUTED"),
        ("analytic_low", GAUSSIAN, "REFUTED"),
        ("laplace_scale", LAPLACE, "NOT_REFUTED"),
        ("laplace_scale_low", LAPLACE, "REFUTED"),
        ("laplace_scale_low", {**LAPLACE, "rounding": "1e-5"}, "NOT_REFUTED"),
        ("by_name", {**LAPLACE, "asks": ["sensitivity", "epsilon"]}, "NOT_REFUTED"),
        ("nothing", LAPLACE, "REFUTED"),
        ("negative", LAPLACE, "UNKNOWN"),
        ("not_a_number", LAPLACE, "UNKNOWN"),
        ("raises", LAPLACE, "UNKNOWN"),
    ],
)
def test_scales_are_judged_to_the_millionth_part(name, fields, verdict):
    assert judged("noise_scale", f"noise_sources:{name}", **fields).verdict == verdict


@pytest.mark.once
def test_whole_noise_is_judged_by_its_own_law():
    fields = {"epsilons": ["1/2"], "sensitivities": [2]}
    right = judged("noise_scale", "noise_sources:laplace_scale", noise="discrete_laplace", **fields)
    assert right.verdict == "NOT_REFUTED"
    wrong = judged("noise_scale", "noise_sources:laplace_scale_low", noise="discrete_laplace", **fields)
    assert wrong.verdict == "REFUTED"


BAD = [
    ({"noise": "uniform"}, "noise must be one of"),
    ({"epsilons": []}, "at least one number"),
    ({"epsilons": ["x"]}, "must be a number"),
    ({"epsilons": [-1]}, "epsilon >= 0"),
    ({"deltas": [1]}, "delta from 0 to below 1"),
    ({"sensitivities": [0]}, "sensitivity > 0"),
    ({"asks": ["sigma"]}, "asks must be a list of"),
    ({"noise": "discrete_laplace", "sensitivities": ["1/2"]}, "sensitivity"),
    ({"other": 1}, "other is not known"),
]


@pytest.mark.parametrize(("change", "sentence"), BAD)
def test_bad_fields_are_refused_in_one_sentence(change, sentence):
    with pytest.raises(TaskError, match=sentence):
        judge_of(task("noise_scale", "noise_sources:nothing", **(LAPLACE | change)), ALPHA)


@pytest.mark.long
def test_flower_adds_too_little_noise_for_great_epsilon():
    folder = str(PLACE.parent / "audits" / "targets")
    target = function("flwr_local:scale", python_of("flwr-1.41.0"), search=(folder,))
    judge = judge_of(Task("flwr", "noise_scale", target, {**GAUSSIAN, "epsilons": ["9/10", 10, 50]}), ALPHA)
    found = judge.result(judge.opening(), [])
    assert words(found) == ["LOOSE", "UNSOUND", "UNSOUND"]
    assert found.evidence.rows[1].lower.startswith("0.0000226")
    assert found.evidence.rows[2].lower.startswith("0.586")
