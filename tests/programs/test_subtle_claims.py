"""Programs whose truth hangs on one detail: of the claim, of what lists keep, or of what Python does."""

import pytest

from refdp.programs.judging import judge
from refdp.programs.question import Question

HEAD = "from refdp.programs import ALL, ONE, bernoulli, choice, claim, each, exponential, laplace\n"

ONE_WAY = """
def down(x, y):
    return y <= x and x <= y + 1

@claim(rho="{rho}", adjacency=down)
def program(x: float, epsilon):
    return x + exponential(1 / epsilon)
"""

GROWING = """
@claim(epsilon="1/100", adjacency=each(ALL, changed=1))
def program(q: list[bool]):
    weights = []
    for x in q:
        weights.append(2 if x else 1)
        yield choice(weights) == 0
"""

UNREAD = """
@claim(epsilon="epsilon", adjacency=ALL)
def program(x: bool, epsilon, m: int):
    if x:
        y = {value}
    else:
        y = 0
    return 1
"""

BEHIND = """
@claim(epsilon="epsilon", adjacency=ONE)
def program(q: list[float], epsilon, j: int):
    x = q[j]
    if j < 0:
        return x
    return x + laplace(1 / epsilon)
"""

EARLY = """
@claim(epsilon="epsilon", adjacency=ONE)
def program(q: list[bool], epsilon, m: int):
    if q[0]:
        return 1
    for i in range(m):
        if not q[i] or i > 5:
            return 1
    return 1
"""


def verdict(body: str) -> str:
    """The verdict about a program."""
    asked = Question(HEAD + body, "program", 0)
    return judge(asked, *asked.read(), 10.0).verdict


def test_a_loss_in_one_direction_is_concentrated_as_it_stands_and_not_squared() -> None:
    assert verdict(ONE_WAY.format(rho="epsilon**2/2")) == "REFUTED"
    assert verdict(ONE_WAY.format(rho="epsilon")) == "PROVED"


def test_weights_that_later_elements_choose_from_are_not_compared_element_by_element() -> None:
    assert verdict(GROWING) == "REFUTED"


@pytest.mark.parametrize("value", ["7 % (0 - 3)", "7 % m", "(0 - 2.0) ** (0 - 1)", "(m - 9) ** (0 - 1)"])
def test_what_python_works_out_and_is_not_read_is_no_exception_that_refutes(value: str) -> None:
    assert verdict(UNREAD.format(value=value)) == "UNKNOWN"


def test_an_element_counted_from_the_end_is_no_exception_that_proves() -> None:
    assert verdict(BEHIND) == "UNKNOWN"


def test_a_loop_that_ends_before_the_data_do_is_no_exception_that_refutes() -> None:
    assert verdict(EARLY) == "UNKNOWN"


def test_a_claim_of_another_epsilon_still_says_where_it_is_made() -> None:
    body = (
        '@claim(epsilon="epsilon", where="epsilon <= 1", adjacency=ALL)\ndef program(x: bool, epsilon):\n    return 1\n'
    )
    _, claim = Question(HEAD + body, "program", 0, epsilon="5").read()
    assert claim.text == "epsilon=5 where epsilon <= 1"


def test_an_adjacency_of_exponentials_is_refused() -> None:
    near = "def near(x, y):\n    return exp(x) == exp(y)\n\n@claim(epsilon='epsilon', adjacency=near)\n"
    body = (
        f"from refdp.programs import exp\n{near}def program(x: float, epsilon):\n    return x + laplace(1 / epsilon)\n"
    )
    with pytest.raises(ValueError, match="near, which takes exp"):
        verdict(body)
