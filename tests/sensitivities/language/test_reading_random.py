import pytest

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.reading import NotAFold, read_program
from refdp.sensitivities.language.source import Unsupported, parse_source
from refdp.sensitivities.records import Number
from tests.sensitivities.language.random_functions import random_function
from tests.sensitivities.language.running import agrees, tables

REALS = Number()


def check(seed: int) -> bool:
    """Whether the function was read as a fold; it is compared with Python either way."""
    text = random_function(seed)
    try:
        read_program(parse_source(text, "f"), Declaration(REALS))
    except NotAFold:
        return False
    agrees(text, REALS, tables(REALS, seed, count=6, longest=4), bounded=False)
    return True


@pytest.mark.parametrize("start", range(0, 80, 20))
def test_random_functions_do_on_every_table_what_python_does(start):
    read = [check(seed) for seed in range(start, start + 20)]
    assert sum(read) >= 10


@pytest.mark.parametrize("seed", range(1000, 1012))
def test_random_functions_written_out_row_by_row_do_what_python_does(seed):
    try:
        agrees(random_function(seed), REALS, tables(REALS, seed, count=4, longest=3), fold=False)
    except (NotAFold, Unsupported) as refused:
        assert "<text>:" in str(refused)  # noqa: PT017
