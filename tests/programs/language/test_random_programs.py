"""Random programs have the same outcomes when Python executes them and as they are read."""

from fractions import Fraction

import pytest

from refdp.programs.language.reading import programs_in
from tests.examples import few
from tests.programs.language.random_programs import program
from tests.programs.language.two_ways import TooLong, differences

HEAD = 'from refdp.programs import *\n@claim(epsilon="1", adjacency=ALL)\n'
CASES = [
    (data, {"T": Fraction(threshold), "N": 1})
    for data in ([], [Fraction(1)], [Fraction(0), Fraction(2)])
    for threshold in (0, 1)
]


def agrees(seed: int) -> bool:
    """Whether a program was held against Python; AssertionError where it differs."""
    text = HEAD + program(seed) + "\n"
    (read,) = programs_in(text, "file.py")
    try:
        found = differences(read, text, iter(CASES))
    except TooLong:
        return False
    assert found == [], text
    return True


def test_random_programs_are_read_as_python_executes_them() -> None:
    assert sum(map(agrees, range(few(300)))) > few(300) / 2


@pytest.mark.long
def test_many_random_programs_are_read_as_python_executes_them() -> None:
    assert sum(map(agrees, range(1_000, 5_000))) > 2_000
