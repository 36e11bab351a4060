"""Values cross the line without loss, and what is no value is refused."""

import json
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdp.auditing.neighbours.distances import key
from refdp.auditing.targets.workers import wire

PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.fractions(), st.binary(),
    st.integers().map(lambda n: n << 300),
)  # fmt: skip
KEYS = st.one_of(st.integers(), st.text(), st.tuples(st.integers(), st.text()))
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner), st.lists(inner).map(tuple), st.dictionaries(KEYS, inner), st.lists(st.floats()),
        st.lists(st.integers()),
    ),
    max_leaves=12,
)  # fmt: skip


def crossed(value):
    return wire.decoded(json.loads(json.dumps(wire.encoded(value))))


@given(VALUES)
def test_wire_gives_back_the_same_value_bit_by_bit(value):
    assert key(crossed(value)) == key(value)


def test_wire_keeps_a_whole_of_any_length():
    huge = -(7**20_000)
    assert crossed([huge, Fraction(1, huge)]) == [huge, Fraction(1, huge)]


def test_wire_takes_numbers_of_arrays_as_numbers_and_other_objects_as_text():
    numpy = pytest.importorskip("numpy")
    assert crossed(numpy.array([[1.5, math.inf]])) == [[1.5, math.inf]]
    assert key(crossed((numpy.float64(0.1), numpy.int32(3), numpy.bool_(True)))) == key((0.1, 3, True))
    assert crossed({1, 2}) == wire.Other("set", "{1, 2}")


@pytest.mark.parametrize(
    "data",
    [
        1, 0.5, [], {}, {"int": "1.5"}, {"int": "1", "float": "0x1p+0"}, {"real": "1"}, {"fraction": "1/0"},
        {"fraction": "1"}, {"floats": "0x1p+0 x"}, {"bytes": "0"}, {"list": [1]}, {"dict": [[{"list": []}]]},
        {"other": "A"}, {"float": 1},
    ],
)  # fmt: skip
def test_wire_refuses_what_stands_for_no_value(data):
    with pytest.raises(wire.WireError, match="no value is written like this"):
        wire.decoded(data)
