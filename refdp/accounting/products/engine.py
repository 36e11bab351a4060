"""The engine `products`: few pairs with finitely many losses that count, on a lattice or not, without discretisation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from refdp.accounting.balls import ball
from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.losses import Composition
from refdp.accounting.masses import one_mass
from refdp.accounting.products.curve import ProductCurve
from refdp.accounting.products.factors import ROUNDED, Factor, Units, base_of, factor, usual_size
from refdp.accounting.products.groups import Sums, cumulated, group, ordered
from refdp.accounting.products.splitting import MOST_LISTED, MOST_PAIRS, Split, best_split, length
from refdp.numerics.enclosures import precision

if TYPE_CHECKING:
    from flint import arb

ROUNDS = 2
"""So many curves are given, the second with twice as many binary digits."""
GUARD = 12
"""Binary digits more than the least delta and the width ask for, besides those that the number of atoms may take."""
BYTES = 400
"""About what one listed sum takes."""
TOO_MANY = "too many sums of losses"


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


def digits(x: Fraction) -> int:
    """-log2 x, rounded up or a little more."""
    return max(x.denominator.bit_length() - x.numerator.bit_length() + 1, 1)


def listed(
    composition: Composition, factors: Sequence[tuple[Factor, int]], units: Units, effort: Effort
) -> ProductCurve:
    """The curve from the lists of sums, at the precision around it."""
    from flint import ctx

    count = sum(count for _, count in factors)
    many, few, shifts = lists(factors, units, effort)
    finite = 1 - infinite_mass(composition)
    found = sum(many.p) * sum(few.p) * sum(shifts.p)
    missing = finite - found * ball(Fraction(1, 1 << units.masses * count))
    few = ordered(few)
    return ProductCurve(
        Products.name, cumulated(ordered(many)), few, cumulated(few), shifts,
        unit=units.losses, slack=ROUNDED * count,
        p_bits=units.masses * count, q_bits=sum(one.bits * count for one, count in factors),
        infinite=1 - finite, missing=missing,
        excess=prod(((1 + one.excess) ** count for one, count in factors), start=ball(1)) - 1,
        precision=ctx.prec, accuracy=digits(effort.width) + 64,
    )  # fmt: skip


def lists(factors: Sequence[tuple[Factor, int]], units: Units, effort: Effort) -> list[Sums]:
    """The list that is looked up, that whose sums are, and the shifts; sums of tiny mass are left out."""
    sizes = [(len(one), count) for one, count in factors]
    split = best_split(sizes)
    if split is None:
        raise OutOfReach(f"{TOO_MANY}: {' and '.join(f'{count} events of {n} atoms' for n, count in sizes)}")
    if sum(length(sizes, counts) for counts in split) * BYTES > effort.memory:
        raise OutOfReach(f"{TOO_MANY} for the memory allowed")
    found = []
    for counts in split:
        effort.check()
        least = units.least * (1 << units.masses * sum(counts)) / max(length(sizes, counts), 1)
        found.append(group([(one, n) for (one, _), n in zip(factors, counts, strict=True)], int(least)))
    return found


def infinite_mass(composition: Composition) -> arb:
    """1 - the product of (1 - infinite mass)^count."""
    masses = [(one_mass(loss), count) for loss, count in composition.parts]
    if any(mass == 1 for mass, _ in masses):
        return ball(1)
    return -sum((count * (-ball(mass)).log1p() for mass, count in masses if mass > 0), ball(0)).expm1()


ENGINE = Products()
