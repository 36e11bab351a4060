"""Transformations of test vectors: refdp's own with proved maps, and models of others'; rows and distances."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

from refdp.pipeline import Transformation
from refdp.spec.distances import (
    change_one_distance,
    discrete_distance,
    hamming_distance,
    l1_distance,
    l2_distance_squared,
    linf_distance,
    symmetric_distance,
)
from refdp.test_vectors.foreign_maps import FOREIGN, Foreign, float_text, foreign
from refdp.test_vectors.numbers import BINARY64, VectorError, binary64, rational, shown
from refdp.transformations import (
    attribute_means,
    clamp,
    clamped_sum,
    count,
    histogram,
    mean,
    point_count,
    rank_scores,
    threshold_count,
)

MOST_ROWS = 2048
MOST_COLUMNS = 200
OWN: Mapping[str, Callable[..., Transformation]] = {
    "attribute_means": attribute_means,
    "clamp": clamp,
    "clamped_sum": clamped_sum,
    "count": lambda neighbours: count("grid(1)", neighbours),
    "histogram": histogram,
    "mean": mean,
    "point_count": point_count,
    "rank_scores": rank_scores,
    "threshold_count": threshold_count,
}
WORDS = ("neighbours", "norm")
"""Parameters that are words."""
INFINITE: None = None
SPECIAL = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


@dataclass(frozen=True, slots=True)
class Map:
    """A transformation: metrics, what it does, what is proved of it and what is stated."""

    input_metric: str
    output_metric: str
    run: Callable[[Any], Any]
    rows: Callable[[Any], Any]
    proved: Callable[[Fraction], Fraction | None]
    stated: Callable[[Fraction], Fraction]


def map_of(name: Any, params: Any) -> Map:
    """The transformation of that name; VectorError if there is none or its parameters are others."""
    if not isinstance(params, dict) or not all(isinstance(one, str) and len(one) <= 80 for one in params.values()):
        raise VectorError(f"params must be short texts, got {shown(params)}")
    if name in OWN:
        return _own(name, params)
    if name not in FOREIGN:
        raise VectorError(f"algorithm must be one of {', '.join((*OWN, *FOREIGN))}, got {shown(name)}")
    return _foreign(foreign(name, params), params)


def _own(name: str, params: Mapping[str, str]) -> Map:
    """A transformation of refdp."""
    values = {key: text if key in WORDS else rational(text, key) for key, text in params.items()}
    dimension = values.get("dimension")
    if isinstance(dimension, Fraction) and dimension > MOST_COLUMNS:
        raise VectorError(f"dimension must be at most {MOST_COLUMNS}, got {dimension}")
    try:
        t = OWN[name](**values)
    except TypeError:
        raise VectorError(f"params of {name} must be those of refdp.{name}, got {shown(params)}") from None
    return Map(t.input_metric, t.output_metric, t, _exact, lambda d: _rational(t.map(d)), lambda d: _rational(t.map(d)))


def _rational(found: Any) -> Fraction:
    """A distance that a map gives, rounded up where it is irrational."""
    return Fraction(found)


def _foreign(f: Foreign, params: Mapping[str, str]) -> Map:
    """A model of another library's transformation, of which nothing is proved here."""
    reader = _floats if f.floats else _labels if f.labels else _exact
    return Map(
        f.input_metric, f.output_metric, lambda rows: f.run(params, rows), reader, lambda d: None,
        lambda d: f.stated(params, d),
    )  # fmt: skip


def _list(found: Any) -> list[Any]:
    """A list of rows."""
    if not isinstance(found, list) or len(found) > MOST_ROWS:
        raise VectorError(f"rows must be a list of at most {MOST_ROWS}, got {shown(found)}")
    return found


def _exact(found: Any) -> tuple[Any, ...]:
    """Rows that are numbers, or lists of numbers."""
    return tuple(_exact(row) if isinstance(row, list) else rational(row, "a row") for row in _list(found))


def _floats(found: Any) -> tuple[float, ...]:
    """Rows that are floats, NaN and infinities included."""
    return tuple(_float(row) for row in _list(found))


def _float(row: Any) -> float:
    """A float in C99's hexadecimal form."""
    if row in ("nan", "inf", "-inf"):
        return SPECIAL[row]
    if not isinstance(row, str) or not BINARY64.fullmatch(row):
        raise VectorError(f"a row must be a float in C99's form, got {shown(row)}")
    exactly = binary64(row, "a row")
    return -0.0 if exactly == 0 and row.startswith("-") else exactly.numerator / exactly.denominator


def _labels(found: Any) -> tuple[str, ...]:
    """Rows that are short texts."""
    if not all(isinstance(row, str) and len(row) <= 80 for row in _list(found)):
        raise VectorError(f"rows must be short texts, got {shown(found)}")
    return tuple(found)


def text_of(output: Any) -> Any:
    """An output as text."""
    if isinstance(output, tuple):
        return [text_of(one) for one in output]
    return float_text(output) if isinstance(output, float) else str(output)


DISTANCES: Mapping[str, Callable[[Any, Any], Fraction | None]] = {
    "symmetric": symmetric_distance,
    "change_one": change_one_distance,
    "hamming": hamming_distance,
    "discrete": discrete_distance,
    "l1": l1_distance,
    "l2": l2_distance_squared,
    "linf": linf_distance,
}


def distance(metric: str, u: Any, v: Any) -> Fraction | None:
    """The distance, of l2 its square; None where it is infinite, as between NaN and a number."""
    if metric != "absolute":
        return DISTANCES[metric](u, v)
    if isinstance(u, float) and not (isfinite(u) and isfinite(v)):
        return Fraction(0) if repr(u) == repr(v) else INFINITE
    return abs(Fraction(u) - Fraction(v))


def comparable(metric: str, d: Fraction) -> Fraction:
    """d in the unit of `distance`: its square for l2."""
    return d * d if metric == "l2" else d
