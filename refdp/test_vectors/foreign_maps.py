"""Transformations as real libraries have them, with the stability that they state and that a pair of inputs refutes.

Each is a model of a published defect, run exactly or in floats of 64 bits (+, -, *, / rounded to nearest, in the order
written): it is not the library's own code, but moves as far for the reason that is published.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isnan, nan
from typing import Any

from refdp.test_vectors.numbers import VectorError, hexadecimal, rational, shown, whole

Rows = tuple[Any, ...]
Parameters = Mapping[str, str]
MOST_LAYERS = 12


@dataclass(frozen=True, slots=True)
class Foreign:
    """A transformation by what it does to rows, its metrics, and the stability that is stated for it.

    floats: whether rows and outputs are floats of 64 bits; labels: whether rows are any text.
    """

    run: Callable[[Parameters, Rows], Any]
    parameters: tuple[str, ...]
    input_metric: str
    output_metric: str
    stated: Callable[[Parameters, Fraction], Fraction]
    floats: bool = False
    labels: bool = False


def _bounds(p: Parameters) -> tuple[Fraction, Fraction]:
    """lower <= upper."""
    lower, upper = rational(p["lower"], "lower"), rational(p["upper"], "upper")
    if lower > upper:
        raise VectorError(f"lower must be <= upper, got {lower} and {upper}")
    return lower, upper


def _range(p: Parameters) -> Fraction:
    """upper - lower."""
    lower, upper = _bounds(p)
    return upper - lower


def _magnitude(p: Parameters) -> Fraction:
    """The greatest size of a row."""
    return max(map(abs, _bounds(p)))


def _ends(p: Parameters) -> tuple[float, float]:
    """The bounds as floats."""
    lower, upper = _bounds(p)
    return lower.numerator / lower.denominator, upper.numerator / upper.denominator


def _clamped(x: float, lower: float, upper: float) -> float:
    """The row clamped; NaN stays NaN, as no comparison with it holds."""
    return lower if x < lower else upper if x > upper else x


def float_sum(p: Parameters, rows: Rows) -> float:
    """The sum of clamped floats, from left to right."""
    total = 0.0
    for row in rows:
        total = total + _clamped(row, *_ends(p))
    return total


def float_squared_deviations(p: Parameters, rows: Rows) -> float:
    """The sum of (row - mean)^2 of clamped floats, the mean being the sum from left to right over the size."""
    total, size = 0.0, len(rows)
    if size == 0:
        return total
    mean, deviations = float_sum(p, rows) / size, total
    for row in rows:
        off = _clamped(row, *_ends(p)) - mean
        deviations = deviations + off * off
    return deviations


def float_mean(p: Parameters, rows: Rows) -> float:
    """The sum of clamped floats over how many there are; NaN of none."""
    return float_sum(p, rows) / len(rows) if rows else nan


def wrapping_sum(p: Parameters, rows: Rows) -> Fraction:
    """The sum of clamped whole numbers in two's complement of `bits` digits, which wraps around."""
    lower, upper = _bounds(p)
    half = 1 << whole(p["bits"], "bits", 2, 128) - 1
    total = sum((min(max(row, lower), upper) for row in rows), Fraction(0))
    return (total + half) % (2 * half) - half


def in_order(p: Parameters, rows: Rows) -> Rows:
    """The rows as they are, compared place by place afterwards."""
    return rows


def b_ary_tree(p: Parameters, rows: Rows) -> Rows:
    """Counts of leaves -> the sums of all nodes, from the root down; the leaves are a power of `branching`."""
    branching, levels = whole(p["branching"], "branching", 2, 1000), [tuple(rows)]
    while len(levels[-1]) > 1 and len(levels) < MOST_LAYERS:
        below = levels[-1]
        if len(below) % branching:
            raise VectorError(f"leaves must be a power of branching {branching}, got {len(rows)}")
        levels.append(tuple(sum(below[i : i + branching]) for i in range(0, len(below), branching)))
    return tuple(node for level in reversed(levels) for node in level)


def _tree_stated(p: Parameters, d_in: Fraction) -> Fraction:
    """The number of levels times the distance, as for distances that add up."""
    layers, leaves = 1, whole(p["leaves"], "leaves", 1, 4096)
    while leaves > 1:
        leaves //= whole(p["branching"], "branching", 2, 1000)
        layers += 1
    return layers * d_in


def capped_sum(p: Parameters, rows: Rows) -> Fraction:
    """The sum of the first `rows` clamped rows of a group."""
    lower, upper = _bounds(p)
    return sum((min(max(row, lower), upper) for row in rows[: whole(p["rows"], "rows", 1, 2000)]), Fraction(0))


def squares(p: Parameters, rows: Rows) -> Fraction:
    """The sum of the squares of clamped rows."""
    lower, upper = _bounds(p)
    return sum((min(max(row, lower), upper) ** 2 for row in rows), Fraction(0))


def median(p: Parameters, rows: Rows) -> Fraction:
    """The lower median of clamped rows; lower of none."""
    lower, upper = _bounds(p)
    found = sorted(min(max(row, lower), upper) for row in rows)
    return found[(len(found) - 1) // 2] if found else lower


def numbers_counted(p: Parameters, rows: Rows) -> Fraction:
    """How many rows are whole numbers: the others are dropped."""
    return Fraction(sum(row.isdecimal() for row in rows))


def labels_seen(p: Parameters, rows: Rows) -> Rows:
    """The different labels, sorted: they are taken from the data and shown."""
    return tuple(sorted(set(rows)))


FOREIGN: Mapping[str, Foreign] = {
    "float_sum": Foreign(
        float_sum, ("lower", "upper"), "change_one", "absolute", lambda p, d: d * _range(p), floats=True
    ),
    "float_sum_of_multiset": Foreign(
        float_sum, ("lower", "upper"), "symmetric", "absolute", lambda p, d: d * _magnitude(p), floats=True
    ),
    "float_squared_deviations": Foreign(
        float_squared_deviations, ("lower", "upper", "size"), "change_one", "absolute",
        lambda p, d: d * _range(p) ** 2 * (1 - 1 / rational(p["size"], "size")), floats=True,
    ),
    "float_mean": Foreign(
        float_mean, ("lower", "upper", "size"), "symmetric", "absolute",
        lambda p, d: d * _range(p) / rational(p["size"], "size"), floats=True,
    ),
    "wrapping_sum": Foreign(
        wrapping_sum, ("lower", "upper", "bits"), "change_one", "absolute", lambda p, d: d * _range(p)
    ),
    "in_order": Foreign(in_order, (), "symmetric", "hamming", lambda p, d: d / 2),
    "b_ary_tree": Foreign(b_ary_tree, ("leaves", "branching"), "l2", "l2", _tree_stated),
    "capped_sum": Foreign(
        capped_sum, ("lower", "upper", "rows"), "symmetric", "absolute",
        lambda p, d: min(d, rational(p["rows"], "rows")) * _magnitude(p),
    ),
    "squares": Foreign(
        squares, ("lower", "upper"), "symmetric", "absolute", lambda p, d: d * min(map(abs, _bounds(p))) ** 2
    ),
    "median": Foreign(
        median, ("lower", "upper", "size"), "change_one", "absolute",
        lambda p, d: d * _range(p) / rational(p["size"], "size"),
    ),
    "numbers_counted": Foreign(
        numbers_counted, (), "change_one", "absolute", lambda p, d: Fraction(0), labels=True
    ),
    "labels_seen": Foreign(labels_seen, (), "change_one", "discrete", lambda p, d: Fraction(0), labels=True),
}  # fmt: skip


def foreign(name: str, params: Any) -> Foreign:
    """The transformation of that name; VectorError unless the parameters are its own."""
    found = FOREIGN[name]
    if not isinstance(params, dict) or set(params) != set(found.parameters):
        raise VectorError(f"params of {name} must be {', '.join(found.parameters) or 'none'}, got {shown(params)}")
    return found


def float_text(x: float) -> str:
    """A float of an output."""
    return "nan" if isnan(x) else hexadecimal(x)
