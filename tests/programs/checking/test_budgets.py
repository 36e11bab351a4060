"""How often an element is counted against a budget: sums are proved at what they cost, and at no less.

The cost is the sensitivity, worked out by hand: how far the sum moves where the data change as the adjacency allows.
"""

import pytest

from refdp.programs.judging import judge
from refdp.programs.question import Question

HEAD = """
from refdp.programs import ALL, L1, MONO, ONE, claim, each, laplace

def five(x, y):
    return abs(x - y) <= 5

def half_up(x, y):
    return 0 <= y - x <= 1/2

"""
TOTAL = "s = 0\n    for x in q:\n        s = s + x\n    return s + laplace(1 / epsilon)"
ANSWERS = "for x in q:\n        yield x + laplace(1 / epsilon)"
COSTS = {
    "one changes": ("ONE", "True", TOTAL, "1"),
    "one changes by 5": ("each(five, changed=1)", "True", TOTAL, "5"),
    "two change": ("each(ALL, changed=2)", "True", TOTAL, "2"),
    "three change by 5": ("each(five, changed=3)", "True", TOTAL, "15"),
    "changes of 1 together": ("L1", "True", TOTAL, "1"),
    "changes of 3 together": ("each(ALL, total=3)", "True", TOTAL, "3"),
    "one element that is read twice": ("ONE", "n >= 1", "return q[0] + q[0] + laplace(1 / epsilon)", "2"),
    "the first and perhaps the last": ("ONE", "n >= 1", "return q[0] + q[-1] + laplace(1 / epsilon)", "2"),
    "the first and the second": ("ONE", "n >= 2", "return q[0] + q[1] + laplace(1 / epsilon)", "1"),
    "one that the loop has read": ("ONE", "n >= 1", TOTAL.replace("return s +", "return s + q[0] +"), "2"),
    "two loops that answer": ("ONE", "True", ANSWERS + "\n    " + ANSWERS, "2"),
    "one that changes by a half upwards": ("half_up", "True", "return q[0] + laplace(1 / epsilon)", "1/2"),
}
UNDECIDED = {"one that the loop has read"}
"""True, and not proved at its cost today."""


def verdict(name: str, share: str) -> str:
    """What is said of the program of that name, at a share of its cost."""
    adjacency, where, body, cost = COSTS[name]
    nonempty = "n >= 1" if "q[0]" in body and where == "True" else where
    said = f', where="{nonempty}"' if nonempty != "True" else ""
    source = f'{HEAD}@claim(epsilon="{share} * {cost} * epsilon", adjacency={adjacency}{said})\n'
    asked = Question(f"{source}def program(q, epsilon):\n    {body}\n", "program", 0)
    return judge(asked, *asked.read(), 10.0).verdict


@pytest.mark.parametrize("name", COSTS)
def test_a_sum_is_not_proved_below_its_cost(name: str) -> None:
    assert verdict(name, "99/100") != "PROVED"


@pytest.mark.parametrize("name", [name for name in COSTS if name not in UNDECIDED])
def test_a_sum_is_proved_at_its_cost(name: str) -> None:
    assert verdict(name, "1") == "PROVED"
