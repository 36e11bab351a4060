"""Sums of integers: the certificate against every table of a small format, and the step lemmas in both solvers."""

import itertools

import pytest

from refdp.sensitivities.machine.formats import INT8, INT64, UINT8, IntegerFormat, saturating
from refdp.sensitivities.machine.integers import INTEGER_LEMMAS, IntegerQuery, integer_bound, rows_without_overflow
from refdp.sensitivities.machine.lemmas import Lemma, proved
from refdp.sensitivities.machine.summands import NoBound
from refdp.sensitivities.machine.sums import naive
from refdp.sensitivities.machine.wholes import Whole

INT4 = IntegerFormat("int4", 4)
RANGES = [(0, 2), (-2, 2), (-1, 3), (-3, 0), (2, 3)]


def total(table, form):
    return naive([Whole(x, form) for x in table], Whole(0, form)).number


def neighbours(lower, upper, kind, n):
    """All pairs of tables of which the larger has n rows, rows in order."""
    for table in itertools.product(range(lower, upper + 1), repeat=n):
        for place in range(n):
            without = table[:place] + table[place + 1 :]
            if kind == "add_remove":
                yield table, without
            else:
                for row in range(lower, upper + 1):
                    yield table, (*table[:place], row, *table[place + 1 :])


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
@pytest.mark.parametrize("lemma", INTEGER_LEMMAS.values(), ids=INTEGER_LEMMAS)
def test_every_step_is_proved_by_each_solver(lemma, solver):
    assert proved(lemma, solver, 30).verdict == "unsat"


@pytest.mark.parametrize(
    ("name", "conclusion"),
    [
        ("sum_range", "s + x <= k * upper"),
        ("clipped_step", "abs(min(max(s + x, low), high) - min(max(t + x, low), high)) <= d / 2"),
        ("clipped_insertion", "abs(min(max(s + x, low), high) - s) <= d / 2"),
        ("clipped_change", "abs(min(max(s + x, low), high) - min(max(s + y, low), high)) <= d / 2"),
        ("split", "abs(min(p + x, high) - min(p, high)) <= x / 2"),
    ],
)
def test_a_step_that_promises_too_much_is_refuted(name, conclusion):
    known = INTEGER_LEMMAS[name]
    assert proved(Lemma("wrong", known.hypotheses, (conclusion,)), "z3", 10).verdict == "sat"


@pytest.mark.parametrize("form", [INT4, saturating(INT4)], ids=lambda form: form.name)
@pytest.mark.parametrize("kind", ["add_remove", "change_one"])
@pytest.mark.parametrize(("lower", "upper"), RANGES)
def test_no_table_of_a_small_format_exceeds_a_bound(form, kind, lower, upper):
    for n in range(1, 5):
        query = IntegerQuery(form, lower, upper, kind, n, "lists")
        try:
            bound = integer_bound(query).bound
        except NoBound:
            assert form.overflow == "wrap"
            continue
        moves = [abs(total(x, form) - total(y, form)) for x, y in neighbours(lower, upper, kind, n)]
        assert max(moves) <= bound


def test_the_longest_table_without_overflow_is_exact_and_one_more_row_is_not():
    for lower, upper in RANGES:
        limit = rows_without_overflow(INT4, lower, upper)
        assert limit is not None
        ends = [(lower,) * limit, (upper,) * limit]
        assert all(total(table, INT4) == sum(table) for table in ends)
        assert any(total((*table, table[0]), INT4) != sum(table) + table[0] for table in ends)


@pytest.mark.parametrize("kind", ["add_remove", "change_one"])
def test_one_row_more_than_the_limit_is_refused_and_does_wrap(kind):
    limit = rows_without_overflow(INT4, 0, 3)
    integer_bound(IntegerQuery(INT4, 0, 3, kind, limit))
    with pytest.raises(NoBound, match="wraps around"):
        integer_bound(IntegerQuery(INT4, 0, 3, kind, limit + 1))
    ideal = 3
    assert max(abs(total(x, INT4) - total(y, INT4)) for x, y in neighbours(0, 3, kind, limit + 1)) > ideal


def test_saturating_sums_in_another_order_are_refused_and_do_differ():
    form = saturating(INT4)
    assert integer_bound(IntegerQuery(form, -3, 3, "add_remove", None, "lists")).bound == 3
    with pytest.raises(NoBound, match="depends on their order"):
        integer_bound(IntegerQuery(form, -3, 3, "add_remove", None, "multisets"))
    table = (3, 3, 3, -3, -3)
    assert len({total(order, form) for order in itertools.permutations(table)}) > 1


def test_saturating_rows_of_one_sign_have_a_bound_in_any_order():
    form = saturating(INT4)
    assert integer_bound(IntegerQuery(form, 0, 3, "change_one", None)).bound == 3
    for table in itertools.product(range(4), repeat=4):
        assert len({total(order, form) for order in itertools.permutations(table)}) == 1


def test_split_saturating_sums_move_by_no_more_than_the_bound():
    form = saturating(INT4)

    def split(table):
        return total([x for x in table if x >= 0], form) + total([x for x in table if x < 0], form)

    for kind, ideal in (("add_remove", 3), ("change_one", 6)):
        assert integer_bound(IntegerQuery(form, -3, 3, kind, None, split=True)).bound == ideal
        assert max(abs(split(x) - split(y)) for x, y in neighbours(-3, 3, kind, 3)) <= ideal


def test_a_wider_accumulator_has_a_longer_limit():
    assert rows_without_overflow(INT8, 0, 100) == 1
    assert rows_without_overflow(INT64, 0, 100) == (2**63 - 1) // 100
    assert rows_without_overflow(UINT8, 0, 100) == 2
    assert rows_without_overflow(INT8, 0, 0) is None
    assert integer_bound(IntegerQuery(INT64, 0, 100, "add_remove", 10**16, edits=3)).bound == 300


def test_wrong_queries_are_refused():
    for arguments in ((INT8, 0, 128, "add_remove", 1), (INT8, 1, 0, "add_remove", 1), (INT8, 0, 1, "add_remove", -1)):
        with pytest.raises(ValueError, match="must be"):
            IntegerQuery(*arguments)
    with pytest.raises(ValueError, match="edits must be"):
        IntegerQuery(INT8, 0, 1, "add_remove", 1, edits=0)
