"""Values at which code is likely to err: bounds and their neighbours, edges of machine numbers, special floats."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

POWERS = (2**7, 2**8, 2**15, 2**16, 2**31, 2**32, 2**50, 2**52, 2**53, 2**62, 2**63)
"""Where machine numbers end, or stop being exact."""
MOST = 40
"""Most combinations of the fields of a record."""
EARLY = 3
EDGE = math.ldexp(1.0, -1074)
"""The least positive float."""


def distinct(found: Iterable[Any], low: Any, high: Any) -> list[Any]:
    """The values from low to high, each once (0.0 and -0.0 are two), in the order given."""
    return list({repr(value): value for value in found if low <= value <= high}.values())


def wholes(low: int, high: int) -> list[int]:
    """Integers from low to high: bounds, their inside, 0, small ones, powers of two and theirs neighbours."""
    middle = (low + high) // 2
    inside = [0, 1, low, high, -1, 2, 3, low + 1, high - 1, middle, middle + 1, (low + middle) // 2]
    edges = [sign * (power + step) for power in POWERS for step in (0, -1, 1) for sign in (1, -1)]
    return distinct([*inside, *edges], low, high)


def reals(low: float, high: float, nan: bool = False) -> list[float]:
    """Floats from low to high: bounds, their inside and next floats, specials, powers of two and next floats.

    NaN, where it is wanted, stands behind the first EARLY of them: in small tables of which all are tried.
    """
    ends = [end for end in (low, high) if math.isfinite(end)]
    inside = [0.0, 1.0, *ends, -1.0, 0.5, 2.0, *_between(low, high)]
    nearest = [math.nextafter(end, way) for end in ends for way in (-math.inf, math.inf)]
    specials = [
        -0.0,
        math.inf,
        -math.inf,
        EDGE,
        -EDGE,
        math.nextafter(math.inf, 0),
        -math.nextafter(math.inf, 0),
        1e300,
    ]
    around = [float(power) + step for power in POWERS for step in (0.0, -1.0, 1.0)]
    around += [math.nextafter(float(power), way) for power in POWERS for way in (math.inf, 0.0)]
    signed = [sign * value for value in around for sign in (1.0, -1.0)]
    found = distinct([*inside, *nearest, *specials, 0.1, math.nextafter(1.0, 2.0), *signed], low, high)
    return [*found[:EARLY], math.nan, *found[EARLY:]] if nan else found


def _between(low: float, high: float) -> list[float]:
    """The quarters of a finite interval."""
    if not math.isfinite(high - low):
        return []
    return [low + (high - low) * quarter / 4 for quarter in (1, 2, 3)]


def combined(fields: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Records: all combinations where they are few, else each field's values in turn beside the first of the others."""
    if math.prod(map(len, fields)) <= MOST:
        return list(product(*fields))
    first = tuple(field[0] for field in fields)
    corners = product(*(tuple(field[:3]) for field in fields)) if len(fields) <= 3 else [first]
    single = ((*first[:i], value, *first[i + 1 :]) for i, field in enumerate(fields) for value in field)
    return list({repr(row): row for row in (*corners, *single)}.values())
