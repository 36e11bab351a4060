"""Sums, means, variances and vectors of sums: what is sharp is proved, and a little less is not."""

from fractions import Fraction as F
from itertools import product
from random import Random

import pytest

from refdp.sensitivity.evaluation import evaluate
from refdp.sensitivity.program import outcome
from refdp.sensitivity.question import SIZE, Question
from refdp.sensitivity.records import Category, Fields
from refdp.sensitivity.search.proving import Found, prove
from refdp.sensitivity.search.tightest import tightest_bound
from refdp.sensitivity.terms import (
    ZERO,
    absolute,
    add,
    at_most,
    choice,
    conjunction,
    divide,
    equal,
    integer,
    larger,
    less,
    multiply,
    number,
    rational,
    root,
    smaller,
    subtract,
    total,
    variable,
)
from tests.sensitivity.folds import ONE, clamp, fold, numbers, on_empty

X, L, U = variable("row", "Real"), variable("L", "Real"), variable("U", "Real")
TEN, SYMBOLS = numbers(0, 10), {"parameters": (L, U), "assumption": at_most(L, U)}
WIDTH, HALF = subtract(U, L), rational(F(1, 2))
COUNT = ("Int", ZERO, lambda s: add(s["count"], ONE))
SUM = ("Real", rational(0), lambda s: add(s["sum"], X))
SQUARES = ("Real", rational(0), lambda s: add(s["squares"], multiply(X, X)))
CLOSE = F(10**6 - 1, 10**6)


def counts(record, conditions):
    def line(name, condition):
        return "Int", ZERO, lambda s: choice(condition, add(s[name], ONE), s[name])

    return fold(record, {f"h{k}": line(f"h{k}", c) for k, c in enumerate(conditions)}, lambda s: tuple(s.values()))


def mean(record, default, **more):
    return fold(
        record,
        {"count": COUNT, "sum": SUM},
        lambda s: on_empty(s["count"], default, divide(s["sum"], s["count"])),
        **more,
    )


def spread(record, finish, **more):
    states = {"count": COUNT, "sum": SUM, "squares": SQUARES}
    return fold(record, states, lambda s: on_empty(s["count"], rational(0), finish(s)), **more)


def deviations(s):
    return subtract(s["squares"], divide(multiply(s["sum"], s["sum"]), s["count"]))


def histogram(bins):
    kind = Category(tuple(map(str, range(bins))))
    return counts(kind, [equal(kind.slots("row")[0], integer(k)) for k in range(bins)])


def marginals():
    kind = Fields(tuple((k, Category(tuple(map(str, range(size))))) for k, size in enumerate((2, 3, 2))))
    slots = kind.slots("row")
    pairs = [
        (a, b, i, j) for a, b in ((0, 1), (0, 2), (1, 2)) for i in range((2, 3, 2)[a]) for j in range((2, 3, 2)[b])
    ]
    return counts(kind, [conjunction(equal(slots[a], integer(i)), equal(slots[b], integer(j))) for a, b, i, j in pairs])


def tree(depth):
    kind = Category(tuple(map(str, range(2**depth))))
    (leaf,) = kind.slots("row")
    nodes = [(2 ** (depth - level), place) for level in range(depth + 1) for place in range(2**level)]
    return counts(
        kind, [conjunction(at_most(integer(w * k), leaf), less(leaf, integer(w * (k + 1)))) for w, k in nodes]
    )


def known(numerator):
    return choice(equal(SIZE, ZERO), rational(0), divide(numerator, SIZE))


POSITIVE = less(rational(5), X)
MATCHING = ("Int", ZERO, lambda s: choice(POSITIVE, add(s["matching"], ONE), s["matching"]))
OF_MATCHING = ("Real", rational(0), lambda s: choice(POSITIVE, add(s["of"], X), s["of"]))
SHARP = {
    "clamped sum": (
        fold(
            numbers(-50, 50),
            {"s": ("Real", rational(0), lambda s: add(s["s"], clamp(X, rational(-5), rational(10))))},
            lambda s: s["s"],
        ),
        {"add_remove": rational(10), "change_one": rational(15)},
    ),
    "sum of symbols": (
        fold(numbers(L, U), {"sum": SUM}, lambda s: s["sum"], **SYMBOLS),
        {"add_remove": larger(absolute(L), absolute(U)), "change_one": WIDTH},
    ),
    "mean": (mean(TEN, rational(5)), {"add_remove": rational(5), "change_one": known(rational(10))}),
    "mean of symbols": (
        mean(numbers(L, U), multiply(HALF, add(L, U)), **SYMBOLS),
        {"add_remove": multiply(HALF, WIDTH), "change_one": known(WIDTH)},
    ),
    "fraction": (
        fold(
            TEN,
            {"count": COUNT, "matching": MATCHING},
            lambda s: on_empty(s["count"], rational(0), divide(s["matching"], s["count"])),
        ),
        {"add_remove": rational(1), "change_one": known(rational(1))},
    ),
    "mean of some": (
        fold(
            TEN,
            {"matching": MATCHING, "of": OF_MATCHING},
            lambda s: on_empty(s["matching"], rational(F(15, 2)), divide(s["of"], s["matching"])),
        ),
        {"add_remove": rational(F(5, 2))},
    ),
    "deviations": (spread(TEN, deviations), {"add_remove": divide(multiply(SIZE, rational(100)), add(SIZE, ONE))}),
    "variance": (spread(TEN, lambda s: divide(deviations(s), s["count"])), {"add_remove": rational(25)}),
    "saturating count": (
        fold(TEN, {"m": ("Int", ZERO, lambda s: smaller(add(s["m"], ONE), integer(7)))}, lambda s: s["m"]),
        {"add_remove": rational(1)},
    ),
    "running maximum": (
        fold(TEN, {"m": ("Real", rational(0), lambda s: larger(s["m"], X))}, lambda s: s["m"]),
        {"add_remove": rational(10)},
    ),
}
SCALARS = [(name, neighbours) for name, (_, claims) in SHARP.items() for neighbours in claims]


def is_proved(program, neighbours, claim, norm="L1", seconds=20.0):
    return isinstance(prove(Question(program, neighbours, norm, claim), seconds, ("z3",)), Found)


@pytest.mark.parametrize(("name", "neighbours"), SCALARS)
def test_a_sharp_bound_is_proved(name, neighbours):
    program, claims = SHARP[name]
    assert is_proved(program, neighbours, claims[neighbours])


@pytest.mark.parametrize(("name", "neighbours"), SCALARS)
def test_a_bound_too_small_by_one_part_in_a_million_is_not_proved(name, neighbours):
    program, claims = SHARP[name]
    assert not is_proved(program, neighbours, multiply(rational(CLOSE), claims[neighbours]), seconds=0.5)


WRONG = {
    "mean by the private number of rows": (
        mean(TEN, rational(5)),
        "add_remove",
        divide(rational(10), add(SIZE, integer(2))),
    ),
    "mean without a guard": (
        fold(
            TEN,
            {"count": COUNT, "sum": SUM},
            lambda s: divide(s["sum"], s["count"]),
            exception=lambda s: choice(equal(s["count"], ZERO), ONE, ZERO),
        ),
        "add_remove",
        rational(10),
    ),
    "default outside": (mean(TEN, rational(-1)), "add_remove", rational(10)),
    "neighbours confused": (fold(numbers(-5, 10), {"sum": SUM}, lambda s: s["sum"]), "change_one", rational(10)),
    "no clamp": (fold(numbers(None, None), {"sum": SUM}, lambda s: s["sum"]), "add_remove", rational(10)),
    "clamp after the sum": (
        fold(numbers(-50, 50), {"sum": SUM}, lambda s: clamp(s["sum"], rational(-5), rational(10))),
        "add_remove",
        rational(10),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_query_is_not_proved(name):
    program, neighbours, claim = WRONG[name]
    assert not is_proved(program, neighbours, claim, seconds=2.0)


VECTORS = [
    (histogram(6), "add_remove", "L1", 1),
    (histogram(6), "change_one", "L1", 4),
    (histogram(6), "change_one", "L2", 2),
    (histogram(6), "change_one", "Linf", 1),
    (histogram(20), "add_remove", "L2", 1),
    (histogram(20), "change_one", "L1", 4),
    (marginals(), "add_remove", "L1", 9),
    (marginals(), "add_remove", "L2", 3),
    (marginals(), "change_one", "L2", 6),
    (tree(2), "add_remove", "L1", 9),
    (tree(2), "add_remove", "L2", 3),
    (tree(2), "change_one", "L1", 16),
    (tree(2), "change_one", "L2", 4),
    (counts(TEN, [at_most(X, rational(k)) for k in range(6)]), "add_remove", "L1", 36),
    (counts(TEN, [at_most(X, rational(k)) for k in range(6)]), "change_one", "L1", 36),
]
"""Each with the square of its sharp bound."""


@pytest.mark.parametrize(
    "place", [pytest.param(k, marks=[] if k % 3 else [pytest.mark.long]) for k in range(len(VECTORS))]
)
def test_a_vector_of_sums_has_its_sharp_bound_and_no_smaller_one(place):
    program, neighbours, norm, squared = VECTORS[place]
    assert is_proved(program, neighbours, root(rational(squared)), norm)
    assert not is_proved(program, neighbours, root(rational(squared * CLOSE)), norm, seconds=0.3)


def test_bins_that_overlap_by_one_are_not_a_histogram():
    kind = Category(tuple("abcd"))
    (x,) = kind.slots("row")
    overlapping = counts(kind, [conjunction(at_most(integer(k), x), at_most(x, integer(k + 1))) for k in range(4)])
    assert not is_proved(overlapping, "add_remove", rational(1), "L1", seconds=2.0)
    assert is_proved(overlapping, "add_remove", rational(2), "L1")


def largest_move(program, neighbours, values, most=3):
    """The largest distance in L1 over all tables of up to `most` rows of these values; None: an exception moves."""
    found = F(0)
    for size in range(most + 1):
        for rows in product(values, repeat=size):
            others = (
                [(*rows, v) for v in values]
                if neighbours == "add_remove"
                else [(*rows[:-1], v) for v in values if rows]
            )
            first = outcome(program, [{X: v} for v in rows], {})
            for other in others:
                second = outcome(program, [{X: v} for v in other], {})
                if first.exception != second.exception:
                    return None
                found = max(found, sum((abs(a - b) for a, b in zip(first.numbers, second.numbers, strict=True)), F(0)))
    return found


def random_summand(random):
    pieces = [
        X,
        rational(random.randint(-3, 3)),
        clamp(X, rational(-1), rational(random.randint(0, 2))),
        multiply(X, X),
        choice(less(X, rational(random.randint(-1, 2))), rational(1), rational(0)),
        absolute(X),
    ]
    return total(multiply(rational(random.randint(-2, 2)), p) for p in random.sample(pieces, 2))


@pytest.mark.parametrize("seed", [pytest.param(s, marks=[] if s < 20 else [pytest.mark.long]) for s in range(100)])
def test_a_random_sum_is_never_proved_below_what_enumeration_finds(seed):
    random = Random(seed)
    summands = {f"s{k}": random_summand(random) for k in range(random.randint(1, 2))}
    states = {name: ("Real", rational(0), lambda s, n=name: add(s[n], summands[n])) for name in summands}
    program = fold(numbers(-2, 2), states, lambda s: tuple(s.values()))
    neighbours = random.choice(["add_remove", "change_one"])
    least = largest_move(program, neighbours, [F(v, 2) for v in range(-4, 5)], 1)
    if least > 0:
        assert not is_proved(program, neighbours, rational(least * F(999, 1000)), seconds=1.0)
    assert is_proved(program, neighbours, rational(2 * least + 200))


@pytest.mark.parametrize(
    ("program", "neighbours"),
    [
        (fold(numbers(-2, 2), {"sum": SUM}, lambda s: s["sum"]), "add_remove"),
        (mean(numbers(-2, 2), rational(0)), "add_remove"),
        (fold(numbers(-2, 2), {"sum": SUM}, lambda s: s["sum"]), "change_one"),
    ],
)
def test_the_tightest_bound_is_what_enumeration_finds(program, neighbours):
    least = largest_move(program, neighbours, [F(v) for v in range(-2, 3)], 2)
    found = tightest_bound(
        Question(program, neighbours, "L1", ZERO),
        rational(least),
        lambda c: is_proved(program, neighbours, c, seconds=3.0),
        20,
    )
    assert found.is_tight
    assert number(found.upper) == least


def test_the_tightest_bound_of_symbols_is_a_term_in_them():
    program = fold(numbers(L, U), {"sum": SUM}, lambda s: s["sum"], **SYMBOLS)
    found = tightest_bound(
        Question(program, "change_one", "L1", ZERO),
        None,
        lambda c: is_proved(program, "change_one", c, seconds=2.0),
        30,
    )
    assert evaluate(found.upper, {L: F(-1), U: F(5)}) == 6
