"""All sums of the losses of several pairs, with the exact products of their rounded masses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, compress
from math import comb

from refdp.accounting.products.factors import Factor


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums of losses with their masses: whole numbers, products of those of the factors, not rounded again."""

    losses: list[int]
    p: list[int]
    q: list[int]

    def __len__(self) -> int:
        return len(self.losses)


@dataclass(frozen=True, slots=True)
class Sorted:
    """Sums in the order of their losses; the masses are those of all sums from each one on, the last of them 0."""

    losses: list[int]
    p_from: list[int]
    q_from: list[int]


ONE = Sums([0], [1], [1])
"""No loss."""


def power(one: Factor, count: int) -> Sums:
    """The sums of `count` losses of one law, each multiset of atoms once: its number of orders is in its masses."""
    levels = [ONE, *(Sums([], [], []) for _ in range(count))]
    for loss, p, q in zip(one.losses, one.p, one.q, strict=True):
        # a multiset of s atoms is r times this one and s - r earlier ones, in C(s, r) times as many orders as these
        for size in range(count, 0, -1):
            for repeats in range(1, size + 1):
                ways = comb(size, repeats)
                add(levels[size], levels[size - repeats], repeats * loss, ways * p**repeats, ways * q**repeats)
    return levels[count]


def add(to: Sums, earlier: Sums, loss: int, p: int, q: int) -> None:
    """Lists each earlier sum with one more loss, and its masses times p and q."""
    to.losses.extend([x + loss for x in earlier.losses])
    to.p.extend([x * p for x in earlier.p])
    to.q.extend([x * q for x in earlier.q])


def crossed(a: Sums, b: Sums) -> Sums:
    """The sums of two independent losses."""
    few, many = sorted((a, b), key=len)
    found = Sums([], [], [])
    for loss, p, q in zip(few.losses, few.p, few.q, strict=True):
        add(found, many, loss, p, q)
    return found


def group(factors: Sequence[tuple[Factor, int]], least: int) -> Sums:
    """The sums of all the losses, each factor so many times, without those whose mass under P is less than `least`."""
    found = reduce(crossed, (power(one, count) for one, count in factors if count), ONE)
    kept = [p >= least for p in found.p]
    if all(kept):
        return found
    return Sums(*(list(compress(values, kept)) for values in (found.losses, found.p, found.q)))


def shortened(found: Sums, p_cut: int, q_cut: int) -> Sums:
    """The sums with so many binary digits less: masses under P rounded down, those under Q rounded up."""
    p = [x >> p_cut for x in found.p] if p_cut > 0 else found.p
    q = [-(-x >> q_cut) for x in found.q] if q_cut > 0 else found.q
    return Sums(found.losses, p, q)


def ordered(found: Sums) -> Sums:
    """The sums in the order of their losses."""
    order = sorted(range(len(found)), key=found.losses.__getitem__)
    return Sums(*([values[i] for i in order] for values in (found.losses, found.p, found.q)))


def cumulated(found: Sums) -> Sorted:
    """Sums in the order of their losses, with the masses from each on."""
    return Sorted(found.losses, from_each(found.p), from_each(found.q))


def from_each(values: list[int]) -> list[int]:
    """values[i] + values[i + 1] + ... for each i up to the length."""
    found = list(accumulate(reversed(values), initial=0))
    found.reverse()
    return found
