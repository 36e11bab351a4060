"""Which pairs go together: two lists of sums that are read against each other, and a third one that shifts them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import comb, prod

MOST_PAIRS = 8
"""Products of more pairs are left to other engines."""
MOST_LISTED = 1_000_000
"""Most sums in one list."""
MOST_READ = 20_000_000
"""Most sums that are looked up in the list, at each epsilon."""
LISTING = 4
"""About how many looks the listing and sorting of one sum takes."""
LOOKED = 2
"""At least so many epsilons are asked about, as a rule."""
Split = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""How many of each of the pairs go to the list that is looked up, to those whose sums are, and to the shifts."""


def best_split(sizes: Sequence[tuple[int, int]]) -> Split | None:
    """The cheapest way to share pairs, each (number of atoms, count), among the lists; None if all cost too much."""
    if sum(count for _, count in sizes) > MOST_PAIRS:
        return None
    return min(affordable(sizes), key=lambda split: cost(sizes, split), default=None)


def affordable(sizes: Sequence[tuple[int, int]]) -> Iterator[Split]:
    """Each way to share the pairs that stays within the limits."""
    for shares in product(*(shared(count) for _, count in sizes)):
        listed, read, shifts = (tuple(share[i] for share in shares) for i in range(3))
        many, few, shifted = (length(sizes, counts) for counts in (listed, read, shifts))
        if many <= MOST_LISTED and shifted <= few <= many and few * shifted <= MOST_READ:
            yield listed, read, shifts


def shared(count: int) -> list[tuple[int, int, int]]:
    """The ways to share equal pairs among three lists."""
    return [(a, b, count - a - b) for a in range(count + 1) for b in range(count - a + 1)]


def length(sizes: Sequence[tuple[int, int]], counts: Sequence[int]) -> int:
    """How many sums there are: of equal pairs, one for each multiset of atoms."""
    return prod(comb(size + count - 1, count) for (size, _), count in zip(sizes, counts, strict=True) if count)


def cost(sizes: Sequence[tuple[int, int]], split: Split) -> int:
    """About how many looks all the work takes."""
    many, few, shifted = (length(sizes, counts) for counts in split)
    return LISTING * (many + few) + LOOKED * few * shifted
