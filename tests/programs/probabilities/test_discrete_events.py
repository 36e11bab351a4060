"""Discrete draws against the enumeration of all outcomes, truncated far out where there are infinitely many."""

from fractions import Fraction
from itertools import permutations, product
from math import exp as float_exp
from math import prod
from random import Random

import pytest

from refdp.programs.execution import Drawn
from refdp.programs.probabilities import (
    NotComputed,
    approximately,
    exponential,
    likely,
    number,
    probability,
    sign,
    text,
)
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import TRUE, integer, make, rational
from refdp.terms.operations import at_most, choice, conjunction, divide, equal, less, negation, real, subtract, total
from refdp.terms.term import Term
from tests.examples import few
from tests.programs.probabilities.draws import comparison, draw, exp, formula, ln

Law = dict[Fraction | bool, float]


def noise(random: Random, site: int, logarithmic: bool, reach: int) -> tuple[Drawn, Law]:
    """A discrete draw, and the probability of each outcome that is not far out."""
    family = random.choice(
        ["discrete_laplace", "discrete_laplace", "discrete_laplace", "uniform", "bernoulli", "choice"]
    )
    if family == "discrete_laplace":
        scale = random.choice([Fraction(1), Fraction(1, 2), Fraction(2, 3)])
        ratio = 3 ** float(-1 / scale) if logarithmic else float_exp(-1 / scale)
        found = draw(site, "discrete_laplace", divide(rational(scale), ln(3)) if logarithmic else scale)
        return found, {Fraction(z): (1 - ratio) / (1 + ratio) * ratio ** abs(z) for z in range(-reach, reach + 1)}
    if family == "uniform":
        low = random.randint(-3, 2)
        high = low + random.randint(0, 4)
        return draw(site, "uniform", low, high), {Fraction(z): 1 / (high - low + 1) for z in range(low, high + 1)}
    if family == "bernoulli":
        return draw(site, "bernoulli", Fraction(1, 3)), {True: 1 / 3, False: 2 / 3}
    weights = [float_exp(1), 1, 2]
    law: Law = {Fraction(k): w / sum(weights) for k, w in enumerate(weights)}
    return draw(site, "choice", exp(1), 1, 2), law


def atom(random: Random, names: list[Term], signs: tuple[int, ...]) -> Term:
    """A comparison of numbers among the variables, or a truth value among them."""
    truths = [one for one in names if one.sort == "Bool"]
    numbers = [one for one in names if one.sort != "Bool"]
    if not numbers or truths and random.random() < 0.4:
        return random.choice(truths)
    found = comparison(random, numbers, 2, signs)
    return equal(*found.arguments) if random.random() < 0.3 else found


@pytest.mark.parametrize("seed", range(few(40)))
def test_discrete_events_are_as_enumeration_says(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if seed % 2:  # so that uniform draws are summed over, too
        monkeypatch.setattr("refdp.programs.probabilities.cases.MOST_OUTCOMES", 0)
    random = Random(seed)
    count = random.randint(1, 3)
    drawn, laws = zip(*(noise(random, i, seed % 3 == 0, 9 if count == 3 else 30) for i in range(count)), strict=True)
    names = [one.variable for one in drawn]
    signs = (1, 1) if count == 2 and seed % 4 < 2 else (1, -1)
    conditions = tuple(formula(random, lambda: atom(random, names, signs), random.randint(0, 2)) for _ in range(2))
    found = approximately(probability(conditions, drawn))
    whole = conjunction(*conditions)
    assert sign(probability(conditions, drawn) + probability((negation(whole),), drawn) - number(1)) == 0
    assert abs(likely(conditions, drawn) - found) < 1e-9
    seen = sum(
        prod(law[outcome] for law, outcome in zip(laws, outcomes, strict=True))
        for outcomes in product(*laws)
        if evaluate(whole, dict(zip(names, outcomes, strict=True)))
    )
    far = 1 - prod(sum(law.values()) for law in laws)
    assert -1e-9 < found - seen < far + 1e-9


def test_ties_count_on_the_lattice() -> None:
    drawn = (draw(0, "discrete_laplace", 1), draw(1, "discrete_laplace", 1))
    x, y = (one.variable for one in drawn)
    tie = probability((equal(x, y),), drawn)
    assert probability((at_most(x, y),), drawn) - probability((less(x, y),), drawn) == tie
    assert sign(tie) == 1
    # The sum over k of ((1 - t) / (1 + t))^2 t^(2 |k|) is (1 - t) (1 + t^2) / (1 + t)^3.
    t, one = exponential(number(-1)), number(1)
    assert sign(tie - (one - t) * (one + t * t) / (one + t) ** 3) == 0


def test_geometric_tails_are_in_closed_form() -> None:
    drawn = (draw(0, "discrete_laplace", 2),)
    found = probability((at_most(rational(Fraction(5, 2)), real(drawn[0].variable)),), drawn)
    t = exponential(number(Fraction(-1, 2)))
    assert sign(found - t**3 / (number(1) + t)) == 0
    assert sign(probability((at_most(integer(2), drawn[0].variable),), drawn) - exponential(number(1)) * found) == -1


def test_the_discrete_laplace_mechanism_is_tight() -> None:
    for scale, ratio in ((integer(1), exponential(number(1))), (divide(integer(1), ln(3)), number(3))):
        drawn = (draw(0, "discrete_laplace", scale),)
        old, new = (probability((at_most(drawn[0].variable, integer(k)),), drawn) for k in (-1, -2))
        assert sign(old - ratio * new) == 0


def test_a_uniform_draw_of_many_outcomes_is_not_enumerated() -> None:
    drawn = (draw(0, "uniform", 1, 10**12),)
    assert text(probability((at_most(drawn[0].variable, integer(3 * 10**11)),), drawn)) == "3/10"


def test_many_independent_bits_are_no_trouble() -> None:
    drawn = tuple(draw(i, "bernoulli", divide(integer(1), exp(1))) for i in range(40))
    found = probability(tuple(one.variable for one in drawn), drawn)
    assert found == exponential(number(-40))


def test_randomised_response_has_the_ratio_e_to_the_epsilon() -> None:
    flip = divide(integer(1), add_one(exp(1)))
    drawn = (draw(0, "bernoulli", flip),)
    yes, no = (probability((one,), drawn) for one in (drawn[0].variable, negation(drawn[0].variable)))
    assert sign(no - exponential(number(1)) * yes) == 0


def add_one(term: Term) -> Term:
    return total([integer(1), term])


def test_the_law_of_a_draw_may_depend_on_an_earlier_one() -> None:
    first = draw(0, "bernoulli", Fraction(1, 4))
    second = draw(1, "bernoulli", choice(first.variable, rational(1), rational(Fraction(1, 3))))
    assert text(probability((second.variable,), (first, second))) == "1/2"
    third = draw(2, "laplace", choice(second.variable, rational(1), rational(2)))
    assert text(probability((at_most(third.variable, rational(-2)),), (first, second, third))) == "(e^(-1) + e^(-2))/4"


def test_draws_whose_laws_depend_on_one_draw_are_not_independent() -> None:
    first = draw(0, "bernoulli", Fraction(1, 2))
    others = tuple(draw(i, "bernoulli", choice(first.variable, rational(1), rational(0))) for i in (1, 2))
    assert probability(tuple(one.variable for one in others), (first, *others)) == number(Fraction(1, 2))


@pytest.mark.parametrize("seed", range(few(12)))
def test_every_two_of_three_draws_may_be_compared(seed: int) -> None:
    random = Random(seed)
    drawn = tuple(draw(i, "discrete_laplace", Fraction(1, 2)) for i in range(3))
    names = [one.variable for one in drawn]
    offsets = {pair: random.randint(0, 2) for pair in permutations(range(3), 2) if random.random() < 0.8}
    conditions = tuple(at_most(subtract(names[i], names[j]), integer(k)) for (i, j), k in offsets.items())
    ratio = float_exp(-2)
    mass = [(1 - ratio) / (1 + ratio) * ratio ** abs(z) for z in range(-10, 11)]
    expected = sum(
        mass[x[0] + 10] * mass[x[1] + 10] * mass[x[2] + 10]
        for x in product(range(-10, 11), repeat=3)
        if all(x[i] - x[j] <= k for (i, j), k in offsets.items())
    )
    assert abs(approximately(probability(conditions, drawn)) - expected) < 1e-7


def test_nothing_that_is_said_has_probability_1() -> None:
    assert probability((), ()) == number(1)
    assert probability((TRUE,), (draw(0, "laplace", 1),)) == number(1)


def test_what_the_method_does_not_reach_is_said() -> None:
    x, y = draw(0, "discrete_laplace", 1), draw(1, "discrete_laplace", 1)
    z = draw(2, "laplace", 1)
    cases = {
        "no bound of a difference": at_most(total([x.variable, x.variable]), y.variable),
        "of discrete_laplace and laplace together": less(real(x.variable), z.variable),
        "depends on what is drawn": equal(make("mod", "Int", x.variable, integer(2)), integer(0)),
        "three draws": less(subtract(x.variable, y.variable), draw(3, "discrete_laplace", 1).variable),
    }
    for message, condition in cases.items():
        with pytest.raises(NotComputed, match=message):
            probability((condition,), (x, y, z, draw(3, "discrete_laplace", 1)))
    with pytest.raises(NotComputed, match="below 0"):
        probability((draw(0, "bernoulli", 2).variable,), (draw(0, "bernoulli", 2),))
