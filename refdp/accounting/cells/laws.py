"""Laws of a loss with finitely many values, listed; their powers and products, as long as the lists are short."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import comb, prod

from flint import arb

from refdp.accounting.balls import ball
from refdp.accounting.contour.atoms import OUTCOMES, Triple, mixed
from refdp.accounting.curves import OutOfReach
from refdp.accounting.lattice.laws import half_gaussian
from refdp.accounting.losses import Base, Direction, DiscreteGaussian, DiscreteLaplace, Finite, Loss, Response, Sampled
from refdp.accounting.masses import one_mass
from refdp.provers import work

Atoms = list[tuple[arb, arb]]
"""(loss, mass): of each finite loss at least about its mass, given that the loss is finite."""
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
    """The law of the finite loss, but for about 2^-bits of it; OutOfReach for a pair that has none or a long one."""
    base, rate, direction = _plain(loss)
    triples = _gaussian(base, bits) if isinstance(base, DiscreteGaussian) else OUTCOMES[type(base)](base)
    if len(triples) > MOST_ATOMS:
        raise OutOfReach(f"{len(triples)} losses of one event are more than {MOST_ATOMS}")
    work.step(ATOM * len(triples))
    finite, pairs = ball(1 - one_mass(loss)), (mixed(triple, rate, direction) for triple in triples)
    return [((p / q).log(), p / finite) for p, q in pairs if not (p.is_zero() or q.is_zero())]


def why_not(loss: Loss) -> str | None:
    """None for a pair with finitely many losses, or with few but for a negligible mass; else one sentence."""
    base = loss.base if isinstance(loss, Sampled) else loss
    if isinstance(base, Response | Finite):
        return None
    if isinstance(base, DiscreteLaplace):
        return None if base.shift < MOST_ATOMS // 2 else f"over {MOST_ATOMS} losses of one event are too many"
    if isinstance(base, DiscreteGaussian):
        few = base.variance < MOST_ATOMS**2 // 10**4 and base.shift < MOST_ATOMS // 4
        return None if few else f"over {MOST_ATOMS} losses of one event are too many"
    return f"the losses of {type(base).__name__} are not finitely many"


def _plain(loss: Loss) -> tuple[Base, Fraction, Direction]:
    """The base, and how it is sampled: at rate 1 where it is not."""
    if reason := why_not(loss):
        raise OutOfReach(reason)
    if isinstance(loss, Sampled):
        return loss.base, loss.rate, loss.direction
    if isinstance(loss, Response | Finite | DiscreteLaplace | DiscreteGaussian):
        return loss, Fraction(1), "remove"
    raise OutOfReach(f"the losses of {type(loss).__name__} are not listed")


def _gaussian(base: DiscreteGaussian, bits: int) -> list[Triple]:
    """Noise moved by the shift, not moved, and moved back, at each integer where no weight is left out."""
    weights, tail = half_gaussian(base.variance, _deep(base, bits))
    total = weights[0] + 2 * sum(weights[1:], ball(0)) + (2 * tail).union(ball(0))
    farthest, shift = len(weights) - 1, base.shift
    law = [weight / total for weight in weights]
    return [
        (law[abs(k - shift)], law[abs(k)], law[abs(k + shift)]) for k in range(shift - farthest, farthest - shift + 1)
    ]


def _deep(base: DiscreteGaussian, bits: int) -> int:
    """Binary digits of weights that reach 2 shifts beyond those that matter."""
    spread = (float(2 * base.variance) * bits * 0.7) ** 0.5 + 2 * base.shift + 1
    return max(bits, int(spread**2 / float(2 * base.variance) * 1.45) + 8)


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


def lists(parts: Iterable[tuple[Atoms, int]]) -> list[Listed]:
    """The losses in as few lists as possible, none much longer than LONGEST unless one pair's is."""
    found, small = list[Listed](), list[Atoms]()
    for atoms, count in parts:
        together = most_together(len(atoms), count)
        whole, rest = divmod(count, together)
        if whole > 1 or whole == 1 and rest:
            found.append(Listed(power(atoms, together), whole))
        else:
            rest = count
        if rest:
            small.append(power(atoms, rest))
    return [*found, *(Listed(one, 1) for one in packed(small))]


def packed(small: list[Atoms]) -> list[Atoms]:
    """Lists joined as long as they stay short, the shortest first."""
    found, bundle = list[Atoms](), list[Atoms]()
    for atoms in sorted(small, key=len):
        if bundle and prod(map(len, bundle)) * len(atoms) > LONGEST:
            found.append(reduce(joined, bundle))
            bundle = []
        bundle.append(atoms)
    return [*found, *([reduce(joined, bundle)] if bundle else [])]
