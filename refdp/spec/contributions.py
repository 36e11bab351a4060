"""Who changes which entries of a stream: relations between vectors, whose names hold whole numbers.

    window_3(d)      the entries that differ, each by at most d, lie within 3 consecutive positions (w-event privacy)
    apart_2_4(d)     at most 2 entries differ, each by at most d, any two of them at least 4 positions apart
    spaced_2_4(d)    the same, and all of them are a multiple of 4 positions apart, within 2 steps of 4

`one_coordinate` is `apart_1_1`, and `linf` is a window of the whole vector: a person who has a hand in every entry.
Source: KPXP14 (w-event privacy).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

RELATION = re.compile(r"(?:(window)_([1-9]\d{0,5})|(apart|spaced)_([1-9]\d{0,5})_([1-9]\d{0,5}))", re.ASCII)
SINGLE = ("one_coordinate", "l1")
"""The metrics under which a convex distance of images is greatest where a single coordinate moves."""
MOST_SETS = 100_000
"""Most sets of positions that are listed."""


class TooMany(ValueError):
    """There are more sets of positions than are listed."""


def parsed(name: str) -> tuple[str, int, int] | None:
    """The relation of that name with its number of entries and their spacing; None if there is none."""
    found = RELATION.fullmatch(name)
    if found is None:
        return None
    if found[1]:
        return "window", int(found[2]), 1
    return found[3], int(found[4]), int(found[5])


def sentence(name: str) -> str:
    """What the relation of that name says."""
    told = parsed(name)
    if told is None:
        raise ValueError(f"{name} is not a relation of streams")
    kind, most, gap = told
    match kind:
        case "window":
            return f"vectors whose differing coordinates, each by at most d_in, lie within {most} consecutive ones"
        case "apart":
            return f"vectors of which at most {most} coordinates differ, by at most d_in each, {gap} or more apart"
    return f"vectors of which at most {most} coordinates differ, by at most d_in each, spaced by {gap}"


def within(name: str, u: Sequence[Any], v: Sequence[Any], d: Fraction) -> bool:
    """Whether u and v, of one length, are so related: by the definition, from the positions that differ."""
    told = parsed(name)
    if told is None:
        raise ValueError(f"{name} is not a relation of streams")
    kind, most, gap = told
    moves = [abs(Fraction(a) - b) for a, b in zip(u, v, strict=True)]
    changed = [i for i, move in enumerate(moves) if move != 0]
    if d < 0 or any(move > d for move in moves):
        return False
    if not changed:
        return True
    first, last = changed[0], changed[-1]
    match kind:
        case "window":
            return last - first < most
        case "apart":
            return len(changed) <= most and all(b - a >= gap for a, b in pairwise(changed))
    return last - first <= (most - 1) * gap and all((i - first) % gap == 0 for i in changed)


def position_sets(near: str, length: int) -> Iterator[tuple[int, ...]]:
    """Sets of positions such that the entries that differ lie in one of them, and each of them may differ in all.

    Under `one_coordinate`, `l1` and `linf` too; a set may lie in another.  TooMany beyond MOST_SETS, ValueError for
    another metric.
    """
    if near in SINGLE:
        yield from ((i,) for i in range(length))
        return
    if near == "linf":
        yield tuple(range(length))
        return
    told = parsed(near)
    if told is None:
        raise ValueError(
            "the input metric must be one_coordinate, l1, linf, or window_W, apart_K_B or spaced_K_B with whole "
            f"numbers of at most 6 digits, got {near}"
        )
    kind, most, gap = told
    if kind == "window":
        width = min(most, length)
        yield from (tuple(range(start, start + width)) for start in range(length - width + 1))
    elif kind == "spaced":
        yield from (tuple(range(start, length, gap))[:most] for start in range(length))
    else:
        yield from _apart(most, gap, length)


def _apart(most: int, gap: int, length: int) -> Iterator[tuple[int, ...]]:
    """Every set of 1 to `most` positions, each at least `gap` after the one before."""
    listed, open_sets = 0, list[tuple[int, ...]]((i,) for i in range(length))
    while open_sets:
        one = open_sets.pop()
        listed += 1
        if listed > MOST_SETS:
            raise TooMany(f"more than {MOST_SETS} sets of {most} of {length} positions are {gap} or more apart")
        yield one
        if len(one) < most:
            open_sets.extend((*one, later) for later in range(one[-1] + gap, length))
