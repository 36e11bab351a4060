"""attribute_means: one replaced row moves them by dimension / size in L1, its root in L2, 1 / size in Linf, no less."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import product

import pytest

from refdp.mechanisms import discrete_gaussian, discrete_laplace
from refdp.transformations import attribute_means, attributes
from refdp.transformations.attribute_means import ATTRIBUTE_MEANS
from tests.exactness.entering import entered, written
from tests.exactness.refusals import refusal, shows
from tests.exactness.variants import verdict, verdicts
from tests.transformations.checks import (
    NOT_NUMBERS,
    built,
    exceeded,
    fractions,
    is_sharp,
    random_tables,
    records,
    spread,
    tables,
)

NORMS = ["l1", "l2", "linf"]
STEM = "wrong_attribute_means"


def edited(norm, field, body, reads):
    """The means with another bound or prefix of one edit."""
    at = ("change_one", norm)
    edit = replace(ATTRIBUTE_MEANS.edits[at], **{field: written(f"wrong_{field}", reads, body)})
    return replace(ATTRIBUTE_MEANS, stem=STEM, edits={**ATTRIBUTE_MEANS.edits, at: edit})


def rows(dimension):
    """Every 0/1 vector."""
    return [fractions(*bits) for bits in product((0, 1), repeat=dimension)]


def test_attribute_means_of_table_d():
    means = attributes(("D1", "D2", "D3"), size=10) >> attribute_means(3, size=10)
    assert means(records()) == fractions(".4", ".3", ".4")
    assert means.map(1) == F(3, 10)


def test_attribute_means_of_worked_examples():
    assert attribute_means(2, size=4)(((1, 0), (1, 1), (0, 0), (1, 0))) == fractions("3/4", "1/4")
    assert attribute_means(1, size=1)(((0,),)) == fractions(0)


@pytest.mark.parametrize(("dimension", "size"), [(1, 5), (2, 3), (4, 7)])
def test_attribute_means_of_random_tables_are_their_definition(dimension, size):
    t = attribute_means(dimension, size)
    for table in random_tables(
        "means", lambda chance: tuple(chance.randint(0, 1) for _ in range(dimension)), size=size
    ):
        assert t(table) == tuple(F(sum(row[j] for row in table), size) for j in range(dimension))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("dimension", "size"), [(1, 1), (1, 3), (2, 2), (3, 2), (2, 3)])
def test_attribute_means_are_stable_and_their_map_is_sharp(dimension, size, norm):
    t, inputs = attribute_means(dimension, size, norm), tables(rows(dimension), size, size)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    worst = {"l1": F(dimension, size), "l2": F(dimension, size**2), "linf": F(1, size)}
    assert spread(t, inputs)[F(1)] == worst[norm]


def test_attribute_means_are_proved_under_another_stem():
    found = verdicts(replace(ATTRIBUTE_MEANS, stem="same_attribute_means"))
    assert found == dict.fromkeys(found, "proved")
    assert len(found) == 1 + 3 + 3 + 1


@pytest.mark.parametrize(
    ("norm", "body"),
    [
        ("l1", "dimension / size / 2"),
        ("l1", "dimension / size * 999 / 1000"),
        ("l1", "1 / size"),
        ("l1", "dimension / (size + 1)"),
        ("l1", "dimension / size ** 2"),
        ("l2", "dimension / size ** 2 / 2"),
        ("l2", "dimension / size ** 2 * 999 / 1000"),
        ("l2", "1 / size ** 2"),
        ("l2", "dimension / (size + 1) ** 2"),
        ("linf", "1 / size / 2"),
        ("linf", "1 / size * 999 / 1000"),
        ("linf", "1 / (size + 1)"),
        ("linf", "1 / (dimension * size)"),
        ("linf", "1 / size ** 2"),
    ],
)
def test_attribute_means_with_a_smaller_bound_are_not_proved(norm, body):
    """And it is false: tables of two rows that differ in one have means farther apart."""
    wrong = edited(norm, "bound", body, "dimension size")
    key = "edit_is_bounded" if norm == "linf" else "prefix_ends_at_the_bound"
    assert verdict(wrong, f"{key}.change_one.{norm}") == "disproved"
    with entered(wrong):
        t = built(wrong, "change_one", norm, dimension=F(2), size=F(2))
        assert exceeded(t, tables(rows(2), 2, 2)) != []


@pytest.mark.parametrize(
    ("norm", "body"),
    [
        ("l1", "0"),
        ("l1", "coordinate / size / 2"),
        ("l1", "coordinate / size * 999 / 1000"),
        ("l1", "coordinate / (size + 1)"),
        ("l2", "coordinate / size ** 2 * 999 / 1000"),
        ("l2", "(coordinate / size) ** 2 / 2"),
        ("l2", "coordinate / size ** 3"),
    ],
)
def test_attribute_means_with_a_wrong_cumulative_are_not_proved(norm, body):
    wrong = edited(norm, "prefix", body, "coordinate dimension size")
    assert verdict(wrong, f"prefix_grows_by_the_edit.change_one.{norm}") == "disproved"


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_attribute_means_with_a_prefix_that_starts_below_0_are_not_proved(norm):
    right = ATTRIBUTE_MEANS.edits["change_one", norm].prefix.term
    wrong = edited(norm, "prefix", f"{right} - 1 / size", "coordinate dimension size")
    assert verdict(wrong, f"prefix_starts_at_0.change_one.{norm}") == "disproved"


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_attribute_means_with_a_prefix_of_a_row_are_not_proved(norm):
    """A row is a vector: in each coordinate `row` is another entry, so no prefix may speak of it."""
    wrong = edited(norm, "prefix", "coordinate / size * row", "coordinate size row")
    with pytest.raises(ValueError, match=f"of {STEM} must not read row"):
        verdict(wrong, f"prefix_grows_by_the_edit.change_one.{norm}")


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(
    "body",
    ["2 * max(0, min(1, row)) / size", "max(0, min(1, row)) / size * 1001 / 1000", "max(0, min(1, row))",
     "row / size", "max(0, min(1, row)) / (size - 1/2)", "max(-1, min(1, row)) / size"],
)  # fmt: skip
def test_attribute_means_of_larger_contributions_are_not_proved(body, norm):
    wrong = replace(ATTRIBUTE_MEANS, stem=STEM, contribution=written("contribution", "row size", body))
    key = "edit_is_bounded" if norm == "linf" else "prefix_grows_by_the_edit"
    assert verdict(wrong, f"{key}.change_one.{norm}") == "disproved"


@pytest.mark.parametrize(
    ("field", "body", "reads"),
    [
        ("output_step", "2 / size", "size"),
        ("output_step", "1 / (size + 1)", "size"),
        ("units", "row", "row"),
        ("contribution", "max(0, min(1, row)) / size / 2", "row size"),
    ],
)
def test_attribute_means_off_their_grid_are_not_proved(field, body, reads):
    wrong = replace(ATTRIBUTE_MEANS, stem=STEM, **{field: written(field, reads, body)})
    assert verdict(wrong, "sum_stays_on_the_grid") == "disproved"


@pytest.mark.parametrize("parameter", ["dimension", "size"])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_attribute_means_refuse_what_is_no_exact_number(parameter, value):
    assert shows(refusal(lambda: attribute_means(**{"dimension": 2, "size": 2, parameter: value})), parameter, value)


OF_2 = "the input must be a member of sized_table(vector(bounded(1, 0, 1), 2), 1)"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: attribute_means(0, 4), "dimension must be >= 1, got 0"),
        (lambda: attribute_means("5/2", 4), "dimension must be a whole number, got 5/2"),
        (lambda: attribute_means(2, -4), "size must be >= 1, got -4"),
        (lambda: attribute_means(2, "1/2"), "size must be a whole number, got 1/2"),
        (lambda: attribute_means(2, 4, "l7"), "norm must be one of l1, l2, linf for attribute_means, got l7"),
        (
            lambda: attribute_means(2, 4, neighbours="add_remove"),
            "neighbours must be change_one for attribute_means, got add_remove",
        ),
        (lambda: attribute_means(2, 4, neighbours=None), "neighbours must be one of add_remove, change_one, got None"),
        (lambda: attribute_means(2, 1)(((1, 0), (1, 0))), OF_2),
        (lambda: attribute_means(2, 1)(((1, 2),)), OF_2),
        (lambda: attribute_means(2, 1)(((1, F(1, 2)),)), OF_2),
        (lambda: attribute_means(2, 1)(((1,),)), OF_2),
        (lambda: attribute_means(2, 1)((1,)), OF_2),
        (lambda: attribute_means(2, 1)(((1, 0.5),)), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
    ],
)
def test_attribute_means_refuse_in_one_sentence(call, said):
    assert refusal(call) == said


def test_attribute_means_chain_only_where_domain_and_metric_meet():
    assert (attribute_means(3, 10) >> discrete_laplace(1, "1/10", dimension=3)).map(1) == F(3, 10)
    rho = (attribute_means(3, 10, "l2") >> discrete_gaussian(1, "1/10", dimension=3)).map(1)
    assert F(3, 200) <= rho <= F(3, 200) * (1 + F(1, 10**9))
    assert refusal(lambda: attribute_means(3, 10) >> discrete_laplace(1, dimension=3)) == (
        "the output domain vector(grid(1/10), 3) does not lie in the input domain vector(grid(1), 3)"
    )
    assert refusal(lambda: attribute_means(3, 10, "l2") >> discrete_laplace(1, "1/10", dimension=3)) == (
        "the output metric l2 is not the input metric l1"
    )
    assert refusal(lambda: attributes(("a", "b"), size=9) >> attribute_means(2, 10)) == (
        "the output domain sized_table(vector(bounded(1, 0, 1), 2), 9) "
        "does not lie in the input domain sized_table(vector(bounded(1, 0, 1), 2), 10)"
    )
