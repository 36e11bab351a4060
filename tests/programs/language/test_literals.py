"""Numbers that are equal and print differently are not released as one output: such a function is refused."""

import pytest

from refdp.programs.language.errors import Unsupported
from refdp.programs.language.reading import Unread, program_in, readings_in

TEXT = """
from refdp.programs import claim, laplace, ALL
ONE, REAL = 1, 1.0
def one(v=1):
    return v
@claim(epsilon="epsilon", adjacency=ALL)
def f(x: float, epsilon):
"""
REFUSED = [
    "    if x > 0:\n        return 1\n    return 1.0",
    "    return 1 if x > 0 else True",
    "    return 0.0 if x > 0 else -0.0",
    "    v = 1\n    if x > 0:\n        v = 1.0\n    return v",
    "    v, w = 1, 2\n    if x > 0:\n        v, w = 1.0, 2\n    return v",
    "    return [1, 1.0][0]",
    "    return max(1, 1.0)",
    "    out = []\n    if x > 0:\n        out.append(1)\n    else:\n        out.append(1.0)\n    return out",
    "    for v in [1, 1.0]:\n        yield v",
    "    yield 1\n    yield 1.0",
    "    return 1 and 1.0",
    "    return one() if x > 0 else 1.0",
    "    return one(2) if x > 0 else 2.0",
    "    if x > 0:\n        return 1, 2\n    return 1, 2.0",
    "    if x > 0:\n        return 1000000\n    return 1e6",
]
READ = [
    "    return 1 if x > 0 else 2.0",
    "    y = x + laplace(1/epsilon)\n    return 1 if y > 0 else 0",
    "    y = x + laplace(1/epsilon)\n    return y * 1.0 if y > 1 else 1",
    "    return x + 1.0 + 1",
    "    if x > 1.0:\n        return 1\n    return 0",
    "    return 1 if x > 0 else 1",
]


def reading(text):
    (found,) = readings_in(text, "f.py")
    return found


@pytest.mark.parametrize("body", REFUSED)
def test_equal_numbers_of_different_types_are_refused(body):
    text = TEXT.replace("ONE, REAL = 1, 1.0\n", "") + body
    found = reading(text)
    assert isinstance(found, Unread)
    assert "which are equal and print differently; write them all in one way" in found.reason


def test_constants_of_the_file_are_looked_at():
    text = TEXT.replace("ONE, REAL = 1, 1.0", "ONE = 1\nREAL = 1.0") + "    return ONE if x > 0 else REAL"
    assert "print differently" in reading(text).reason


@pytest.mark.parametrize("body", READ)
def test_numbers_of_one_type_or_that_are_computed_are_read(body):
    found = reading(TEXT.replace("ONE, REAL = 1, 1.0\n", "") + body)
    assert not isinstance(found, Unread), found.reason


@pytest.mark.parametrize("text", ["inf", "-inf"])
def test_text_that_is_how_a_number_is_released_is_refused(text):
    body = f"    if x > 0:\n        return {text!r}\n    return float({text!r})"
    assert "which is how a number is released" in reading(TEXT.replace("ONE, REAL = 1, 1.0\n", "") + body).reason


TRUTH_AND_NUMBER = {
    "of one draw": "b = bernoulli(1/2)\n    if x:\n        return b\n    return b + 0",
    "in a tuple": "b = bernoulli(1/2)\n    if x:\n        return 2, b\n    return 3, 1 + b",
    "of the data": "if bernoulli(1/2):\n        return x\n    return int(x)",
    "noise that cancels": "a = laplace(1)\n    b = a + 1\n    if x:\n        return a - b\n    return True",
    "in a list": "out = []\n    out.append(True)\n    out.append(bernoulli(1/2) + 0)\n    return out, 2",
    "noise on whole numbers": "if bernoulli(1/2):\n        return discrete_laplace(1)\n    return True",
}
APART = {
    "continuous noise": "a = laplace(1)\n    if bernoulli(1/2):\n        return a + 1\n    return True",
    "difference of noise": "a = laplace(1)\n    b = laplace(2)\n    if x:\n        return a - b\n    return True",
    "beside a list": "out = []\n    out.append(True)\n    return out, bernoulli(1/2) + 0",
    "another number": "if bernoulli(1/2):\n        return 5\n    return True",
    "another place": "b = bernoulli(1/2)\n    if x:\n        return b\n    return 2, b + 0",
}
HEAD = 'from refdp.programs import *\n@claim(epsilon="1", adjacency=ALL)\ndef f(x: bool):\n    '


@pytest.mark.parametrize("body", TRUTH_AND_NUMBER.values(), ids=list(TRUTH_AND_NUMBER))
def test_a_truth_value_and_an_equal_number_at_one_place_are_refused(body):
    """They are one output by value, and two where they are printed: no verdict would be right of both."""
    with pytest.raises(Unsupported, match="a truth value and a number at one place of the output"):
        program_in(HEAD + body + "\n", "file.py", "f")


@pytest.mark.parametrize("body", APART.values(), ids=list(APART))
def test_a_truth_value_and_a_number_that_is_never_equal_are_read(body):
    assert program_in(HEAD + body + "\n", "file.py", "f").name == "f"
