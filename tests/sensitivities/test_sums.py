"""Sums, means, variances and vectors of sums: what is sharp is proved, and a little less is not."""

from fractions import Fraction as F

import pytest

from refdp.sensitivities.question import SIZE, Question
from refdp.sensitivities.records import Category, Fields
from refdp.sensitivities.search.proving import Found, prove
from refdp.terms.leaves import ZERO, integer, rational, variable
from refdp.terms.operations import (
    absolute,
    add,
    at_most,
    choice,
    conjunction,
    divide,
    equal,
    larger,
    less,
    multiply,
    root,
    smaller,
    subtract,
)
from tests.sensitivities.folds import ONE, clamp, fold, numbers, on_empty
from tests.sensitivities.thinning import mostly_long

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


@pytest.mark.parametrize("scalar", mostly_long(SCALARS, 3), ids="-".join)
def test_a_bound_too_small_by_one_part_in_a_million_is_not_proved(scalar):
    name, neighbours = scalar
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
    assert not is_proved(program, neighbours, claim, seconds=0.5)


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


@pytest.mark.parametrize("place", mostly_long(range(len(VECTORS)), 5))
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
