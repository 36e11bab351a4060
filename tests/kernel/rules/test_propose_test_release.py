"""Propose, test, release, and the median that it is for: each rule concludes from its premise and refuses all else."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.spec.median_bounds import MedianBounds
from refdp.spec.propose_test_release import tail
from refdp.spec.registry import kind_of
from refdp.spec.semantics import draws_numbers, has_loss, law, value
from refdp.terms.reading import read
from refdp.terms.term import TermError, name, number
from refdp.transformations.median_bounds import MEDIAN_WITH_DISTANCE, MEDIAN_WITH_SMOOTH_BOUND
from tests.exactness.powers import Powers
from tests.kinds import mechanism, noise, registered, response, summed


def released(m, scale="2", threshold="3", **data):
    return rules.propose_test_release(m, scale=scale, threshold=threshold, **data)


def test_the_claim_is_about_pairs_and_has_the_tail():
    claim = released(noise(), scale="s", threshold="t").claim
    assert str(claim.domain) == "record(field(0, grid(1)), field(1, grid(granularity)))"
    assert (claim.metric, claim.measure, str(claim.subject)) == (
        "tested", "approximate", "tested(discrete_laplace(scale, granularity), s, t)",
    )  # fmt: skip
    assert claim.d_out == (1 / name("s") + name("d_in") / name("scale"), tail(name("s"), name("t")))


@pytest.mark.parametrize(
    ("m", "said"),
    [
        (lambda: summed("count"), "takes a private claim"),
        (lambda: noise(vector="yes"), "expected a claim about a number"),
        (lambda: noise("discrete_gaussian", "concentrated"), "expected pure or approximate DP"),
        (response, "expected a claim about a number"),
        (lambda: mechanism("exponential"), "expected a claim about a number"),
        (lambda: released(noise(), "s", "t"), "expected a claim about a number"),
    ],
)
def test_other_premises_are_refused(m, said):
    with pytest.raises(KernelError, match=said):
        released(m(), scale="s", threshold="t")


@pytest.mark.parametrize(
    ("scale", "threshold"),
    [("0", "3"), ("-1", "3"), ("2", "0"), ("2", "-1"), ("2", "1/2"), ("2", "7/2"), ("2", "grid(1)"), ("'a'", "3")],
)
def test_other_scales_and_thresholds_are_refused(scale, threshold):
    with pytest.raises(KernelError):
        released(noise(), scale=scale, threshold=threshold, d_out=["1", "1"])


def test_conditions_that_stay_open_stay_in_the_claim():
    given = released(noise(), scale="s", threshold="t").claim.given
    assert {str(c) for c in given} >= {"0 < s", "integer(t)", "1 <= t", "0 < scale", "0 <= d_in"}


def test_a_closed_delta_is_rounded_up_and_never_down():
    inner = rules.instantiate(noise(), values={"scale": "2", "granularity": "1", "d_in": "1"})
    assert released(inner, d_out=["1", "1/7"]).claim.d_out == (number(1), number(F(1, 7)))
    for bounds in (["1", "1/8"], ["999/1000", "1/7"], ["1"], ["1", "1/7", "0"]):
        with pytest.raises(KernelError, match=r"is not an upper bound|bounds must be 2 numbers"):
            released(inner, d_out=bounds)
    with pytest.raises(KernelError, match="is irrational"):
        released(inner)


def test_a_negative_epsilon_beside_a_delta_is_refused():
    """A claim such as (ln(1/2), 1) says nothing, and would make the test cheaper than it is."""
    inner = rules.finite_mechanism(
        subject="listed(tuple_of(tuple_of(1, 0), tuple_of(0, 1)))", domain="finite(2)", metric="absolute", d_in="1",
        measure="approximate",
    )  # fmt: skip
    assert str(inner.claim.d_out) == "(term('0'), term('1'))"
    found = released(inner, scale="s", threshold="1").claim
    assert found.given == (0 < name("s"),)
    with pytest.raises(KernelError, match="cannot strengthen"):
        rules.weaken(inner, d_out=["ln(1/2)", "1"])


@pytest.mark.parametrize(
    ("subject", "x"),
    [
        ("tested(randomised_response(3/4), 1, 2)", F(1)),
        ("tested(randomised_response(3/4), 1, 2)", (F(1),)),
        ("tested(randomised_response(3/4), 1, 2)", (F(1, 2), F(1))),
        ("tested(randomised_response(3/4), 1, 2)", (F(1), F(1), F(1))),
        ("tested(randomised_response(3/4), 1, 2)", (F(1), F(2))),
        ("tested(randomised_response(3/4), 0, 2)", (F(1), F(1))),
        ("tested(randomised_response(3/4), 1, 0)", (F(1), F(1))),
        ("tested(randomised_response(3/4), 1, 3/2)", (F(1), F(1))),
        ("tested(discrete_laplace(1, 1), 1, 2)", (F(1), F(1))),
    ],
)
def test_laws_of_what_is_no_pair_or_has_none_are_refused(subject, x):
    with pytest.raises(TermError):
        law(read(subject), x, Powers(2))


def test_tested_releases_are_no_numbers_and_have_no_loss():
    subject = read("tested(discrete_laplace(1, 1), 1, 2)")
    assert not draws_numbers(subject)
    assert not has_loss(subject)


@pytest.mark.parametrize("stem", ["median_with_local_bound", "count", "laplace", "nothing", ""])
def test_a_median_without_a_map_and_another_kind_are_refused(stem):
    with pytest.raises(KernelError, match=r"has no stability map|is not a registered"):
        rules.median_bounds(stem=stem, neighbours="change_one")


@pytest.mark.parametrize("neighbours", ["lists", "symmetric", ""])
def test_other_neighbours_are_refused(neighbours):
    with pytest.raises(KernelError, match="neighbours must be one of"):
        rules.median_bounds(stem="median_with_smooth_bound", neighbours=neighbours)


def test_medians_are_stated_for_one_row_under_their_conditions():
    claim = rules.median_bounds(stem="median_with_smooth_bound", neighbours="add_remove").claim
    assert [str(c) for c in claim.given] == ["lower < upper", "1 <= growth"]
    assert (claim.metric, str(claim.d_in), claim.output_metric, str(claim.d_out[0])) == (
        "symmetric", "1", "smooth", "growth",
    )  # fmt: skip
    for values in ({"growth": "1/2"}, {"lower": "1", "upper": "1"}):
        theorem = rules.median_bounds(stem="median_with_smooth_bound", neighbours="add_remove")
        with pytest.raises(KernelError, match="does not hold"):
            rules.instantiate(theorem, values=values)


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        (MEDIAN_WITH_SMOOTH_BOUND, {"form": "mean"}, "form must be one of"),
        (MEDIAN_WITH_SMOOTH_BOUND, {"form": "local"}, "the parameters of m must be"),
        (MEDIAN_WITH_SMOOTH_BOUND, {"conditions": (read("lower < upper"),)}, "must have the condition 1 <= growth"),
        (MEDIAN_WITH_SMOOTH_BOUND, {"conditions": (read("1 <= growth"),)}, "must have the condition lower < upper"),
        (
            MEDIAN_WITH_DISTANCE,
            {"conditions": MEDIAN_WITH_DISTANCE.conditions[:-1]},
            "must have the condition multiple",
        ),
        (MEDIAN_WITH_DISTANCE, {"conditions": MEDIAN_WITH_DISTANCE.conditions[1:]}, "condition lower < upper"),
    ],
)
def test_a_median_that_says_nothing_is_refused(kind, change, said):
    with pytest.raises(TermError, match=said):
        replace(kind, stem="m", **change)


def test_a_doubled_distance_is_claimed_of_nobody_else():
    """The form is there for a false claim; its rule must not conclude it."""
    assert isinstance(kind_of("median_with_doubled_distance"), MedianBounds)
    with pytest.raises(KernelError, match="has no stability map"):
        rules.median_bounds(stem="median_with_doubled_distance", neighbours="change_one")
    with registered(replace(MEDIAN_WITH_DISTANCE, stem="m", form="doubled")), pytest.raises(KernelError):
        rules.median_bounds(stem="m", neighbours="change_one")


@pytest.mark.parametrize("table", [(F(11),), (F(-1),), ("a",), None, F(1), (F(1), None)])
def test_rows_outside_of_the_range_are_refused(table):
    with pytest.raises(TermError, match="reads tables of exact numbers"):
        value(read("median_with_smooth_bound(0, 10, 2)"), table)


def test_the_median_of_no_rows_is_the_lower_end_with_the_whole_range():
    assert value(read("median_with_smooth_bound(1, 10, 2)"), ()) == (F(1), F(9))
    assert value(read("median_with_distance(1, 10, 8, 1)"), ()) == (F(0), F(1))
    assert value(read("median_with_distance(1, 10, 9, 1)"), ()) == (F(1), F(1))
