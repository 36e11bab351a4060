"""Random programs have the same outcomes when Python executes them and as they are read."""

from fractions import Fraction
from itertools import islice
from random import Random

import pytest

from refdp.programs.language.errors import Unsupported
from refdp.programs.language.reading import programs_in
from tests.examples import few
from tests.programs.language.mutation import mutated
from tests.programs.language.programs import BITS, LIST_DATA, LISTS, SCALARS, TRUTHS
from tests.programs.language.random_programs import program
from tests.programs.language.two_ways import TooLong, cases, claimed, differences

HEAD = 'from refdp.programs import *\n@claim(epsilon="1", adjacency=ALL)\n'
CASES = [
    (data, {"T": Fraction(threshold), "N": 1})
    for data in ([], [Fraction(1)], [Fraction(0), Fraction(2)])
    for threshold in (0, 1)
]

KINDS = (
    (LISTS, LIST_DATA[:3]),
    (SCALARS, (0, 1, -2)),
    (TRUTHS, (False, True)),
    (BITS, ([], [True], [False, True])),
)


def agrees(seed: int) -> bool:
    """Whether a program was held against Python; AssertionError where it differs.

    A program that releases 0 and False is refused.
    """
    text = HEAD + program(seed) + "\n"
    try:
        (read,) = programs_in(text, "file.py")
    except Unsupported as reason:
        assert "print differently" in str(reason)  # noqa: PT017
        return False
    try:
        found = differences(read, text, iter(CASES))
    except TooLong:
        return False
    assert found == [], text
    return True


def test_random_programs_are_read_as_python_executes_them() -> None:
    assert sum(map(agrees, range(few(200)))) > few(200) / 2


@pytest.mark.long
def test_many_random_programs_are_read_as_python_executes_them() -> None:
    assert sum(map(agrees, range(1_000, 5_000))) > 2_000


def read_alike(seed: int) -> bool:
    """Whether a changed program was read, and held against Python; AssertionError where it differs."""
    random = Random(seed)
    texts = [(text, data) for texts, data in KINDS for text in texts.split("\n===\n")]
    body, data = random.choice([one for one in texts if "while" not in one[0]])  # a changed one need not end
    changed = mutated(body.strip(), random)
    text = claimed(changed)
    try:
        compile(text, "program", "exec")
        *_, read = programs_in(text, "file.py")
        found = differences(read, text, islice(cases(changed, data), 12))
    except (SyntaxError, Unsupported, TooLong):
        return False
    except (TypeError, NameError, AttributeError):  # raised by what Python executes, and by nothing that is read
        return False
    assert found == [], text
    return True


def test_changed_programs_are_refused_or_read_as_python_executes_them() -> None:
    assert sum(map(read_alike, range(few(150)))) > few(150) / 4


@pytest.mark.long
def test_many_changed_programs_are_refused_or_read_as_python_executes_them() -> None:
    assert sum(map(read_alike, range(1_000, 4_000))) > 1_000
