"""What streams, filters and matrices say where there is nothing: no entries, no other entry, no rows."""

from fractions import Fraction as F

import pytest

from refdp.spec.contributions import within
from refdp.spec.distances import metric
from refdp.spec.linear import matrix_of, product_with
from refdp.terms.reading import read
from refdp.terms.term import TermError
from refdp.transformations import wavelet_sums


@pytest.mark.parametrize("relation", ["window_2", "apart_2_4", "spaced_2_4"])
def test_streams_of_no_entries_are_one_stream(relation):
    assert within(relation, (), (), F(0))
    assert not within(relation, (), (), F(-1))


def test_one_entry_that_differs_is_apart_from_no_other():
    assert within("apart_2_4", (0, 5), (1, 5), F(1))
    assert not within("apart_2_4", (0, 5), (1, 4), F(1))


def test_filters_of_no_bits_are_one_filter():
    assert metric("exchange").within((), (), F(0))


def test_a_wavelet_of_one_level_is_the_total():
    assert wavelet_sums(1)((3,)) == (3,)


def test_a_matrix_has_rows_and_columns():
    for written in ("tuple_of()", "tuple_of(tuple_of())"):
        with pytest.raises(TermError):
            matrix_of(read(written))


def test_no_vector_of_no_numbers_is_multiplied():
    with pytest.raises(TermError, match="1 columns"):
        product_with(((F(1),),), ())
