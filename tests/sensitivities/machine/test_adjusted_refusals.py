"""Adjusted bounds withstand the search for a pair, and every table of a small format; the ideal ones do not."""

import itertools
from fractions import Fraction

import pytest

from refdp.sensitivities.machine.adjusted import MachineQuery, adjusted_bound
from refdp.sensitivities.machine.formats import BFLOAT16, FLOAT16, FLOAT32, FLOAT64, FloatFormat, rounded
from refdp.sensitivities.machine.pair import machine_run
from refdp.sensitivities.machine.quick import quick_sum
from refdp.sensitivities.machine.runs import runs
from refdp.sensitivities.machine.search import MachineQuestion, find_machine_pair
from refdp.sensitivities.machine.statistics import mean, numpy_mean, two_pass
from tests.sensitivities.thinning import mostly_long

ORDERS = ("naive", "pairwise", "kahan", "neumaier", "fsum")


def algorithm(kind, order):
    total = quick_sum("naive" if order == "any" else order)
    if kind == "mean" and order == "numpy":
        return numpy_mean
    return {"sum": total, "mean": mean(total), "deviations": two_pass(total)}[kind]


def searched(query, claim, seconds):
    """The pair found among tables of the sizes that the query speaks of; in any order where its bound is for any."""
    most = query.maximum_rows - (query.neighbours == "add_remove")
    question = MachineQuestion(
        run=machine_run(algorithm(query.kind, query.order), query.form),
        format_=query.form,
        lower=query.lower,
        upper=query.upper,
        changes=query.neighbours,
        claim=claim,
        tables="multisets" if query.order == "any" else "lists",
        edits=query.edits,
        counts=lambda n: query.minimum_rows <= n <= most,
    )
    return find_machine_pair(question, seconds, query.maximum_rows)


CASES = [
    *((FLOAT64, 0, 1, order, "sum", "add_remove", 65) for order in (*ORDERS, "numpy", "any")),
    *((FLOAT64, 2**52, 2**52 + 1, order, "sum", "change_one", 1025) for order in ("naive", "pairwise", "numpy")),
    (FLOAT64, 2**50, 2**50 + 1, "pairwise", "deviations", "change_one", 1024),
    (FLOAT64, 0, 1, "naive", "mean", "change_one", 65),
    (FLOAT32, -1, 1, "any", "sum", "change_one", 257),
    (FLOAT16, 0, 1, "numpy", "mean", "change_one", 65),
    (FLOAT16, 0, 1, "naive", "deviations", "change_one", 17),
    (BFLOAT16, 0, 1, "naive", "sum", "add_remove", 65),
]


@pytest.mark.parametrize(
    "case",
    mostly_long(CASES, 5),
    ids=lambda c: f"{c[0].name}-{c[3]}-{c[4]}-{c[5]}-{c[6]}",
)
def test_adjusted_bounds_withstand_the_search_and_ideal_ones_do_not(case):
    form, lower, upper, order, kind, neighbours, rows = case
    query = MachineQuery(kind, order, form, Fraction(lower), Fraction(upper), neighbours, rows)
    found = adjusted_bound(query)
    assert found.ideal < found.bound
    assert searched(query, found.bound, 0.3) is None
    assert searched(query, found.ideal * (1 - Fraction(1, 10**6)), 3) is not None


def test_sums_that_never_round_have_the_ideal_bound_and_no_smaller_one():
    query = MachineQuery("sum", "any", FLOAT32, Fraction(0), Fraction(100), "add_remove", 1000, quantum=Fraction(1))
    found = adjusted_bound(query)
    assert found.bound == found.ideal == 100
    question = MachineQuestion(
        machine_run(quick_sum("naive"), FLOAT32), FLOAT32, Fraction(0), Fraction(100), "add_remove", found.bound,
        tables="multisets", values=tuple(map(Fraction, (0, 100, 1, 50, 99, 37))), counts=lambda n: n < 1000,
    )  # fmt: skip
    assert find_machine_pair(question, 0.3, 1000) is None


SMALL = [FloatFormat("three bits", 3, -1, 30), FloatFormat("four bits", 4, -1, 30), FloatFormat("five bits", 5, 1, 30)]


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sum", "mean", "deviations"])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("form", SMALL, ids=lambda f: f.name)
def test_adjusted_bounds_hold_for_all_tables_of_a_small_format(form, order, kind):
    """Every table of at most 3 numbers of [0, 1] or of [3, 5], and every table with one row more or changed."""
    run = machine_run(algorithm(kind, order), form)
    for low, high in ((0, 1), (3, 5)):
        grid = [Fraction(i, 16) for i in range(16 * low, 16 * high + 1)]
        values = [x for x in grid if rounded(x, form) == x]
        tables = [table for n in (1, 2, 3) for table in itertools.product(values, repeat=n)]
        answers = {table: run(runs((x, 1) for x in table)).numbers[0] for table in tables}
        for neighbours in ("add_remove", "change_one"):
            query = MachineQuery(kind, order, form, Fraction(low), Fraction(high), neighbours, 3)
            assert furthest(answers, values, neighbours) <= adjusted_bound(query).bound


def furthest(answers, values, neighbours):
    """The largest distance of answers of neighbouring tables."""
    found = Fraction(0)
    for table, answer in answers.items():
        for place in range(len(table) + (neighbours == "add_remove")):
            for x in values:
                other = (*table[:place], x, *table[place + (neighbours == "change_one") :])
                if other in answers:
                    found = max(found, abs(answer - answers[other]))
    return found


@pytest.mark.parametrize("quantum", [0, -1])
def test_a_quantum_is_more_than_0(quantum):
    with pytest.raises(ValueError, match=f"quantum must be > 0, got {quantum}"):
        MachineQuery("sum", "any", FLOAT32, Fraction(0), Fraction(1), "add_remove", 10, quantum=Fraction(quantum))
