"""Sums of weights on a grid hold what summing by mpmath finds, in closed form where there is one."""

from fractions import Fraction

import mpmath
import pytest

from refdp.mechanisms.discrete_gaussian import DISCRETE_GAUSSIAN
from refdp.mechanisms.discrete_laplace import DISCRETE_LAPLACE
from refdp.numerics.arithmetic import Intervals
from refdp.numerics.exact import Undecided
from refdp.numerics.intervals import Interval
from refdp.numerics.lattice import first_exceeding, grid_delta, log_weight, tail_sum
from refdp.terms.term import TermError, exp, ln, name, number
from tests.numerics.oracle import fraction
from tests.numerics.oracle import number as real

GAUSSIAN = {"sigma": Fraction(3), "granularity": Fraction(1)}
LAPLACE = {"scale": Fraction(2), "granularity": Fraction(1)}


@pytest.mark.parametrize("bits", [24, 64, 200])
@pytest.mark.parametrize("start", [-7, 0, 1, 5, 40])
def test_a_sum_of_geometric_weights_is_its_closed_form(start, bits):
    arithmetic = Intervals(bits)
    weight = lambda k: arithmetic.number(Fraction(1, 3) ** abs(k))  # noqa: E731
    tail = Fraction(3, 2) * Fraction(1, 3) ** max(start, 0) + sum(Fraction(1, 3) ** -k for k in range(start, 0))
    found = tail_sum(weight, start, bits)
    assert found.lower <= tail <= found.upper
    assert found.upper - found.lower <= tail / 2 ** (bits - 8)


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 5), Fraction(49, 100)])
@pytest.mark.parametrize("bits", [40, 64, 150])
def test_discrete_laplace_has_the_closed_form_one_step_apart(epsilon, bits):
    found = grid_delta(DISCRETE_LAPLACE, LAPLACE, 1, number(epsilon), bits)
    with mpmath.workdps(80):
        closed = (1 - mpmath.exp(real(epsilon) - real(Fraction(1, 2)))) / (1 + mpmath.exp(-real(Fraction(1, 2))))
        assert found.lower <= fraction(closed) <= found.upper
    assert found.upper - found.lower <= found.upper / 2 ** (bits - 16)


@pytest.mark.parametrize("steps", [1, 2, 7])
@pytest.mark.parametrize("epsilon", [number(0), number(1), ln(number(3)), number(Fraction(1, 100))])
def test_discrete_gaussian_is_what_mpmath_sums(steps, epsilon):
    found = grid_delta(DISCRETE_GAUSSIAN, GAUSSIAN, steps, epsilon, 64)
    with mpmath.workdps(60):
        t = mpmath.mpf(3) if epsilon.operator == "ln" else mpmath.exp(real(epsilon.rational))
        weight = {k: mpmath.exp(-mpmath.mpf(k * k) / 18) for k in range(-160, 161)}
        excess = sum(max(weight[k - steps] - t * weight[k], 0) for k in range(-150, 151))
        assert found.lower <= fraction(excess / sum(weight.values())) <= found.upper


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_the_first_index_with_a_larger_loss_is_found(steps):
    for epsilon in (Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(20)):
        k = first_exceeding(DISCRETE_GAUSSIAN, GAUSSIAN, steps, number(epsilon))
        losses = [(Fraction(j) ** 2 - Fraction(j - steps) ** 2) / 18 for j in (k - 1, k)]
        assert losses[0] <= epsilon < losses[1]


def test_sums_that_are_too_long_are_undecided(monkeypatch):
    with pytest.raises(Undecided, match="has a loss above 1/2"):
        first_exceeding(DISCRETE_LAPLACE, LAPLACE, 1, number(Fraction(1, 2)))
    for steps in (0, -1, 100_001):
        with pytest.raises(Undecided, match="must be 1 to 100000 steps apart"):
            grid_delta(DISCRETE_GAUSSIAN, GAUSSIAN, steps, number(1), 64)
    monkeypatch.setattr("refdp.numerics.lattice.LARGEST_INDEX", 50)
    with pytest.raises(Undecided, match="not enclosed within 50 steps"):
        tail_sum(lambda k: Interval(Fraction(1), Fraction(1)), 0, 64)


def test_a_weight_that_is_not_rational_in_logarithms_is_refused():
    with pytest.raises(TermError):
        grid_delta(DISCRETE_GAUSSIAN, {"granularity": Fraction(1)}, 1, number(1), 64)
    with pytest.raises(TermError):
        grid_delta(DISCRETE_GAUSSIAN, GAUSSIAN, 1, exp(name("x")), 64)


def test_the_least_point_is_found_wherever_a_doubled_step_reaches_it() -> None:
    """ln(a_(k-1) / a_k) = (2 k - 1) / 2 for sigma = 1: it exceeds 50,000 from k = 50,001 on."""
    values = {"sigma": Fraction(1), "granularity": Fraction(1)}
    assert first_exceeding(DISCRETE_GAUSSIAN, values, 1, number(50_000)) == 50_001


@pytest.mark.parametrize("granularity", [Fraction(1, 2), Fraction(3), Fraction(5, 3)])
def test_the_weight_of_a_step_is_that_of_its_distance(granularity: Fraction) -> None:
    """ln(a_k) is -|k g| / scale, and -(k g)^2 / (2 sigma^2)."""
    for k in (-3, 0, 1, 5):
        assert (
            log_weight(DISCRETE_LAPLACE, {"scale": Fraction(2), "granularity": granularity}, k)
            == -abs(k * granularity) / 2
        )
        values = {"sigma": Fraction(3), "granularity": granularity}
        assert log_weight(DISCRETE_GAUSSIAN, values, k) == -((k * granularity) ** 2) / 18
