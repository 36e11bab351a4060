"""ten_row_table: the printed values are those of the table that ships, by refdp's own queries; budgets are sharp."""

import csv
from fractions import Fraction as F

import pytest

from refdp.provers.witnesses import NoWitness, refuted_by_output
from refdp.spec.distances import change_one_distance
from refdp.statements.ten_row_table import ATTRIBUTES, NEIGHBOUR, POINTS, POINTS_OF_THE_NEIGHBOUR, TABLE, THRESHOLDS
from refdp.transformations import attribute_means, histogram, point_count, threshold_count
from tests.claimed import ten_row_table as proofs
from tests.meta.repository import ROOT
from tests.statements.checks import variant, verdict

BITS = [tuple(F(v >> (2 - j) & 1) for j in range(3)) for v in TABLE]


def fractions(printed):
    return tuple(map(F, printed))


def test_table_is_the_one_that_ships():
    with (ROOT / "refdp/releases/examples/table_d.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    assert tuple(int("".join(bits), 2) for bits in rows) == TABLE


def test_thresholds_attributes_and_points_are_the_printed_ones_by_the_queries_themselves():
    assert tuple(threshold_count(y)(TABLE) / 10 for y in range(8)) == fractions(THRESHOLDS)
    assert attribute_means(3, 10)(BITS) == fractions(ATTRIBUTES)
    assert tuple(point_count(y)(TABLE) / 10 for y in range(8)) == fractions(POINTS)
    assert tuple(c / 10 for c in histogram(8)(NEIGHBOUR)) == fractions(POINTS_OF_THE_NEIGHBOUR)


def test_neighbour_differs_in_one_row():
    assert change_one_distance(TABLE, NEIGHBOUR) == 1


@pytest.mark.parametrize(("key", "old", "new"), [
    ("thresholds", "9 / 10", "8 / 10"), ("points", "1 / 5", "3 / 10"), ("attributes", "2 / 5", "1 / 2"),
])  # fmt: skip
def test_printed_values_off_by_a_tenth_are_not_decided_to_hold(key, old, new):
    assert verdict(variant(f"ten_row_table.{key}", old, new)) == "disproved"


def test_last_threshold_is_constant_and_the_one_before_is_not():
    assert verdict(variant("ten_row_table.last_threshold_is_constant", "row <= 7", "row <= 6")) == "disproved"


def test_seven_thresholds_cost_no_less_and_no_more_than_seven():
    """At 7 / scale the witness against 6 / scale is none."""
    formal = str(proofs.seven_thresholds().claim.term)
    tables = [(F(0),), (F(7),)]
    with pytest.raises(NoWitness):
        refuted_by_output(formal, {"scale": "1"}, tables, [(F(0),) * 8])


def test_eight_points_lose_just_twice_on_the_tables_of_the_document():
    from refdp.spec.semantics import loss
    from refdp.terms.reading import read

    counts = tuple(F(TABLE.count(y)) for y in range(8))
    parts = ", ".join(f"chain(point_count({y}, 1), discrete_laplace(1, 1))" for y in range(8))
    tables = [tuple(map(F, rows)) for rows in (TABLE, NEIGHBOUR)]
    assert loss(read(f"compose({parts})"), counts, *tables) == 2
