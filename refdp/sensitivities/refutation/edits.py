"""Ways in which one table of named rows becomes another: rows that both share keep their names."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from refdp.sensitivities.question import Neighbours

Names = tuple[str, ...]


def symbolic_edits(neighbours: Neighbours, edits: int, size: int, order_free: bool) -> Iterator[tuple[Names, Names]]:
    """Two tables at most `edits` edits apart, the smaller of `size` rows; edits at the end first.

    Together they are all pairs of tables: a changed row may be the same as before, and where order does not matter,
    edits at the end stand for all.
    """
    rows = tuple(f"row{i}" for i in range(size))
    if neighbours == "change_one":
        for places in _places(size, min(edits, size), order_free):
            yield rows, tuple(f"new{i}" if i in places else row for i, row in enumerate(rows))
        return
    for removed, added in _numbers(edits, size):
        shared = rows[: size - removed]
        for old in _places(size, removed, order_free):
            first = _inserted(shared, "old", old, size)
            for new in _places(size - removed + added, added, order_free):
                yield first, _inserted(shared, "new", new, size - removed + added)


def permutations(names: Names) -> Iterator[Names]:
    """All orders."""
    return itertools.permutations(names)


def _numbers(edits: int, size: int) -> Iterator[tuple[int, int]]:
    """How many rows are removed and added: most edits first, and never more removed than added."""
    for total in range(edits, 0, -1):
        yield from ((removed, total - removed) for removed in range(min(total // 2, size) + 1))


def _places(size: int, number: int, order_free: bool) -> Iterator[tuple[int, ...]]:
    """Places of edited rows."""
    if order_free:
        return iter([tuple(range(size - number, size))])
    return itertools.combinations(reversed(range(size)), number)


def _inserted(shared: Names, kind: str, places: tuple[int, ...], size: int) -> Names:
    """The shared rows with rows of a kind at these places."""
    rest = iter(shared)
    return tuple(f"{kind}{i}" if i in places else next(rest) for i in range(size))
