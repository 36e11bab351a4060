"""clamped_vector_sum: a row moves it by dimension cap in L1, sqrt(dimension) cap in L2, cap in Linf, not by less."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import product

import pytest

from refdp.kernel.judgements import Refuted
from refdp.spec.semantics import value
from refdp.terms.reading import read
from refdp.transformations.clamped_vector_sum import CLAMPED_VECTOR_SUM
from tests.claimed import clamped_vector_sum
from tests.exactness.entering import written
from tests.exactness.variants import verdict, verdicts
from tests.transformations.checks import built, exceeded, fractions, is_sharp, random_tables, spread, tables

EDITS = sorted(CLAMPED_VECTOR_SUM.edits)
ROWS = [fractions(*row) for row in [*[*product((-7, -2, 0, 1, 2, 9), repeat=2)][::5], (9, 9), (-9, -9)]]
STEM = "wrong_clamped_vector_sum"


def test_clamped_vector_sum_of_random_tables_is_its_definition():
    subject = read("clamped_vector_sum(2, 3, 1/2)")
    for table in random_tables("clamped", lambda chance: tuple(F(chance.randint(-9, 9), 2) for _ in range(3))):
        assert value(subject, table) == tuple(sum(max(-2, min(2, row[j])) for row in table) for j in range(3))


@pytest.mark.parametrize(("neighbours", "norm"), EDITS)
def test_clamped_vector_sum_is_stable_and_its_map_is_sharp(neighbours, norm):
    t, inputs = built(CLAMPED_VECTOR_SUM, neighbours, norm, cap=F(2), dimension=F(2), granularity=F(1)), tables(ROWS, 2)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    times = 1 if neighbours == "add_remove" else 2
    worst = {"l1": 4 * times, "l2": 8 * times**2, "linf": 2 * times}
    assert spread(t, inputs)[F(1)] == worst[norm]


@pytest.mark.parametrize(("neighbours", "norm"), EDITS)
def test_clamped_vector_sum_with_a_smaller_bound_is_not_proved(neighbours, norm):
    edit = CLAMPED_VECTOR_SUM.edits[neighbours, norm]
    for body in (f"({edit.bound.term}) / 2", "cap - granularity", "dimension * 0", f"({edit.bound.term}) * 999 / 1000"):
        wrong = replace(edit, bound=written("wrong_bound", "cap dimension granularity", body))
        kind = replace(CLAMPED_VECTOR_SUM, stem=STEM, edits={(neighbours, norm): wrong})
        key = "edit_is_bounded" if norm == "linf" else "prefix_ends_at_the_bound"
        assert verdict(kind, f"{key}.{neighbours}.{norm}") == "disproved"


def test_clamped_vector_sum_is_proved_under_another_stem():
    found = verdicts(replace(CLAMPED_VECTOR_SUM, stem="same_clamped_vector_sum"))
    assert found == dict.fromkeys(found, "proved")


def test_clamped_vector_sum_is_not_clipped():
    theorem = clamped_vector_sum.clamped_as_clipped()
    assert isinstance(theorem.claim, Refuted)
    assert theorem.premises[0].data["b"] == "tuple_of(tuple_of(1, 1))"
