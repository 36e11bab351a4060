"""Events of normal draws against numerical integration by other software."""

from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest

from refdp.numerics.enclosures import precision
from refdp.programs.execution import Drawn
from refdp.programs.probabilities import (
    NotComputed,
    approximately,
    decimal,
    enclosure,
    exponential,
    number,
    probability,
    sign,
    text,
)
from refdp.programs.probabilities.stars import Leaf, Noise, Star
from refdp.terms.leaves import rational
from refdp.terms.operations import add, at_most, less, subtract
from refdp.terms.term import Term
from tests.programs.probabilities.draws import draw


def below(place: mpmath.mpf, sigma: float) -> mpmath.mpf:
    return mpmath.ncdf(place / sigma)


def gaussian_sparse_vector(data: tuple[int, ...]) -> tuple[tuple[Term, ...], tuple[Drawn, ...]]:
    """All answers but the last are below the noisy threshold."""
    drawn = (draw(0, "gaussian", 2), *(draw(i, "gaussian", 4) for i in range(1, len(data) + 1)))
    threshold, *noises = (one.variable for one in drawn)
    noisy = [add(rational(x), noise) for x, noise in zip(data, noises, strict=True)]
    return (*(less(one, threshold) for one in noisy[:-1]), at_most(threshold, noisy[-1])), drawn


def test_the_gaussian_sparse_vector_is_as_numerical_integration_says() -> None:
    found = probability(*gaussian_sparse_vector((1, 0, 1, -1)))

    def density(z: mpmath.mpf) -> mpmath.mpf:
        no = below(z - 1, 4) ** 2 * below(z, 4)
        return mpmath.npdf(z, 0, 2) * no * (1 - below(z + 1, 4))

    assert abs(approximately(found) - mpmath.quad(density, [-30, -5, 0, 5, 30])) < 1e-13
    assert decimal(found, 20) == "0.031856941304071343746..."
    assert text(found).startswith("P[x1 - z <= -1, ")


def test_signs_of_normal_probabilities_are_decided() -> None:
    old, new = (probability(*gaussian_sparse_vector(data)) for data in ((1, 1, 1), (2, 2, 0)))
    found = approximately(old / new)
    assert sign(old - number(Fraction(found) - Fraction(1, 10**12)) * new) == 1
    assert sign(old - number(Fraction(found) + Fraction(1, 10**12)) * new) == -1
    assert sign(old - old) == 0
    assert sign(exponential(number(5)) * new - old) == 1


def test_normal_laplace_and_exponential_draws_may_meet() -> None:
    drawn = (draw(0, "gaussian", 1), draw(1, "laplace", 2), draw(2, "exponential", Fraction(1, 2)))
    z, x, y = (one.variable for one in drawn)
    conditions = (
        at_most(rational(-1), subtract(x, z)),
        at_most(x, rational(3)),
        at_most(add(z, y), rational(Fraction(1, 2))),
        at_most(rational(-4), z),
    )

    def density(value: mpmath.mpf) -> mpmath.mpf:
        high, low = 1 - mpmath.exp(-1.5) / 2, value - 1
        within = high - (mpmath.exp(low / 2) / 2 if low < 0 else 1 - mpmath.exp(-low / 2) / 2)
        return mpmath.npdf(value) * within * (1 - mpmath.exp(-2 * (0.5 - value)))

    expected = mpmath.quad(density, [-4, -1, 0, 0.5])
    assert abs(approximately(probability(conditions, drawn)) - expected) < 1e-13


def test_a_normal_tail_is_one_number() -> None:
    drawn = (draw(0, "gaussian", 3),)
    found = probability((less(drawn[0].variable, rational(-6)),), drawn)
    assert abs(approximately(found) - mpmath.ncdf(-2)) < 1e-15
    assert sign(probability((less(drawn[0].variable, rational(0)),), drawn) - found) == 1


def test_impossible_events_have_probability_0() -> None:
    drawn = (draw(0, "gaussian", 3), draw(1, "gaussian", 3))
    x, y = (one.variable for one in drawn)
    found = probability((less(x, y), less(y, subtract(x, rational(1)))), drawn)
    assert found == number(0)


def test_what_only_lines_and_points_satisfy_has_probability_0() -> None:
    drawn = (draw(0, "gaussian", 1), draw(1, "exponential", 1), draw(2, "gaussian", 2))
    z, x, y = (one.variable for one in drawn)
    apart = rational(1)
    for conditions in (
        (at_most(x, z), at_most(x, rational(0))),
        (at_most(z, x), at_most(x, rational(-1))),
        (at_most(x, z), at_most(y, z), at_most(z, rational(-1))),
        (at_most(rational(3), z), at_most(z, add(x, apart)), at_most(x, rational(2))),
        (at_most(z, subtract(y, apart)), at_most(y, add(z, apart))),
    ):
        assert probability(conditions, drawn) == number(0)
    assert sign(probability((at_most(x, z), at_most(y, z)), drawn)) == 1


def test_a_cone_of_an_eighth_of_the_plane_has_probability_an_eighth() -> None:
    drawn = (draw(0, "gaussian", 1), draw(1, "gaussian", 1))
    x, y = (one.variable for one in drawn)
    for above in (at_most(x, y), at_most(rational(0), subtract(y, x))):
        found = probability((above, at_most(rational(0), x)), drawn)
        assert Fraction(1, 8) in enclosure(found, 30)


def test_what_is_left_out_far_from_0_is_accounted_for() -> None:
    leaf = Leaf(Noise("laplace", Fraction(1)), None, Fraction(0), None, None)
    star = Star(Noise("gaussian", Fraction(3)), None, None, (leaf,))
    for bits in (32, 64, 128):
        with precision(bits + 64):
            assert star.ball(bits).contains(star.ball(256).mid())


def test_a_chain_of_normal_draws_is_not_computed() -> None:
    drawn = tuple(draw(i, "gaussian", 1) for i in range(4))
    chain = tuple(less(a.variable, b.variable) for a, b in pairwise(drawn))
    with pytest.raises(NotComputed, match="one draw is part of all"):
        probability(chain, drawn)
