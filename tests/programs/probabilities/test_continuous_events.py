"""Laplace and exponential draws: two methods that share nothing, complements, floats, and numerical integration."""

from fractions import Fraction
from itertools import permutations
from math import comb
from random import Random

import mpmath
import pytest

from refdp import work
from refdp.programs.execution import Drawn
from refdp.programs.probabilities import (
    NotComputed,
    Number,
    approximately,
    estimate,
    exponential,
    likely,
    number,
    probability,
    sign,
    text,
)
from refdp.programs.probabilities.cases import Case, Cases
from refdp.programs.probabilities.evaluation import Evaluation
from refdp.programs.probabilities.numbers import UNIT
from refdp.programs.probabilities.regions import region
from refdp.programs.probabilities.systems import components
from refdp.terms.leaves import integer, rational, variable
from refdp.terms.operations import at_most, conjunction, divide, less, negation, substitute, subtract, total
from refdp.terms.term import Term
from tests.examples import few
from tests.programs.probabilities.draws import comparison, draw, formula, ln

SCALES = (Fraction(1), Fraction(2), Fraction(1, 2), Fraction(4, 3))


def noise(random: Random, most: int) -> tuple[Drawn, ...]:
    families = [random.choice(["laplace", "laplace", "exponential"]) for _ in range(random.randint(1, most))]
    return tuple(draw(i, family, random.choice(SCALES)) for i, family in enumerate(families))  # type: ignore[arg-type]


def by_polytopes(conditions: tuple[Term, ...], drawn: tuple[Drawn, ...]) -> Number:
    """The probability by integration over polytopes alone."""
    cases, found = Cases(drawn), number(0)
    for case in cases.of(conditions, Case({}, UNIT)):
        product = UNIT
        for draws, inequalities in components(cases.drawn, case.inequalities):
            part = region([cases.drawn[v] for v in draws], inequalities, Evaluation({}, frozenset()))
            product = product * part.probability(work.spent() + 60)
        found = found + product
    return found


@pytest.mark.parametrize("seed", range(few(100)))
def test_elimination_and_polytopes_agree(seed: int) -> None:
    random = Random(seed)
    drawn = noise(random, 4)
    names = [one.variable for one in drawn]
    signs = random.choice([(1, -1), (1, -1), (1, 1)])
    conditions = tuple(comparison(random, names, 2, signs) for _ in range(random.randint(1, 5)))
    if seed % 3 == 0:
        conditions = (formula(random, lambda: comparison(random, names), 2),)
    found = probability(conditions, drawn)
    assert found == by_polytopes(conditions, drawn)
    assert found + probability((negation(conjunction(*conditions)),), drawn) == number(1)
    assert abs(likely(conditions, drawn) - approximately(found)) < 1e-9


@pytest.mark.parametrize("seed", range(few(20)))
def test_draws_each_of_which_is_compared_with_all_others(seed: int) -> None:
    random = Random(seed)
    drawn = noise(random, 3)
    pairs = permutations([one.variable for one in drawn], 2)
    limits = (Fraction(random.randint(-1, 3), 2) for _ in range(12))
    conditions = tuple(
        at_most(subtract(a, b), rational(k)) for (a, b), k in zip(pairs, limits, strict=False) if random.random() < 0.7
    )
    found = probability(conditions, drawn)
    assert found == by_polytopes(conditions, drawn)
    assert abs(likely(conditions, drawn) - approximately(found)) < 1e-9


@pytest.mark.parametrize("seed", range(few(40)))
def test_sums_of_draws_and_their_complements_have_probability_1(seed: int) -> None:
    random = Random(seed)
    drawn = noise(random, 3)
    names = [one.variable for one in drawn]
    conditions = tuple(comparison(random, names, 3, (1, -2, 1)) for _ in range(random.randint(1, 3)))
    found = probability(conditions, drawn)
    assert found + probability((negation(conjunction(*conditions)),), drawn) == number(1)
    assert abs(likely(conditions, drawn) - approximately(found)) < 1e-9


@pytest.mark.parametrize("seed", range(few(12)))
def test_two_draws_are_as_numerical_integration_says(seed: int) -> None:
    random = Random(seed)
    first, second = (random.choice(SCALES) for _ in range(2))
    drawn = (draw(0, "laplace", first), draw(1, "exponential", second))
    low, high = sorted(Fraction(random.randint(-6, 6), 2) for _ in range(2))
    z, x = (one.variable for one in drawn)
    conditions = (at_most(rational(low), subtract(z, x)), less(total([z, x]), rational(high)))

    def given(value: mpmath.mpf) -> mpmath.mpf:
        least, most = value + float(low), float(high) - value
        inside = mpmath.mpf(0) if least >= most else distribution(most, first) - distribution(least, first)
        return inside * mpmath.exp(-value / float(second)) / float(second)

    places = [0, *(abs(p) for p in (low, high, (high - low) / 2) if p), 60]
    expected = mpmath.quad(given, sorted({mpmath.mpf(float(p)) for p in places}))
    assert abs(approximately(probability(conditions, drawn)) - expected) < 1e-9


def distribution(place: mpmath.mpf, scale: Fraction) -> mpmath.mpf:
    """P[Laplace <= place]."""
    tail = mpmath.exp(-abs(place) / float(scale)) / 2
    return tail if place < 0 else 1 - tail


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_all_prefix_sums_are_negative_as_the_theorem_of_sparre_andersen_says(count: int) -> None:
    drawn = tuple(draw(i, "laplace", 3) for i in range(count))
    sums = [total(one.variable for one in drawn[: k + 1]) for k in range(count)]
    found = probability(tuple(at_most(one, rational(0)) for one in sums), drawn)
    assert found == number(Fraction(comb(2 * count, count), 4**count))


def test_a_scale_over_a_logarithm_makes_roots_of_integers() -> None:
    drawn = (draw(0, "laplace", divide(integer(2), ln(3))), draw(1, "laplace", divide(integer(2), ln(3))))
    x, y = (one.variable for one in drawn)
    found = probability((at_most(x, rational(-1)),), drawn)
    assert text(found) == "3^(1/2)/6"
    tied = probability((at_most(x, rational(1)),), drawn) - number(1) + found
    assert sign(tied) == 0
    assert sign(probability((at_most(x, rational(-2)),), drawn) * number(3) - number(Fraction(1, 2))) == 0
    both = (less(y, subtract(x, rational(1))),)
    assert abs(approximately(probability(both, drawn)) - likely(both, drawn)) < 1e-12
    assert "ln(3)" in text(probability(both, drawn))


def test_the_event_of_bad_noisy_max_is_three_halves_at_n_3_and_a_tie_at_n_2() -> None:
    for count, expected in ((2, 0), (3, 1)):
        drawn = tuple(draw(i, "laplace", 2) for i in range(count))
        old = probability(tuple(at_most(one.variable, rational(-8)) for one in drawn), drawn)
        new = probability(tuple(at_most(one.variable, rational(-9)) for one in drawn), drawn)
        assert sign(old - exponential(number(1)) * new) == expected
        assert sign(old - exponential(number(Fraction(count, 2))) * new) == 0


def test_what_the_method_does_not_reach_is_said() -> None:
    x = draw(0, "laplace", 1)
    stray = at_most(draw(9, "laplace", 1).variable, x.variable)
    with pytest.raises(NotComputed, match=r"draw.9 has no value"):
        probability((stray,), (x,))
    with pytest.raises(NotComputed, match="must be > 0"):
        probability((at_most(x.variable, integer(1)),), (draw(0, "laplace", 0),))
    with pytest.raises(NotComputed, match="irrational number"):
        probability((at_most(x.variable, ln(2)),), (x,))


def test_estimates_take_data_later() -> None:
    drawn = (draw(0, "laplace", 2), draw(1, "laplace", 1), draw(2, "exponential", 1))
    data = tuple(variable(f"data.{i}", "Real") for i in range(2))
    z, x, y = (one.variable for one in drawn)
    conditions = (less(total([data[0], x]), z), at_most(z, total([y, data[1]])), less(data[0], data[1]))
    ready = estimate(conditions, drawn)
    for values in ((0, 1), (Fraction(-3, 2), 2), (1, 0), (-400, 300)):
        known = {one: rational(value) for one, value in zip(data, values, strict=True)}
        exactly = probability(tuple(substitute(one, known) for one in conditions), drawn)
        found = ready.at({one: float(value) for one, value in zip(data, values, strict=True)})
        assert abs(found - approximately(exactly)) < 1e-9
    with pytest.raises(NotComputed, match="too far from 0"):
        ready.at(dict.fromkeys(data, 1e6) | {data[1]: 2e6})


def test_what_takes_too_long_is_not_computed() -> None:
    drawn = tuple(draw(i, "laplace", 1) for i in range(7))
    names = [one.variable for one in drawn]
    near = tuple(at_most(subtract(a, b), rational(Fraction(k, 7))) for k, (a, b) in enumerate(permutations(names, 2)))
    with pytest.raises(NotComputed, match="time"):
        probability(near, drawn, 0.05)
    with pytest.raises(NotComputed, match="time"):
        likely(near, drawn)
