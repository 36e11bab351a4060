"""scaled_columns and coded_columns: row by row, by public bounds, labels and bins; no row is dropped."""

from fractions import Fraction as F

import pytest

import refdp
from refdp.transformations import class_counts, coded_columns, scaled_columns
from refdp.transformations.prepared_columns import Labels, Numbers
from tests.exactness.refusals import refusal
from tests.transformations.checks import exceeded, is_sharp, tables

MASS, AGE, SEX = Numbers("mass", 0, 100), Numbers("age", -10, 10), Labels("sex", ("f", "m"))
ATOMS = [{"mass": F(75), "sex": "f"}, {"mass": None, "sex": "x"}, {"mass": F(999), "sex": None}, {}]


def test_scaled_columns_move_bounds_to_minus_1_and_1():
    t = scaled_columns([MASS, AGE], "1/8", 1)
    rows = ({"mass": 0, "age": 10}, {"mass": 60, "age": 0}, {"mass": -5, "age": 99}, {"mass": "x"})
    assert t(rows) == ((1, -1, 1), (1, F(1, 8), 0), (1, -1, 1), (1, 0, 0))  # 1/5 is rounded towards 0
    assert scaled_columns([AGE], 1)(({"age": -9},)) == ((0,),)
    assert t(()) == ()


def test_coded_columns_name_places_and_bins():
    t = coded_columns([SEX, MASS], 4)
    found = t([{"sex": "m", "mass": x} for x in (-1, 0, F(99, 4), 25, 75, 100, 999)])
    assert [row[1] for row in found] == [0, 0, 0, 1, 3, 3, 3]
    assert t(({"sex": "x", "mass": None}, {"sex": 1, "mass": "9"})) == ((-1, -1), (-1, -1))
    assert coded_columns([SEX, Labels("other", ("m", "f"))])(({"sex": "f", "other": "f"},)) == ((0, 1),)


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@pytest.mark.parametrize("make", [scaled_columns, coded_columns])
def test_prepared_columns_keep_edits(make, neighbours):
    t = make([MASS], 1, neighbours=neighbours) if make is scaled_columns else make([SEX, MASS], 2, neighbours)
    inputs = tables(ATOMS, 2)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    assert refdp.theorem(t, 2).trusts == {"code: refdp.transformations"}


def test_prepared_columns_chain_with_counts():
    t = coded_columns([SEX, MASS], 2) >> class_counts(2, 2, 2)
    assert t(({"sex": "m", "mass": 80}, {"sex": "m"})) == (0, 2, 0, 0, 0, 1)
    assert t.map(1) == 2


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: scaled_columns([], 1), "columns must be one or several declared columns, got []"),
        (lambda: scaled_columns([SEX], 1), "columns must be one or several declared columns, got "),
        (lambda: scaled_columns([MASS, MASS], 1), "columns must be different ones, got mass, mass"),
        (lambda: scaled_columns([MASS], 0), "granularity must be > 0, got 0"),
        (lambda: scaled_columns([MASS], 2), "1 must be a whole multiple of granularity, got granularity = 2"),
        (lambda: scaled_columns([MASS], 1, -1), "ones must be >= 0, got -1"),
        (lambda: coded_columns([MASS], 0), "bins must be >= 1, got 0"),
        (lambda: coded_columns([MASS], "3/2"), "bins must be a whole number, got 3/2"),
        (lambda: Numbers("mass", 0.5, 1), 'lower of mass must be exact, got the float 0.5; write "0.5" for 1/2'),
        (lambda: Numbers(3, 0, 1), "column must be text, got 3"),
        (lambda: Labels("sex", ("f", 3)), "labels of sex must be text, got 3"),
    ],
)
def test_prepared_columns_refuse_in_one_sentence(call, said):
    assert refusal(call).startswith(said)
