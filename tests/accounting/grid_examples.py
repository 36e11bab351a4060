"""Curves of the engine of chords and tangents with a chosen step."""

from fractions import Fraction

from refdp.accounting.curves import Effort
from refdp.accounting.grids.budget import budget
from refdp.accounting.grids.refinement import curve, prepared
from refdp.accounting.losses import Composition
from refdp.numerics.enclosures import precision

EFFORT = Effort(delta=Fraction(1, 10**20))


def grid_curve(parts, step, effort=EFFORT):
    """The curve of the composition on a grid of about that step."""
    composition = Composition(tuple(parts))
    chosen = budget(composition, effort)
    with precision(chosen.precision):
        return curve(prepared(composition, chosen, effort), step, effort, chosen)
