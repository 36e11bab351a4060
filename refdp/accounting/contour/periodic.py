"""The engine of losses on one lattice: the contour is a circle, so nothing need decay."""

from __future__ import annotations

from collections.abc import Iterator

from refdp.accounting.contour.circle import deviation, lattice_of
from refdp.accounting.contour.engine import REFINEMENTS
from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.lattice.groups import NO_LATTICE
from refdp.accounting.losses import Composition

REACH = 20
"""So many standard deviations of the sum of all losses hold all that counts, about."""
FEW = 50_000
"""Losses on no more points than these, about, are added up exactly by the engine `lattice`, and quickly."""


class PeriodicContours:
    """delta at the points of the lattice, as a sum over points of a circle; it is linear in e^epsilon between them."""

    name = "periodic contour"

    def why_not(self, composition: Composition) -> str | None:
        """None, or why there is none."""
        lattice = lattice_of(composition)
        if lattice is None:
            return NO_LATTICE
        return None if deviation(composition, lattice) * REACH > FEW else "so few points of a lattice are added up"

    def curves(self, composition: Composition, effort: Effort) -> Iterator[Curve]:
        """Curves of width effort.width and less; OutOfReach with the reason where one costs too much."""
        from refdp.accounting.contour.ladder import Ladder

        lattice = lattice_of(composition)
        if lattice is None:
            raise OutOfReach(NO_LATTICE)
        for refinement in REFINEMENTS:
            yield Ladder.of(composition, effort, refinement * effort.width, lattice)


ENGINE = PeriodicContours()
