"""laplace_stability_keys: its law is the noise's tails; by enumeration: tests/exactness."""

from fractions import Fraction as F

import pytest

from tests.mechanisms.checks import MP, encloses, finite_masses, real


@pytest.mark.parametrize(("count", "threshold"), [(1, F(5, 2)), (4, F(5, 2)), (3, F(3))])
def test_laplace_stability_keys_masses_are_tails(count, threshold):
    found = finite_masses(f"laplace_stability_keys(grid(1), 2, {threshold})", (F(7),) * count)
    tail = MP.exp(-abs(real(threshold) - count) / 2) / 2
    assert encloses(found[F(7),], tail if count < threshold else 1 - tail)
    assert encloses(found[()], 1 - tail if count < threshold else tail)
