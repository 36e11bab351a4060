"""Every program has the same outcomes, as often, when Python executes it and as it is read."""

from typing import Any

import pytest

from refdp.programs.language.reading import programs_in
from tests.programs.language.programs import BITS, LIST_DATA, LISTS, SCALARS, TRUTHS
from tests.programs.language.two_ways import cases, claimed, differences


def all_of(texts: str, data: Any) -> list[Any]:
    """The programs with their data."""
    return [pytest.param(text, data, id=text.rpartition("def ")[2].split("(")[0]) for text in texts.split("\n===\n")]


@pytest.mark.parametrize(
    ("body", "data"),
    [
        *all_of(LISTS, LIST_DATA),
        *all_of(SCALARS, (0, 1, -2)),
        *all_of(TRUTHS, (False, True)),
        *all_of(BITS, ([], [True], [False, True])),
    ],
)
def test_what_is_read_has_the_outcomes_of_the_function(body: str, data: Any) -> None:
    if "assert " in body and not __debug__:
        pytest.skip("under -O Python makes no assertion; what is read is what it does without")
    text = claimed(body)
    (program,) = programs_in(text, "file.py")
    assert differences(program, text, cases(body, data)) == []
