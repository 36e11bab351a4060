"""The probabilities that draws are held against: by other sums of the definition."""

from fractions import Fraction as F
from math import inf

import pytest
from mpmath import exp, mp, mpf, sqrt, workdps

from tests.sampling.cells import Weights, cells, known, real, smooth
from tests.sampling.families import SLOTS

LEVELS = [F(1, 7), F(1), F(3), F(10)]


def law(name: str) -> Weights:
    return Weights(SLOTS[name].coefficients, SLOTS[name].two_sided)


@pytest.mark.parametrize("name", [name for name in SLOTS if name not in ("k^8", "|k| and k^3", "gaussian 1000")])
def test_cells_make_up_everything_and_are_symmetric(name: str) -> None:
    weights = law(name)
    found = cells(weights.mass, weights.edges(LEVELS))
    with workdps(50):
        assert abs(sum(found) - 1) < mpf(10) ** -33
        if weights.two_sided:
            assert all(abs(p - r) <= mpf(10) ** -33 for p, r in zip(found, reversed(found), strict=True))


@pytest.mark.parametrize("name", ["laplace 22/7", "gaussian 22/7", "geometric", "k^4", "gaussian 1/3"])
def test_masses_are_the_weights_over_their_sum(name: str) -> None:
    weights = law(name)
    with workdps(50):
        terms = {k: exp(-real(weights.q(abs(k)))) for k in range(-700 if weights.two_sided else 0, 60_000, 1)[:1400]}
        everything = sum(terms.values()) if name != "geometric" else 1 / (1 - exp(-real(weights.coefficients[0])))
        for a, b in ((-3, 5), (0, 1), (2, 9), (-1, 0)):
            expected = sum((terms.get(k, mpf(0)) for k in range(a, b)), mpf(0)) / everything
            assert abs(weights.mass(a, b) - expected) < mpf(10) ** -40


def test_a_wide_gaussian_is_summed_as_a_narrow_one_is() -> None:
    """Euler and Maclaurin's formula against the sum itself, and against Poisson's."""
    weights = law("gaussian 1000")
    c = real(weights.coefficients[1])
    with workdps(50):
        for n in (0, 1, 17, 2001, 6000):
            assert abs(smooth(c, n) - known(weights)[n]) < mpf(10) ** -8
        everything = 1000 * sqrt(2 * mp.pi)  # by Poisson's formula, up to e^-(2 pi^2 1000^2)
        assert abs(weights.mass(0, 1) - 1 / everything) < mpf(10) ** -40
        wide = law("gaussian 281474976710656")
        assert abs(wide.mass(0, 1) * sqrt(mp.pi / real(wide.coefficients[1])) - 1) < mpf(10) ** -30
    assert wide.mass(-inf, inf) == 1
