"""A listed loss on a grid: each mass is split between the ends of its cell so that the mass under Q is kept."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpz_poly

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.cells.laws import Atoms
from refdp.accounting.curves import Effort
from refdp.accounting.lattice.powers import Masses, below, check_size

OFFSET = Fraction(1, 3) + Fraction(1, 2**24)
"""Points of the grid are (i + OFFSET) steps: losses that users give are between them, not on them."""
SPLIT = 5
"""Steps of work that a split atom counts as."""


def split(atoms: Atoms, step: Fraction, bits: int, effort: Effort) -> Masses:
    """Lower bounds of the masses at (i + OFFSET) step, in units of 2^-bits: Lemma 3.6.

    An atom of which it is not decided in which cell it is counts as missing.
    """
    work.step(SPLIT * len(atoms))
    width, unit, found = ball(step), 1 << bits, dict[int, int]()
    whole = (-width).expm1()
    for loss, mass in atoms:
        place = loss / width - ball(OFFSET)
        cell = place.floor().unique_fmpz()
        if cell is None:
            continue
        i = int(cell)
        right = mass * ((-(place - i) * width).expm1() / whole)
        found[i + 1] = found.get(i + 1, 0) + below(right * unit)
        found[i] = found.get(i, 0) + below((mass - right) * unit)
    first, last = min(found, default=0), max(found, default=0)
    check_size(last - first + 1, bits, effort)
    coefficients = [0] * (last - first + 1)
    for i, weight in found.items():
        coefficients[i - first] = weight
    return Masses(first, fmpz_poly(coefficients), bits)


def origin(step: Fraction, count: int) -> arb:
    """The loss at index 0 of a sum of `count` losses."""
    return ball(OFFSET * step * count)
