"""rounded_to: real answers go to the nearest grid point, halves up, and join noise on the grid."""

from fractions import Fraction as F

import pytest

import refdp
from tests.exactness.refusals import refusal, shows
from tests.transformations.checks import NOT_NUMBERS


def test_rounded_to_of_worked_examples():
    t = refdp.rounded_to("1/2")
    assert [t(x) for x in (F(1, 4), F(-1, 4), F(1, 5), F(-3, 8), F(7))] == [F(1, 2), 0, 0, F(-1, 2), 7]
    assert refdp.rounded_to(10, 2)((F(4), F(5))) == (0, 10)


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_rounded_to_refuses_what_is_no_exact_number(value):
    assert shows(refusal(lambda: refdp.rounded_to(value)), "granularity", value)


def test_rounded_to_in_a_pipeline_joins_real_numbers_and_noise_on_a_grid():
    found = refdp.rounded_to("1/10") >> refdp.discrete_laplace(1, "1/10")
    assert found.map("1/5") == F(1, 5)
    assert str(refdp.theorem(found, "1/5").claim.d_out[0]) == "1/5"
    vector = refdp.rounded_to("1/10", 2, "l1") >> refdp.discrete_laplace(1, "1/10", 2)
    assert vector.map(1) == F(6, 5)
    assert str(refdp.theorem(vector, 1).claim.term).endswith("l1(1), pure(6/5))")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [((0,), "granularity must be > 0"), (("1/2", 0), "dimension must be a whole number >= 1"),
     (("1/2", 2, "absolute"), "norm must be one of")],
)  # fmt: skip
def test_rounded_to_of_other_parameters_is_refused(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        refdp.rounded_to(*arguments)
