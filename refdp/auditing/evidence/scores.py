"""Scores of outputs, learned from a training part: about ln(P / Q), for numbers, texts, sequences, dictionaries.

An output is scored by its bin if it is a number, by itself if it is frequent, by the sum of the scores of its parts if
it is a sequence or a dictionary.  A score decides power only: any function of the training part will do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, log
from typing import Any

from refdp.auditing.evidence.tallies import shown

BINS = 64
RARE = 8
"""Outputs that come more seldom in training are no categories of their own."""
LONGEST = 64
"""Parts of a sequence beyond this many are not looked at."""
DEEPEST = 3
"""Sequences within sequences are looked into so far."""
Score = Callable[[Any], float]
ABSENT = ("no such key",)
"""Stands for the value of a key that a dictionary has not."""


@dataclass(frozen=True, slots=True)
class Raised:
    """The output of a run that raised an exception, by the name of its type."""

    name: str


def label(value: Any) -> Hashable:
    """The value as a category: with its type, so that 1, 1.0 and True differ, and NaN equals itself.

    The order of a dictionary's items does not matter.
    """
    kind = type(value).__name__
    if isinstance(value, float) and not isfinite(value):
        return kind, repr(value)
    if isinstance(value, str | bytes | bool | int | float | Raised | Fraction) or value is None:
        return kind, (value, repr(value)) if isinstance(value, float) else value  # 0.0 and -0.0 differ
    if isinstance(value, tuple | list):
        return kind, tuple(map(label, value))
    if isinstance(value, dict):
        return kind, frozenset((label(k), label(v)) for k, v in value.items())
    return kind, shown(value)


def number(value: Any) -> float | None:
    """The value as a float, if it is a number to be put into a bin."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return None
    try:
        found = float(value)
    except OverflowError:
        found = 1e308 if value > 0 else -1e308
    return found if isfinite(found) else None


def learned_score(first: Sequence[Any], second: Sequence[Any], depth: int = 0) -> Score:
    """About ln(P(y) / Q(y)), from outputs on both neighbours."""
    both = [*first, *second]
    common = {y for y, n in Counter(map(label, both)).items() if n >= max(RARE, len(both) // 2048)}
    frequent = {y for y in both if type(y) is float and label(y) in common}
    ends = _quantiles([x for x in map(number, both) if x is not None])
    parts = _parts(first, second, depth)
    sums = _quantiles([parts(y) for y in both if isinstance(y, tuple | list | dict)]) if parts else []

    def place(y: Any) -> Hashable:
        if type(y) is float and y not in frequent and isfinite(y):
            return "bin", bisect_left(ends, y)
        own = label(y)
        if own in common:
            return "itself", own
        x = number(y)
        if x is not None:
            return "bin", bisect_left(ends, x)
        if parts and isinstance(y, tuple | list | dict):
            return "sum", bisect_left(sums, parts(y))
        return "other", type(y).__name__

    return _ratio(place, first, second)


def _ratio(place: Callable[[Any], Hashable], first: Sequence[Any], second: Sequence[Any]) -> Score:
    """ln of the ratio of the frequencies of places, each half a time more often than seen."""
    p, q = Counter(map(place, first)), Counter(map(place, second))
    apart = log((len(second) + 1) / (len(first) + 1))
    known = {here: log((p[here] + 0.5) / (q[here] + 0.5)) + apart for here in {*p, *q}}
    return lambda y: known.get(place(y), apart)


def _quantiles(values: list[float]) -> list[float]:
    """Where the bins end, each with about as many values."""
    values.sort()
    return sorted({values[i * len(values) // BINS] for i in range(1, BINS)}) if values else []


def _parts(first: Sequence[Any], second: Sequence[Any], depth: int) -> Score | None:
    """The score of the parts of sequences and dictionaries; None where one side has none, or too deep within others."""
    if depth >= DEEPEST:
        return None
    rows = [[y for y in side if isinstance(y, tuple | list)] for side in (first, second)]
    tables = [[y for y in side if isinstance(y, dict)] for side in (first, second)]
    of_row = _places(rows[0], rows[1], depth) if rows[0] and rows[1] else None
    of_table = _entries(tables[0], tables[1], depth) if tables[0] and tables[1] else None
    if of_row is None and of_table is None:
        return None

    def score(y: Any) -> float:
        known = of_table if isinstance(y, dict) else of_row
        return 0.0 if known is None else known(y)

    return score


def _places(first: Sequence[Any], second: Sequence[Any], depth: int) -> Score:
    """The sum of the scores of the places of sequences, and of their length."""
    size = min(LONGEST, max(len(y) for side in (first, second) for y in side))
    columns = [[[y[i] for y in side if len(y) > i] for side in (first, second)] for i in range(size)]
    scores = [learned_score(a, b, depth + 1) for a, b in columns]
    length = learned_score([len(y) for y in first], [len(y) for y in second], DEEPEST)
    return lambda y: length(len(y)) + sum(score(part) for score, part in zip(scores, y, strict=False))


def _entries(first: Sequence[Any], second: Sequence[Any], depth: int) -> Score:
    """The sum of the scores of the frequent keys' values, of being without them, and of the number of keys."""
    keys = [key for key, _ in Counter(key for side in (first, second) for y in side for key in y).most_common(LONGEST)]
    columns = [[[y.get(key, ABSENT) for y in side] for side in (first, second)] for key in keys]
    scores = [learned_score(a, b, depth + 1) for a, b in columns]
    length = learned_score([len(y) for y in first], [len(y) for y in second], DEEPEST)
    known = list(zip(scores, keys, strict=True))
    return lambda y: length(len(y)) + sum(score(y.get(key, ABSENT)) for score, key in known)
