"""Pairs are found where the machine moves too far, are neighbours, replay, and are not found where a bound holds."""

import itertools
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from refdp import work
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.machine import search
from refdp.sensitivities.machine.arithmetic import machine_arithmetic
from refdp.sensitivities.machine.candidates import Candidate, atoms, candidates, sizes
from refdp.sensitivities.machine.formats import (
    BFLOAT16,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT64,
    representable,
    saturating,
)
from refdp.sensitivities.machine.pair import MachineOutcome, distance, machine_run
from refdp.sensitivities.machine.quick import quick_sum
from refdp.sensitivities.machine.runs import runs
from refdp.sensitivities.machine.search import MachineQuestion, find_machine_pair, furthest_machine_pair
from refdp.sensitivities.machine.statistics import (
    fused_dot,
    mean,
    numpy_variance,
    products,
    textbook,
    two_pass,
    welford,
)
from refdp.sensitivities.machine.user import machine_question
from refdp.sensitivities.machine.user_runs import ROW, user_run
from refdp.sensitivities.question import SIZE
from refdp.sensitivities.records import Category, Fields, Missing, Number
from refdp.terms import operations
from refdp.terms.leaves import ZERO, integer, rational


def question(algorithm, form, lower, upper, changes="change_one", claim=None, **named):
    width = (
        Fraction(upper) - Fraction(lower)
        if changes == "change_one"
        else max(abs(Fraction(lower)), abs(Fraction(upper)))
    )
    ideal = width if claim is None else claim
    run = machine_run(algorithm, form)
    return MachineQuestion(run, form, Fraction(lower), Fraction(upper), changes, ideal, **named)


def are_neighbours(pair, changes, ordered=True):
    first, second = list(pair.first), list(pair.second)
    if changes == "change_one":
        apart = sum(a != b for a, b in zip(first, second, strict=True))
        return apart <= 1 if ordered else (Counter(first) - Counter(second)).total() <= 1
    if changes == "reorder":
        return Counter(first) == Counter(second)
    longer, shorter = sorted((first, second), key=len, reverse=True)
    if not ordered:
        return (Counter(longer) - Counter(shorter)).total() == 1
    return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))


def replays(asked, pair):
    """Running both tables row by row gives the recorded outcomes and distance."""
    outcomes = tuple(asked.run(runs([(x, 1) for x in table])) for table in (pair.first, pair.second))
    return outcomes == pair.outcomes and distance(*outcomes) == pair.distance and pair.refutes


WIDE = [(FLOAT64, name) for name in ("naive", "pairwise", "numpy", "kahan", "neumaier", "fsum", "python")]
NARROW = [(FLOAT32, "naive"), (FLOAT32, "numpy"), (FLOAT16, "numpy"), (FLOAT16, "fsum"), (BFLOAT16, "neumaier")]


@pytest.mark.parametrize(("form", "total"), [*WIDE, *NARROW])
def test_the_ideal_bound_of_a_sum_is_refuted_in_every_format(form, total):
    for changes in ("change_one", "add_remove"):
        asked = question(quick_sum(total), form, 0, 1, changes)
        pair = find_machine_pair(asked, 10)
        assert pair is not None
        assert replays(asked, pair)
        assert are_neighbours(pair, changes)
        assert pair.rows <= 3
        assert all(0 <= x <= 1 and representable(x, form) for x in (*pair.first, *pair.second))


@pytest.mark.parametrize(
    ("algorithm", "claim"),
    [
        (mean(quick_sum("naive")), lambda n: Fraction(1, max(n, 1))),
        (two_pass(quick_sum("naive")), lambda n: Fraction(n - 1, n)),
        (textbook(quick_sum("naive")), lambda n: Fraction(n - 1, n)),
        (welford, lambda n: Fraction(n - 1, n)),
        (numpy_variance(), lambda n: Fraction(n - 1, n * n)),
    ],
    ids=["mean", "two_pass", "textbook", "welford", "numpy_variance"],
)
def test_the_ideal_bound_of_means_and_deviations_is_refuted_on_doubles(algorithm, claim):
    asked = question(algorithm, FLOAT64, 2**50, 2**50 + 1, claim=lambda n: claim(max(n, 1)))
    pair = find_machine_pair(asked, 10)
    assert pair is not None
    assert replays(asked, pair)
    assert are_neighbours(pair, "change_one")


@pytest.mark.parametrize("total", ["naive", "pairwise", "numpy"])
def test_sums_far_from_zero_move_a_thousand_times_too_far(total):
    ends = (Fraction(2**52), Fraction(2**52 + 1))
    asked = question(quick_sum(total), FLOAT64, *ends, values=ends)
    pair = furthest_machine_pair(asked, 30, 2000)  # two values make few tables: all are tried in half a second
    assert pair is not None
    assert pair.distance >= 1024


def test_reordering_alone_moves_a_naive_sum_and_not_a_correctly_rounded_one():
    asked = question(quick_sum("naive"), FLOAT64, 0, 1, "reorder", Fraction(0))
    pair = find_machine_pair(asked, 5)
    assert pair is not None
    assert replays(asked, pair)
    assert are_neighbours(pair, "reorder")
    assert find_machine_pair(question(quick_sum("fsum"), FLOAT64, 0, 1, "reorder", Fraction(0)), 0.4, 257) is None


@pytest.mark.parametrize("algorithm", [products(quick_sum("naive")), products(quick_sum("numpy")), fused_dot])
def test_dot_products_of_rows_of_two_numbers_are_refuted(algorithm):
    """Rows (x, y) in the unit square: over the numbers a row adds at most 1."""
    pairs = tuple(itertools.product(atoms(FLOAT64, Fraction(0), Fraction(1))[:6], repeat=2))
    asked = question(algorithm, FLOAT64, 0, 1, "add_remove", values=pairs)
    pair = find_machine_pair(asked, 5)
    assert pair is not None
    assert replays(asked, pair)
    assert pair.rows <= 3


def test_multisets_may_be_reordered_and_lists_may_not():
    """Saturating: a list moves by at most the row inserted; a table in any order by more."""
    for tables, expected in (("lists", False), ("multisets", True)):
        asked = question(quick_sum("naive"), saturating(INT8), -100, 100, "add_remove", tables=tables)
        pair = find_machine_pair(asked, 0.6, 17)
        assert (pair is not None) is expected
    assert are_neighbours(pair, "add_remove", ordered=False)


@pytest.mark.parametrize(("form", "upper"), [(INT8, 100), (INT64, 1 << 62)])
def test_wrapping_sums_are_refuted_with_the_fewest_rows(form, upper):
    asked = question(quick_sum("naive"), form, 0, upper, "add_remove")
    pair = find_machine_pair(asked, 5)
    assert pair is not None
    assert replays(asked, pair)
    assert pair.rows == 2


def test_a_wrap_that_takes_very_many_rows_is_found_where_they_are_allowed():
    asked = question(quick_sum("naive"), INT64, 0, 4, "add_remove")
    assert find_machine_pair(asked, 0.2, 4097) is None
    pair = find_machine_pair(asked, 3, 1 << 62)
    assert pair is not None
    assert pair.rows == 1 << 61
    assert pair.distance == (1 << 64) - 4


@pytest.mark.parametrize(
    ("algorithm", "form", "lower", "upper", "claim"),
    [
        (quick_sum("naive"), FLOAT64, 0, 2**20, None),  # change_one on a grid: see below
        (quick_sum("numpy"), INT64, -100, 100, None),
        (quick_sum("naive"), saturating(INT8), -100, 100, None),
        (quick_sum("fsum"), FLOAT64, 0, 1, Fraction(3, 2)),
        (quick_sum("naive"), FLOAT32, 0, 1, Fraction(1001, 1000)),
        (quick_sum("pairwise"), FLOAT64, 0, 1, 1 + Fraction(1, 10**9)),
    ],
)
def test_bounds_that_hold_are_not_refuted(algorithm, form, lower, upper, claim):
    """Sums of at most 257 rows: whole doubles add exactly, the others are claimed with room for all rounding."""
    asked = question(algorithm, form, lower, upper, claim=claim)
    if form is FLOAT64 and claim is None:
        asked = question(algorithm, form, lower, upper, values=tuple(Fraction(x) for x in (0, 2**20, 1, 2**19, 12345)))
    assert find_machine_pair(asked, 0.2, 257) is None


def test_a_claim_of_the_smallest_excess_is_refuted_and_of_no_excess_is_not():
    """The furthest that two doubles in [0, 1] move a sum of two: 1 + u, less u^2."""
    unit = FLOAT64.unit
    tight = 1 + unit - 2 * unit**2
    for claim, expected in ((tight, None), (tight - unit / 1000, 2)):
        asked = question(quick_sum("naive"), FLOAT64, 0, 1, "add_remove", claim)
        pair = find_machine_pair(asked, 2, 1)
        assert (pair.rows if pair else None) == expected


def test_distance_counts_exceptions_infinities_and_missing_places_as_infinite():
    def outcome(*numbers, exception="", places=()):
        return MachineOutcome(tuple(Fraction(x) if isinstance(x, int) else x for x in numbers), exception, places)

    assert distance(outcome(1, 2), outcome(4, 6)) == 7
    assert distance(outcome(1, 2), outcome(4, 6), "L2") == 25
    assert distance(outcome(1, 2), outcome(4, 6), "Linf") == 4
    assert distance(outcome("inf"), outcome("inf")) == 0 == distance(outcome("nan"), outcome("nan"))
    apart = [(outcome("inf"), outcome(1)), (outcome("nan"), outcome("inf")), (outcome(1), outcome(1, 1))]
    apart += [(outcome(exception="ZeroDivisionError"), outcome(1))]
    apart += [(outcome(1, places=("a",)), outcome(1, places=("b",)))]
    assert all(distance(a, b) is None for a, b in apart)


def test_candidates_are_neighbours_within_the_format():
    for form in (FLOAT64, FLOAT16, INT8):
        values = atoms(form, Fraction(-3), Fraction(7))
        assert values[:2] == [-3, 7]
        assert all(-3 <= x <= 7 and representable(x, form) for x in values)
        for changes in ("change_one", "add_remove", "reorder"):
            for candidate in candidates(values[:4], 3, 5, changes, False):
                first, second = candidate.tables()
                asked = question(quick_sum("naive"), form, -3, 7)
                assert are_neighbours(asked.judged(first, second, (MachineOutcome(), MachineOutcome())), changes)
    assert Candidate(((1, 2), (2, 3)), 5, 6, 1, 1, edits=2).tables() == (
        runs([(1, 2), (5, 2), (2, 3)]),
        runs([(1, 2), (6, 2), (2, 3)]),
    )
    assert max(sizes(FLOAT64, Fraction(0), Fraction(1), 100)) <= 100


class Clock:
    """Work that grows by a thousandth of a second whenever it is looked at, whatever a table costs."""

    def __init__(self):
        self.readings = 0

    def step(self, number=1):
        pass

    def spent(self):
        self.readings += 1
        return Fraction(self.readings, 1000)


@pytest.fixture(name="clock")
def _clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(search, "work", clock)
    return clock


def test_a_search_ends_when_its_time_is_over(clock):
    asked, ran = question(quick_sum("kahan"), FLOAT32, 0, 1, claim=Fraction(2)), []
    counted = replace(asked, run=lambda table: ran.append(clock.readings) or asked.run(table))
    assert find_machine_pair(counted, Fraction(1, 2)) is None
    assert 50 < len(ran) <= 2 * 500, "between two readings at most the two tables of one candidate are run"
    assert max(ran) <= 500
    assert clock.readings <= 510


TEXT = """
def total(rows):
    found = 0.0
    for x in rows:
        found += min(max(x, 0.0), 1.0)
    return found

def average(rows):
    return sum(rows) / len(rows)

def count(rows):
    found = 0
    for x in rows:
        found += x
    return found

def by_label(rows):
    found = {"a": 0.0, "b": 0.0}
    for row in rows:
        if row["x"] is not None:
            found[row["k"]] += row["x"]
    return found
"""
UNIT = Number(rational(Fraction(0)), rational(Fraction(1)))


def asked_of(name, kind, arithmetic, changes, claim):
    return machine_question(parse_source(TEXT, name), Declaration(kind), arithmetic, changes, claim)


@pytest.mark.parametrize("form", ["float64", "float32", "bfloat16"])
def test_a_users_sum_is_refuted_as_the_machine_computes_it(form):
    machine = machine_arithmetic(form, "python3.11")  # from 3.12 on it compensates
    pair = find_machine_pair(asked_of("total", UNIT, machine, "add_remove", rational(1)), 4)
    assert pair is not None
    assert pair.rows == 2
    assert are_neighbours(pair, "add_remove")


def test_a_users_exception_on_one_table_only_is_infinitely_far():
    pair = find_machine_pair(asked_of("average", UNIT, machine_arithmetic("float64"), "add_remove", rational(1)), 5)
    assert pair is not None
    assert (len(pair.first), pair.rows, pair.distance) == (0, 1, None)


def test_a_users_integers_wrap_and_a_claim_may_use_the_size():
    kind = Number(integer(0), integer(100))
    pair = find_machine_pair(asked_of("count", kind, machine_arithmetic("int8"), "add_remove", integer(100)), 5)
    assert pair is not None
    assert pair.rows == 2
    wide = operations.add(integer(255), SIZE)
    assert find_machine_pair(asked_of("count", kind, machine_arithmetic("int8"), "add_remove", wide), 0.2) is None
    assert (
        find_machine_pair(asked_of("count", kind, machine_arithmetic("int32"), "add_remove", integer(100)), 0.2) is None
    )


def test_a_users_records_have_labels_and_missing_values():
    kind = Fields((("k", Category(("a", "b"))), ("x", Missing(UNIT))))
    asked = asked_of("by_label", kind, machine_arithmetic("float64"), "add_remove", rational(1))
    pair = find_machine_pair(asked, 8)
    assert pair is not None
    assert pair.rows == 2
    assert {place for outcome in pair.outcomes for place in outcome.places} == {("a",), ("b",)}


def test_an_assumption_on_the_size_is_kept():
    """The mean of an empty table alone raises."""
    source, arithmetic = parse_source(TEXT, "average"), machine_arithmetic("float64")
    for least, expected in ((0, 0), (3, 3)):
        declaration = Declaration(UNIT, assumption=operations.at_most(integer(least), SIZE))
        asked = machine_question(source, declaration, arithmetic, "add_remove", rational(Fraction(1, 100)))
        pair = find_machine_pair(asked, 5)
        assert pair is not None
        assert min(len(pair.first), len(pair.second)) == expected


def test_open_parameters_are_refused():
    source, declaration = parse_source(TEXT, "total"), Declaration(UNIT, symbolic={"upper": "Real"})
    arithmetic = machine_arithmetic("float64")
    with pytest.raises(ValueError, match="parameters must have values in machine arithmetic, got upper"):
        machine_question(source, declaration, arithmetic, "add_remove", ZERO)


def test_a_search_in_which_no_table_counts_ends_too(clock):
    asked = question(quick_sum("naive"), FLOAT64, 0, 1, counts=lambda n: n < 0)
    assert find_machine_pair(asked, Fraction(1, 2)) is None
    assert 100 < clock.readings <= 510


def test_rows_are_work_though_the_function_looks_at_none():
    """A function that raises at once was run on tables of hundreds of rows for many times its limit."""
    source = parse_source("def f(rows):\n    return sum(rows)\n    sum = 1\n", "f")
    run = user_run(source, Declaration(UNIT), machine_arithmetic("float64"))
    for rows in (10, 1000):
        before = work.COUNT.steps
        assert run(runs((Fraction(k % 7, 7), 1) for k in range(rows))).exception == "UnboundLocalError"
        assert work.COUNT.steps - before >= ROW * rows
