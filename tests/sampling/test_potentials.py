"""Potentials: convex by their form, and read from the formulas that the privacy claims are about."""

import re
from fractions import Fraction as F
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdp.laws import Law, discrete_gaussian, discrete_laplace
from refdp.mechanisms.discrete_gaussian import DISCRETE_GAUSSIAN
from refdp.mechanisms.discrete_laplace import DISCRETE_LAPLACE
from refdp.mechanisms.laplace import LAPLACE
from refdp.sampling.potentials import (
    HIGHEST_DEGREE,
    NoisePolynomial,
    Potential,
    is_even,
    potential_of,
)
from refdp.sampling.variances import variance
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.sampling.noises import gaussian, laplace

coefficients = st.lists(st.fractions(0, 9, max_denominator=9), min_size=1, max_size=8).filter(any).map(tuple)


@given(coefficients, st.integers(0, 10**6))
def test_potentials_are_convex_and_symmetric_and_rise(c: tuple[F, ...], n: int) -> None:
    q = Potential(c)
    assert q(n) == q(-n) == sum(a * n**i for i, a in enumerate(c, 1))
    assert 0 < q(n + 1) - q(n) == q.slope(n) <= q.slope(n + 1)


@pytest.mark.parametrize("q", [laplace(3), gaussian(2), Potential((F(1, 3),))])
def test_a_potential_is_of_all_integers_unless_it_is_said_to_be_of_one_side(q: Potential) -> None:
    assert variance(q) is not None
    assert variance(Potential(q.coefficients, two_sided=False)) is None
    assert q == Potential(q.coefficients, True) != Potential(q.coefficients, False)


@pytest.mark.parametrize("granularity", [F(1), F(1, 3), F(5, 2)])
@pytest.mark.parametrize("scale", [F(22, 7), F(1, 1000), F(10**12)])
def test_potentials_are_the_formulas_of_the_mechanisms(scale: F, granularity: F) -> None:
    """The oracle is the formula, evaluated at the point."""
    for noise, name in ((DISCRETE_LAPLACE, "scale"), (DISCRETE_GAUSSIAN, "sigma")):
        q = potential_of(noise, {name: scale, "granularity": granularity})
        for k in (-7, -1, 0, 1, 10**6):
            assert q(k) == -noise.log_weight(k * granularity, scale)


def test_potentials_of_laws_are_those_of_the_definition() -> None:
    for stem, made in (("discrete_laplace", laplace), ("discrete_gaussian", gaussian)):
        assert Law(stem, F(22, 7)).potential == made("22/7")


def test_a_density_has_no_potential() -> None:
    with pytest.raises(TermError, match="does not live on a grid"):
        potential_of(LAPLACE, {"scale": F(1)})


def test_weights_that_differ_on_both_sides_have_no_potential() -> None:
    lopsided = SimpleNamespace(stem="lopsided", on_grid=True, log_weight=SimpleNamespace(term=read("-abs(z) - z / 2")))
    with pytest.raises(TermError, match="differ on both sides of 0"):
        potential_of(lopsided, {"granularity": F(1)})


def noise_with(formula: str) -> SimpleNamespace:
    return SimpleNamespace(stem="noise", on_grid=True, log_weight=SimpleNamespace(term=read(formula)))


@pytest.mark.parametrize(
    ("formula", "coefficients"),
    [
        ("-abs(z) / s", [F(1, 3)]), ("-z**2 / (2 * s**2)", [F(0), F(1, 18)]), ("-z * z / s", [F(0), F(1, 3)]),
        ("-(abs(z) + z**4) / s - 5", [F(1, 3), F(0), F(0), F(1, 3)]), ("-abs(2 * z) * s", [F(6)]),
        ("-(1 + indicator(s <= 2)) * abs(z)", [F(1)]), ("-(1 + indicator(2 <= s)) * abs(z)", [F(2)]),
        ("min(s, 2) * -abs(z)", [F(2)]), ("-abs(z)**3 + 0 * z", [F(0), F(0), F(1)]),
    ],
)  # fmt: skip
def test_potentials_are_read_off_any_formula(formula: str, coefficients: list[F]) -> None:
    """The oracle is the formula, evaluated at points of the grid, on both sides."""
    noise = noise_with(formula)
    q = potential_of(noise, {"s": F(3), "granularity": F(1)})
    assert list(q.coefficients) == coefficients
    fine = potential_of(noise, {"s": F(3), "granularity": F(1, 2)})
    constant = evaluate(noise.log_weight.term, {"s": F(3), "z": F(0)})
    for k in (-3, -1, 0, 2, 5):
        assert fine(k) == constant - evaluate(noise.log_weight.term, {"s": F(3), "z": F(k, 2)})


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("-exp(abs(z))", "the argument of exp must not depend on the noise"), ("-1 / (1 + abs(z))", "what is compared"),
        ("-abs(z + 1)", "the absolute value of a sum"), ("-abs(z)**9", "degree <= 8, got 9"),
        ("-indicator(z <= 1)", "what is compared must not depend on the noise"),
        ("-z**3", "differ on both sides"), ("-abs(z) - z**3 / 7", "differ on both sides"), ("-max(z, 1)", "depend"),
    ],
)  # fmt: skip
def test_formulas_that_are_no_polynomials_have_no_potential(formula: str, said: str) -> None:
    with pytest.raises(TermError, match=re.escape(said)):
        potential_of(noise_with(formula), {"s": F(3), "granularity": F(1)})


def test_evenness_is_seen_or_worked_out() -> None:
    assert all(is_even(read(text)) for text in ("-abs(z) / s", "z**2", "s + 1", "abs(z)**3 * z**4"))
    assert not any(is_even(read(text)) for text in ("z", "z**3", "abs(z) + z", "abs(2 * z)", "z * z"))


@pytest.mark.parametrize("c", [(), (F(0),), (F(-1),), (F(1), F(-1, 9)), (1,), (0.5,), (F(1),) * (HIGHEST_DEGREE + 1)])
def test_potentials_that_may_not_be_convex_are_refused(c: tuple) -> None:
    with pytest.raises(ValueError, match=r"coefficients must be|a potential must have degree"):
        Potential(c)


@pytest.mark.parametrize("scale", [0, -1, "-1/3"])
def test_scales_that_are_not_positive_are_refused(scale: object) -> None:
    with pytest.raises(ValueError, match="scale must be > 0"):
        discrete_laplace(scale)
    with pytest.raises(ValueError, match="sigma must be > 0"):
        discrete_gaussian(scale)


@pytest.mark.parametrize("c", [(0,), (3,), (0, 2), (1, 0, 3), (2, 3, 4, 5)])
def test_polynomials_have_no_zeros_at_their_end(c: tuple[int, ...]) -> None:
    exact = tuple(map(F, c))
    for zeros in range(4):
        assert NoisePolynomial.of([*exact, *[F(0)] * zeros]).coefficients == exact
