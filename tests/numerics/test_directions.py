"""Bounds stay bounds where what they rest on is as wide, and as far off, as it may be: no direction is exchanged."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import mpmath
import pytest

from refdp.mechanisms.discrete_gaussian import DISCRETE_GAUSSIAN
from refdp.mechanisms.discrete_laplace import DISCRETE_LAPLACE
from refdp.numerics import lattice, masses, normal
from refdp.numerics.arithmetic import Intervals
from refdp.numerics.elementary import LARGEST_EXPONENT, down, up
from refdp.numerics.enclosures import Balls, _ball, _dyadic
from refdp.numerics.exact import Undecided
from refdp.numerics.intervals import Interval
from refdp.numerics.normal import arctan_bounds, pi_bounds, series_bounds
from refdp.terms.reading import read
from tests.numerics.oracle import fraction

ENDS = (0, 1, 2, 3)
BETWEEN = [(Fraction(a), Fraction(b)) for a, b in product(ENDS, repeat=2) if a <= b]
COMPARED: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


@pytest.mark.parametrize("error", [10, 10**6])
@pytest.mark.parametrize("signs", list(product((-1, 1), repeat=2)))
def test_pi_is_bounded_whatever_bounds_its_arctangents_have(
    monkeypatch: pytest.MonkeyPatch, error: int, signs: tuple[int, int]
) -> None:
    """Each arctangent is at one end of its bounds."""

    def shifted(n: int, w: int) -> tuple[int, int]:
        total, own = arctan_bounds(n, w)
        return total + signs[n == 239] * error, own + error

    monkeypatch.setattr(normal, "arctan_bounds", shifted)
    monkeypatch.setattr(normal, "GUARD", 0)
    with mpmath.workprec(500):
        exact = fraction(+mpmath.pi)
    for bits in (40, 64, 100):
        lower, upper = pi_bounds.__wrapped__(bits)
        assert lower <= exact <= upper
        assert upper - lower <= Fraction(40 * error + 40 * bits, 2**bits)


@pytest.mark.parametrize("w", [40, 64])
@pytest.mark.parametrize("share", [Fraction(1, 3), Fraction(99, 100), Fraction(4, 3), Fraction(17, 3), Fraction(0)])
def test_the_series_of_a_number_of_few_units_is_around_it(w: int, share: Fraction) -> None:
    """S is x and less than a unit more, for such x."""
    x = share / 2**w
    found = series_bounds(x, w)
    assert found.lower <= x <= x + Fraction(1, 2**w) ** 2 <= found.upper
    assert found.upper - found.lower <= Fraction(4, 2**w)


@pytest.mark.parametrize("comparison", COMPARED)
def test_balls_and_intervals_are_compared_only_where_all_their_numbers_agree(comparison: str) -> None:
    numbers = [Fraction(k, 2) for k in range(7)]
    for (a, b), (c, d) in product(BETWEEN, repeat=2):
        said = {COMPARED[comparison](x, y) for x in numbers if a <= x <= b for y in numbers if c <= y <= d}
        balls = [_ball(Interval(*ends), 64) for ends in ((a, b), (c, d))]
        is_point_or_apart = (
            (a, b) == (c, d) or b < c or d < a
        )  # where ends touch, radii that are rounded up do not tell
        if len(said) == 1 and (a == b and c == d or is_point_or_apart):
            assert {Balls(64).holds(comparison, *balls)} == said
            continue
        try:
            found = Balls(64).holds(comparison, *balls)
        except Undecided:
            continue
        assert {found} == said


@pytest.mark.parametrize("comparison", COMPARED)
def test_intervals_are_compared_just_where_all_their_numbers_agree(comparison: str) -> None:
    for (a, b), (c, d) in product(BETWEEN, repeat=2):
        ends = [Fraction(k, 2) for k in range(7)]
        said = {COMPARED[comparison](x, y) for x in ends if a <= x <= b for y in ends if c <= y <= d}
        if len(said) == 2:
            with pytest.raises(Undecided):
                Intervals(64).holds(comparison, Interval(a, b), Interval(c, d))
        else:
            assert {Intervals(64).holds(comparison, Interval(a, b), Interval(c, d))} == said


def test_a_ball_holds_both_ends_of_an_interval() -> None:
    for low, high in ((Fraction(1), Fraction(2)), (Fraction(-1, 3), Fraction(10**9)), (Fraction(5), Fraction(5))):
        ball = _ball(Interval(low, high), 64)
        for end in (low, high):
            assert ball.contains(Balls(300).number(end))


@pytest.mark.parametrize("mantissa", [-3, -1, 0, 1, 3])
@pytest.mark.parametrize("exponent", [-LARGEST_EXPONENT - 9, -LARGEST_EXPONENT - 2, -5, 0, 5])
def test_a_number_that_is_too_small_to_write_out_is_bounded_on_its_side_of_0(mantissa: int, exponent: int) -> None:
    lower, upper = (m * Fraction(2) ** e for m, e in _dyadic(mantissa, exponent))
    exact = mantissa * Fraction(2) ** exponent
    assert lower <= exact <= upper
    assert lower >= 0 or mantissa < 0
    assert upper <= 0 or mantissa > 0
    assert upper - lower <= Fraction(1, 2**LARGEST_EXPONENT)
    assert lower == upper or exponent < -100


def test_a_number_that_is_too_large_is_undecided() -> None:
    with pytest.raises(Undecided, match="exceeds"):
        _dyadic(1, LARGEST_EXPONENT + 1)
    with pytest.raises(Undecided, match="exceeds"):
        _dyadic(-1, LARGEST_EXPONENT + 1)


VALUES = {"sigma": Fraction(3), "granularity": Fraction(1, 2)}


@pytest.mark.parametrize("k", [0, 1, 7])
def test_a_probability_between_its_bounds_is_not_said_to_be_reached(monkeypatch: pytest.MonkeyPatch, k: int) -> None:
    """Where the enclosures do not tell, noise is not inside, and accuracy is the next step, where they do."""
    real = masses._ball
    wide = Balls(masses.BLOCK_BITS).number(Fraction(999, 1000)).union(Balls(64).number(Fraction(1001, 1000)))
    weights = [float(real(DISCRETE_GAUSSIAN, Fraction(j, 2), VALUES, 64).mid()) for j in range(100)]
    share = 1 - Fraction(2 * sum(weights[k + 1 :]) / (weights[0] + 2 * sum(weights[1:])))
    monkeypatch.setattr(masses, "_ball", lambda *given: real(*given) * wide)
    subject = read("discrete_gaussian(3, 1/2)")
    for surely, said in ((share - Fraction(1, 50), k), (share, k + 1)):
        assert masses.accuracy(subject, surely) == Fraction(said, 2)
        assert masses.is_inside(DISCRETE_GAUSSIAN, VALUES, k, surely) == (said == k)


def test_an_accuracy_is_for_probabilities_within_0_and_1() -> None:
    for wrong in (Fraction(0), Fraction(1), Fraction(-1, 2), Fraction(3, 2)):
        with pytest.raises(ValueError, match=r"probability must be in \(0, 1\)"):
            masses.accuracy(read("discrete_gaussian(3, 1/2)"), wrong)


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(2), Fraction(100)])
def test_the_sum_of_geometric_weights_is_its_closed_form(scale: Fraction) -> None:
    found = masses.normaliser(DISCRETE_LAPLACE, {"scale": scale, "granularity": Fraction(1)})
    with mpmath.workdps(60):
        ratio = mpmath.exp(-mpmath.mpf(scale.denominator) / scale.numerator)
        assert found.lower <= fraction((1 + ratio) / (1 - ratio)) <= found.upper


def test_weights_that_are_not_seen_to_fall_are_not_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice, "LARGEST_INDEX", 50)
    with pytest.raises(Undecided, match="not enclosed within 50 steps"):
        lattice.tail_sum(lambda k: Interval(Fraction(0), Fraction(1, 2**k), 24), 0, 24)


@pytest.mark.parametrize("n", [-3, -1, 0, 1, 3])
def test_a_quotient_next_to_0_is_rounded_down_and_up(n: int) -> None:
    """Also where it is too small to be written out: below 0 down is below it, and above 0 up is above it."""
    for power in (5, LARGEST_EXPONENT - 1, LARGEST_EXPONENT + 9):
        exact = Fraction(n, 2**power)
        assert down(n, 2**power, 24) <= exact <= up(n, 2**power, 24)
        for bound in (down(n, 2**power, 24), up(n, 2**power, 24)):
            assert abs(bound - exact) <= Fraction(1, 2**LARGEST_EXPONENT)
            assert bound.denominator <= 2**LARGEST_EXPONENT
