"""The engine `products`: few pairs with finitely many losses that count, on a lattice or not, undiscretised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from refdp import work
from refdp.accounting.balls import ball, digit_steps
from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.losses import Composition
from refdp.accounting.masses import one_mass
from refdp.accounting.products.curve import ProductCurve
from refdp.accounting.products.factors import ROUNDED, Factor, Units, base_of, factor, usual_size
from refdp.accounting.products.groups import cumulated, ordered
from refdp.accounting.products.listing import TOO_MANY, digits, lists
from refdp.accounting.products.splitting import MOST_LISTED, MOST_PAIRS, best_split
from refdp.numerics.enclosures import precision

if TYPE_CHECKING:
    from flint import arb

ROUNDS = 2
"""So many curves are given, the second with twice as many binary digits."""
ATOM = 5
"""Steps of work that an atom counts as, besides those of its digits."""
DIGITS = "masses of so many digits take more work than is left"
GUARD = 12
"""Binary digits more than the least delta and the width ask for, besides those that the number of atoms may take."""


class Products:
    """Responses, finite laws, discrete Laplace and Gaussian noise, sampled or not, few of them."""

    name = "products"

    def why_not(self, composition: Composition) -> str | None:
        """None if all losses have atoms alone, few enough of them, else one sentence."""
        sizes = []
        for loss, count in composition.parts:
            found = base_of(loss)
            if found is None:
                return f"sums of the losses of {type(loss).__name__} cannot be listed: it is no law of atoms"
            sizes.append((usual_size(found[0]), count))
        total = sum(count for _, count in sizes)
        if total > MOST_PAIRS:
            return f"sums of losses are listed for at most {MOST_PAIRS} events, got {total}"
        return None if best_split(sizes) is not None else f"{TOO_MANY}: over {MOST_LISTED} in one half"

    def curves(self, composition: Composition, effort: Effort) -> Iterator[Curve]:
        """Curves with more and more binary digits; OutOfReach if there are none, or where time or memory ends."""
        if reason := self.why_not(composition):
            raise OutOfReach(f"{self.name}: {reason}")
        for number in range(ROUNDS):
            yield curve(composition, effort, number)


def curve(composition: Composition, effort: Effort, number: int) -> ProductCurve:
    """The curve; its digits are doubled `number` times."""
    units = chosen_units(composition, effort, number)
    atoms = sum(usual_size(found[0]) for loss, _ in composition.parts if (found := base_of(loss)) is not None)
    effort.afford(2 * atoms * (ATOM + digit_steps(units.precision)) / work.STEPS, DIGITS)
    with precision(units.precision):
        factors = [(factor(loss, units), count) for loss, count in composition.parts]
    with precision(max(units.precision, *(one.bits + 64 for one, _ in factors))):
        factors = [(factor(loss, units), count) for loss, count in composition.parts]
        return listed(composition, factors, units, effort)


def chosen_units(composition: Composition, effort: Effort, number: int) -> Units:
    """Units in which what rounding and leaving out may do is small beside the width of the least delta."""
    count = sum(count for _, count in composition.parts)
    least, width = effort.delta ** (number + 1), effort.width ** (number + 1)
    lost = least * width / (count << GUARD)
    atoms = max(usual_size(found[0]) for loss, _ in composition.parts if (found := base_of(loss)) is not None)
    masses = digits(lost) + atoms.bit_length()
    return Units(digits(lost), masses, lost)  # much mass may be at a loss of just epsilon: there both count alike


def listed(
    composition: Composition, factors: Sequence[tuple[Factor, int]], units: Units, effort: Effort
) -> ProductCurve:
    """The curve from the lists of sums, at the precision around it."""
    from flint import ctx

    found = lists(factors, units, effort)
    many, few, shifts = (one.sums for one in found)
    few, p_bits, finite = ordered(few), sum(one.p_bits for one in found), 1 - infinite_mass(composition)
    kept = sum(many.p) * sum(few.p) * sum(shifts.p) * ball(Fraction(1, 1 << p_bits))
    return ProductCurve(
        Products.name, cumulated(ordered(many)), few, cumulated(few), shifts,
        unit=units.losses, slack=ROUNDED * sum(count for _, count in factors),
        p_bits=p_bits, q_bits=sum(one.q_bits for one in found),
        infinite=1 - finite, missing=finite - kept,
        excess=prod((1 + one.excess for one in found), start=ball(1)) - 1,
        precision=ctx.prec, accuracy=digits(effort.width) + 64,
    )  # fmt: skip


def infinite_mass(composition: Composition) -> arb:
    """1 - the product of (1 - infinite mass)^count."""
    masses = [(one_mass(loss), count) for loss, count in composition.parts]
    if any(mass == 1 for mass, _ in masses):
        return ball(1)
    return -sum((count * (-ball(mass)).log1p() for mass, count in masses if mass > 0), ball(0)).expm1()


ENGINE = Products()
