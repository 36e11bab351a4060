"""clamped_sum: the sum of clamped rows moves by max(|lower|, |upper|) or upper - lower an edit, and by no less."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.mechanisms import discrete_laplace
from refdp.transformations import clamp, clamped_sum
from refdp.transformations.clamped_sum import CLAMPED_SUM
from tests.exactness.entering import entered, written
from tests.exactness.refusals import refusal, shows
from tests.exactness.variants import verdict, verdicts
from tests.transformations.checks import NOT_NUMBERS, built, exceeded, fractions, is_sharp, random_tables, tables

ATOMS = fractions(-7, -1, 2, 9)
BOUNDS = [(0, 12), (-3, 2), (-2, 3), (1, 4), (-4, -1), (2, 2)]


def by_hand(table, lower, upper):
    """The definition."""
    return sum((max(lower, min(x, upper)) for x in table), F(0))


def variant(**changes):
    """The sum with other formulas, each a body in row, lower and upper; `edits` by the bound alone."""
    found = {key: written(key, "row lower upper granularity", body) for key, body in changes.items() if key != "edits"}
    if "edits" in changes:
        ((where, body),) = changes["edits"].items()
        edit = replace(CLAMPED_SUM.edits[where], bound=written("wrong_bound", "lower upper", body))
        found["edits"] = {**CLAMPED_SUM.edits, where: edit}
    return replace(CLAMPED_SUM, stem="wrong_clamped_sum", **found)


def test_clamped_sum_of_worked_examples():
    assert clamped_sum(0, 12)((15, -3, 7)) == 19
    assert clamped_sum("-1/2", "1/2", "1/2")((F(3, 2), F(-1, 2), 0, 1)) == F(1, 2)
    assert clamped_sum(3, 5)(()) == 0


def test_clamped_sum_with_noise_of_the_source_costs_12_of_25():
    """002: hours watched a week, clamped to 12, with noise of scale 25."""
    private = clamped_sum(0, 12) >> discrete_laplace(25)
    assert private.map(1) == F(12, 25)
    assert [private.map(d_in) for d_in in (0, 2, "1/3")] == [0, F(24, 25), F(4, 25)]


def test_clamped_sum_of_random_tables_is_its_definition():
    for lower, upper, step in [(F(0), F(12), F(1)), (F(-3), F(4), F(1)), (F(-3, 2), F(1, 2), F(1, 4))]:
        t = clamped_sum(lower, upper, step)
        for table in random_tables("clamped_sum", lambda chance, step=step: step * chance.randint(-30, 30)):
            assert t(table) == by_hand(table, lower, upper)


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@pytest.mark.parametrize(("lower", "upper"), BOUNDS)
def test_clamped_sum_is_stable_and_its_map_is_sharp(lower, upper, neighbours):
    t, inputs = clamped_sum(lower, upper, neighbours=neighbours), tables([*ATOMS, F(lower), F(upper)], 2)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    assert t.map(1) == (max(abs(lower), abs(upper)) if neighbours == "add_remove" else upper - lower)


def test_clamped_sum_is_proved_under_another_stem():
    found = verdicts(replace(CLAMPED_SUM, stem="same_clamped_sum"))
    assert found == dict.fromkeys(found, "proved")
    assert len(found) == 3


@pytest.mark.parametrize(
    ("neighbours", "body", "bounds"),
    [
        ("add_remove", "max(abs(lower), abs(upper)) / 2", (0, 12)),
        ("add_remove", "max(abs(lower), abs(upper)) * 999 / 1000", (0, 12)),
        ("add_remove", "abs(upper)", (-3, 2)),
        ("add_remove", "abs(lower)", (0, 12)),
        ("add_remove", "upper", (-3, 2)),
        ("add_remove", "min(abs(lower), abs(upper))", (0, 12)),
        ("add_remove", "max(lower, upper)", (-3, 2)),
        ("add_remove", "upper - lower", (1, 4)),
        ("change_one", "(upper - lower) / 2", (0, 12)),
        ("change_one", "(upper - lower) * 999 / 1000", (0, 12)),
        ("change_one", "max(abs(lower), abs(upper))", (-3, 2)),
        ("change_one", "upper", (-3, 2)),
        ("change_one", "upper + lower", (-3, 2)),
    ],
)
def test_clamped_sum_with_a_smaller_bound_is_not_proved(neighbours, body, bounds):
    """And it is false: at those bounds, tables one edit apart have sums farther apart."""
    wrong = variant(edits={(neighbours, "absolute"): body})
    assert verdict(wrong, f"edit_is_bounded.{neighbours}.absolute") == "disproved"
    lower, upper = fractions(*bounds)
    with entered(wrong):
        t = built(wrong, neighbours, "absolute", lower=lower, upper=upper, granularity=F(1))
        assert exceeded(t, tables([*ATOMS, lower, upper], 1)) != []


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@pytest.mark.parametrize(
    "body",
    ["2 * max(lower, min(row, upper))", "1001 * max(lower, min(row, upper)) / 1000", "max(lower, row)", "row",
     "min(row, upper)", "max(lower, min(row, upper + 1))", "max(lower - 1, min(row, upper))"],
)  # fmt: skip
def test_clamped_sum_of_larger_contributions_is_not_proved(body, neighbours):
    wrong = variant(contribution=body)
    assert verdict(wrong, f"edit_is_bounded.{neighbours}.absolute") == "disproved"


@pytest.mark.parametrize(
    ("field", "body", "said"),
    [
        ("output_step", "2 * granularity", "disproved"),
        ("output_step", "granularity * 1001 / 1000", "disproved"),
        ("output_step", "0 * granularity", "disproved"),
        ("output_step", "-granularity", "disproved"),
        ("units", "row", "disproved"),
        ("units", "2 * max(lower, min(row, upper))", "disproved"),
        ("units", "max(lower, min(row, upper)) / 2", "refused"),
        ("contribution", "max(lower, min(row, upper)) + 1", "disproved"),
    ],
)
def test_clamped_sum_off_its_grid_is_not_proved(field, body, said):
    if field == "output_step":
        wrong = replace(variant(), output_step=written("step", "granularity", body))
    else:
        wrong = variant(**{field: body})
    assert verdict(wrong, "sum_stays_on_the_grid") == said


@pytest.mark.parametrize("parameter", ["lower", "upper", "granularity"])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_clamped_sum_refuses_what_is_no_exact_number(parameter, value):
    assert shows(refusal(lambda: clamped_sum(**{"lower": 0, "upper": 1, parameter: value})), parameter, value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: clamped_sum(2, 1), "lower <= upper must hold, got lower = 2, upper = 1"),
        (lambda: clamped_sum(0, 1, 0), "granularity must be > 0, got 0"),
        (lambda: clamped_sum(0, 1, "-1"), "granularity must be > 0, got -1"),
        (lambda: clamped_sum(0, 3, 2), "upper must be a whole multiple of granularity, got granularity = 2, upper = 3"),
        (lambda: clamped_sum(0, 1, neighbours="one"), "neighbours must be one of add_remove, change_one, got one"),
        (lambda: clamped_sum(0, 1)((F(1, 2),)), "the input must be a member of table(grid(1))"),
        (lambda: clamped_sum(0, 1)(({"age": 1},)), "the input must be a member of table(grid(1))"),
        (lambda: clamped_sum(0, 1)((0.5,)), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
        (lambda: clamped_sum(0, 1)(3), "the input must be a member of table(grid(1))"),
        (lambda: clamped_sum(0, 1).map("-1/2"), "d_in must be >= 0, got -1/2"),
        (lambda: clamped_sum(0, 1).check(1, float("inf")), "d_out must be exact, got the float inf"),
    ],
)  # fmt: skip
def test_clamped_sum_refuses_in_one_sentence(call, said):
    assert refusal(call) == said


def test_clamped_sum_chains_only_where_domain_and_metric_meet():
    assert refusal(lambda: clamped_sum(0, 12) >> clamp(0, 1)) == (
        "the output domain grid(1) does not lie in the input domain table(grid(1))"
    )
    assert refusal(lambda: clamped_sum(0, 12) >> discrete_laplace(1, granularity=2)) == (
        "the output domain grid(1) does not lie in the input domain grid(2)"
    )
    assert refusal(lambda: clamp(0, 12, neighbours="change_one") >> clamped_sum(0, 12)) == (
        "the output metric change_one is not the input metric symmetric"
    )
