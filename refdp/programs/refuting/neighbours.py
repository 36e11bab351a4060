"""Neighbouring data that a search tries: elements on a grid, their changes as large as the adjacency allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import nan

from refdp.programs.adjacency import NEW, OLD, Edit, Relation
from refdp.programs.syntax import Data
from refdp.terms.exact_values import evaluate
from refdp.terms.operations import substitute
from refdp.terms.term import Term

STEPS = (Fraction(1), Fraction(1, 2), Fraction(1, 8))
"""The steps of grids, until there are neighbours on one."""
REACH = 3
"""Grids go from -REACH to REACH, and on to FURTHER where they find no neighbours."""
FURTHER = 10
MOST_STARTS = 12
LACKING = nan
"""Stands in a pair for the element that one of two lists lacks."""
Pair = tuple[float, float]
"""An element and what becomes of it."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The pairs of elements, equal ones among them, and the budgets."""

    relation: Relation
    pairs: tuple[Pair, ...]

    def keeps(self, pairs: tuple[Pair, ...]) -> bool:
        """Whether the budgets are kept, which are small and exact in floats."""
        part, changes = self.relation, [abs(b - a) for a, b in pairs]
        if part.edit is not None:
            return sum(LACKING in pair for pair in pairs) <= (part.changed or 0)
        return (
            (part.changed is None or sum(c != 0 for c in changes) <= part.changed)
            and (part.total is None or sum(changes) <= part.total)
            and (part.squares is None or sum(c * c for c in changes) <= part.squares)
        )

    def starts(self, length: int) -> Iterator[tuple[Pair, ...]]:
        """Data to start from: as many elements as may be are changed, all upwards, all downwards, or by turns."""
        if self.relation.edit is not None:
            yield from self.edited(length)
            return
        still = min((p for p in self.pairs if p[0] == p[1]), key=size, default=None)
        changes = [min(found, key=size) for found in self.by_direction()]
        if still is None:
            yield from ((p,) * length for p in changes)
            return
        count = self.most_changed(length)
        for chosen in list(combinations(range(length), count))[:MOST_STARTS]:
            for change in changes:
                yield tuple(change if k in chosen else still for k in range(length))
            if len(changes) > 1 and count > 1:  # against each other: differences change most
                mixed = iter(changes * count)
                pairs = tuple(next(mixed) if k in chosen else still for k in range(length))
                if self.keeps(pairs):
                    yield pairs

    def edited(self, length: int) -> Iterator[tuple[Pair, ...]]:
        """Data of which as many elements as may be are in one list alone."""
        count = min(length, self.relation.changed or 0)
        alone = [pair for pair in self.pairs if LACKING in pair]
        still = min((pair for pair in self.pairs if LACKING not in pair), key=size)
        for chosen in list(combinations(range(length), count))[:MOST_STARTS]:
            for pair in alone:
                yield tuple(pair if k in chosen else still for k in range(length))

    def by_direction(self) -> list[list[Pair]]:
        """The pairs that go up, and those that go down."""
        ups, downs = [p for p in self.pairs if p[1] > p[0]], [p for p in self.pairs if p[1] < p[0]]
        return [found for found in (ups, downs) if found]

    def most_changed(self, length: int) -> int:
        """How many elements may be changed as much as by the least change there is."""
        least = min((abs(b - a) for a, b in self.pairs if a != b), default=0.0)
        change = (0.0, least)
        fits = [k for k in range(1, length + 1) if self.keeps((change,) * k)]
        return max(fits, default=min(1, length))


def size(pair: Pair) -> tuple[float, float]:
    """Pairs near 0 come first, and of these those that change more."""
    return (abs(pair[0]), -abs(pair[1] - pair[0]))


def neighbours(
    relation: Relation, data: Data, values: Mapping[Term, Term], reach: int = REACH, numbers: Sequence[int] = ()
) -> Neighbours:
    """The pairs on the first grid, from -reach to reach, that has neighbours.

    An element more may be anything, so there it is of the grid of whole numbers, or beside one of the numbers.
    """
    if relation.edit is not None:
        near = {n + k for n in numbers for k in (-1, 0, 1)} | set(range(-REACH, REACH + 1))
        return Neighbours(relation, tuple(edits(relation.edit, [0, 1] if data.sort == "Bool" else sorted(near))))
    related = substitute(relation.related, values)
    grids = [[Fraction(0), Fraction(1)]] if data.sort == "Bool" else list(grids_for(data.sort == "Int", reach))
    found: list[tuple[Fraction, Fraction]] = []
    for grid in grids:
        found = [(a, b) for a in grid for b in extremes(a, grid, related)]
        if any(a != b for a, b in found):
            break
    return Neighbours(relation, tuple((float(a), float(b)) for a, b in found))


def edits(edit: Edit, grid: Sequence[int]) -> Iterator[Pair]:
    """Every element of the grid in both lists, and in the one that may have more."""
    for one in map(float, grid):
        yield one, one
        if edit != "removed":
            yield LACKING, one
        if edit != "added":
            yield one, LACKING


def grids_for(whole: bool, nearest: int) -> Iterator[list[Fraction]]:
    """Grids, the first ones first."""
    for reach in (nearest, FURTHER):
        for step in STEPS[: 1 if whole else None]:
            count = int((reach + 1) / step)
            yield [k * step for k in range(-count, count + 1)]


def extremes(a: Fraction, grid: list[Fraction], related: Term) -> list[Fraction]:
    """The least and the greatest element that is related to a, and a itself where it is."""
    if a < grid[0] + 1 and len(grid) > 2 or a > grid[-1] - 1 and len(grid) > 2:
        return []
    found = [b for b in grid if abs(b - a) <= FURTHER and evaluate(related, {OLD: a, NEW: b}) is True]
    return sorted({*found[:1], *found[-1:], *([a] if a in found else [])})
