"""Metrics: what a distance of `d_in` means, as code and as the sentence users read.

A metric is a name; a mechanism cannot bring its own.  Tables are tuples of rows and count as multisets under
`symmetric`, as sequences under `hamming`; `change_one` counts replaced rows of tables of one size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.spec.formulas import Real, formula

Distance = Fraction | None
"""An exact distance; None stands for infinity."""


class MetricError(ValueError):
    """A distance was asked of values that the metric does not speak of."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A named distance: `within(u, v, d)` says exactly whether distance(u, v) <= d."""

    name: str
    sentence: str
    within: Callable[[Any, Any, Fraction], bool]


def symmetric_distance(u: tuple[Any, ...], v: tuple[Any, ...]) -> Fraction:
    """The number of rows to add or remove to turn the multiset u into v."""
    a, b = Counter(u), Counter(v)
    return Fraction(sum(((a - b) + (b - a)).values()))


def change_one_distance(u: tuple[Any, ...], v: tuple[Any, ...]) -> Distance:
    """The number of rows to replace to turn the multiset u into v; infinite between different sizes."""
    return symmetric_distance(u, v) / 2 if len(u) == len(v) else None


def hamming_distance(u: tuple[Any, ...], v: tuple[Any, ...]) -> Distance:
    """The number of positions at which the sequences u and v differ; infinite between different lengths."""
    return Fraction(sum(a != b for a, b in zip(u, v, strict=True))) if len(u) == len(v) else None


@formula
def absolute_distance(u: Real, v: Real) -> Real:
    """|u - v|; obligations are built from this term."""
    return abs(u - v)


def discrete_distance(u: Any, v: Any) -> Fraction:
    """0 if u = v, else 1: any two values are neighbours (local differential privacy)."""
    return Fraction(int(u != v))


def l1_distance(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> Fraction:
    """The sum over i of |u_i - v_i|."""
    return sum((absolute_distance(a, b) for a, b in _pairs(u, v)), Fraction(0))


def l2_distance_squared(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> Fraction:
    """The sum over i of (u_i - v_i)^2: the square of the L2 distance."""
    return sum(((Fraction(a) - b) ** 2 for a, b in _pairs(u, v)), Fraction(0))


def linf_distance(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> Fraction:
    """The greatest |u_i - v_i|."""
    return max((absolute_distance(a, b) for a, b in _pairs(u, v)), default=Fraction(0))


def _pairs(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> list[tuple[Fraction, Fraction]]:
    """The coordinates of u and v side by side; MetricError if they differ in number."""
    if len(u) != len(v):
        raise MetricError(f"vectors must have the same dimension, got {len(u)} and {len(v)}")
    return list(zip(u, v, strict=True))


def _at_most(distance: Callable[[Any, Any], Distance]) -> Callable[[Any, Any, Fraction], bool]:
    """The exact test distance(u, v) <= d."""

    def within(u: Any, v: Any, d: Fraction) -> bool:
        found = distance(u, v)
        return found is not None and found <= d

    return within


METRICS: Mapping[str, Metric] = {
    m.name: m
    for m in (
        Metric("symmetric", "at most d_in rows added or removed", _at_most(symmetric_distance)),
        Metric("change_one", "at most d_in rows replaced, the number of rows being the same",
               _at_most(change_one_distance)),
        Metric("hamming", "at most d_in positions changed, the length being the same", _at_most(hamming_distance)),
        Metric("absolute", "numbers at most d_in apart", _at_most(absolute_distance)),
        Metric("l1", "vectors whose coordinates differ by at most d_in in total", _at_most(l1_distance)),
        Metric("l2", "vectors at Euclidean distance at most d_in",
               lambda u, v, d: d >= 0 and l2_distance_squared(u, v) <= d * d),
        Metric("linf", "vectors each of whose coordinates differs by at most d_in", _at_most(linf_distance)),
        Metric("discrete", "any two values", _at_most(discrete_distance)),
    )
}  # fmt: skip

NEIGHBOURS: Mapping[str, str] = {"add_remove": "symmetric", "change_one": "change_one"}
"""The words of the command line for the two neighbouring relations of tables."""


def metric(name: str) -> Metric:
    """The registered metric of that name; MetricError if there is none."""
    if name not in METRICS:
        raise MetricError(f"metric must be one of {', '.join(METRICS)}, got {name}")
    return METRICS[name]
