"""Times of draws: a measurement with its error, never a verdict."""

import random

import pytest

from refdp.auditing.judges.kinds import judge_of
from refdp.auditing.judges.task import Task, TaskError
from refdp.auditing.judges.timing import Timing, distance, ranks, spearman
from refdp.auditing.targets import Limits, function, of_library
from tests.auditing.environments import python_of
from tests.auditing.judges.asking import ALPHA, HERE, judged, task


def correlation(found):
    return float(found.evidence.rows[0].answer)


@pytest.mark.once
def test_a_loop_as_long_as_its_noise_is_seen():
    found = judged("timing", "noise_sources:slow_when_large", input=3, centre=3, samples=600)
    assert found.verdict == "MEASURED"
    assert correlation(found) > 0.3  # ranks of 8 lengths from 0 to 14,000 steps; its error without dependence is 0.04
    assert found.samples == 600
    assert float(found.evidence.rows[0].lower) < correlation(found) < float(found.evidence.rows[0].upper)


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "reason"), [("constant", "do not vary"), ("words", "must be numbers"), ("late", "no answer after")]
)
def test_what_gives_no_numbers_is_unknown(name, reason):
    found = judged("timing", f"noise_sources:{name}", Limits(call=0.3), input=1, samples=20)
    assert found.verdict == "UNKNOWN"
    assert reason in found.reason


def test_ranks_and_their_correlation_are_those_of_the_definition():
    assert ranks([3, 1, 3, 2]) == [3.5, 1, 3.5, 2]
    assert spearman([1, 2, 3], [10, 20, 30]) == pytest.approx(1)
    assert spearman([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert spearman([1, 1], [1, 2]) is None
    rng = random.Random(5)
    a, b = ([rng.random() for _ in range(50)] for _ in range(2))
    difference = sum((s - t) ** 2 for s, t in zip(ranks(a), ranks(b), strict=True))
    assert spearman(a, b) == pytest.approx(1 - 6 * difference / (50 * (50**2 - 1)))  # no equal values


def test_the_size_of_noise_is_the_distance_from_the_centre():
    assert distance(5, 3) == distance(1, 3) == 2
    assert distance([1, 5.0], 3) == 4
    assert [distance(y, 0) for y in (True, "1", float("nan"), [], [None], 10**400)] == [None] * 6


def test_chunks_hold_all_draws_and_their_number_alone_says_how_many():
    judge = Timing(function("noise_sources:steady", search=(HERE,)), 0, 0, 25_000)
    assert [judge.size(number) for number in (1, 2)] == [10_000, 15_000]
    assert not judge.is_over({}, [{"timed": {"kind": "value", "value": None, "text": ""}}])
    assert judge.is_over({"failed": "why"}, [])


def test_bad_fields_are_refused_in_one_sentence():
    bad = (({"input": {"fraction": "x"}}, "input must be"), ({"input": 0, "samples": 1}, "samples must be a whole"))
    for fields, sentence in bad:
        with pytest.raises(TaskError, match=sentence):
            judge_of(task("timing", "noise_sources:steady", **fields), ALPHA)


@pytest.mark.long
def test_whole_noise_of_opendp_takes_time_that_tells_of_its_size():
    text = "m.make_laplace(atom_domain(T=int), absolute_distance(T=int), 10.0)"
    target = of_library("opendp", text, python_of("opendp-0.16.0"))
    judge = judge_of(Task("OD-TIME", "timing", target, {"input": 0, "samples": 10_000}), ALPHA)
    opening = judge.opening()
    found = judge.result(opening, [judge.chunk(1, opening)])
    assert found.verdict == "MEASURED"
    assert correlation(found) > 0.05
