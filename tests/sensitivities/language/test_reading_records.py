import pytest

from tests.sensitivities.language.functions_of_records import FLAG, FLAGS, PAIR, PAIRS, PENGUIN, PENGUINS
from tests.sensitivities.language.running import agrees, tables


@pytest.mark.parametrize("name", PENGUINS)
def test_a_function_of_dicts_does_on_every_table_what_python_does(name):
    agrees(PENGUINS[name], PENGUIN, tables(PENGUIN, 3))


@pytest.mark.parametrize("name", PAIRS)
def test_a_function_of_tuples_does_on_every_table_what_python_does(name):
    agrees(PAIRS[name], PAIR, tables(PAIR, 4))


@pytest.mark.parametrize("name", FLAGS)
def test_truth_values_and_whole_numbers_as_labels_do_what_python_does(name):
    agrees(FLAGS[name], FLAG, tables(FLAG, 5))
