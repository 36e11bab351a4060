"""What is outside the subset is refused: file, line, column, what is not supported and what to write instead."""

import re

import pytest

from refdp.programs.language.errors import Unsupported
from refdp.programs.language.reading import program_in, programs_in
from tests.programs.language.refused import REFUSED

HEAD = "from refdp.programs import *\n"
CLAIM = '@claim(epsilon="epsilon", adjacency=ALL)\n'
MESSAGE = re.compile(r"file\.py:\d+:\d+: (not supported|not Python|no function|nesting|a file).*; .+")


def refusal(text: str) -> str:
    """What is said of a file that is refused."""
    with pytest.raises(Unsupported) as raised:
        programs_in(text, "file.py")
    assert MESSAGE.fullmatch(str(raised.value)), str(raised.value)
    return str(raised.value)


@pytest.mark.parametrize("refused", REFUSED.strip().split("\n===\n"))
def test_what_is_not_read_is_refused_at_its_place(refused: str) -> None:
    heading, body = refused.split("\n", 1)
    place, what = heading.removeprefix("# ").split(" ", 1)
    line, column = map(int, place.split(":"))
    assert f"file.py:{line + 2}:{column}: " in (said := refusal(HEAD + CLAIM + body + "\n")), said
    assert what in said


FILES = {
    "X = laplace(1)\ndef f(q):\n    return X + q[0]\n": "a call of laplace at the top of the file",
    "import random\nrandom.seed(1)\ndef f(q):\n    return 1\n": "a statement at the top of the file",
    "from math import *\ndef f(q):\n    return 1\n": "import of all names of another module",
    "laplace = 3\ndef f(q):\n    return laplace(1)\n": "laplace is bound twice",
    "def laplace(x):\n    return x\ndef f(q):\n    return laplace(1)\n": "laplace is bound twice",
    "from random import uniform\ndef f(q):\n    return uniform(0, 1)\n": "uniform is bound twice",
    "import random\ndef f(q):\n    return random.random()\n": "a call of random.random",
    "def max(x):\n    return 1 if x > 0 else 2\ndef f(q):\n    return max([x for x in q])\n": "a list",
    "def again(x):\n    return again(x)\ndef f(q):\n    return again(1)\n": "a call of again",
    "def steps(x):\n    y = x\n    return y\ndef f(q):\n    return steps(1)\n": "a call of steps",
    "def outer(x):\n    return x + T\ndef f(q, T):\n    return outer(1)\n": "the name T",
    "N = 3\nX = N + 1\ndef f(q, N):\n    return X + Y\n": "the name Y",
    "def f(q):\n    return 1\ndef f(q):\n    return 2\n": "f is bound twice",
    "if True:\n    N = 1\ndef f(q):\n    return 1\n": "a statement at the top of the file",
    "@other\ndef f(q):\n    return 1\n": "the decorator other",
}


@pytest.mark.parametrize("body", FILES)
def test_names_of_the_file_that_stand_for_something_else_are_refused(body: str) -> None:
    before, last, after = ("\n" + body).rpartition("\ndef f(")
    claimed = body.replace("@other\n", f"{CLAIM}@other\n") if "@other" in body else before + f"\n{CLAIM}def f(" + after
    assert last
    assert FILES[body] in refusal(HEAD + claimed.replace('"epsilon"', '"1"'))


CLAIMS = {
    'epsilon="x"': "the name x in x",
    'epsilon="epsilon +"': "the expression epsilon +",
    'epsilon="laplace(1)"': "a call of laplace",
    'epsilon="__import__(1)"': "a call of __import__",
    'epsilon="(lambda: 1)()"': "a call of lambda: 1",
    'epsilon="[1][0]"': "an index",
    "epsilon=True": "epsilon = True",
    'epsilon="1 < 2"': "epsilon = 1 < 2",
    'epsilon="1", where="epsilon"': "where = epsilon",
    'delta="1/2"': "a claim without epsilon or rho",
    'rho="1", epsilon="1"': "a claim of rho together with epsilon",
    'epsilon="1", given={"N": 1}': "N in given",
    'epsilon="1", given={"epsilon": "x"}': "the name x in x",
    'epsilon="1", given={"epsilon": "1/0"}': "1/0 in given",
    'epsilon="1", given=[1]': "given=[1]",
    'epsilon="1", colour="red"': "a claim of another form",
    'epsilon="1", source=1': "1",
    "epsilon=epsilon": "worked out before there are parameters",
}


@pytest.mark.parametrize("words", CLAIMS)
def test_claims_of_another_form_are_refused(words: str) -> None:
    assert CLAIMS[words] in refusal(f"{HEAD}@claim(adjacency=ALL, {words})\ndef f(q, epsilon):\n    return q[0]\n")


ADJACENCIES = (
    "near(1)",
    "MOST",
    "each()",
    "each(near, most=1)",
    "each(ALL, total=-1)",
    "each(ALL, changed='1/2')",
    "1",
)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_adjacencies_of_another_form_are_refused(adjacency: str) -> None:
    near = "def near(x, y):\n    return x <= y\n"
    refusal(f"{HEAD}{near}@claim(adjacency={adjacency}, epsilon=1)\ndef f(q):\n    return q[0]\n")


PREDICATES = (
    "def near(x):\n    return True\n",
    "def near(x, y):\n    return laplace(1) > x - y\n",
    "def near(x, y):\n    x = y\n    return x < y\n",
    "def near(x, y):\n    for z in [x]:\n        return True\n",
    "def near(x, y):\n    return x / y < 1\n",
    "def near(x, y):\n    if x < y:\n        return True\n",
)


@pytest.mark.parametrize("near", PREDICATES)
def test_predicates_of_another_form_are_refused(near: str) -> None:
    refusal(f"{HEAD}{near}@claim(adjacency=near, epsilon=1)\ndef f(q):\n    return q[0]\n")


def test_text_that_is_not_python_is_refused() -> None:
    assert "not Python" in refusal("def f(:\n")
    assert "not Python" in refusal("x = '\0'")
    refusal(HEAD + CLAIM + "def f(q, epsilon):\n    return " + "-" * 20_000 + "1\n")
    assert "a file of more than" in refusal("#" * 300_000)


def test_a_function_without_a_claim_is_no_program() -> None:
    text = HEAD + CLAIM + "def f(q, epsilon):\n    return q[0]\ndef g(q):\n    return 1\n"
    assert [one.name for one in programs_in(text, "file.py")] == ["f"]
    with pytest.raises(Unsupported, match="no function g with a claim; write one of: f"):
        program_in(text, "file.py", "g")
