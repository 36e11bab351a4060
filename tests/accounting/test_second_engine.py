"""The compositions of grids, done again by the decimal engine from the same masses of one event."""

from fractions import Fraction

import pytest

from refdp.accounting.closed_forms.engine import ClosedForms
from refdp.accounting.curves import Effort
from refdp.accounting.grids.build import measures, part
from refdp.accounting.grids.curve import sums
from refdp.accounting.grids.measures import Spare, power
from refdp.accounting.grids.tails import LOSS_BITS, LOSS_UNIT
from refdp.accounting.losses import Laplace, Normal, composition, response
from refdp.numerics.enclosures import precision
from tests.accounting import decimal_engine as second

BITS = 120


def composed_again(measure, count, up):
    """epsilon -> delta of the measure's count-fold product, rounded up or down: units 2^-bits are 5^bits 10^-bits."""
    fives = 5**measure.bits
    masses = tuple(int(mass) * fives for mass in measure.masses.coeffs())
    one = second.Vector(0, masses, measure.infinite * fives, measure.bits, up)
    step = second.Bounds.of(Fraction(measure.step, 1 << LOSS_BITS), 100)
    origin = Fraction(measure.start * count, 1 << LOSS_BITS)
    product = second.power(one, count)
    return lambda epsilon: Fraction(second.delta(product, step, epsilon, origin))


@pytest.mark.parametrize("count", [1, 5, 12])
@pytest.mark.parametrize("loss", [Laplace(Fraction(1, 2)), Normal(Fraction(1, 4)), response("1/3", Fraction(1, 10**6))])
def test_compositions_on_a_grid_are_those_of_the_decimal_engine_and_enclose_the_truth(loss, count):
    closed = next(ClosedForms().curves(composition([(loss, count)]), Effort()))
    with precision(BITS + 100):
        sides = measures(part(loss, count, 1e-15, 1e-15), LOSS_UNIT // 40, BITS, Effort())
        found = [sums(power(side, count, Spare(0, 0), Effort())) for side in sides]
        deltas = [composed_again(side, count, up) for side in sides for up in (False, True)]
        for epsilon in (Fraction(0), Fraction(1, 3), Fraction(3, 2)):
            above, below = (one.delta(epsilon) for one in found)
            slack = Fraction(1, 10**30)
            again = [delta(epsilon) for delta in deltas]
            assert again[0] <= above <= again[1] + slack
            assert again[2] - slack <= below <= again[3]
            truth = closed.delta(epsilon)
            assert below <= truth.upper
            assert truth.lower <= above
            assert above - below < Fraction(1, 50)
