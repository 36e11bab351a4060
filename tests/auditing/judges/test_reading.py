"""Tasks of the kind `privacy` that are refused, with the sentence that says why; and inputs as files write them."""

from fractions import Fraction as F

import pytest

from refdp.auditing.judges import inputs, rounding
from refdp.auditing.judges.privacy.reading import question
from refdp.auditing.judges.task import Task, TaskError

GOOD = {"pairs": [[0.0, 1.0]], "claim": {"input": "absolute", "d_in": 1, "epsilon": "1"}}
LINE = {"name": "laplace", "scale": "1"}


def claim(**changes):
    return {**GOOD, "claim": {**GOOD["claim"], **changes}}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"claim": GOOD["claim"]}, "one of pairs and space"),
        ({**GOOD, "pairs": []}, "pairs must be 1 to 32"),
        ({**GOOD, "pairs": [[1.0]]}, "lists of two inputs"),
        ({**GOOD, "pairs": [[0.0, 1.5]]}, "pairs must be within 1 under absolute"),
        ({**GOOD, "pairs": [[[1], [1, 2]]], "claim": {"input": "l1", "d_in": 1, "epsilon": 1}}, "within 1 under l1"),
        ({**GOOD, "sample": 1}, "sample is not known"),
        ({**GOOD, "train": 5}, "train must be a whole number >= 128"),
        ({**GOOD, "views": ["colour"]}, "views must be different ones of"),
        ({**GOOD, "views": []}, "views must be different ones of"),
        ({**GOOD, "events": "guessed"}, "events must be one of"),
        ({**GOOD, "events": "laws"}, "laws must be given"),
        ({**GOOD, "events": "half_lines", "spread": 0}, "spread must be > 0"),
        ({**GOOD, "laws": [LINE]}, "two for each of 1 pairs"),
        ({**GOOD, "laws": [LINE, LINE]}, "different locations"),
        ({**GOOD, "laws": [LINE, {**LINE, "scale": "2", "location": 1}]}, "one family and scale"),
        ({**GOOD, "laws": [LINE, {"name": "finite", "outcomes": [1], "masses": ["1"]}]}, "both finite"),
        (claim(epsilon=0.5), r'write "0\.5"'),
        (claim(epsilon="-1"), "epsilon must be >= 0"),
        (claim(delta="1"), "delta must be >= 0 and < 1"),
        (claim(input="metres"), "metric must be one of"),
        (claim(d_in=-1), "d_in must be >= 0"),
        (claim(measure="entropy"), "measure must be one of"),
        (claim(rho=1), "rho is not known"),
        (claim(measure="pure", delta="1/2"), "delta must be 0 under the measure pure"),
        ({**GOOD, "claim": {"delta": "1/2"}}, "epsilon must be given where"),
        ({**GOOD, "claim": {"measure": "zcdp", "rho": 1, "deltas": ["2"]}}, "deltas must be > 0 and < 1"),
        ({**GOOD, "claim": {"measure": "zcdp", "rho": -1}}, "claim"),
        ({**GOOD, "claim": {"measure": "renyi", "order": 1, "epsilon": 1}}, "claim"),
        ({"space": {"number": {"real": [0.0, 1.0]}}, "claim": {"epsilon": 1}}, "input must be given"),
    ],
)
def test_tasks_that_cannot_be_read_are_refused(fields, message):
    with pytest.raises(TaskError, match=message):
        question(Task("t", "privacy", None, fields))


def test_inputs_are_read_without_loss():
    given = [1, 0.5, "a", True, {"tuple": [1, {"none": True}]}, {"fraction": "1/3"}, {"float": "0x1p-3"}, {"k": [1]}]
    assert inputs.read(given) == [1, 0.5, "a", True, (1, None), F(1, 3), 0.125, {"k": [1]}]
    assert inputs.read({"repeated": [[0.0, 3], [{"tuple": [1]}, 1]]}) == [0.0, 0.0, 0.0, (1,)]
    for wrong in ({"fraction": "x"}, {"repeated": [[1, -1]]}, {"repeated": [[1, 10**9]]}, {"tuple": 3}):
        with pytest.raises(TaskError, match="well made"):
            inputs.read(wrong)


@pytest.mark.parametrize("x", [F(1, 3), F(2, 3), F(1, 10**9), F(10**9 + 1, 6 * 10**18), F(0), F(99999, 10**5), F(7)])
def test_numbers_are_printed_rounded_to_the_stated_side(x):
    assert F(rounding.downwards(x)) <= x <= F(rounding.upwards(x))
    assert F(rounding.upwards(x)) - F(rounding.downwards(x)) <= x / 400
    assert F(rounding.number(x)) == x
