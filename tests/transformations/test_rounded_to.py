"""rounded_to: real answers go to the nearest grid point, halves up, and join noise on the grid."""

from fractions import Fraction as F

import pytest

import refdp
from refdp.kernel.judgements import KernelError
from refdp.pipeline import PipelineError
from tests.exactness.refusals import refusal, shows
from tests.transformations.checks import NOT_NUMBERS


def test_rounded_to_of_worked_examples():
    t = refdp.rounded_to("1/2")
    assert [t(x) for x in (F(1, 4), F(-1, 4), F(1, 5), F(-3, 8), F(7))] == [F(1, 2), 0, 0, F(-1, 2), 7]
    assert refdp.rounded_to(10, 2)((F(4), F(5))) == (0, 10)


def test_one_number_may_be_given_as_a_text_as_the_refusal_of_a_float_says():
    with pytest.raises(ValueError, match=r'write "1\.3"'):
        refdp.rounded_to("1/2")(1.3)
    assert refdp.rounded_to("1/2")("1.3") == F(3, 2)
    with pytest.raises(ValueError, match="the input must be a member of"):
        refdp.rounded_to("1/2")("many")


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


def test_answers_that_move_by_no_whole_steps_are_refused_before_they_are_rounded(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text("def f(rows):\n    return sum(min(x, 4) for x in rows)\n")
    found = refdp.query("own.py:f", "add_remove", records="0..6", run=False)
    for step in ("3/7", "7", "8/3"):
        with pytest.raises(PipelineError, match=f"must move by a whole multiple of {step}, got 4 at"):
            found >> refdp.rounded_to(step)
    rounded = found >> refdp.rounded_to("4/7")
    assert rounded.map(3) == 12
    assert (rounded >> refdp.discrete_laplace(8, "4/7")).map(1) == F(1, 2)


@pytest.mark.parametrize("distance", ["1/2", "3/20", "1/10"])
@pytest.mark.parametrize("norm", ["absolute", "linf"])
def test_no_map_is_less_than_what_rounding_does_to_numbers(distance, norm):
    rounded = refdp.rounded_to("1/5") if norm == "absolute" else refdp.rounded_to("1/5", 1, norm)
    noise = refdp.discrete_laplace(1, "1/5")
    uses = [lambda: rounded.map(distance), lambda: rounded.check(distance, 1)]
    if norm == "absolute":
        measured = rounded >> noise
        several = refdp.compose([measured, measured])
        uses += [lambda: measured.map(distance), lambda: measured.check(distance, 1), lambda: several.map(distance)]
        uses += [lambda: measured.to_concentrated().map(distance)]
        with pytest.raises(KernelError, match="multiple"):
            refdp.theorem(measured, distance)
    for use in uses:
        with pytest.raises(ValueError, match="multiple"):
            use()
