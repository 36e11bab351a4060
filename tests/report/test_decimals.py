"""Decimals show only digits that are certain."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdp.numerics.intervals import Interval
from refdp.report.decimals import decimals, enclosed, shown
from refdp.terms.reading import read

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def value(text: str) -> Fraction:
    """The number that the digits write down."""
    digits, _, power = text.replace(ELLIPSIS, "").replace(" +- 10^-12", "").strip("()").partition(" * 10^")
    digits = digits.strip("()")
    return Fraction(digits) * Fraction(10) ** int(power or 0)


@given(st.fractions(min_value=-1000, max_value=1000))
def test_decimals_of_a_rational_are_cut_off_never_rounded_up(x):
    text = decimals(x)
    if ELLIPSIS in text:
        assert abs(value(text)) < abs(x)
        assert abs(x) - abs(value(text)) < max(abs(x), Fraction(1, 10**6)) / 10**10
        assert (value(text) < 0) == (x < 0)
    else:
        assert value(text) == x


@given(st.fractions(0, 1000), st.sampled_from([0, *(Fraction(1, 10**k) for k in range(20))]))
def test_decimals_of_an_enclosure_are_true_of_all_of_it(lower, width):
    text = decimals(Interval(lower, lower + width))
    if " +- " in text:
        error = Fraction(1, 10**12) * Fraction(10) ** int(text.partition(" * 10^")[2] or 0)
        assert abs(value(text) - lower) <= error
        assert abs(value(text) - lower - width) <= error
    elif not text.startswith("in ["):
        places = len(text.replace(ELLIPSIS, "").partition(" * ")[0].partition(".")[2])
        unit = Fraction(1, 10**places) * Fraction(10) ** int(text.partition("10^")[2] or 0)
        assert value(text) <= lower
        assert lower + width < value(text) + unit or width == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ln(3)", mpmath.ln(3)),
        ("exp(-30)", mpmath.exp(-30)),
        ("sqrt(2) - 1", mpmath.sqrt(2) - 1),
        ("-ln(7) / 1000", -mpmath.ln(7) / 1000),
    ],
)
def test_decimals_of_irrational_numbers_agree_with_another_library(text, expected):
    found = shown(read(text))
    assert found[0]
    assert found[1].endswith(ELLIPSIS) or " * 10^" in found[1]
    assert abs(float(value(found[1])) / float(expected) - 1) < 1e-10


@pytest.mark.parametrize(
    ("term", "both"),
    [("1/2 + 1/4", ("3/4", "0.75")), ("exp(ln(3)) / 8", ("3/8", "0.375")), ("ln(1)", ("0", "0")), ("x", ("x", ""))],
)
def test_shown_is_exact_where_the_number_is(term, both):
    assert shown(read(term)) == both


def test_shown_leaves_out_what_is_too_long_to_read():
    assert shown(Fraction(1, 3**200))[0] == ""
    assert shown(Interval(Fraction(1, 3), Fraction(2, 3))) == ("", "in [1/3, 2/3]")


def test_enclosed_has_nothing_to_say_of_open_terms():
    assert enclosed(read("x + 1")) is None
