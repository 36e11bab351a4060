"""What the tests of transformations share: tables, distances and worst cases, all by their definition alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from random import Random
from typing import Any

from refdp.pipeline import Transformation, transformation
from refdp.spec.rows import RowSum
from refdp.spec.signatures import sum_signature

INFINITE = float("inf")
"""Greater than every Fraction; only ever compared."""
NOT_NUMBERS = (float("nan"), float("inf"), 0.5, None, True, "nan", "1/0", "one", (1,))
"""What is no exact number."""

TABLE_D = ("000", "101", "010", "101", "000", "001", "110", "000", "010", "101")
"""The rows of refdp/releases/examples/table_d.csv."""


def records(table: Iterable[str] = TABLE_D) -> tuple[dict[str, Fraction], ...]:
    """Rows of bits as records with the columns D1, D2, ..."""
    return tuple({f"D{i}": Fraction(bit) for i, bit in enumerate(row, 1)} for row in table)


def fractions(*numbers: int | str | Fraction) -> tuple[Fraction, ...]:
    """Exact numbers."""
    return tuple(map(Fraction, numbers))


def tables(atoms: Iterable[Any], most: int, least: int = 0) -> list[tuple[Any, ...]]:
    """Every sequence of `least` to `most` of these rows."""
    rows = tuple(atoms)
    return [table for n in range(least, most + 1) for table in product(rows, repeat=n)]


def random_tables(test: str, row: Callable[[Random], Any], count: int = 100, size: int | None = None) -> Iterator[Any]:
    """`count` tables of random rows, of up to 12 rows or of `size` rows, the same in every run."""
    for i in range(count):
        chance = Random(f"{test} {i}")
        yield tuple(row(chance) for _ in range(chance.randint(0, 12) if size is None else size))


def distance(metric: str, u: Any, v: Any) -> Any:
    """The distance of two tables, numbers or vectors, written from its definition; squared in L2."""
    match metric:
        case "symmetric":
            return _edits(u, v)
        case "change_one":
            return _edits(u, v) / 2 if len(u) == len(v) else INFINITE
        case "absolute":
            return abs(u - v)
    moved = [abs(a - b) for a, b in zip(u, v, strict=True)]
    found = {"l1": sum(moved), "l2": sum(m * m for m in moved), "linf": max(moved)}
    return found[metric]


def _edits(u: Any, v: Any) -> Fraction:
    """How many rows are in one of the tables and not in the other, each as often as it is."""
    a, b = Counter(map(_key, u)), Counter(map(_key, v))
    return Fraction(sum(abs(a[row] - b[row]) for row in a.keys() | b.keys()))


def _key(row: Any) -> Any:
    """The row, or the columns and values of a record."""
    return tuple(sorted(row.items(), key=lambda item: item[0])) if isinstance(row, Mapping) else row


def spread(t: Transformation, inputs: Iterable[Any]) -> dict[Fraction, Any]:
    """How far apart the outputs of two of the inputs are at most, by the finite distance of the inputs."""
    images, farthest = [(x, t(x)) for x in inputs], dict[Fraction, Any]()
    for (u, image), (v, other) in combinations_with_replacement(images, 2):
        d_in = distance(t.input_metric, u, v)
        if d_in != INFINITE:
            farthest[d_in] = max(farthest.get(d_in, Fraction(0)), distance(t.output_metric, image, other))
    return farthest


def exceeded(t: Transformation, inputs: Iterable[Any]) -> list[Fraction]:
    """The distances of inputs at which some outputs are farther apart than the map says; [] where it holds."""
    power = 2 if t.output_metric == "l2" else 1
    return [d_in for d_in, d_out in spread(t, inputs).items() if not d_out <= t.map(d_in) ** power]


def is_sharp(t: Transformation, inputs: Iterable[Any], d_in: int = 1) -> bool:
    """Whether some outputs are as far apart as the map says at d_in: in L2 up to 10^-9 of it, elsewhere exactly."""
    reached, claimed = spread(t, inputs)[Fraction(d_in)], t.map(d_in)
    if t.output_metric != "l2":
        return bool(reached == claimed)
    return bool((claimed * (1 - Fraction(1, 10**9))) ** 2 <= reached <= claimed**2)


def built(kind: RowSum, neighbours: str, norm: str, **parameters: Fraction) -> Transformation:
    """The transformation of a variant of a sum; it runs inside `entered` only."""
    return transformation(kind, sum_signature(kind, neighbours, norm), **parameters)
