"""Laws in groups: within each, all losses lie on one lattice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import TYPE_CHECKING

from refdp.accounting.balls import ball, real
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.lattice.loss_distributions import MOST_ATOMS, LossDistribution, sampled_losses
from refdp.accounting.lattice.powers import Masses, masses, power, product
from refdp.accounting.lattice.spacings import Gap, Spacing, common_part, multiple

if TYPE_CHECKING:
    from flint import arb

LARGEST_SPREAD = 1_000_000
"""Most steps of a lattice between two neighbouring losses of one pair."""
MOST_GROUPS = 12
"""More lattices have too many points together, as each has two or more."""
TOO_FINE = f"the common lattice is too fine: losses of one event are over {LARGEST_SPREAD} steps apart"
NO_LATTICE = "the losses are not found to lie on a common lattice"


@dataclass(frozen=True, slots=True)
class Group:
    """Laws with their counts, and a step of which each spacing is a whole multiple (None if there is no spacing)."""

    step: Spacing | None
    parts: tuple[tuple[LossDistribution, int], ...]

    def joined(self, law: LossDistribution, count: int) -> Group | None:
        """The group with one more law, or None if that is not found to be on a lattice with the others."""
        step = self.step or law.spacing
        if self.step is not None and law.spacing is not None:
            step = common_part(law.spacing, self.step)
            if step is None:
                return None
        return Group(step, (*self.parts, (law, count)))

    def spread(self, law: LossDistribution) -> int:
        """How many steps there are between neighbours of the law's own."""
        return 1 if self.step is None or law.spacing is None else multiple(law.spacing, self.step)

    @property
    def is_fine(self) -> bool:
        """Whether the lattice is too fine for one of the laws."""
        return any(self.spread(law) > LARGEST_SPREAD for law, _ in self.parts)

    @property
    def points(self) -> int:
        """At most so many lattice points have a mass that counts, as far as that is known beforehand."""
        return 1 + sum(law.extent * self.spread(law) * count for law, count in self.parts)

    @property
    def spread_out(self) -> int:
        """About how many points the sum has that count: ten standard deviations of losses with an end on each side.

        Laws with infinitely many atoms are left out.
        """
        reach = [(law.extent * self.spread(law), count) for law, count in self.parts if law.extent < MOST_ATOMS]
        return min(self.points, int(10 * sum(count * extent**2 for extent, count in reach) ** 0.5))

    @property
    def length(self) -> arb:
        """The step at the precision that is set; 1 where all losses have one value only."""
        if isinstance(self.step, Gap):
            low, high = sampled_losses(self.step.loss)
            return high - low
        return ball(1) if self.step is None else real(self.step)

    @property
    def origin(self) -> arb:
        """The loss of index 0."""
        return sum((count * law.first() for law, count in self.parts), ball(0))

    def masses(self, bits: int, effort: Effort) -> Masses:
        """Lower bounds of the masses of the sum of all losses."""
        powers = [
            power(masses(law.atoms(bits), self.spread(law), bits, effort), count, effort) for law, count in self.parts
        ]
        return reduce(lambda a, b: product(a, b, effort), sorted(powers, key=lambda m: m.polynomial.length()))


def groups(parts: list[tuple[LossDistribution, int]]) -> list[Group]:
    """The laws in groups, that with the most points first; each law is in the first group that it fits in.

    OutOfReach as soon as there are too many, or one is too fine.
    """
    found: list[Group] = []
    for law, count in sorted(parts, key=lambda part: part[0].spacing is None):
        for i, group in enumerate(found):
            if larger := group.joined(law, count):
                if larger.spread(law) > LARGEST_SPREAD:
                    raise OutOfReach(TOO_FINE)
                found[i] = larger
                break
        else:
            found.append(Group(law.spacing, ((law, count),)))
            if len(found) > MOST_GROUPS:
                raise OutOfReach(NO_LATTICE)
    return sorted(found, key=lambda group: -group.points)


def crossings(found: list[Group]) -> int:
    """How many points the groups but the first have together."""
    return prod(group.points for group in found[1:])
