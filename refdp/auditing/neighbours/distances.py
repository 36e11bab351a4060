"""How far two inputs or two outputs are apart, exactly, for values that may be anything a program returns.

Values count as equal only if they are the same to the last bit and of the same type: 0.0 is not -0.0, 1 is not 1.0,
NaN is NaN.  For inputs that makes distances larger, so that no pair is called neighbouring that a library would not.
Where numbers are subtracted, they are numbers whatever their types are: 1 - 1.0 is 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

from refdp.auditing.targets.outcomes import VALUE, Outcome
from refdp.auditing.targets.words import known_metric
from refdp.spec.distances import change_one_distance, hamming_distance, symmetric_distance


class Apart(ValueError):
    """Two values are infinitely far apart; the message says in what they differ."""


@dataclass(frozen=True, slots=True)
class Distance:
    """An exact distance, or its square where only that is rational; `amount` None stands for infinity."""

    amount: Fraction | None
    squared: bool = False
    difference: str = ""
    """In what the two differ, where the distance is infinite."""

    def exceeds(self, bound: Fraction) -> bool:
        """Whether the distance is > bound."""
        if self.amount is None:
            return True
        return self.amount > (bound * bound if self.squared else bound)

    def against(self, bound: Fraction) -> Fraction | None:
        """What grows with the distance and is > 1 where it exceeds the bound; None stands for infinity."""
        if self.amount is None or bound == 0:
            return None if self.amount is None or self.amount > 0 else Fraction(0)
        return self.amount / (bound * bound if self.squared else bound)

    def __str__(self) -> str:
        if self.amount is None:
            return f"infinite ({self.difference})"
        root = math.sqrt(self.amount) if self.squared else None
        return f"{self.amount}" if root is None else f"sqrt({self.amount}) = {root:.6g}"


def key(value: Any) -> Hashable:
    """A value that is equal for two values just if they are the same, bit by bit."""
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, *map(key, value))
    if isinstance(value, dict):
        return ("dict", frozenset((key(k), key(v)) for k, v in value.items()))
    return (type(value).__name__, value.hex() if isinstance(value, float) else value)


def number(value: Any) -> Fraction:
    """The number, exactly; Apart where it is not a finite one."""
    if not is_number(value):
        raise Apart(f"{type(value).__name__} is no number")
    if isinstance(value, float) and not math.isfinite(value):
        raise Apart(f"one is {value}")
    return Fraction(value)


def gap(u: Any, v: Any) -> Fraction:
    """|u - v|, 0 for values that are the same; Apart for different values of which one is not a finite number.

    Numbers are subtracted whatever their types are: Python's sum of no floats is the int 0, which is no other number.
    """
    if key(u) == key(v):
        return Fraction(0)
    if type(u) is not type(v) and not (is_number(u) and is_number(v)):
        raise Apart(f"one is {type(u).__name__}, the other {type(v).__name__}")
    return abs(number(u) - number(v))


def is_number(value: Any) -> bool:
    """Whether it is a number, or a special float; a truth value is none."""
    return isinstance(value, (int, float, Fraction)) and not isinstance(value, bool)


def gaps(u: Any, v: Any) -> list[Fraction]:
    """The gaps of the coordinates; a key that only one dictionary has stands for 0 in the other."""
    if isinstance(u, dict) and isinstance(v, dict):
        return [gap(u.get(k, _zero(v.get(k))), v.get(k, _zero(u.get(k)))) for k in dict.fromkeys(chain(u, v))]
    if not isinstance(u, (list, tuple)) or not isinstance(v, (list, tuple)):
        return [gap(u, v)]
    if len(u) != len(v):
        raise Apart(f"the lengths are {len(u)} and {len(v)}")
    return [gap(a, b) for a, b in zip(u, v, strict=True)]


def _zero(value: Any) -> Any:
    """0 of the type of the value."""
    return type(value)(0) if isinstance(value, (int, float, Fraction)) else 0


def insert_delete(u: tuple[Any, ...], v: tuple[Any, ...], most: int | None = None) -> Fraction:
    """The least number of insertions and deletions that turn u into v; most + 1 where it is more than `most`."""
    while u and v and u[0] == v[0]:
        u, v = u[1:], v[1:]
    while u and v and u[-1] == v[-1]:
        u, v = u[:-1], v[:-1]
    furthest = {1: 0}  # diagonal k -> how many rows of u so many edits can deal with, k more than of v (Myers 1986)
    limit = len(u) + len(v) if most is None else min(most, len(u) + len(v))
    for edits in range(limit + 1):
        for k in range(-edits, edits + 1, 2):
            down = k == -edits or k != edits and furthest[k - 1] < furthest[k + 1]
            x = furthest[k + 1] if down else furthest[k - 1] + 1
            while x < len(u) and x - k < len(v) and u[x] == v[x - k]:
                x += 1
            furthest[k] = x
            if x >= len(u) and x - k >= len(v):
                return Fraction(edits)
    return Fraction(limit + 1)  # never without `most`: all rows deleted and inserted are edits enough


def handed(u: Any, v: Any) -> Fraction:
    """The greatest |u_i - v_i| / s_i over mechanisms with sensitivity s_i; Apart where other mechanisms are used."""
    if [(name, key(s)) for name, s, _ in u] != [(name, key(s)) for name, s, _ in v]:
        raise Apart("other mechanisms, or other sensitivities")
    found = Fraction(0)
    for name, sensitivity, before, after in ((a, s, x, y) for (a, s, x), (_, _, y) in zip(u, v, strict=True)):
        moved = max(gaps(before, after), default=Fraction(0))
        if moved and (sensitivity is None or number(sensitivity) == 0):
            raise Apart(f"what {name} is handed moves by {float(moved):g}, with sensitivity {sensitivity}")
        found = max(found, moved / number(sensitivity)) if moved else found
    return found


def rows_apart(count: Callable[[tuple[Any, ...], tuple[Any, ...]], Fraction | None]) -> Callable[[Any, Any], Fraction]:
    """A metric of tables, on lists of rows that are the same only bit by bit."""

    def distance(u: Any, v: Any) -> Fraction:
        if not isinstance(u, (list, tuple)) or not isinstance(v, (list, tuple)):
            raise Apart("one is no table")
        if count is not insert_delete and len(u) == len(v):  # what stands in both at one place adds nothing
            differing = [i for i in range(len(u)) if u[i] is not v[i]]
            u, v = [u[i] for i in differing], [v[i] for i in differing]
        a, b = tuple(map(key, u)), tuple(map(key, v))
        found = count(a, b)
        if found is None:
            raise Apart(f"the lengths are {len(a)} and {len(b)}")
        return found

    return distance


DISTANCES: Mapping[str, Callable[[Any, Any], Fraction]] = {
    "symmetric": rows_apart(symmetric_distance),
    "change_one": rows_apart(change_one_distance),
    "hamming": rows_apart(hamming_distance),
    "insert_delete": rows_apart(insert_delete),
    "opendp:InsertDeleteDistance": rows_apart(insert_delete),
    "absolute": gap,
    "l1": lambda u, v: sum(gaps(u, v), Fraction(0)),
    "l2": lambda u, v: sum((d * d for d in gaps(u, v)), Fraction(0)),
    "linf": lambda u, v: max(gaps(u, v), default=Fraction(0)),
    "discrete": lambda u, v: Fraction(int(key(u) != key(v))),
    "diffprivlib:handed": handed,
}
"""Metric -> distance of two values; of l2 the square."""


def apart(metric: str, u: Any, v: Any) -> Distance:
    """The distance of two values under a metric."""
    known_metric(metric)
    try:
        return Distance(DISTANCES[metric](u, v), metric == "l2")
    except Apart as difference:
        return Distance(None, difference=str(difference))
    except (TypeError, ValueError, AttributeError):
        return Distance(None, difference=f"the metric {metric} does not speak of {type(u).__name__}")


def outcomes_apart(metric: str, u: Outcome, v: Outcome) -> Distance:
    """The distance of two outcomes: infinite where one is an exception and the other not, or of another type."""
    if u.kind != v.kind:
        return Distance(None, difference=f"one is {u}, the other {v}"[:200])
    if u.kind == VALUE:
        return apart(metric, u.value, v.value)
    return Distance(Fraction(0)) if u.value == v.value else Distance(None, difference=f"{u.value} and {v.value}")
