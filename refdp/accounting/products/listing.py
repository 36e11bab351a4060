"""Lists of sums of losses, with no more binary digits than are worth it.  Lemma 8.1 of docs/accounting_proofs.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from refdp.accounting.balls import ball, digit_steps
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.products.factors import ROUNDED, Factor, Units
from refdp.accounting.products.groups import Sums, group, shortened
from refdp.accounting.products.splitting import best_split, length

if TYPE_CHECKING:
    from flint import arb

BYTES = 400
"""About what one listed sum takes."""
SECONDS = 4e-6
"""About the work that it takes."""
FRACTION = 20
"""A listed sum is rounded, not worked out: it takes this part of the work that its digits count as, besides its own."""
TOO_MANY = "too many sums of losses"


@dataclass(frozen=True, slots=True)
class Listed:
    """Sums of losses with masses in units of 2^-p_bits and 2^-q_bits."""

    sums: Sums
    p_bits: int
    q_bits: int
    excess: arb
    """At least the sum of e^loss (rounded q) less that of p, over the sums that are listed (Lemma 8.1)."""


def lists(factors: Sequence[tuple[Factor, int]], units: Units, effort: Effort) -> list[Listed]:
    """The list that is looked up, that whose sums are, and the shifts; sums of tiny mass are left out."""
    sizes = [(len(one), count) for one, count in factors]
    split = best_split(sizes)
    if split is None:
        raise OutOfReach(f"{TOO_MANY}: {' and '.join(f'{count} events of {n} atoms' for n, count in sizes)}")
    if sum(length(sizes, counts) for counts in split) * BYTES > effort.memory:
        raise OutOfReach(f"{TOO_MANY} for the memory allowed")
    seconds = SECONDS * (1 + digit_steps(units.precision) / FRACTION)
    effort.afford(sum(length(sizes, counts) for counts in split) * seconds, f"{TOO_MANY} for the work allowed")
    found = []
    for counts in split:
        effort.check()
        found.append(one_list([(one, n) for (one, _), n in zip(factors, counts, strict=True)], units))
    return found


def one_list(factors: Sequence[tuple[Factor, int]], units: Units) -> Listed:
    """The sums of these losses, with no more binary digits than are worth it."""
    count, all_sums = sum(n for _, n in factors), prod(length([(len(one), n)], [n]) for one, n in factors)
    p_exact, q_exact = units.masses * count, sum(one.bits * n for one, n in factors)
    sums = group(factors, int(units.least / max(all_sums, 1) * (1 << p_exact)))
    greatest = ball(Fraction(max(sums.losses, default=0) + ROUNDED * count, 1 << units.losses)).exp()
    p_bits = min(p_exact, digits(units.least) + len(sums).bit_length())
    q_bits = min(q_exact, p_bits + digits_of(greatest))
    excess = prod(((1 + one.excess) ** n for one, n in factors), start=ball(1)) - 1
    if q_bits < q_exact:
        excess += len(sums) * greatest * ball(Fraction(1, 1 << q_bits))
    return Listed(shortened(sums, p_exact - p_bits, q_exact - q_bits), p_bits, q_bits, excess)


def digits_of(x: arb) -> int:
    """About the least n >= 0 with x <= 2^n."""
    return max(int(float(x.log().mid()) * 1.4427) + 2, 0)


def digits(x: Fraction) -> int:
    """-log2 x, rounded up or a little more."""
    return max(x.denominator.bit_length() - x.numerator.bit_length() + 1, 1)
