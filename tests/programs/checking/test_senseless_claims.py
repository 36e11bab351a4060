"""A claim that says nothing, or something else than it seems to, is never proved."""

import pytest

from refdp.programs.checking.alignment import Alignment, Group
from refdp.programs.checking.proof import check
from refdp.programs.language.errors import Unsupported
from refdp.programs.language.reading import programs_in
from refdp.terms.leaves import TRUE, rational

NEAR = """
from refdp.programs import *

def half(x, y):
    return abs(x - y) <= 1/2

def never(x, y):
    return x < y and y < x

def other(x, y):
    return x != y

def equal(x, y):
    return x == y

"""


def text_of(claim: str, data: str) -> str:
    return f"{NEAR}@claim({claim})\ndef program({data}, epsilon, N):\n    for x in q:\n        yield 1\n"


@pytest.mark.parametrize(
    ("claim", "data"),
    [
        ('epsilon="epsilon", adjacency=each(ALL, changed=0)', "q"),
        ('epsilon="epsilon", adjacency=each(ALL, total=0)', "q"),
        ('epsilon="epsilon", adjacency=each(ALL, squares=0)', "q"),
        ('epsilon="epsilon", adjacency=each(ALL, total="1/2")', "q: list[int]"),
        ('epsilon="epsilon", adjacency=half', "q: list[int]"),
        ('epsilon="epsilon", adjacency=half', "q: list[bool]"),
        ('epsilon="epsilon", adjacency=never', "q"),
        ('epsilon="epsilon", adjacency=equal', "q"),
        ('epsilon="epsilon", adjacency=ALL, where="epsilon < 0"', "q"),
        ('epsilon="epsilon", adjacency=ALL, where="N < 1"', "q"),
        ('epsilon="epsilon", adjacency=ALL, where="n == 0"', "q"),
        ('epsilon="epsilon", adjacency=ALL, given={"n": 0}', "q"),
        ('epsilon="epsilon", adjacency=ALL, given={"N": 0}', "q"),
        ('epsilon="epsilon", adjacency=ALL, given={"epsilon": -1}', "q"),
        ('epsilon="epsilon", adjacency=ALL, where="exp(epsilon) <= 1"', "q"),
        ('epsilon="epsilon", delta="-1/1000", adjacency=ALL', "q"),
        ('epsilon="epsilon", delta="1 - epsilon", adjacency=ALL', "q"),
        ('epsilon="0-epsilon", adjacency=ALL', "q"),
        ('rho="-1/8", adjacency=ALL', "q"),
    ],
)
def test_a_claim_that_holds_for_want_of_an_instance_is_not_proved(claim: str, data: str) -> None:
    (program,) = programs_in(text_of(claim, data), "file.py")
    nothing = Alignment({}, (Group(rational(1), rational(0)),), invariants={1: TRUE})
    parts = len(program.claims[0].adjacency.parts)
    assert check(program, program.claims[0], [nothing] * parts, ("z3",), 20.0).verdict == "UNKNOWN"


@pytest.mark.parametrize(
    "claim",
    [
        'epsilon="epsilon", rho="0", adjacency=ALL',
        'rho="epsilon**2/2", delta="1/100", adjacency=ALL',
        'delta="1/100", adjacency=ALL',
        "epsilon=N, adjacency=ALL",
        "epsilon=2*epsilon, adjacency=ALL",
        'epsilon="epsilon + laplace(1)", adjacency=ALL',
        'epsilon="epsilon", adjacency=each(ALL, total=-1)',
        'epsilon="epsilon", adjacency=each(ALL, changed="1/2")',
        'epsilon="epsilon", adjacency=ALL, given={"M": 1}',
        'epsilon="epsilon", adjacency=ALL, given={"N": "1/2"}',
        'epsilon="epsilon", adjacency=lambda x, y: True',
        'epsilon="epsilon", adjacency=each(other, changed=1)',
        'epsilon="epsilon", adjacency=each(other, total=1)',
    ],
)
def test_a_claim_that_could_be_read_in_two_ways_is_not_read(claim: str) -> None:
    with pytest.raises(Unsupported):
        programs_in(text_of(claim, "q"), "file.py")


def test_a_relation_that_holds_in_one_direction_says_so() -> None:
    text = NEAR.replace("x == y", "x <= y <= x + 1") + (
        '@claim(epsilon="epsilon", adjacency=equal)\ndef program(x, epsilon):\n    return x\n'
    )
    (program,) = programs_in(text, "file.py")
    assert program.claims[0].adjacency.one_direction
