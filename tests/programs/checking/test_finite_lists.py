"""Laws of one element say nothing of lists where more than the element decides."""

import pytest

from refdp.programs.checking.proof import check
from refdp.programs.language.reading import programs_in

HEAD = 'from refdp.programs import *\n\n\n@claim(epsilon="ln(3)", adjacency=ONE)\n'
EACH = '    for x in q:\n        yield x != bernoulli("1/4")\n'


def verdict(body: str) -> str:
    (program,) = programs_in(HEAD + "def program(q: list[bool]):\n" + body, "file.py")
    return check(program, program.claims[0], (), ("z3",), 20.0).verdict


def test_a_list_whose_elements_are_answered_one_by_one_is_proved() -> None:
    assert verdict(EACH) == "PROVED"


@pytest.mark.parametrize(
    "before",
    [
        "    if len(q) > 1:\n        if q[1]:\n            return\n",
        "    if len(q) > 1:\n        if q[1]:\n            y = 1 // 0\n",
        "    last = False\n    if len(q) > 1:\n        last = q[1]\n    if last:\n        return\n",
        "    if len(q) > 2:\n        yield q[2]\n",
        "    z = bernoulli('1/2')\n    if len(q) > 1 and z:\n        yield True\n",
    ],
)
def test_what_is_done_before_the_elements_are_answered_is_not_overlooked(before: str) -> None:
    assert verdict(before + EACH) == "UNKNOWN"


@pytest.mark.parametrize(
    "rounds",
    [
        '    for i, x in enumerate(q):\n        yield x if i > 6 else x != bernoulli("1/4")\n',
        '    for x in q:\n        yield x if len(q) > 6 else x != bernoulli("1/4")\n',
        '    z = False\n    for x in q:\n        yield z != bernoulli("1/4")\n        z = z or x\n',
        '    for x in q:\n        yield x != bernoulli("1/4")\n        if x:\n            break\n',
        EACH + '    for x in q:\n        yield x != bernoulli("1/4")\n',
        EACH + "    if len(q) > 3 and q[3]:\n        yield True\n",
    ],
)
def test_rounds_that_are_not_alike_are_not_judged_by_one(rounds: str) -> None:
    assert verdict(rounds) == "UNKNOWN"
