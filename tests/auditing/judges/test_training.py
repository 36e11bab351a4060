"""Training steps of others: each defect is seen by the judge that can see it, right steps by none."""

from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest

from refdp.auditing.judges.kinds import judge_of
from refdp.auditing.judges.single import FAILED
from refdp.auditing.judges.task import Task, TaskError
from refdp.auditing.judges.training.judges import agreement, on_lots, on_noise, on_pairs, on_setup
from refdp.auditing.judges.training.planted import DEFECTS, JUDGES, Planted, defects
from refdp.auditing.targets import Limits, function
from refdp.learning.loops import StepLoop
from refdp.learning.training import Plan
from tests.auditing.judges.asking import ALPHA, HERE, judged, task

ERROR = F(1, 10**11)
"""Of each judge that counts; some 60 are run here, so that a false alarm has a chance below 1e-9 in all."""
FOUR = ["pairs", "noise", "lots", "set-up"]
BY_NAME = {
    "pairs": on_pairs,
    "noise": lambda loop: on_noise(loop, ERROR),
    "lots": lambda loop: on_lots(loop, ERROR),
    "set-up": on_setup,
}


def asked(wrong=None, judges=FOUR, **fields):
    options = {} if wrong is None else {"options": {"wrong": wrong}}
    return judged("training", "training_steps:step", judges=judges, **options, **fields)


def verdicts(found):
    return {row.question: row.verdict.split(",")[0].split(";")[0] for row in found.evidence.rows}


@pytest.mark.once
def test_a_right_step_is_not_refuted_and_says_what_was_planted_and_the_ceiling_of_canaries():
    found = asked(judges=[*FOUR, "canaries"], steps=10, canaries=100, guesses=60)
    assert found.verdict == "NOT_REFUTED"
    assert "each of 14 defects that were planted" in found.power
    assert "canaries show no epsilon above" in found.power
    assert set(verdicts(found).values()) == {"NOT_REFUTED"}
    assert found.error == 0


@pytest.mark.once
@pytest.mark.parametrize(
    ("wrong", "saw"),
    [
        ("clip", "pairs"), ("actual size", "pairs"), ("empty lots are skipped", "pairs"),
        ("noise of the default norm", "noise"), ("no noise", "noise"), ("dropped on a layer", "noise"),
        ("one noise for two layers", "noise"), ("negated noise for two layers", "noise"),
        ("one noise for all steps", "noise"), ("twice", "lots"), ("fixed size", "lots"), ("shuffled", "lots"),
        ("drawn again", "lots"), ("in pairs", "lots"), ("one order", "lots"), ("none in every second step", "noise"),
        ("none in every third step", "noise"), ("two noises in turn", "noise"),
        ("empty lots are skipped with noise", "noise"), ("private size", "set-up"), ("another rate", "set-up"),
    ],
)  # fmt: skip
def test_each_defect_is_seen_by_the_judge_that_can_see_it(wrong, saw):
    found = asked(wrong, [saw])
    assert found.verdict == "REFUTED"
    assert found.witness.startswith(f"{saw}: ")
    assert found.error == (0 if saw in ("pairs", "set-up") or wrong == "twice" else ALPHA)


@pytest.mark.once
@pytest.mark.parametrize(
    ("wrong", "judge"), [("private size", "pairs"), ("clip", "set-up"), ("shuffled", "noise"), ("clip", "noise")]
)
def test_what_a_judge_cannot_see_it_does_not_accuse(wrong, judge):
    found = asked(wrong, [judge])
    assert found.verdict == "NOT_REFUTED"
    assert [f"the judge of {one}" in found.not_tested for one in FOUR] == [one != judge for one in FOUR]


@pytest.mark.once
@pytest.mark.parametrize(
    ("wrong", "fields", "verdict"),
    [
        ("raises", {"empty": False}, "NOT_REFUTED"),
        ("empty lots are skipped", {"empty": False}, "NOT_REFUTED"),
        ("actual size", {"empty": False}, "REFUTED"),
        ("clip", {"empty": False, "finite": True}, "REFUTED"),
        ("not a number", {"finite": True}, "NOT_REFUTED"),
        ("not a number", {}, "REFUTED"),
    ],
)
def test_lots_without_rows_and_gradients_that_are_not_finite_can_be_left_out_and_then_are_said_to_be(
    wrong, fields, verdict
):
    found = asked(wrong, ["pairs", "noise"], **fields)
    assert found.verdict == verdict
    assert ("empty lots" in found.not_tested) == ("empty" in fields)
    assert any("infinite" in one for one in found.not_tested) == ("finite" in fields)


@pytest.mark.once
@pytest.mark.parametrize("rate", ["1/201", "1/1000"])
def test_lots_of_small_rates_are_judged_on_two_epochs(rate):
    """Lots that are mostly empty once were judged on 200, among which a shuffle of a thousand shows nothing."""
    right = asked(None, ["lots"], rate=rate)
    assert right.verdict == "NOT_REFUTED"
    assert "each of 4 defects that were planted, such as shuffled" in right.power
    assert asked("cut into many", ["lots"], rate=rate).verdict == "REFUTED"


@pytest.mark.once
@pytest.mark.parametrize("rate", ["1/20000", "1e-9", "1e-100"])
def test_lots_of_which_no_epoch_is_seen_are_unknown(rate):
    for wrong in (None, "cut into many") if rate == "1/20000" else (None,):
        found = asked(wrong, ["lots"], rate=rate)
        assert found.verdict == "UNKNOWN"
        assert "whether lots are shuffled is not seen at a rate below" in found.reason


@pytest.mark.once
@pytest.mark.parametrize(("rate", "period"), [("1/2", 5), (1, 10), (1, 7)])
def test_rows_of_a_period_are_judged_by_it(rate, period):
    assert asked(None, ["pairs", "lots"], rate=rate, period=period).verdict == "NOT_REFUTED"
    wrong = asked("no period", ["pairs", "lots"], rate=rate, period=period)
    assert wrong.verdict == "REFUTED"
    assert f"of a period of {period}" in wrong.witness
    assert wrong.error == 0


@pytest.mark.once
@pytest.mark.parametrize(
    ("wrong", "judge", "said"),
    [
        ("raises", "pairs", "RuntimeError: no rows"),
        ("too short", "pairs", "must release 4 numbers or nothing"),
        ("nothing", "pairs", "nothing was released"),
        ("nothing", "noise", "nothing was released"),
        ("no row", "lots", "a lot must be a list of rows from 0 to 39"),
        ("not finite", "set-up", "rate of a set-up must be finite"),
        ("says nothing", "set-up", "the set-up does not say divisor, rate, steps"),
        ("a long rate", "set-up", "rate of a set-up must be finite, and no longer than a float may be"),
        ("a very long number", "set-up", "x of a set-up must be finite, and no longer than a float may be"),
        ("a very long name", "set-up", "must be a dictionary of numbers by their names, got a number that is too long"),
        ("far too long a row", "lots", "a lot must be a list of rows from 0 to 39, got a number that is too long"),
        ("too long a number", "pairs", "must be numbers that floats have"),
        ("far too long a number", "noise", "numbers or nothing, got a number that is too long to be shown"),
        ("every second step is skipped", "noise", "in some steps something is released, and in some nothing"),
        ("the first steps are skipped", "noise", "lots of 0 rows of gradient 0: nothing is released, and of lots of 1"),
    ],
)
def test_a_step_that_does_not_answer_is_unknown(wrong, judge, said):
    found = asked(wrong, [judge])
    assert found.verdict == "UNKNOWN"
    assert said in found.reason


def test_a_target_that_is_not_there_is_unknown():
    found = judged("training", "training_steps:missing")
    assert found.verdict == "UNKNOWN"
    assert "cannot be loaded" in found.reason


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"rate": 0}, "rate must be from"),
        ({"rate": 2}, "rate must be <= 1"),
        ({"norm": "-1"}, "norm must be from"),
        ({"sensitivity": 0}, "sensitivity must be from"),
        ({"rounding": 0}, "rounding must be from"),
        ({"delta": 1}, "delta < 1"),
        ({"steps": 0}, "steps must be a whole number >= 1"),
        ({"layers": 0}, "layers must be a whole number >= 1"),
        ({"layers": 17}, "layers must be at most 16"),
        ({"period": 1001}, "period must be at most 1000"),
        ({"norm": "1e-400"}, r"norm must be from 1e-100 to 1e\+100, got 1e-400"),
        ({"noise_multiplier": "1e400"}, "noise_multiplier must be from"),
        ({"guesses": 3}, "guesses must be even"),
        ({"guesses": 502}, "at most canaries"),
        ({"judges": []}, "judges must list some of"),
        ({"judges": ["canaries"]}, "and one of pairs, noise, lots, set-up"),
        ({"judges": ["pairs", "pairs"]}, "each once"),
        ({"judges": ["pairs", "other"]}, "judges must list some of"),
        ({"judges": ["pairs", "canaries"], "period": 2}, "epsilon must be given with canaries and a period"),
        ({"finite": 1}, "finite must be true or false"),
        ({"epsilon": -1}, "epsilon must be from"),
        ({"epsilon": 0}, "epsilon must be from"),
        ({"steps": 10**400}, "steps must be at most 1000000000, got more than 20 digits"),
        ({"canaries": 10**12}, "canaries must be at most 1000000, got 1000000000000"),
        ({"canaries": 10**5000}, "canaries must be at most 1000000, got more than 20 digits"),
        ({"judges": [["pairs"]]}, "judges must list names"),
        ({"judges": [{"a": 1}]}, "judges must list names"),
        ({"norm": "1e100", "noise_multiplier": "1e100", "lot": 1}, "noise_multiplier times sensitivity must be from"),
        ({"empty": 0}, "empty must be true or false"),
        ({"nothing": 1}, "target.nothing is not known here"),
    ],
)
def test_fields_that_are_none_are_refused(fields, said):
    with pytest.raises(TaskError, match=said):
        judge_of(task("training", "training_steps:step", **fields), ALPHA)


def test_a_record_without_its_parts_is_not_believed():
    """What is missing, or was planted and not seen, makes a verdict UNKNOWN."""
    judge = judge_of(task("training", "training_steps:step", judges=["pairs", "set-up"]), ALPHA)
    pairs = {"judge": "pairs", "verdict": "NOT_REFUTED", "text": "t", "error": "0", "ceiling": None,
             "planted": {"clipped_to_twice_the_norm": True}}  # fmt: skip
    setup = pairs | {"judge": "set-up", "planted": {"divisor_of_the_table": True}}
    for found, verdict in [
        ([pairs, setup], "NOT_REFUTED"), ([], "UNKNOWN"), ([pairs], "UNKNOWN"), ([setup, pairs], "UNKNOWN"),
        ([pairs | {"planted": {}}, setup], "UNKNOWN"),
        ([pairs, setup | {"planted": {"divisor_of_the_table": False}}], "UNKNOWN"),
        ([pairs, setup | {"verdict": "UNKNOWN"}], "UNKNOWN"),
    ]:  # fmt: skip
        assert judge.result({"about": {}, "found": found}, []).verdict == verdict
    assert judge.result({FAILED: "why"}, []).reason == "why"


OWN = Plan(F(1, 10), 100, F(2), F(33), F(2))
SINGLE = replace(OWN, rate=F(1), lot=F(1))


@pytest.mark.parametrize("plan", [OWN, SINGLE])
@pytest.mark.parametrize("judge", JUDGES)
def test_every_defect_that_is_planted_in_refdps_own_step_is_seen(judge, plan):
    loop = StepLoop(plan)
    assert BY_NAME[judge](loop).verdict == "NOT_REFUTED"
    names = defects(judge, loop)
    assert names
    for name in names:
        assert BY_NAME[judge](Planted(loop, name)).verdict == "REFUTED", name


def test_planted_loops_claim_what_the_loop_claims():
    loop = StepLoop(OWN)
    planted = Planted(loop, DEFECTS[0])
    for name in ("plan", "claim"):
        assert getattr(planted, name) == getattr(loop, name)
    assert planted.layers(5) == loop.layers(5) == (5,)
    with pytest.raises(ValueError, match="defect must be one of"):
        Planted(loop, "none")


def test_signs_that_agree_by_half_are_independent_and_zeros_are_not_counted():
    one = np.array([1.0, -1.0] * 100)
    assert agreement(one, one, ERROR) == "signs agree in 200 of 200 pairs, and should in half of them"
    assert agreement(one, -one, ERROR).startswith("signs agree in 0 of 200")
    assert agreement(one, np.repeat([1.0, -1.0], 100), ERROR) == ""
    assert agreement(one, 0 * one, ERROR) == ""
    assert agreement(one[:0], one, ERROR) == ""


def test_a_step_needs_a_target():
    with pytest.raises(TaskError, match="must have one of recipe, function"):
        judge_of(Task("x", "training", None, {}), ALPHA)


def test_limits_of_a_target_are_those_of_its_calls():
    target = function("training_steps:step", limits=Limits(call=20.0), search=(HERE,))
    assert judge_of(Task("x", "training", target, {}), ALPHA).target is target
