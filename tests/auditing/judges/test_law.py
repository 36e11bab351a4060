"""Kind `law`: what is refuted, what is not, and what is refused; samplers of fixed streams, so nothing is random."""

from fractions import Fraction as F
from itertools import pairwise
from random import Random

import pytest

from refdp.auditing.judges import drawing
from refdp.auditing.judges.law.reading import question
from refdp.auditing.judges.task import Task, TaskError
from refdp.auditing.targets import function, of_library
from refdp.verdicts import NOT_REFUTED, REFUTED, UNKNOWN
from tests.auditing.evidence.samplers import right
from tests.auditing.judges.running import ALPHA, driven, gaussian, laplace, law_judge, recorded


def integers(scale, seed=1):
    draw = right(scale, seed)
    return lambda x, n: [x + k for k in draw(n)]


COIN = {"law": {"name": "finite", "outcomes": [0, 1], "masses": ["1/2", "1/2"]}, "input": 0}
TWO = {"law": {"name": "discrete_laplace", "scale": "22"}, "input": 0}


def test_right_sampler_is_not_refuted_and_its_power_is_stated():
    found = driven(law_judge(integers(22), **TWO))
    assert found.verdict == NOT_REFUTED
    assert "scale times 19/20" in found.power
    assert "0.999" in found.sentence
    assert found.evidence.difference is not None
    assert max(map(abs, found.evidence.difference.difference)) < found.evidence.difference.band


def test_wrong_scale_is_refuted_with_the_cell_that_betrays_it():
    found = driven(law_judge(integers(F(88, 5)), **TWO))
    assert found.verdict == REFUTED
    assert found.error == ALPHA
    example = found.evidence.counterexample
    assert example is not None
    assert example.event
    assert example.counts[0].endswith(f"of {found.samples}")
    wealth = found.evidence.wealth
    assert wealth is not None
    assert wealth.log10[-1] > wealth.threshold > wealth.log10[-2]


def test_result_is_a_function_of_the_record():
    judge = law_judge(lambda x, n: [0] * n, **COIN)
    record = recorded(judge)
    assert judge.result(*record).verdict == REFUTED
    assert law_judge(coin(1), **COIN).result(*record) == judge.result(*record)


def coin(seed):
    random = Random(seed)
    return lambda x, n: random.choices((0, 1), k=n)


@pytest.mark.parametrize("value", [float("nan"), None, "3", True])
def test_what_is_no_value_is_unknown_and_says_so(value):
    found = driven(law_judge(lambda x, n: [value] + [0] * (n - 1), **COIN))
    assert found.verdict == UNKNOWN
    assert repr(value) in found.reason


def test_impossible_value_refutes_without_statistics():
    half = {"name": "discrete_laplace", "scale": "4", "granularity": "1/2"}
    found = driven(law_judge(lambda x, n: [0.25] + [0.5] * (n - 1), law=half, input=0))
    assert (found.verdict, found.error) == (REFUTED, 0)
    assert "0.25" in found.witness


def test_sampler_that_raises_is_unknown():
    def draw(x, n):
        raise RuntimeError("no entropy")

    found = driven(law_judge(draw, **COIN))
    assert found.verdict == UNKNOWN
    assert "RuntimeError" in found.reason


def test_budget_that_ends_early_says_that_power_was_not_reached():
    found = driven(law_judge(coin(2), samples=500, **COIN))
    assert found.verdict == NOT_REFUTED
    assert found.samples == 500
    assert "power was not reached" in found.power
    assert "too often by 0.4" in found.power  # that was planted, and seen
    few = driven(law_judge(coin(2), samples=20, **COIN))
    assert (few.verdict, few.reason.partition(":")[0]) == (UNKNOWN, "no violation would have been seen")


def test_noise_that_starts_from_one_state_in_every_process_is_unknown():
    """Each process would give the same draws again, which are not independent."""
    found = driven(law_judge(lambda x, n: coin(3)(x, n), **COIN))
    assert found.verdict == UNKNOWN
    assert "independent" in found.reason


def test_several_parameters_share_alpha_and_one_wrong_one_is_found():
    """Right for scale 1, wrong for scale 10, as in a sampler that is right for powers of two alone."""
    streams = {1: laplace(1, 1.0), 10: laplace(2, 8.0)}
    fields = {"law": {"name": "laplace"}, "parameters": [{"scale": "1", "input": 1}, {"scale": "10", "input": 10}]}
    found = driven(law_judge(lambda x, n: [y - x for y in streams[x](x, n)], **fields))
    assert found.verdict == REFUTED
    assert "scale 10" in found.sentence
    assert [line.alpha for line in found.evidence.ledger] == [str(ALPHA / 2)] * 2


def test_coordinates_of_an_output_are_draws():
    draw = gaussian(5, 2.0)
    vector = lambda x, n: [draw(x, 100) for _ in range(n)]  # noqa: E731
    fields = {"law": {"name": "gaussian", "sigma": "2"}, "input": 0.0, "samples": 1000}
    assert driven(law_judge(vector, coordinates=100, **fields)).verdict == NOT_REFUTED
    short = law_judge(lambda x, n: [[0]] * n, coordinates=2, **COIN)
    assert "2 coordinates" in driven(short).reason


def test_finite_laws_are_judged_also_of_lists():
    random = Random(3)
    outcomes, masses = [[1, 0], [0, 1], "none"], ["1/2", "1/4", "1/4"]
    fields = {"law": {"name": "finite", "outcomes": outcomes, "masses": masses}, "input": 0, "samples": 4000}
    fair = lambda x, n: random.choices(outcomes, [2, 1, 1], k=n)  # noqa: E731
    assert driven(law_judge(fair, **fields)).verdict == NOT_REFUTED
    assert driven(law_judge(lambda x, n: random.choices(outcomes, [2, 1, 2], k=n), **fields)).verdict == REFUTED


def test_parameters_fill_the_names_of_a_recipe():
    target = of_library("opendp", "m.make_laplace(domain, metric, scale=scale, k=k)", k=1)
    fields = {"law": {"name": "discrete_laplace"}, "parameters": [{"scale": "3"}, {"scale": 0.5, "k": "-7"}]}
    cases = question(Task("t", "law", target, fields), ALPHA).cases
    assert [case.target.spec["values"] for case in cases] == [{"k": 1, "scale": 3}, {"k": -7, "scale": 0.5}]
    assert [case.law.reference.line.spread for case in cases] == [3, F(1, 2)]
    assert cases[0].target.spec["recipe"] != cases[1].target.spec["recipe"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "law must be given"),
        ({"law": {"name": "cauchy"}}, r"law\.name must be one of"),
        ({"law": {"name": "laplace"}}, r"law\.scale must be given"),
        ({"law": {"name": "laplace", "scale": "-1"}}, "scale must be > 0"),
        ({"law": {"name": "laplace", "scale": "1", "colour": 1}}, r"law\.colour is not known"),
        ({**TWO, "sample": 3}, "sample is not known"),
        ({**TWO, "samples": 0}, "samples must be a whole number >= 1"),
        ({**TWO, "resolution": "2"}, "resolution must be > 0 and < 1"),
        ({**TWO, "parameters": []}, "parameters must be 1 to"),
        ({**TWO, "parameters": [{"epsilon": 1}]}, "where there is no recipe"),
        ({"law": {"name": "finite", "outcomes": [1, 1], "masses": ["1/2", "1/2"]}}, "different from each other"),
        ({"law": {"name": "finite", "outcomes": [1, 2], "masses": ["1/2", "1/4"]}}, "sum to 1"),
        ({"law": {"name": "finite", "outcomes": [1], "masses": ["1/2", "1/4"]}}, "one for each outcome"),
    ],
)
def test_tasks_that_cannot_be_read_are_refused(fields, message):
    with pytest.raises(TaskError, match=message):
        question(Task("t", "law", function("module:name"), fields), ALPHA)


def test_names_that_the_recipe_has_not_are_refused():
    target = of_library("opendp", "m.f(scale)")
    fields = {"law": {"name": "laplace"}, "parameters": [{"scale": "3", "colour": 1}]}
    with pytest.raises(TaskError, match="got colour"):
        question(Task("t", "law", target, fields), ALPHA)


@pytest.mark.parametrize("goal", [1, 127, 128, 300, 10_000, 3_000_000])
def test_chunks_draw_every_draw_once(goal):
    numbers = [n for n in range(1, 60) if drawing.parts(n, goal)]
    assert sum(sum(drawing.parts(n, goal)) for n in numbers) == goal
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(size > 0 for n in numbers for size in drawing.parts(n, goal))
    ends = [drawing.span(n, goal) for n in numbers]
    assert all(before[1] == after[0] for before, after in pairwise(ends))


def test_repetitions_are_told_apart_from_rare_outputs():
    random = Random(1)
    floats = [random.random() for _ in range(200)]
    assert drawing.repeated([drawing.starts(floats), drawing.starts(list(floats))])
    assert drawing.repeated([drawing.starts(floats * 2, 200)])
    assert not drawing.repeated([drawing.starts(floats), drawing.starts(floats[::-1])])
    rare = [0] * 199 + [1]
    assert not drawing.repeated([drawing.starts(rare), drawing.starts(list(rare))])
    assert not drawing.repeated([drawing.starts([0] * 200)] * 2)  # what never varies may well come again
