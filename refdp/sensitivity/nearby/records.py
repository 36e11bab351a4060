"""Records that are worth trying as the new row: bounds, values of the table, and numbers between and beyond them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, pairwise, product

from refdp.sensitivity.nearby.rows import Row
from refdp.sensitivity.records import Category, Fields, Kind, Missing, Number
from refdp.sensitivity.terms import Value, is_number, number

MOST = 200
"""Most records that are tried."""


def likely_records(kind: Kind, rows: Sequence[Row]) -> list[tuple[Value, ...]]:
    """Values of the slots of records within bounds that are constants; bounds that are parameters are not looked at."""
    columns = [_column(r[i] for r in rows) for i in range(len(kind.slots("row")))]
    return list(islice(_records(kind, columns), MOST))


def _column(slots: Iterator[object]) -> list[Value]:
    """The constants of one slot, each once."""
    found = [t.value for t in slots if getattr(t, "operator", "") in ("number", "truth")]  # type: ignore[attr-defined]
    return list(dict.fromkeys(found))


def _records(kind: Kind, columns: list[list[Value]]) -> Iterator[tuple[Value, ...]]:
    """The records of a kind, likelier ones first."""
    if isinstance(kind, Number):
        yield from ((x,) for x in _numbers(kind, [Fraction(x) for x in columns[0]]))
    elif isinstance(kind, Category):
        yield from ((Fraction(i),) for i in range(len(kind.labels)))
    elif isinstance(kind, Missing):
        yield (True, *(Fraction(0) for _ in kind.kind.slots("row")))
        yield from ((False, *inner) for inner in _records(kind.kind, columns[1:]))
    elif isinstance(kind, Fields):
        parts, start = [], 0
        for _, inner in kind.kinds:
            width = len(inner.slots("row"))
            parts.append(list(islice(_records(inner, columns[start : start + width]), MOST)))
            start += width
        yield from (tuple(x for part in chosen for x in part) for chosen in product(*parts))


def _numbers(kind: Number, seen: list[Fraction]) -> list[Fraction]:
    """The bounds, 0, what the table has, what lies between, and what lies just beside."""
    ends = [number(b) for b in (kind.lower, kind.upper) if b is not None and is_number(b)]
    known = sorted({*seen, *ends})
    step = Fraction(1)
    middles = [(a + b) / 2 for a, b in pairwise(known)]
    beside = [x + d for x in known for d in (-step, step)]
    found = dict.fromkeys([*ends, Fraction(0), *known, *middles, *beside])
    low = number(kind.lower) if kind.lower is not None and is_number(kind.lower) else None
    high = number(kind.upper) if kind.upper is not None and is_number(kind.upper) else None
    return [
        x for x in found
        if (low is None or low <= x) and (high is None or x <= high) and (x.denominator == 1 or not kind.is_integer)
    ]  # fmt: skip
