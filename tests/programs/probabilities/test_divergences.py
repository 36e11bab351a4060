"""Divergences of finite laws, on randomised response and permute-and-flip."""

from fractions import Fraction
from itertools import permutations, product

import mpmath
import pytest

from refdp.programs.probabilities import Number, approximately, exponential, number, sign
from refdp.programs.probabilities.divergences import Law, exceeds, greatest_ratio, hockey_stick, renyi_moment

ONE = number(1)
E = exponential(ONE)


def response(value: bool) -> Law:
    """Randomised response with epsilon = 1."""
    return {value: E / (E + ONE), not value: ONE / (E + ONE)}


def permute_and_flip(data: tuple[int, ...]) -> Law:
    """The law of permute-and-flip with epsilon = 1, by all orders of the candidates."""
    accepted = [exponential(number(Fraction(x - max(data), 2))) for x in data]
    law = {i: number(0) for i in range(len(data))}
    orders = list(permutations(range(len(data))))
    for order in orders:
        reached: Number = number(Fraction(1, len(orders)))
        for i in order:
            law[i] = law[i] + reached * accepted[i]
            reached = reached * (ONE - accepted[i])
    return law


def test_randomised_response_has_its_known_divergences() -> None:
    yes, no = response(True), response(False)
    assert sign(hockey_stick(yes, no, E)) == 0
    assert sign(hockey_stick(yes, no, ONE) - (E - ONE) / (E + ONE)) == 0
    assert greatest_ratio(yes, no) == E
    for order in (2, 3, Fraction(3, 2), Fraction(9, 4)):
        moment = renyi_moment(yes, no, order)
        p, a = mpmath.e / (mpmath.e + 1), float(order)
        assert moment is not None
        assert approximately(moment) == pytest.approx(float(p**a * (1 - p) ** (1 - a) + (1 - p) ** a * p ** (1 - a)))


def test_what_only_one_law_may_have_makes_divergences_infinite() -> None:
    both, one = {0: number(Fraction(1, 2)), 1: number(Fraction(1, 2))}, {0: ONE}
    assert greatest_ratio(both, one) is None
    assert renyi_moment(both, one, 2) is None
    assert exceeds(both, one, number(1000), 2)
    assert greatest_ratio(one, both) == number(2)
    assert hockey_stick(both, one, number(10**9)) == number(Fraction(1, 2))


def test_permute_and_flip_is_epsilon_private_but_not_at_the_rho_of_the_exponential_mechanism() -> None:
    found = False
    for data, change in product(product(range(2), repeat=3), product((-1, 1), repeat=3)):
        old = permute_and_flip(data)
        new = permute_and_flip(tuple(x + d for x, d in zip(data, change, strict=True)))
        ratio = greatest_ratio(old, new)
        assert ratio is not None
        assert sign(ratio - E) <= 0
        found = found or exceeds(old, new, number(Fraction(1, 8)), 2)
        assert not exceeds(old, new, number(Fraction(1, 2)), 2)
    assert found


def test_the_moment_of_a_fractional_order_lies_between_those_of_whole_ones() -> None:
    old, new = permute_and_flip((0, 0, 0)), permute_and_flip((-1, 1, 1))
    moments = [renyi_moment(old, new, order) for order in (2, Fraction(5, 2), 3)]
    values = [approximately(one) for one in moments if one is not None]
    assert values == sorted(values)
    assert len(values) == 3


def test_an_order_of_at_most_1_is_refused() -> None:
    with pytest.raises(ValueError, match="order must be > 1, got 1"):
        renyi_moment({}, {}, 1)
