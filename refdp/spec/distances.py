"""Distances: how far apart inputs are (metrics: `d_in`), and how far apart output laws may be (measures: `d_out`).

Each is a name with the sentence that users read; a mechanism cannot bring its own.  What it means for tables, numbers
and finite laws is the code below, which *is* the definition: provers and kernel rules are held against it by exact
enumeration.  Tables are tuples of rows and count as multisets under `symmetric`, as sequences under `hamming` and
`insert_delete`; `change_one` counts replaced rows of tables of one size.  A finite law maps outcomes to exact
probabilities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from refdp.spec import contributions
from refdp.spec.formulas import Real, formula

Distance = Fraction | None
"""An exact distance; None stands for infinity."""


class DistanceError(ValueError):
    """No such metric or measure, or values that the metric does not speak of."""


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


def insert_delete_distance(u: tuple[Any, ...], v: tuple[Any, ...]) -> Fraction:
    """The number of rows to insert into or delete from the sequence u, in any places, to turn it into v."""
    common = [0] * (len(v) + 1)  # [j]: most rows that what is read of u and the first j rows of v have in common
    for a in u:
        before = 0
        for j, b in enumerate(v):
            before, common[j + 1] = common[j + 1], before + 1 if a == b else max(common[j], common[j + 1])
    return Fraction(len(u) + len(v) - 2 * common[-1])


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


def _in_one_direction(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> bool:
    """Whether no coordinate of v is smaller than that of u, or none is greater."""
    moved = [b - a for a, b in _pairs(u, v)]
    return all(one >= 0 for one in moved) or all(one <= 0 for one in moved)


def _exchanged(u: tuple[Fraction, ...], v: tuple[Fraction, ...], d: Fraction) -> bool:
    """Whether what v has more than u in some coordinates, at most d in total, it has less in others."""
    return l1_distance(u, v) <= 2 * d and sum(u) == sum(v)


def _is_smooth(u: tuple[Fraction, ...], v: tuple[Fraction, ...], growth: Fraction) -> bool:
    """Whether the values of two pairs (value, bound) are within either bound, and the bounds within that factor."""
    (value, bound), (other, other_bound) = u, v
    near = 0 <= absolute_distance(value, other) <= min(bound, other_bound)
    return near and bound <= growth * other_bound and other_bound <= growth * bound


def _is_tested(u: tuple[Fraction, Fraction], v: tuple[Fraction, Fraction], d: Fraction) -> bool:
    """Whether the distances of two pairs (distance, value) are 1 apart at most, and the values d, unless both distances
    are 0 or less."""
    (distance, value), (other_distance, other) = u, v
    near = absolute_distance(value, other) <= d or max(distance, other_distance) <= 0
    return d >= 0 and absolute_distance(distance, other_distance) <= 1 and near


def _pairs(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> list[tuple[Fraction, Fraction]]:
    """The coordinates of u and v side by side; DistanceError if they differ in number."""
    if len(u) != len(v):
        raise DistanceError(f"vectors must have the same dimension, got {len(u)} and {len(v)}")
    return list(zip(u, v, strict=True))


def _is_so_changed(name: str, u: tuple[Fraction, ...], v: tuple[Fraction, ...], d: Fraction) -> bool:
    """Whether two vectors of one dimension are related as the name of a relation of streams says."""
    a, b = zip(*pairs, strict=True) if (pairs := _pairs(u, v)) else ((), ())
    return contributions.within(name, a, b, d)


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
        Metric("insert_delete", "at most d_in rows inserted or deleted, the order of the others being kept",
               _at_most(insert_delete_distance)),
        Metric("absolute", "numbers at most d_in apart", _at_most(absolute_distance)),
        Metric("l1", "vectors whose coordinates differ by at most d_in in total", _at_most(l1_distance)),
        Metric("l2", "vectors at Euclidean distance at most d_in",
               lambda u, v, d: d >= 0 and l2_distance_squared(u, v) <= d * d),
        Metric("linf", "vectors each of whose coordinates differs by at most d_in", _at_most(linf_distance)),
        Metric("discrete", "any two values", _at_most(discrete_distance)),
        Metric("one_coordinate", "vectors of which one coordinate differs, by at most d_in",
               lambda u, v, d: linf_distance(u, v) <= d and sum(a != b for a, b in _pairs(u, v)) <= 1),
        Metric("exchange", "vectors of one sum whose coordinates differ by at most 2 d_in in total", _exchanged),
        Metric("smooth", "a number and a bound: numbers at most either bound apart, no bound more than d_in times "
               "the other", _is_smooth),
        Metric("tested", "a distance and a number: distances at most 1 apart, numbers at most d_in apart unless both "
               "distances are 0 or less", _is_tested),
        Metric("monotone", "vectors each of whose coordinates differs by at most d_in, all of them in one direction",
               lambda u, v, d: linf_distance(u, v) <= d and _in_one_direction(u, v)),
    )
}  # fmt: skip

NEIGHBOURS: Mapping[str, str] = {"add_remove": "symmetric", "change_one": "change_one"}
"""The words of the command line for the two neighbouring relations of tables."""
TABLES: Mapping[str, Mapping[str, str]] = {
    "multisets": NEIGHBOURS, "lists": {"add_remove": "insert_delete", "change_one": "hamming"},
}  # fmt: skip
"""Its words for whether rows may stand in another order, with the metric of either relation."""


def metric(name: str) -> Metric:
    """The registered metric of that name, or the relation of streams; DistanceError if there is none."""
    if contributions.parsed(name) is not None:
        return Metric(name, contributions.sentence(name), partial(_is_so_changed, name))
    if name not in METRICS:
        raise DistanceError(f"metric must be one of {', '.join(METRICS)}, got {name}")
    return METRICS[name]


Law = Mapping[Any, Fraction]
"""Outcome -> probability; the probabilities are >= 0 and sum to 1."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A named privacy measure and the names of the numbers its `d_out` consists of."""

    name: str
    parameters: tuple[str, ...]
    sentence: str


MEASURES: Mapping[str, Measure] = {
    m.name: m
    for m in (
        Measure("pure", ("epsilon",), "P[M(x) in S] <= e^epsilon P[M(x') in S] for every event S"),
        Measure("approximate", ("epsilon", "delta"), "P[M(x) in S] <= e^epsilon P[M(x') in S] + delta for every S"),
        Measure("concentrated", ("rho",), "the Renyi divergence of every order alpha > 1 is <= rho alpha"),
        Measure("renyi", ("order", "epsilon"), "the Renyi divergence of that order is <= epsilon"),
        Measure(
            "gaussian", ("mu_squared",), "P[M(x) in S] <= P[Z > z - mu] if P[M(x') in S] <= P[Z > z], Z standard normal"
        ),
        Measure("loss_tail", ("epsilon", "delta"), "with M(x) drawn, P[privacy loss > epsilon] <= delta"),
        Measure("ratio", ("epsilon", "delta"), "P[M(x) in S] <= (e^epsilon + delta) P[M(x') in S] for every event S"),
    )
}


def measure(name: str) -> Measure:
    """The registered measure of that name; DistanceError if there is none."""
    if name not in MEASURES:
        raise DistanceError(f"measure must be one of {', '.join(MEASURES)}, got {name}")
    return MEASURES[name]


def masses(p: Law, q: Law) -> list[tuple[Fraction, Fraction]]:
    """p(y) and q(y) for every outcome y of either law."""
    zero = Fraction(0)
    return [(p.get(y, zero), q.get(y, zero)) for y in dict.fromkeys([*p, *q])]


def greatest_ratio(p: Law, q: Law) -> Fraction | None:
    """The greatest p(y) / q(y): e to the max divergence of p from q; None stands for infinity.

    >>> greatest_ratio({0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)})
    Fraction(3, 1)
    """
    worst = Fraction(0)
    for a, b in masses(p, q):
        if a > 0 and b == 0:
            return None
        worst = max(worst, a / b) if b > 0 else worst
    return worst


def hockey_stick(p: Law, q: Law, factor: Fraction) -> Fraction:
    """The greatest P(S) - factor Q(S) over events S, factor standing for e^epsilon: the least delta."""
    return sum((max(a - factor * b, Fraction(0)) for a, b in masses(p, q)), Fraction(0))


def loss_tail(p: Law, q: Law, factor: Fraction) -> Fraction:
    """P[p(y) > factor q(y)] for y drawn from p, factor standing for e^epsilon: the loss ln(p / q) is more than epsilon.

    >>> loss_tail({0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}, Fraction(2))
    Fraction(3, 4)
    """
    return sum((a for a, b in masses(p, q) if a > factor * b), Fraction(0))


def renyi_moment(p: Law, q: Law, order: int) -> Fraction | None:
    """The sum of p(y)^order q(y)^(1 - order) = exp((order - 1) D_order(p || q)); None stands for infinity."""
    total = Fraction(0)
    for a, b in masses(p, q):
        if a > 0 and b == 0:
            return None
        total += a**order / b ** (order - 1) if b > 0 else 0
    return total
