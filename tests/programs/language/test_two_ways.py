"""Every program has the same outcomes, as often, when Python executes it and as it is read."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from refdp.programs.language.reading import programs_in
from tests.programs.language.programs import BITS, LIST_DATA, LISTS, SCALARS, TRUTHS
from tests.programs.language.two_ways import differences

HEAD = "from refdp.programs import *\nfrom fractions import Fraction\n\n"
VALUES: dict[str, tuple[Any, ...]] = {
    "epsilon": (Fraction(1, 2),), "N": (1, 2), "M": (1, 2), "k": (1, 2), "T": tuple(map(Fraction, range(3))),
}  # fmt: skip


def claimed(body: str) -> str:
    """The text of a file in which the function has a claim."""
    before, last, after = f"\n{body.strip()}\n".rpartition("\ndef ")
    return f'{HEAD}{before}\n@claim(epsilon="1", adjacency=ALL){last}{after}'


def cases(body: str, data: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """All data with all values of the parameters."""
    heading = [line for line in body.splitlines() if line.startswith("def ")][-1]
    names = [name for name in VALUES if f" {name}," in heading or f" {name})" in heading or f" {name}:" in heading]
    for one in data:
        for values in product(*(VALUES[name] for name in names)):
            sized = {"n": len(one)} if ", n)" in heading else {}
            parameters = dict(zip(names, values, strict=True)) | sized
            if "T: int" in heading:
                parameters["T"] = int(parameters["T"])
            yield exact(one), parameters


def exact(data: Any) -> Any:
    """Whole numbers as fractions, which Python divides exactly."""
    if isinstance(data, list):
        return [exact(one) for one in data]
    return data if isinstance(data, bool) else Fraction(data)


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
    text = claimed(body)
    (program,) = programs_in(text, "file.py")
    assert differences(program, text, cases(body, data)) == []
