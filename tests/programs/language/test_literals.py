"""Numbers that are equal and print differently are not released as one output: such a function is refused."""

import pytest

from refdp.programs.language.reading import Unread, readings_in

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
