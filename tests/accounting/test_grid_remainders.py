"""What is left out of lists of outcomes and of values is accounted for."""

from fractions import Fraction as F

from flint import arb
from mpmath import exp, log, mpf, nsum

from refdp.accounting.balls import ball
from refdp.accounting.curves import Effort
from refdp.accounting.grids import Grids
from refdp.accounting.grids.atoms import atoms
from refdp.accounting.grids.known import lower_known
from refdp.accounting.grids.outcomes import outcomes
from refdp.accounting.grids.shifts import Sum, listed, total
from refdp.accounting.grids.tails import LOSS_UNIT, point
from refdp.accounting.losses import Composition, DiscreteGaussian, Finite, Profile
from refdp.numerics.enclosures import interval, precision
from tests.accounting.test_grid_products import enumerated

LOSSY = Finite(((F(1, 4), F(0)), (F(1, 4), F(1, 2)), (F(1, 4), F(1, 3)), (F(1, 4), F(1, 6))))


def test_outcomes_that_are_not_listed_have_at_most_the_rest():
    """At a precision so low that they count."""
    for variance in (1, 2, 30):
        with precision(12):
            law = outcomes(DiscreteGaussian(F(variance), 1))
            rest = float(law.rest)
        last = (len(law.masses) - 3) // 2

        def weight(k, v=variance):
            return exp(-(mpf(int(k)) ** 2) / (2 * v))

        beyond = nsum(weight, [last + 1, last + 60]) * 2 / sum(weight(k) for k in range(-90, 91))
        assert 0 < beyond <= rest < 50 * beyond


def test_values_that_are_not_listed_may_be_infinite():
    half = Sum([(arb(0), arb(0.5)), (arb(1), arb(0.25))], arb(0.125), arb(0.125))
    with precision(80):
        found = total(half, half, 0.1)
        _, infinite = listed(found)
    assert found.lost >= 0.25 + 0.0625
    assert infinite.lower <= F(15, 64)
    assert infinite.upper >= F(15, 64) + F(1, 4) + F(1, 16)


def test_infinite_masses_of_several_parts_do_not_add_up():
    curve = next(Grids().curves(Composition(((LOSSY, 3),)), Effort()))
    assert type(curve).__name__ == "ShiftedCurve"
    for epsilon in (F(-1), F(0), F(1), F(20)):
        least, most = enumerated([(LOSSY, 3)], epsilon)
        found = curve.delta(epsilon)
        assert found.lower <= most
        assert least <= found.upper < most + F(1, 10**15)


def test_a_known_profile_is_not_overrated_in_front():
    """Before the first point delta is at least 1 - x and the bound at that point, and no more is known."""
    loss = Profile("most", lambda e: F(1), lambda e: F(9, 10))
    units = [-LOSS_UNIT, -LOSS_UNIT // 2, 0]
    with precision(160):
        top, heights = lower_known(loss, units, [point(u).exp() for u in units], 40, Effort())
    one, first = 2**40, float(exp(mpf(-1)))
    for share in (0.0, 0.1, 0.3, 0.7, 1.0):
        line = top + (heights[0] - top) * share
        assert line <= max((1 - share * first) * one, heights[0]) + 1


def test_an_atom_that_is_not_told_apart_from_the_point_counts():
    """With 12 digits ln 3 is not told apart from a number just below it, beyond which it has a delta."""
    near = F(float(log(3))) - F(1, 2**14)
    truth = F(3, 4) - F(float(exp(mpf(near.numerator) / near.denominator))) / 4
    with precision(12):
        x = ball(near).exp()
        found = atoms(outcomes(Finite(((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)))))).tails(ball(near), x)
        above = interval((found.event.height(x) + found.slack), 64).upper
    assert 0 < truth <= above
