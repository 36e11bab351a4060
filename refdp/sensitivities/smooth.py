"""Smooth sensitivity of the median and other order statistics of bounded numbers, at one table, with a certificate.

S(x) = max over k of exp(-beta k) A_k(x), A_k(x) the greatest local sensitivity of a table within distance k of x.  It
is at least the local sensitivity, and at most e^beta times that of a neighbour: noise may be scaled to it.
Source: NRS07 (smooth sensitivity; the median).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refdp import work
from refdp.numerics.exact import Exactly, exact
from refdp.sensitivities.question import Neighbours
from refdp.sensitivities.smoothing.certificates import Certificate
from refdp.sensitivities.smoothing.parts import parts
from refdp.sensitivities.smoothing.search import Smooth, smooth
from refdp.sensitivities.smoothing.windows import SortedTable

PRECISION = Fraction(1, 2**90)
"""How much wider than S the upper end may be, relatively, and what is taken off beta for it."""
LEAST_BETA = Fraction(1, 2**40)
"""The least beta."""


@dataclass(frozen=True, slots=True)
class SmoothSensitivity:
    """The smooth bound S at one table is between `lower` and `upper`; noise is scaled to `upper`.

    `upper` as a function of tables is beta-smooth itself: with p = PRECISION it is at least S for beta - p and at most
    1 + p times that, hence at most (1 + p) e^(beta - p) <= e^beta times what it is at a neighbour.
    """

    statistic: str
    neighbours: Neighbours
    beta: Fraction
    lower: Fraction
    upper: Fraction
    local: Fraction
    """A_0: the local sensitivity at the table, or a bound of it where `is_least` is false."""
    reaches: tuple[tuple[int, Fraction], ...]
    """For each part of the statistic the distance k at which exp(-beta k) A_k is greatest, and A_k."""
    is_least: bool
    """Whether it is the smooth sensitivity: no lesser function of tables is smooth and bounds the local sensitivity."""
    certificate: Certificate
    reason: str = ""
    """Why noise must not be scaled to `upper`; empty where it may be."""


def smooth_sensitivity(
    statistic: str,
    rows: Iterable[Exactly],
    lower: Exactly,
    upper: Exactly,
    beta: Exactly,
    neighbours: Neighbours = "change_one",
    empty: Exactly | None = None,
    seconds: float = 10,
) -> SmoothSensitivity:
    """A beta-smooth bound of the statistic's sensitivity at the table of these numbers, all within the bounds.

    `statistic` is a name such as "median", "rank 3", "quantile 1/4", "trimmed_mean 2".  Under add_remove `empty` is its
    value at the empty table.  Raises ValueError for others, and for a statistic of which no smooth bound is known.

    >>> found = smooth_sensitivity("median", [1, 2, 3], lower=0, upper=4, beta="1/2")
    >>> found.local, found.reaches, found.upper < Fraction("1.2131")
    (Fraction(1, 1), ((1, Fraction(2, 1)),), True)
    """
    table = sorted_table(rows, lower, upper)
    rate = exact(beta, "beta")
    if rate < LEAST_BETA:
        raise ValueError(f"beta must be at least 2^-40, got {rate}")
    value = None if empty is None else exact(empty, "empty")
    wanted = parts(statistic, neighbours, table, value)
    deadline = work.spent() + seconds
    found = [smooth(part, table, rate, rate - PRECISION, deadline) for part in wanted]
    above = _mean([one.upper for one in found])
    certificate = Certificate(statistic, neighbours, rate, table, value, above, tuple(one.stretches for one in found))
    certificate.check()
    natural = all(not p.family.empty or p.empty == getattr(table, p.family.empty) for p in wanted)
    return SmoothSensitivity(
        statistic, neighbours, rate,
        lower=_mean([one.lower for one in found]), upper=above,
        local=_mean([part.reach(table, 0).value for part in wanted]),
        reaches=tuple((one.distance, one.value) for one in found),
        is_least=len(wanted) == 1 and natural, certificate=certificate, reason=_unusable(found, seconds),
    )  # fmt: skip


def _mean(values: Sequence[Fraction]) -> Fraction:
    """The mean of the parts."""
    return sum(values, Fraction(0)) / len(values)


def _unusable(found: list[Smooth], seconds: float) -> str:
    """Why the upper ends are no smooth function of tables."""
    for one in found:
        if one.upper > one.at_rate * (1 + PRECISION):
            return f"the bound is enclosed no better than from {one.lower} to {one.upper} within {seconds} seconds"
    return ""


def sorted_table(rows: Iterable[Exactly], lower: Exactly, upper: Exactly) -> SortedTable:
    """The rows in order.  ValueError where one is not within the bounds."""
    low, high = exact(lower, "the lower bound"), exact(upper, "the upper bound")
    values = tuple(sorted(exact(x, "a row") for x in rows))
    for x in (*values[:1], *values[-1:]):
        if not low <= x <= high:
            raise ValueError(f"rows must be between {low} and {high}, got {x}")
    return SortedTable(values, low, high)
