import pytest

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.reading import NotAFold, read_program
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.records import Number
from tests.sensitivities.language.functions_of_numbers import FOLDLESS, NUMBERS
from tests.sensitivities.language.running import agrees, tables

REALS, INTEGERS = Number(), Number(is_integer=True)


@pytest.mark.parametrize("name", NUMBERS)
def test_a_function_of_numbers_does_on_every_table_what_python_does(name):
    kind = INTEGERS if "bins" in name else REALS
    agrees(NUMBERS[name], kind, tables(kind, 1))


@pytest.mark.parametrize("name", FOLDLESS)
def test_what_is_no_fold_is_refused_and_read_row_by_row(name):
    with pytest.raises(NotAFold):
        read_program(parse_source(FOLDLESS[name], "f"), Declaration(REALS))
    agrees(FOLDLESS[name], REALS, tables(REALS, 2, count=8, longest=4), fold=False)
