"""How many additions a number goes through at most in a sum by halves: over every table of at most so many rows."""

from __future__ import annotations

from collections.abc import Callable

from refdp.sensitivities.machine.sums import BLOCK, LANES


def pairwise_height(base: int) -> Callable[[int], int]:
    """The height of sums by halves, up to `base` numbers from left to right; it grows with the number of rows."""

    def height(count: int) -> int:
        if count <= base:
            return max(count - 1, 0)
        return max(base - 1, 1 + height((count + 1) // 2))

    return height


def numpy_height(count: int) -> int:
    """The height of numpy's sum: of n > 128 rows the larger part has at most (n + 15) // 2."""
    if count > BLOCK:
        return max(numpy_height(BLOCK), 1 + numpy_height((count + 2 * LANES - 1) // 2))
    return max((_block_height(rows) for rows in range(count + 1)), default=0)


def _block_height(count: int) -> int:
    """One lane of every eighth number, three additions of lanes, and the rest one by one."""
    if count < LANES:
        return max(count - 1, 0)
    return count // LANES - 1 + 3 + count % LANES
