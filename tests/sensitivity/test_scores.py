"""Sensitivity, direction and range of score functions, against enumeration of small tables and candidates."""

from fractions import Fraction
from itertools import product
from time import monotonic

import pytest

from refdp.sensitivity.declaration import Declaration
from refdp.sensitivity.language.source import parse_source
from refdp.sensitivity.program import ROW, Pass, Program
from refdp.sensitivity.records import Category, Number
from refdp.sensitivity.scores import Candidates, Proof, Score, proof_of
from refdp.sensitivity.terms import (
    ZERO,
    absolute,
    add,
    at_most,
    choice,
    conjunction,
    equal,
    integer,
    less,
    multiply,
    negate,
    rational,
    subtract,
    variable,
)

TEN = Number(rational(0), rational(10))
SPECIES = Category(("Adelie", "Chinstrap", "Gentoo"))
X, R = TEN.slots(ROW)[0], variable("candidate", "Real")
BELOW, ABOVE = variable("below", "Int"), variable("above", "Int")
SIDES = """
def sides(rows, candidate):
    below = 0
    above = 0
    for x in rows:
        if x < candidate:
            below += 1
        if x > candidate:
            above += 1
    return below, above
"""
TEXTS = {
    "rank": SIDES
    + "def score(rows, candidate):\n    below, above = sides(rows, candidate)\n    return -abs(above - below)",
    "quantile": SIDES
    + "def score(rows, candidate):\n    below, above = sides(rows, candidate)\n    return -abs(3 * below - above) / 4",
    "below": SIDES + "def score(rows, candidate):\n    return sides(rows, candidate)[0]",
    "interval": "def score(rows, candidate):\n    return sum(1 for x in rows if candidate <= x <= candidate + 1)",
    "missed": "def score(rows, candidate):\n    return -sum(1 for x in rows if x != candidate)",
    "mode": "def score(rows, candidate):\n    return sum(1 for x in rows if x == candidate)",
    "nothing": "def score(rows, candidate):\n    return candidate",
}


def counts(conditions, output, kind=TEN):
    """A program that counts the rows for which each condition holds."""

    def read(source, declaration):
        states = tuple(conditions)
        step = tuple(add(s, choice(c(declaration), integer(1), ZERO)) for s, c in conditions.items())
        passes = (Pass(states, tuple(ZERO for _ in states), step),)
        return Program("score", kind, declaration.parameters, passes, (output,), assumption=declaration.assumption)

    return read


def constantly(condition):
    return lambda declaration: condition


def is_the_candidate(declaration):
    return equal(SPECIES.slots(ROW)[0], integer(SPECIES.labels.index(declaration.values["candidate"])))


TWO = {BELOW: constantly(less(X, R)), ABOVE: constantly(less(R, X))}
QUARTER = rational(Fraction(1, 4))
READERS = {
    "rank": counts(TWO, negate(absolute(subtract(ABOVE, BELOW)))),
    "quantile": counts(TWO, negate(multiply(QUARTER, absolute(subtract(multiply(integer(3), BELOW), ABOVE))))),
    "below": counts(TWO, BELOW),
    "interval": counts({BELOW: constantly(conjunction(at_most(R, X), at_most(X, add(R, integer(1)))))}, BELOW),
    "missed": counts({ABOVE: constantly(choice(equal(X, R), less(X, X), at_most(X, X)))}, negate(ABOVE)),
    "mode": counts({BELOW: is_the_candidate}, BELOW, SPECIES),
    "nothing": counts({}, R),
}


def judged(name, neighbours, claim=None, candidates=None, seconds=20):
    kind = SPECIES if name == "mode" else TEN
    chosen = candidates or Candidates("candidate", Fraction(0), Fraction(10))
    source = parse_source(TEXTS[name], "score")
    score = Score(
        source, Declaration(kind), chosen, neighbours, "multisets", monotonic() + seconds, READERS[name], proof_of
    )
    return score.judged(None if claim is None else Fraction(claim))


LABELS = Candidates("candidate", listed=SPECIES.labels)


def enumerated(name, neighbours):
    """The greatest move, the greatest difference of moves, and the signs of moves, on tables of at most three rows."""
    names = {}
    exec(TEXTS[name], names)  # the text is a constant of this file
    rows = SPECIES.labels if name == "mode" else [Fraction(0), Fraction(3), Fraction(10)]
    chosen = SPECIES.labels if name == "mode" else [Fraction(i, 2) for i in range(21)]
    farthest, spread, signs = Fraction(0), Fraction(0), set()
    for size in range(3):
        for table in product(rows, repeat=size):
            if neighbours == "add_remove":
                near = [(*table, r) for r in rows]
            else:
                near = [(r, *table[1:]) for r in rows] if size else []
            for other in near:
                moved = [Fraction(names["score"](other, c)) - names["score"](table, c) for c in chosen]
                farthest, spread = max(farthest, *map(abs, moved)), max(spread, max(moved) - min(moved))
                signs |= {(m > 0) - (m < 0) for m in moved}
    return farthest, spread, signs


LONG = [pytest.param("quantile", n, marks=pytest.mark.long) for n in ("add_remove", "change_one")]


@pytest.mark.parametrize(
    ("name", "neighbours"),
    [*LONG, *product(["rank", "below", "missed", "mode", "nothing", "interval"], ["add_remove", "change_one"])],
)
def test_scores_are_proved_to_move_as_far_as_they_do(name, neighbours):
    farthest, spread, signs = enumerated(name, neighbours)
    found = judged(name, neighbours, candidates=LABELS if name == "mode" else None)
    assert (found.verdict, found.bound, found.reason) == ("PROVED", farthest, "")
    assert found.range_bound >= spread
    if neighbours == "add_remove":
        expected = {(): "constant", (1,): "increasing", (-1,): "decreasing"}.get(tuple(signs - {0}), "no")
        assert found.monotone == expected
        assert found.range_bound == farthest if expected != "no" else found.range_bound <= 2 * farthest


@pytest.mark.parametrize(
    ("name", "neighbours", "claim"),
    [
        ("rank", "change_one", 2),
        ("quantile", "add_remove", "3/4"),
        pytest.param("quantile", "change_one", 1, marks=pytest.mark.long),
    ],
)
def test_scores_move_by_the_sharp_bound_and_no_less(name, neighbours, claim):
    claim = Fraction(claim)
    assert judged(name, neighbours, claim).verdict == "PROVED"
    less_by_a_thousandth = judged(name, neighbours, claim * Fraction(999, 1000))
    assert less_by_a_thousandth.verdict == "REFUTED"
    assert less_by_a_thousandth.pair.distance > claim * Fraction(999, 1000)


def test_scores_that_rise_and_fall_have_a_pair_for_each():
    found = judged("rank", "add_remove")
    assert found.monotone == "no"
    for pair, sign in ((found.rising, 1), (found.falling, -1)):
        assert len(pair.second) == len(pair.first) + 1
        assert sign * (pair.outcomes[1].numbers[0] - pair.outcomes[0].numbers[0]) > 0


@pytest.mark.long
def test_scores_quantile_is_not_monotone_and_its_range_is_bounded():
    found = judged("quantile", "add_remove")
    assert found.monotone == "no"
    assert found.range_seen == 1
    assert 1 <= found.range_bound <= Fraction(3, 2)


def test_scores_of_a_monotone_score_need_no_factor_2():
    found = judged("mode", "add_remove", candidates=LABELS)
    assert (found.monotone, found.range_bound, found.needs_factor_2) == ("increasing", 1, False)


def test_scores_of_the_mode_need_the_factor_2_where_a_row_is_changed():
    found = judged("mode", "change_one", candidates=LABELS)
    assert (found.bound, found.range_seen, found.range_bound, found.needs_factor_2) == (1, 2, 2, True)
    assert found.monotone == "not decided"


def test_scores_that_are_no_number_are_refused():
    source = parse_source("def score(rows, candidate):\n    return [1, 2]", "score")
    score = Score(source, Declaration(TEN), Candidates("candidate"), "add_remove", "lists", monotonic() + 5,
                  READERS["rank"], proof_of)  # fmt: skip
    with pytest.raises(ValueError, match="a score must be one number"):
        score.judged(None)


def test_scores_without_a_proof_are_unknown_with_a_reason():
    source = parse_source(TEXTS["rank"], "score")
    score = Score(source, Declaration(TEN), Candidates("candidate"), "add_remove", "lists", monotonic() + 5,
                  READERS["rank"], lambda question, seconds: Proof("no"))  # fmt: skip
    found = score.judged(None)
    assert (found.verdict, found.reason, found.monotone) == ("UNKNOWN", "no", "no")
