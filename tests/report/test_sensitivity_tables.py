"""What is printed of two tables: equal rows are folded, rows that differ never; by how much a claim is exceeded."""

from hypothesis import given
from hypothesis import strategies as st

from refdp.report.sensitivity_tables import excess
from refdp.report.table_pairs import ENDS, MOST_EQUAL, folded

ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("ab")), max_size=60)


def refuted(distance, claim):
    return excess({"pair": {"distance": distance}, "claim": claim})


@given(ROWS)
def test_folded_rows_hold_every_row_that_differs(rows):
    found = list(folded(rows))
    assert [row for row in found if row[0] != row[1]] == [row for row in rows if row[0] != row[1]]


@given(ROWS)
def test_folded_rows_say_how_many_are_left_out(rows):
    found = list(folded(rows))
    left_out = [int(one.split()[1]) for one, _ in found if one.startswith("...")]
    assert len(found) - len(left_out) + sum(left_out) == len(rows)


def test_few_equal_rows_are_not_folded():
    few, many = [("a", "a")] * MOST_EQUAL, [("a", "a")] * (MOST_EQUAL + 1)
    assert list(folded(few)) == few
    assert len(list(folded(many))) == 2 * ENDS + 1


def test_excess_is_exact():
    assert refuted("5629499534213121/562949953421312", "10") == "10 + 1/2^49, more than 10"


def test_excess_is_silent_where_there_is_none():
    assert refuted("9", "10") == refuted("infinite", "10") == refuted("9", "(upper - lower)") == ""
    assert excess({"pair": None, "claim": "10"}) == excess({}) == ""
