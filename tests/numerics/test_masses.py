"""Masses and densities of mechanisms at an input, held against their definitions worked out by mpmath."""

from fractions import Fraction as F

import mpmath
import pytest

import refdp.transformations  # noqa: F401  (importing it registers what is counted)
from refdp.mechanisms import GAUSSIAN, LAPLACE
from refdp.numerics.masses import accuracy, mass, normaliser
from refdp.spec import registry
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.numerics.oracle import fraction, number


def grid_mass(scale: F, k: int) -> mpmath.mpf:
    """(1 - r) / (1 + r) r^|k|, with r = e^(-1/scale)."""
    r = mpmath.exp(-1 / number(scale))
    return (1 - r) / (1 + r) * r ** abs(k)


def density(scale: F, z: F) -> mpmath.mpf:
    """e^(-|z| / scale) / (2 scale)."""
    return mpmath.exp(-abs(number(z)) / number(scale)) / (2 * number(scale))


@pytest.mark.parametrize("bits", [40, 64, 130])
def test_outcomes_of_mechanisms_side_by_side_have_the_product_of_their_masses(bits: int) -> None:
    """Each at the same input; of one with a density it is that."""
    for x, outputs in ((F(3), (F(4), F(7, 2))), (F(-1), (F(5), F(0)))):
        found = mass(read("compose(discrete_laplace(3/2, 1), laplace(2))"), outputs, x, bits)
        expected = fraction(grid_mass(F(3, 2), int(outputs[0] - x)) * density(F(2), outputs[1] - x))
        assert found.lower <= expected <= found.upper
        assert found.upper - found.lower < expected / 2 ** (bits - 8)
    off = mass(read("compose(discrete_laplace(1, 1), laplace(2))"), (F(1, 2), F(0)), F(0), bits)
    assert off.lower == off.upper == 0


@pytest.mark.parametrize("scale", [F(1, 3), F(5)])
@pytest.mark.parametrize("bits", [40, 64, 130])
def test_the_density_of_continuous_noise_is_its_weight_over_the_integral(scale: F, bits: int) -> None:
    laplace, gaussian = read(f"laplace({scale})"), read(f"gaussian({scale})")
    integrals = 2 * number(scale), number(scale) * mpmath.sqrt(2 * mpmath.pi)
    for noise, subject, expected in zip((LAPLACE, GAUSSIAN), (laplace, gaussian), integrals, strict=True):
        whole = normaliser(noise, registry.values(noise, subject), bits)
        assert whole.lower <= fraction(expected) <= whole.upper
        assert whole.upper - whole.lower <= whole.upper / 2 ** (bits - 8)
    for z in (F(0), F(-1, 7), F(9, 2)):
        found = mass(laplace, 2 + z, F(2), bits)
        assert found.lower <= fraction(density(scale, z)) <= found.upper


def test_the_mass_of_a_mechanism_after_a_transformation_is_that_at_its_value() -> None:
    """Three rows are counted: 5 is two steps away."""
    table = tuple({"island": name} for name in "ABC")
    found = mass(read("chain(count(records()), discrete_laplace(2, 1))"), F(5), table, 64)
    assert found.lower <= fraction(grid_mass(F(2), 2)) <= found.upper
    assert found.upper - found.lower < F(1, 2**50)


@pytest.mark.parametrize("text", ["laplace(1)", "gaussian(1)", "randomised_response(3/4)"])
def test_what_is_no_noise_on_a_grid_has_no_accuracy_there(text):
    with pytest.raises(TermError, match="is not additive noise on a grid"):
        accuracy(read(text), F(1, 2))
