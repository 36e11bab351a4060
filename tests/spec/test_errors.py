"""Errors are distances from what was asked, by their definition; an outcome that is none is refused."""

from fractions import Fraction as F

import pytest

from refdp.spec.errors import ERRORS, error
from refdp.spec.semantics import law
from refdp.terms.reading import read
from refdp.terms.term import TermError

SCORES = (F(1), F(5), F(5, 2))


@pytest.mark.parametrize(
    ("name", "y", "x", "size"),
    [
        ("error", F(3), F(5), F(2)),
        ("error", F(-3), F(-3), F(0)),
        ("error", (F(1), F(7)), (F(1), F(2)), F(5)),
        ("error", (F(1), F(-9)), (F(4), F(-9)), F(3)),
        ("mistake", F(1), F(0), F(1)),
        ("mistake", F(1), F(1), F(0)),
        ("shortfall", F(1), SCORES, F(0)),
        ("shortfall", F(0), SCORES, F(4)),
        ("shortfall", F(2), SCORES, F(5, 2)),
        ("mean_error", F(1, 4), (F(0), F(1)), F(1, 4)),
        ("mean_error", F(3), (F(1),), F(2)),
    ],
)
def test_error_is_what_its_sentence_says(name, y, x, size):
    assert error(name).of(y, x) == size


@pytest.mark.parametrize(
    ("name", "y", "x", "why"),
    [
        ("error", F(1), (F(1),), "two numbers or two vectors"),
        ("error", (F(1),), F(1), "two numbers or two vectors"),
        ("error", (F(1),), (F(1), F(2)), "the same number of coordinates"),
        ("error", (), (), "at least one"),
        ("shortfall", F(3), SCORES, "3 is not one of 3 candidates"),
        ("shortfall", F(-1), SCORES, "-1 is not one of 3 candidates"),
        ("shortfall", F(1, 2), SCORES, "1/2 is not one of 3 candidates"),
    ],
)
def test_error_of_what_is_no_outcome_is_refused(name, y, x, why):
    with pytest.raises(TermError, match=why):
        error(name).of(y, x)


def test_error_that_is_not_registered_is_refused():
    with pytest.raises(TermError, match=f"error must be one of {', '.join(ERRORS)}, got absolute"):
        error("absolute")


def test_law_of_an_estimate_is_that_of_the_mean_of_its_answers():
    """Truth 3/4, so that the estimate is 2 mean - 1/2; both bits are 1: 0, 1 or 2 answers are."""
    found = law(read("estimate(randomised_response(3/4), 2)"), (F(1), F(1)))
    assert found == {F(-1, 2): F(1, 16), F(1, 2): F(6, 16), F(3, 2): F(9, 16)}


@pytest.mark.parametrize(
    ("subject", "x"),
    [
        ("estimate(randomised_response(3/4), 2)", (F(1),)),
        ("estimate(randomised_response(3/4), 1)", (F(2),)),
        ("estimate(randomised_response(3/4), 0)", ()),
        ("estimate(randomised_response(1/2), 1)", (F(1),)),
        ("estimate(k_ary_randomised_response(2, 3/4), 1)", (F(1),)),
        ("estimate(discrete_laplace(1, 1), 1)", (F(1),)),
    ],
)
def test_law_of_what_is_no_estimate_is_refused(subject, x):
    with pytest.raises(TermError):
        law(read(subject), x)
