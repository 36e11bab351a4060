"""Local sensitivity at a table, against running the function on every neighbour with records of a fine grid."""

from fractions import Fraction
from functools import partial

import pytest

from refdp import work
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.local import Local, local_sensitivity
from refdp.sensitivities.nearby.greatest import simplest
from refdp.sensitivities.nearby.reading import Read, reader
from refdp.sensitivities.nearby.rows import moves, slot_terms
from refdp.sensitivities.program import EXCEPTIONS, ROW, Pass, Program
from refdp.sensitivities.records import Category, Fields, Missing, Number
from refdp.sensitivities.refutation.models import unrolled
from refdp.terms.leaves import integer, rational, variable
from refdp.terms.operations import add, at_most, choice, divide, equal, larger, less, multiply, smaller, subtract

TEN = Number(rational(0), rational(10))
X = TEN.slots(ROW)[0]
TEXTS = {
    "clamped_sum": "def f(rows):\n    return sum(min(max(x, 2), 7) for x in rows)",
    "mean": "def f(rows):\n    return sum(rows) / len(rows)",
    "parabola": "def f(rows):\n    return sum(x * (3 - x) for x in rows)",
    "two": "def f(rows):\n    return [sum(rows), 2 * len(rows)]",
    "jump": "def f(rows):\n    return sum(x if x < 5 else 0 for x in rows)",
    "median": "import statistics\ndef f(rows):\n    return statistics.median(rows)",
}
S, N = variable("s", "Real"), variable("count", "Int")
NO_ROWS = integer(EXCEPTIONS.index("ZeroDivisionError"))
DIVIDED = choice(equal(N, integer(0)), rational(0), divide(S, N))


def fold(step, output, exception=None):
    """A program that keeps a sum and a count."""
    state = Pass((S, N), (rational(0), integer(0)), (add(S, step), add(N, integer(1))))
    raised = {} if exception is None else {"exception": exception}
    return reader(partial(unrolled, Program("f", TEN, (), (state,), output, **raised)))


def middle(rows):
    """The median by exchanging neighbours until they are in order."""
    found = [row[0] for row in rows]
    for _ in found:
        for i in range(len(found) - 1):
            found[i], found[i + 1] = smaller(found[i], found[i + 1]), larger(found[i], found[i + 1])
    if not found:
        return Read((), integer(EXCEPTIONS.index("StatisticsError")))
    low, high = found[(len(found) - 1) // 2], found[len(found) // 2]
    return Read((multiply(rational(Fraction(1, 2)), add(low, high)),))


READERS = {
    "clamped_sum": fold(smaller(larger(X, rational(2)), rational(7)), (S,)),
    "mean": fold(X, (DIVIDED,), choice(equal(N, integer(0)), NO_ROWS, integer(0))),
    "parabola": fold(multiply(X, subtract(rational(3), X)), (S,)),
    "two": fold(X, (S, multiply(integer(2), N))),
    "jump": fold(choice(less(X, rational(5)), X, rational(0)), (S,)),
    "median": middle,
}  # fmt: skip


def found(name, table, neighbours, norm="L1", seconds=20):
    """What is found about a function of numbers between 0 and 10."""
    rows = tuple(map(Fraction, table))
    question = Local(parse_source(TEXTS[name], "f"), Declaration(TEN), rows, neighbours, norm, work.spent() + seconds)
    return question.found(READERS[name])


def run(name, rows):
    """What Python itself does."""
    names = {}
    exec(TEXTS[name], names)  # the text is a constant of this file
    try:
        value = names["f"](rows)
    except (ArithmeticError, ValueError) as error:
        return type(error).__name__
    return value if isinstance(value, list) else [value]


def furthest(name, table, neighbours, norm):
    """The greatest distance to a neighbour whose new row is a multiple of 1/4; None: an exception on one side."""
    rows, grid = [Fraction(x) for x in table], [Fraction(i, 4) for i in range(41)]
    if neighbours == "change_one":
        near = [[*rows[:i], v, *rows[i + 1 :]] for i in range(len(rows)) for v in grid]
    else:
        near = [[*rows[:i], v, *rows[i:]] for i in range(len(rows) + 1) for v in grid]
        near += [rows[:i] + rows[i + 1 :] for i in range(len(rows))]
    here, sizes = run(name, rows), []
    for other in (run(name, y) for y in near):
        if isinstance(here, str) or isinstance(other, str):
            if here != other:
                return None
            sizes.append(0)
            continue
        moved = [abs(a - b) for a, b in zip(here, other, strict=True)]
        sizes.append({"L1": sum(moved), "L2": sum(d * d for d in moved), "Linf": max(moved)}[norm])
    return max(sizes)


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@pytest.mark.parametrize(
    ("name", "table", "norm"),
    [
        ("clamped_sum", [0, 3, "9/2"], "L1"),
        ("mean", [1, 2, 9], "L1"),
        ("mean", [4], "L1"),
        ("parabola", [1, 4], "L1"),
        ("two", [1, 2], "L1"),
        ("two", [1, 2], "L2"),
        ("two", [8, 2], "Linf"),
        ("median", [1, 2, 9], "L1"),
        ("median", [7, 1, 2, 9], "L1"),
        ("median", [3], "L1"),
    ],
)
def test_local_sensitivity_is_the_furthest_neighbour(name, table, norm, neighbours):
    one = found(name, table, neighbours, norm)
    assert one.verdict == "PROVED"
    assert one.is_attained
    assert one.bound == furthest(name, table, neighbours, norm)
    assert one.pair.first == tuple(map(Fraction, table))
    values = [run(name, list(rows)) for rows in (one.pair.first, one.pair.second)]
    if one.pair.distance is not None:
        assert [list(o.numbers) for o in one.pair.outcomes] == values


def test_local_sensitivity_is_infinite_where_a_neighbour_alone_raises():
    one = found("median", [3], "add_remove")
    assert (one.verdict, one.bound, one.pair.second, one.pair.distance) == ("PROVED", None, (), None)
    assert one.pair.outcomes[1].exception == "StatisticsError"


def test_local_sensitivity_of_an_empty_table_of_public_size_is_nothing():
    one = found("median", [], "change_one")
    assert (one.verdict, one.bound, one.pair) == ("PROVED", 0, None)


def test_local_sensitivity_that_no_record_attains_is_a_bound_and_says_so():
    """A row below 5 counts and one of 5 does not: the sum moves by less than 5, by as little less as one likes."""
    one = found("jump", [0, 6], "change_one")
    assert (one.verdict, one.bound, one.is_attained) == ("PROVED", 5, False)
    assert 5 - Fraction(1, 1000) < one.pair.distance < 5


def test_local_sensitivity_is_not_believed_where_the_reading_is_not_what_the_function_does():
    rows = (Fraction(1),)
    question = Local(
        parse_source(TEXTS["parabola"], "f"), Declaration(TEN), rows, "change_one", "L1", work.spent() + 20
    )
    one = question.found(READERS["clamped_sum"])
    assert one.verdict == "UNKNOWN"
    assert one.reason == "the function does not do what it was read to do"


def test_local_sensitivity_without_bounds_is_not_known():
    everywhere = Number()
    program = Program("f", everywhere, (), (Pass((S,), (rational(0),), (add(S, everywhere.slots(ROW)[0]),)),), (S,))
    source = parse_source("def f(rows):\n    return sum(rows)", "f")
    question = Local(source, Declaration(everywhere), (Fraction(1),), "change_one", "L1", work.spent() + 20)
    one = question.found(reader(partial(unrolled, program)))
    assert one.verdict == "UNKNOWN"
    assert "without bound" in one.reason


def test_local_sensitivity_without_time_is_not_known():
    one = found("parabola", [1, 4], "change_one", seconds=0)
    assert one.verdict == "UNKNOWN"
    assert "time is over" in one.reason


@pytest.mark.parametrize(
    ("kind", "row", "message"),
    [(TEN, "a", "as declared"), (Number(is_integer=True), Fraction(1, 2), "as declared"),
     (Category(("a", "b")), "c", "as declared"), (Category((1, 0)), True, "as declared"),
     (Fields(((0, TEN),)), (), "as declared")],
)  # fmt: skip
def test_local_rows_that_are_not_as_declared_are_refused(kind, row, message):
    with pytest.raises(ValueError, match=message):
        slot_terms(kind, row)


def test_local_rows_are_read_back_as_they_were():
    kind = Fields((("x", TEN), ("y", Missing(Category(("a", "b"))))))
    for row in ({"x": Fraction(1, 3), "y": "b"}, {"x": Fraction(0), "y": None}):
        values = {s: t.value for s, t in zip(kind.slots(ROW), slot_terms(kind, row), strict=True)}
        assert kind.value(ROW, values) == row


def test_local_moves_are_all_edits_of_one_row():
    rows = [slot_terms(TEN, Fraction(x)) for x in (1, 2)]
    table = (Fraction(1), Fraction(2))
    seen = [(m.what, m.table(table, Fraction(9))) for m in moves(TEN, rows, "add_remove")]
    assert seen == [
        ("removed", (2,)), ("removed", (1,)), ("inserted", (9, 1, 2)), ("inserted", (1, 9, 2)), ("inserted", (1, 2, 9)),
    ]  # fmt: skip
    assert [m.table(table, Fraction(9)) for m in moves(TEN, rows, "change_one")] == [(9, 2), (1, 9)]


@pytest.mark.parametrize(
    ("low", "high", "value"),
    [("1/3", "1/2", "1/2"), ("2/7", "1/3", "1/3"), ("-1", "1", "0"), ("5/2", "7/2", "3"), ("-7/2", "-5/2", "-3"),
     ("314/100", "315/100", "22/7"), ("3", "3", "3")],
)  # fmt: skip
def test_local_simplest_fraction_has_the_least_denominator(low, high, value):
    assert simplest(Fraction(low), Fraction(high)) == Fraction(value)


QUERIES = {
    **TEXTS,
    "spread": "def f(rows):\n    m = sum(rows) / len(rows)\n    return sum((x - m) ** 2 for x in rows)",
    "range": "def f(rows):\n    return max(rows) - min(rows)",
    "runs": "def f(rows):\n    last = None\n    runs = 0\n    for x in rows:\n        if x != last:\n"
    "            runs += 1\n        last = x\n    return runs",
    "groups": "def f(rows):\n    sums = {'low': 0, 'high': 0}\n    for x in rows:\n"
    "        sums['low' if x < 5 else 'high'] += 1\n    return [sums['low'], sums['high']]",
}


@pytest.mark.parametrize(
    ("name", "table", "neighbours", "norm"),
    [
        ("spread", [1, 2, 9], "change_one", "L1"),
        ("range", [3, 4], "change_one", "L1"),
        ("range", [3, 4], "add_remove", "L1"),
        ("runs", [1, 1, 2], "add_remove", "L1"),
        ("groups", [1, 6, 7], "change_one", "L2"),
        ("groups", [1, 6, 7], "add_remove", "Linf"),
        ("median", [2, 2, 9, 5, 4], "change_one", "L1"),
        ("mean", [3], "add_remove", "L1"),
    ],
)
def test_local_sensitivity_of_a_function_as_it_is_read(monkeypatch, name, table, neighbours, norm):
    monkeypatch.setitem(TEXTS, name, QUERIES[name])
    source = parse_source(QUERIES[name], "f")
    one = local_sensitivity(source, Declaration(TEN), tuple(map(Fraction, table)), neighbours, norm)
    assert one.verdict == "PROVED"
    assert one.is_attained
    assert one.bound == furthest(name, table, neighbours, norm)


def test_local_sensitivity_attained_within_the_bounds_is_found_exactly():
    """The sum of squared deviations moves furthest to the mean of the other rows, a fraction."""
    rows = [Fraction(x) for x in (0, 1, 3, 10, 4)]
    others = [(sum(rows) - x) / 4 for x in rows]
    source = parse_source(QUERIES["spread"], "f")
    one = local_sensitivity(source, Declaration(TEN), tuple(rows), "change_one")

    def spread(table):
        return sum((x - sum(table) / len(table)) ** 2 for x in table)

    near = [[*rows[:i], v, *rows[i + 1 :]] for i in range(5) for v in (Fraction(0), Fraction(10), others[i])]
    assert one.is_attained
    assert one.bound == max(abs(spread(y) - spread(rows)) for y in near)


def test_local_sensitivity_at_rows_beyond_their_bounds_is_refused():
    source = parse_source(TEXTS["median"], "f")
    with pytest.raises(ValueError, match="within its bounds, got 11"):
        local_sensitivity(source, Declaration(TEN), (Fraction(1), Fraction(11)), "change_one")


def test_local_sensitivity_holds_for_all_values_of_symbols():
    """Rows are between 0 and a symbol u <= 3: the sum moves by 3 at most, where u is 3."""
    u = variable("u", "Real")
    declared = Declaration(Number(rational(0), u), symbolic={"u": "Real"}, assumption=at_most(u, rational(3)))
    source = parse_source("def f(rows, u):\n    return sum(rows)", "f")
    one = local_sensitivity(source, declared, (Fraction(0), Fraction(1)), "change_one")
    assert (one.verdict, one.bound, one.pair.parameters) == ("PROVED", 3, {"u": 3})
