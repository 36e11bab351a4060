"""A plain program does the same as the program, and what no row reaches is not in it."""

from fractions import Fraction
from itertools import product

import pytest

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.plain import plain
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.program import outcome
from refdp.sensitivities.records import Category, Fields, Number
from refdp.terms.leaves import ZERO, integer, parts
from tests.sensitivities.random_folds import random_program

COUNTS = """def f(rows):
    counts = {"a": 0, "b": 0, "c": 0}
    for row in rows:
        counts[row["kind"]] += 1
    return counts
"""


@pytest.mark.parametrize("block", range(4))
def test_plain_programs_do_the_same(block):
    for seed in range(25 * block, 25 * block + 25):
        program, values = random_program(seed)
        (x,) = program.record.slots("row")
        made = plain(program)
        for table in (t for n in range(4) for t in product(values, repeat=n)):
            rows = [{x: Fraction(value)} for value in table]
            assert outcome(made, rows, {}) == outcome(program, rows, {}), seed


def test_plain_counts_of_labels_speak_of_one_count_each():
    record = Fields((("kind", Category(("a", "b", "c"))),))
    (only,) = read_program(parse_source(COUNTS, "f"), Declaration(record)).passes
    for state, step in zip(only.state, only.step, strict=True):
        assert {p for p in parts(step) if p in only.state} == {state}


BINS = """def f(ages):
    bins = [0, 0, 0, 0, 0]
    for age in ages:
        bins[min(age // 25, 4)] += 1
    return bins
"""


@pytest.mark.parametrize("oldest", [100, 120, 10_000])
def test_plain_an_index_that_is_in_range_for_all_records_raises_nothing(oldest):
    made = read_program(parse_source(BINS, "f"), Declaration(Number(integer(0), integer(oldest), True)))
    assert made.exception is ZERO
    assert len(made.passes[0].state) == 5


def test_plain_an_index_that_may_be_out_of_range_still_raises():
    short = BINS.replace("min(age // 25, 4)", "age // 25")
    fits = read_program(parse_source(short, "f"), Declaration(Number(integer(0), integer(124), True)))
    assert fits.exception is ZERO
    for lower, upper in ((0, 125), (-126, 124)):
        made = read_program(parse_source(short, "f"), Declaration(Number(integer(lower), integer(upper), True)))
        assert made.exception is not ZERO
        (x,) = made.record.slots("row")
        far = Fraction(upper if lower == 0 else lower)
        assert outcome(made, [{x: far}], {}).exception == "IndexError"
        assert outcome(made, [{x: Fraction(0)}], {}).exception == ""
