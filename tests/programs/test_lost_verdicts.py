"""Programs whose verdict once was lost to an exception, or was UNKNOWN with a sentence that was not true."""

import pytest

from refdp.programs.checking.proof import check
from refdp.programs.judging import judge
from refdp.programs.language.names import TAKEN
from refdp.programs.question import Question

HEAD = """
from refdp.programs import ALL, ONE, bernoulli, choice, claim, exp, laplace, log

def any_two(x, y):
    return True

def of_three(x, y):
    return 0 <= x and x <= 2 and 0 <= y and y <= 2

"""
RESPONSE = "bernoulli(1 / (1 + exp(epsilon)))"
RAPPOR = "log((1 - f / 2) / (f / 2))"

CRASHED = {
    "bernoulli of the data, then a flip": ("any_two", "epsilon", "", "x: bool, epsilon",
                                           f"return bernoulli(x) != {RESPONSE}"),
    "three answers": ("of_three", "epsilon", "", "x: int, epsilon", """p = (exp(epsilon) - 1) / (exp(epsilon) + 2)
    if bernoulli(p):
        return x
    return choice([1, 1, 1])"""),
    "two stages of RAPPOR": ("any_two", f"2 * {RAPPOR}", "0 < f and f < 1 and 0 < p and p < r and r < 1",
                             "x: bool, f: float, p: float, r: float", """b = x
    if bernoulli(f):
        b = bernoulli(1 / 2)
    if b:
        return bernoulli(r)
    return bernoulli(p)"""),
    "a condition on epsilon": ("any_two", "epsilon", "epsilon <= 1/2", "x: bool, epsilon",
                               "return x != bernoulli(1 / (2 + epsilon))"),
}  # fmt: skip
"""Adjacency, epsilon, condition, parameters, body: each true."""

MISSED = {
    "an output that reads one of two elements": ("ALL", "epsilon", "", "q, epsilon", """if len(q) == 2:
        yield q[0]"""),
    "a length that the claim names": ("ALL", "epsilon", "n == 3", "q, epsilon", "yield q[2]"),
    "noise that is used twice": ("ALL", "epsilon", "", "q, epsilon", """Z = laplace(1 / epsilon)
    return (q[0] + Z, q[1] + Z)"""),
    "noise that is used for all": ("ALL", "epsilon", "", "q, epsilon", """Z = laplace(1 / epsilon)
    for x in q:
        yield x + Z"""),
    "a response a little too true": ("any_two", "epsilon", "", "x: bool, epsilon",
                                     "return x != bernoulli(1 / (2 + exp(epsilon)))"),
}  # fmt: skip
"""As above: each false."""


def verdict(one: tuple[str, str, str, str, str], epsilon: str, seconds: float = 20.0) -> str:
    """The verdict about a program at a claimed epsilon."""
    adjacency, _, where, parameters, body = one
    said = f', where="{where}"' if where else ""
    text = f'@claim(epsilon="{epsilon}", adjacency={adjacency}{said})\ndef program({parameters}):\n    {body}\n'
    asked = Question(HEAD + text, "program", 0)
    return judge(asked, *asked.read(), seconds).verdict


@pytest.mark.parametrize("name", CRASHED)
def test_what_once_ended_in_an_exception_is_proved_and_at_nothing_refuted(name: str) -> None:
    assert verdict(CRASHED[name], CRASHED[name][1]) == "PROVED"
    # The work of a few seconds is more than the proof above takes; a longer search proves nothing of the false claim.
    assert verdict(CRASHED[name], "epsilon / 1000" if "epsilon" in CRASHED[name][3] else "0", 4.0) != "PROVED"


@pytest.mark.parametrize("name", MISSED)
def test_what_once_was_missed_is_refuted(name: str) -> None:
    assert verdict(MISSED[name], MISSED[name][1]) == "REFUTED"


@pytest.mark.parametrize("local", sorted(TAKEN))
def test_a_local_may_be_called_what_conditions_call_something_else(local: str) -> None:
    """A sum called draw was taken for a draw, whose alignment was not found."""
    body = f"{local} = 0\n    for x in q:\n        {local} += x\n    return {local} + laplace(1 / epsilon)"
    asked = "ONE", "epsilon", "", "q, epsilon", body
    assert verdict(asked, "epsilon") == "PROVED"
    assert verdict(asked, "epsilon / 2", 4.0) != "PROVED"


@pytest.mark.parametrize("element", [*sorted(TAKEN), "epsilon"])
def test_an_element_may_be_called_what_something_else_is_called(element: str) -> None:
    """`for draw in q` was refused: draw had no value there."""
    lines = ("scale, total = 1 / epsilon, 0", f"for {element} in q:", f"    total += {element}",
             "return total + laplace(scale)")  # fmt: skip
    body = "\n    ".join(lines)
    asked = "ONE", "epsilon", "", "q, epsilon", body
    assert verdict(asked, "epsilon") == "PROVED"
    assert verdict(asked, "epsilon / 2", 4.0) != "PROVED"


def test_a_proof_of_a_claim_that_is_irrational_is_not_called_none() -> None:
    """The theorem states a rational number: a little above the claim it is proved, a little below it is not."""
    body = "return bit != bernoulli(1 / (2 + exp(1)))"
    text = f"@claim(epsilon={{!r}}, adjacency=ALL)\ndef program(bit: bool, R):\n    {body}\n"
    found = {}
    for epsilon in ("log(1 + exp(1))", "1.3132616875182229", "1.3132616875182228"):
        asked = Question(HEAD + text.format(epsilon), "program", 0)
        found[epsilon] = judge(asked, *asked.read(), 20.0)
    irrational, above, below = found.values()
    assert irrational.verdict == "UNKNOWN"
    assert "a proof was found, but a theorem states no irrational number" in irrational.reason
    assert above.verdict == "PROVED"
    assert below.verdict != "PROVED"


def test_a_thousand_statements_are_followed() -> None:
    """Each once was a call inside the one before, for which Python has no room."""
    answer = f"return x != {RESPONSE} if k == 1000 else x"
    asked = "any_two", "epsilon", "", "x: bool, epsilon", "k = 0\n    " + "k += 1\n    " * 1000 + answer
    assert verdict(asked, "epsilon") == "PROVED"
    assert verdict(asked, "epsilon / 2") == "REFUTED"


def test_squares_of_squares_end() -> None:
    """A number of 2^60 digits would take all memory: the digits of products are counted as work."""
    body = "k = 2\n    for _ in range(60):\n        k = k * k\n    if k > 0:\n        return True\n    return x"
    assert verdict(("any_two", "epsilon", "", "x: bool, epsilon", body), "epsilon", 2.0) == "UNKNOWN"


def test_laws_of_very_many_draws_end() -> None:
    """A thousand paths, each a little longer: the rest of the work is for the proof by alignments, which there is."""
    lines = ("while True:", "    b = bernoulli(1 / (1 + exp(1)))", "    if b:", "        break",
             "return x != bernoulli(1 / (1 + exp(1)))")  # fmt: skip
    body = "\n    ".join(lines)
    text = f'@claim(epsilon="1", adjacency=any_two)\ndef program(x: bool):\n    {body}\n'
    assert check(*Question(HEAD + text, "program", 0).read(), (), ("z3",), 1.0).reason == "the time is over"
