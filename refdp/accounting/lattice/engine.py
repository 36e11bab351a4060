"""The engine `lattice`: products of pairs whose losses all lie on one lattice, without any discretisation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

from refdp.accounting.closed_forms.formula import ball, real
from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.lattice.curve import LatticeCurve, lattice_curve
from refdp.accounting.lattice.laws import Law, law_of, sampled_losses
from refdp.accounting.lattice.powers import Masses, masses, power, product
from refdp.accounting.lattice.spacings import Gap, Spacing, common_step, multiple
from refdp.accounting.losses import Composition
from refdp.numerics.enclosures import precision

if TYPE_CHECKING:
    from flint import arb

GUARD = 48
"""Binary digits more than the least delta and the width ask for, besides those that rounding may take."""
ROUNDS = 4
"""So many curves are given, each with twice as many binary digits as the one before."""
LARGEST_SPREAD = 1_000_000
"""Most steps of the common lattice between two neighbouring losses of one pair."""


class Lattice:
    """Responses, discrete Laplace and Gaussian noise and finite laws whose losses lie on one lattice together."""

    name = "lattice"

    def why_not(self, composition: Composition) -> str | None:
        """None if all losses are found to lie on one lattice, else one sentence."""
        laws = [law_of(loss) for loss, _ in composition.parts]
        for (loss, _), law in zip(composition.parts, laws, strict=True):
            if law is None:
                return f"the losses of {type(loss).__name__} are not found to lie on a lattice"
        spacings = [law.spacing for law in laws if law is not None and law.spacing is not None]
        step = common_step(spacings) if spacings else None
        if spacings and step is None:
            return "the losses are not found to lie on a common lattice"
        if step is not None and max(multiple(spacing, step) for spacing in spacings) > LARGEST_SPREAD:
            return f"the common lattice is too fine: losses of one event are over {LARGEST_SPREAD} steps apart"
        return None

    def curves(self, composition: Composition, effort: Effort) -> Iterator[Curve]:
        """Curves with more and more binary digits; OutOfReach if there are none, or where time or memory ends."""
        if reason := self.why_not(composition):
            raise OutOfReach(f"{self.name}: {reason}")
        parts = [(law, count) for loss, count in composition.parts if (law := law_of(loss)) is not None]
        bits = digits(effort, sum(count for _, count in parts))
        for number in range(ROUNDS):
            yield build(parts, bits << number, effort)


def digits(effort: Effort, count: int) -> int:
    """Binary digits of masses with which the least delta that is asked about comes out as narrow as it should be."""
    ratio = effort.delta * effort.width / count**2
    return ratio.denominator.bit_length() - ratio.numerator.bit_length() + GUARD


def build(parts: list[tuple[Law, int]], bits: int, effort: Effort) -> LatticeCurve:
    """The curve with masses in units of 2^-bits."""
    spacings = [law.spacing for law, _ in parts if law.spacing is not None]
    step = common_step(spacings) if spacings else None
    working = bits + 2 * GUARD
    with precision(working):
        powers = [power(masses(law.atoms(bits), spread(law, step), bits, effort), n, effort) for law, n in parts]
        found = reduce(lambda a, b: product(a, b, effort), sorted(powers, key=size))
        origin = sum((n * law.first() for law, n in parts), ball(0))
        return lattice_curve(Lattice.name, origin, length(step), infinite(parts), found, working)


def size(found: Masses) -> int:
    """How many lattice points there are masses for."""
    return found.polynomial.length()


def spread(law: Law, step: Spacing | None) -> int:
    """How many steps of the lattice there are between neighbours of the law's own."""
    return 1 if step is None or law.spacing is None else multiple(law.spacing, step)


def length(step: Spacing | None) -> arb:
    """The step at the precision that is set; 1 where all losses have one value only."""
    if isinstance(step, Gap):
        low, high = sampled_losses(step.loss)
        return high - low
    return ball(1) if step is None else real(step)


def infinite(parts: list[tuple[Law, int]]) -> arb:
    """1 - the product of (1 - infinite mass)^count."""
    if any(law.infinite == 1 for law, _ in parts):
        return ball(1)
    return -sum((n * (-ball(law.infinite)).log1p() for law, n in parts if law.infinite != Fraction(0)), ball(0)).expm1()


ENGINE = Lattice()
