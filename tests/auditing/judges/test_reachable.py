"""What a sampler in floats never gives: against the list of all that it gives, and as a kind of campaigns."""

from fractions import Fraction as F
from pathlib import Path
from random import Random

import pytest

from refdp.auditing.evidence.reachability import Noise
from refdp.auditing.judges import reachable
from refdp.auditing.judges.kinds import judge_of
from refdp.auditing.judges.reachable import Reachable
from refdp.auditing.judges.task import Task, TaskError
from refdp.auditing.targets import function
from refdp.laws import gaussian, laplace
from tests.auditing.judges import uniform_samplers as samplers

HERE, ALPHA, BITS = str(Path(__file__).parent), F(1, 10**9), samplers.BITS
NOISES = {
    "laplace": (samplers.laplace, Noise(laplace(1), BITS), -0.5),
    "falling": (samplers.falling, Noise(laplace(1), BITS, falling=True), 0.0),
    "normal": (samplers.normal, Noise(gaussian(2), BITS), 0.0),
    "gridded": (samplers.gridded, Noise(laplace(64), BITS, absolute=F(1, 2)), -0.5),
}


def outputs(sample, shift, x):
    """k -> output, by running them all; those that raise are left out."""
    found = {}
    for k in range(2**BITS):
        try:
            found[k] = sample([x, k / 2**BITS + shift])
        except ValueError:
            continue
    return found


@pytest.mark.parametrize(("sample", "noise", "shift"), NOISES.values(), ids=NOISES)
def test_every_number_that_gives_an_output_is_among_those_that_are_tried(sample, noise, shift):
    random = Random(1)
    for x in (0.0, 1.0, 0.1, -300.0):
        for k, y in random.sample(sorted(outputs(sample, shift, x).items()), 100):
            assert noise.accurate(F(x), k, F(y))
            assert len(noise.near(F(x), F(y))) <= 80


@pytest.mark.parametrize(("sample", "noise", "shift"), NOISES.values(), ids=NOISES)
def test_what_is_said_to_come_of_one_input_alone_is_in_the_other_list_nowhere(sample, noise, shift):
    first, second = outputs(sample, shift, 0.0), outputs(sample, shift, 1.0)
    random, given, said = Random(2), set(second.values()), 0
    for y in random.sample(sorted(first.values()), 200):
        alone = all(second.get(k) != y for k in noise.near(F(1), F(y)))
        assert alone == (y not in given)
        said += alone
    assert said > 100 if sample is not samplers.gridded else said < 100


def judge(name, delta="0", noise=None, samples=64, pair=(0.0, 1.0), **more):
    told = {"law": "laplace", "scale": "1", "bits": BITS, "shift": "-1/2", **(noise or {})}
    fields = {"pairs": [list(pair)], "noise": told, "claim": {"epsilon": "1", "delta": delta}, "samples": samples}
    target = function(f"uniform_samplers:{name}", search=(HERE,))
    return judge_of(Task("t", "reachable", target, {**fields, **more}), ALPHA)


def ended(asked):
    opening, chunks = asked.opening(), []
    while not asked.is_over(opening, chunks):
        chunks.append(asked.chunk(len(chunks) + 1, opening))
    return asked.result(opening, chunks), opening, chunks


def test_a_naive_sampler_is_refuted_without_statistics():
    found, _, _ = ended(judge("laplace"))
    assert (found.verdict, found.error) == ("REFUTED", 0)
    assert found.evidence.counterexample.found == "epsilon infinite"
    assert "never" in found.witness


def test_a_share_that_may_be_lost_is_refuted_at_its_error_only_if_it_is_greater():
    found, _, _ = ended(judge("laplace", "1/10"))
    assert (found.verdict, found.error) == ("REFUTED", ALPHA)
    noise = {"scale": "64", "absolute": "1/2"}
    found, _, _ = ended(judge("gridded", "1/2", noise))
    assert found.verdict == "NOT_REFUTED"
    assert "come of both inputs" in found.sentence


def test_a_record_that_tells_another_story_decides_nothing():
    asked = judge("laplace")
    found, opening, chunks = ended(asked)
    assert asked.result(opening, chunks) == found
    for side in (0, 1):
        for one in chunks[0]["found"][side]:
            one["tried"] += 1
    assert asked.result(opening, chunks).verdict == "UNKNOWN"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("doubled", "follow its noise"), ("broken", "finite floats"), ("restless", "function of"), ("absent", "loaded")],
)
def test_code_that_is_not_what_was_said_is_unknown(name, reason):
    found, _, _ = ended(judge(name))
    assert found.verdict == "UNKNOWN"
    assert reason in found.reason


def test_outputs_with_too_many_numbers_to_try_are_left_open_and_promise_nothing():
    found, _, _ = ended(judge("gridded", noise={"scale": "64", "absolute": "1/2", "bits": 40}, samples=8))
    assert (found.verdict, found.power) == ("UNKNOWN", "")
    assert "16 are undecided" in found.reason


def test_power_speaks_of_the_outputs_that_were_decided():
    noise = {"scale": "64", "absolute": "1/2"}
    asked = judge("gridded", "1/2", noise, samples=48)
    found, opening, chunks = ended(asked)
    decided = sum(bool(one["y"]) for one in asked.pair.tries(chunks))  # u = -1/2 raises, with probability 2^-12
    assert (found.verdict, found.power.split("among ")[1]) == ("NOT_REFUTED", f"the {decided} that were decided")
    chunks[0]["found"][0][0] = {"k": "0", "y": "", "tried": 0, "by": None, "beside": []}
    found = asked.result(opening, chunks)
    assert found.verdict == "NOT_REFUTED"
    assert decided - 1 <= int(found.power.split("among the ")[1].split()[0]) <= decided
    few, _, _ = ended(judge("gridded", "4/5", noise, samples=8))
    assert few.verdict == "UNKNOWN"
    assert "no violation would have been seen" in few.reason


def test_a_share_that_is_planted_is_refuted_and_a_blind_judge_says_unknown(monkeypatch):
    asked = judge("gridded", "1/2", {"scale": "64", "absolute": "1/2"})
    found, opening, chunks = ended(asked)
    share = float(found.power.split(" ")[0])
    n = len(chunks[0]["found"][0]) * len(chunks)
    assert reachable.seen_alone(asked.pair, chunks, round(share * n) + 1)
    assert not reachable.seen_alone(asked.pair, chunks, n // 2)
    monkeypatch.setattr(reachable, "lonely", lambda *_: [])
    assert asked.result(opening, chunks).verdict == "UNKNOWN"


def test_an_exception_of_the_limits_is_no_output_that_never_comes():
    found, _, _ = ended(judge("exhausted"))
    assert found.verdict == "UNKNOWN"
    assert "MemoryError" in found.reason


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"pair": (0.0, float("nan"))}, "finite"),
        ({"noise": {"bits": 65}}, "bits"),
        ({"noise": {"shift": "1/3"}}, "shift"),
        ({"noise": {"law": "cauchy"}}, "law"),
        ({"noise": {"error": "2"}}, "error"),
        ({"noise": {"absolute": "-1"}}, "absolute"),
        ({"claims": {}}, "claims"),
        ({"pairs": [[0.0, 1.0], [1.0, 2.0]]}, "one pair"),
    ],
)
def test_fields_that_say_nothing_are_refused(given, message):
    with pytest.raises((TaskError, ValueError), match=message):
        judge("laplace", **given)


def test_a_target_must_be_given():
    with pytest.raises(TaskError, match="function"):
        judge_of(Task("t", "reachable", None, {}), ALPHA)
    assert isinstance(judge("laplace"), Reachable)
