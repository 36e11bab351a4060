"""Laws of a loss with finitely many values, listed; their powers and products, as long as the lists are short."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import comb, prod

from flint import arb

from refdp import work
from refdp.accounting.balls import ball, digit_steps
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.losses import Loss, Sampled
from refdp.accounting.masses import one_mass
from refdp.accounting.products.factors import base_of, events_of, usual_size

Atoms = list[tuple[arb, arb]]
"""(loss, mass): the masses are those given that the loss is finite."""
LONGEST = 4096
"""Most losses of a list that is made of shorter ones."""
MOST_ATOMS = 200_000
"""A pair with more losses is left to other engines."""
ATOM = 2
"""Steps of work that an atom counts as."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Equal, independent losses."""

    atoms: Atoms
    count: int


def atoms_of(loss: Loss, bits: int) -> Atoms:
    """The law of the finite loss, without what has a mass of at most 2^-bits; OutOfReach where it is not listed."""
    if reason := why_not(loss):
        raise OutOfReach(reason)
    outcomes, small = events_of(loss), ball(Fraction(1, 1 << bits))
    work.step((ATOM + digit_steps(bits)) * len(outcomes))
    finite = ball(1 - one_mass(loss))
    return [((one.p / one.q).log(), one.p / finite) for one in outcomes if not (one.p <= small or one.q.is_zero())]


def why_not(loss: Loss) -> str | None:
    """None for a pair with finitely many losses, or with few but for a negligible mass; else one sentence."""
    found = base_of(loss)
    if found is None:
        return f"the losses of {type(loss.base if isinstance(loss, Sampled) else loss).__name__} are not finitely many"
    few = usual_size(found[0]) <= MOST_ATOMS
    return None if few else f"over {MOST_ATOMS} losses of one event are too many"


def power(atoms: Atoms, count: int) -> Atoms:
    """The sum of `count` of the losses: of two values binomially, else every sequence."""
    if count == 1:
        return atoms
    work.step(ATOM * size(len(atoms), count))
    if len(atoms) == 2:
        (a, p), (b, q) = atoms
        return [(a * i + b * (count - i), comb(count, i) * p**i * q ** (count - i)) for i in range(count + 1)]
    return reduce(joined, [atoms] * count)


def joined(one: Atoms, other: Atoms) -> Atoms:
    """The sums of two independent losses."""
    work.step(ATOM * len(one) * len(other))
    return [(a + b, p * q) for a, p in one for b, q in other]


def size(length: int, count: int) -> int:
    """How many losses a power has."""
    return 1 if length < 2 else count + 1 if length == 2 else length**count


def most_together(length: int, count: int) -> int:
    """The greatest power, at most `count`, that is not too long."""
    if length <= 2:
        return max(1, min(count, LONGEST - 1))
    together = 1
    while together < count and size(length, together + 1) <= LONGEST:
        together += 1
    return together


def lists(parts: Iterable[tuple[Atoms, int]], effort: Effort) -> list[Listed]:
    """The losses in as few lists as possible, none much longer than LONGEST unless one pair's is."""
    found, small = list[Listed](), list[Atoms]()
    for atoms, count in parts:
        effort.check()
        together = most_together(len(atoms), count)
        whole, rest = divmod(count, together)
        if whole > 1 or whole == 1 and rest:
            found.append(Listed(power(atoms, together), whole))
        else:
            rest = count
        if rest:
            small.append(power(atoms, rest))
    return [*found, *(Listed(one, 1) for one in packed(small, effort))]


def packed(small: list[Atoms], effort: Effort) -> list[Atoms]:
    """Lists joined as long as they stay short, the shortest first."""
    found, bundle = list[Atoms](), list[Atoms]()
    for atoms in sorted(small, key=len):
        if bundle and prod(map(len, bundle)) * len(atoms) > LONGEST:
            found.append(reduce(joined, bundle))
            effort.check()
            bundle = []
        bundle.append(atoms)
    return [*found, *([reduce(joined, bundle)] if bundle else [])]
