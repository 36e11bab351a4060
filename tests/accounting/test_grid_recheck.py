"""The composition step again in plain Python: whole numbers in one long decimal number, nothing cut off, no flint."""

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact
from fractions import Fraction as F

import pytest

from refdp.accounting.curves import Effort
from refdp.accounting.grids.curve import sums
from refdp.accounting.grids.measures import Spare, power
from refdp.accounting.grids.tails import LOSS_UNIT
from refdp.accounting.losses import FixedSize, Laplace, Normal, Sampled
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.enclosures import precision
from tests.accounting.grid_examples import grid_curve

EXACT = Context(prec=min(MAX_PREC, 10**8), Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])


def exact_power(masses, count):
    """The count-fold convolution: digits of a power of the number whose digits are the masses."""
    slot = len(str(sum(masses) ** count)) + 1
    packed = Decimal("".join(str(mass).zfill(slot) for mass in masses[::-1]))
    found = Decimal(1)
    for _ in range(count):
        found = EXACT.multiply(found, packed)
    size = (len(masses) - 1) * count + 1
    text = format(found, "f").zfill(size * slot)
    return [int(text[i * slot : (i + 1) * slot]) for i in range(size)][::-1]


def exact_delta(side, count, epsilon):
    """Bounds of delta of the product of `count` measures that are what the grid of one is."""
    one = side.measure
    masses, unit = exact_power([int(m) for m in one.masses.coeffs()], count), 1 << one.bits
    infinite = 1 - (1 - F(one.infinite, unit)) ** count
    low, high = exp_bounds(epsilon - F(one.start * count, LOSS_UNIT), 220)
    z, found = exp_bounds(-F(one.step, LOSS_UNIT), 220), []
    for x, decay in ((high, z[1]), (low, z[0])):
        total, factor = F(0), x
        for mass in masses:
            total += mass * max(F(0), 1 - factor)
            factor = F(int(factor * decay * 2**220), 2**220)
        found.append(total / unit**count + infinite)
    return found


@pytest.mark.parametrize(
    "loss", [Sampled(Normal(F(1)), F(1, 5), "remove"), Laplace(F(1, 2)), FixedSize(Laplace(F(1)), F(1, 5))], ids=str
)
def test_products_agree_with_exact_ones(loss):
    """All that roundings and cut ends change is far below the width of the enclosure, and goes the right way."""
    one, spare = grid_curve([(loss, 1)], 0.2), Spare(2**80, 2**40)
    with precision(one.bits):
        upper, lower = (sums(power(side.measure, 11, spare, Effort())) for side in (one.upper, one.lower))
        for epsilon in (F(0), F(1, 2), F(2)):
            low, high = exact_delta(one.upper, 11, epsilon)
            assert low <= upper.delta(epsilon) <= high * (1 + F(1, 10**9))
            low, high = exact_delta(one.lower, 11, epsilon)
            assert low * (1 - F(1, 10**9)) <= lower.delta(epsilon) <= high
