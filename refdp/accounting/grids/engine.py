"""The engine of chords and tangents: any pairs of laws with computable tails, composed on a common grid.

Upper bounds are chords of each profile, lower bounds tangents; both err by about the number of parts times the square
of the step.  Proofs: section 4 of docs/accounting_proofs.md.

Source: DGKKM22 (chords); the tangents are our own.
"""

from __future__ import annotations

from collections.abc import Iterator

from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.grids.budget import NAME, budget
from refdp.accounting.losses import Composition, Concentrated, Renyi


class Grids:
    """Chords and tangents."""

    name = NAME

    def why_not(self, composition: Composition) -> str | None:
        """None for pairs of laws and profiles."""
        for loss, _ in composition.parts:
            if isinstance(loss, Concentrated | Renyi):
                return f"a grid needs a profile at every epsilon, and of {type(loss).__name__} there are moments only"
        return None

    def curves(self, composition: Composition, effort: Effort) -> Iterator[Curve]:
        """Curves on finer and finer grids, as long as the next one is affordable and the width not attained."""
        from refdp.accounting.grids.refinement import refined

        if (reason := self.why_not(composition)) is not None:
            raise OutOfReach(reason)
        yield from refined(composition, effort, budget(composition, effort))


ENGINE = Grids()
