"""What is shown with minus signs is the same number as what is in a certificate."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdp.report.differences import differences
from refdp.terms.expressions import read_number
from refdp.terms.leaves import variable

NAMES = {name: variable(name, "Real") for name in "abn"}
LEAVES = st.sampled_from(("a", "b", "n", "1", "2", "1/3"))
TEXTS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        inner.map(lambda t: f"-({t})"),
        inner.map(lambda t: f"abs({t})"),
        inner.map(lambda t: f"({t})/7"),
        st.tuples(inner, inner).map(lambda t: f"max({t[0]}, {t[1]})"),
    ),
    max_leaves=8,
)


def value(text, numbers):
    """What Python makes of a term's text, its numbers exact."""
    exact = re.sub(r"\d+", lambda digits: f"F({digits[0]})", text)
    return eval(exact, {"F": Fraction, "abs": abs, "max": max, **numbers})


@given(TEXTS, st.tuples(*[st.fractions(-9, 9, max_denominator=5)] * 3))
def test_the_number_is_the_same(written, chosen):
    text, numbers = str(read_number(written, NAMES, "claim")), dict(zip("abn", chosen, strict=True))
    shown = differences(text)
    assert value(shown, numbers) == value(text, numbers)
    assert " + (-1*" not in shown


@pytest.mark.parametrize(
    ("claim", "shown"),
    [
        ("upper - lower", "upper - lower"),
        ("2*(upper - lower)/n", "(2*(upper - lower))/n"),
        ("upper - 2*lower", "upper - 2*lower"),
        ("max(abs(lower), abs(upper)) - 1", "max(abs(lower), abs(upper)) - 1"),
        ("upper + lower", "upper + lower"),
    ],
)
def test_bounds_read_as_they_were_written(claim, shown):
    names = {name: variable(name, "Real") for name in ("upper", "lower", "n")}
    assert differences(str(read_number(claim, names, "claim"))) == shown
