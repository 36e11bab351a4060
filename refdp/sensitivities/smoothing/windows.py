"""How far an order statistic moves near a table of numbers: differences x_b - x_a of its sorted rows.

x_1 <= ... <= x_n are the rows in order, x_i = lower for i <= 0 and x_i = upper for i > n.  A family of windows says
which pairs of ranks (a, b) count at distance k; their greatest difference is A_k, the greatest local sensitivity of
any table within distance k.  The ranks are floors of linear forms, which both integers and terms are put into.
Source: NRS07 (smooth sensitivity of the median).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from refdp.sensitivities.question import Neighbours
from refdp.terms.leaves import integer, rational
from refdp.terms.operations import add, floor, multiply, total
from refdp.terms.term import Term

HALVES = ("n", "k", "first", "count")
"""Rows, distance, first rank of the statistic, and how many ranks it is the mean of."""


@dataclass(frozen=True, slots=True)
class Rank:
    """floor((one + the sum of each coefficient times its quantity) / 2) + t times the place t in the family."""

    one: int = 0
    n: int = 0
    k: int = 0
    first: int = 0
    count: int = 0
    t: int = 0

    def at(self, values: Mapping[str, int]) -> int:
        """The rank for these quantities, at the first place."""
        found: int = self.one + sum(getattr(self, name) * values[name] for name in HALVES)
        return found // 2

    def term(self, values: Mapping[str, Term], place: Term) -> Term:
        """The rank as a term, at any place."""
        coefficients = {name: getattr(self, name) for name in HALVES}
        shift = multiply(integer(self.t), place)
        if all(c % 2 == 0 for c in (self.one, *coefficients.values())):
            parts = [multiply(integer(c // 2), values[name]) for name, c in coefficients.items()]
            return total([*parts, integer(self.one // 2), shift])
        doubled = total([*(multiply(integer(c), values[name]) for name, c in coefficients.items()), integer(self.one)])
        return add(floor(multiply(rational(Fraction(1, 2)), doubled)), shift)


@dataclass(frozen=True, slots=True)
class Family:
    """The windows (low, high) for 0 <= t <= last, of the statistic that is the mean of `count` ranks from `first`."""

    name: str
    neighbours: Neighbours
    first: Rank
    low: Rank
    high: Rank
    last: Rank
    empty: str = ""
    """What the statistic of the empty table has to be, "lower" or "upper"; any other value is allowed for too."""


ORDER_MEAN = Family(
    "order_mean", "change_one", first=Rank(first=2),
    low=Rank(first=2, k=-2, one=-2, t=1), high=Rank(first=2, count=2, one=-2, t=1), last=Rank(k=2, one=2),
)  # fmt: skip
"""Tables of one public size: the mean of `count` consecutive order statistics; A_k has k + 2 windows."""
MEDIAN_LOW = Family(
    "median_low", "add_remove", first=Rank(n=1, one=1),
    low=Rank(n=1, k=-1), high=Rank(n=1, k=1, one=2), last=Rank(), empty="lower",
)  # fmt: skip
"""Rows are added and removed: the lower of the two middle rows; A_k is one difference."""
MEDIAN_HIGH = Family(
    "median_high", "add_remove", first=Rank(n=1, one=2),
    low=Rank(n=1, k=-1, one=1), high=Rank(n=1, k=1, one=3), last=Rank(), empty="upper",
)  # fmt: skip
"""The upper of the two middle rows: the mirror image of the lower."""
MINIMUM = Family(
    "minimum", "add_remove", first=Rank(one=2),
    low=Rank(t=1), high=Rank(k=2, one=2, t=1), last=Rank(one=2), empty="upper",
)  # fmt: skip
"""The least row; either it falls to the lower bound, or the rows below another one go."""
MAXIMUM = Family(
    "maximum", "add_remove", first=Rank(n=2),
    low=Rank(n=2, k=-2, t=-1), high=Rank(n=2, one=2, t=-1), last=Rank(one=2), empty="lower",
)  # fmt: skip
"""The greatest row: the mirror image of the least."""
FAMILIES: Mapping[str, Family] = {f.name: f for f in (ORDER_MEAN, MEDIAN_LOW, MEDIAN_HIGH, MINIMUM, MAXIMUM)}
"""Every family whose smoothness is proved for all tables."""


@dataclass(frozen=True, slots=True)
class SortedTable:
    """The rows in order, between public bounds; ValueError where they are not."""

    rows: tuple[Fraction, ...]
    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise ValueError(f"the lower bound must be at most the upper one, got {self.lower} and {self.upper}")
        chain = (self.lower, *self.rows, self.upper)
        for a, b in pairwise(chain):
            if a > b:
                raise ValueError(f"rows must be in order and between {self.lower} and {self.upper}, got {a} before {b}")

    def at(self, rank: int) -> Fraction:
        """The row of that rank, the first being 1; a bound where there is none."""
        if rank <= 0:
            return self.lower
        return self.rows[rank - 1] if rank <= len(self.rows) else self.upper


@dataclass(frozen=True, slots=True)
class Reach:
    """A_k at a table: the greatest difference, divided by the count, and the place t of a window that has it."""

    value: Fraction
    place: int


def reach(family: Family, table: SortedTable, distance: int, first: int = 0, count: int = 1) -> Reach:
    """A_distance of the statistic at the table, by the greatest of the family's windows."""
    values = {"n": len(table.rows), "k": distance, "first": first, "count": count}
    low, high = family.low.at(values), family.high.at(values)
    found = Reach(Fraction(-1), 0)
    for place in range(family.last.at(values) + 1):
        value = table.at(high + family.high.t * place) - table.at(low + family.low.t * place)
        if value > found.value:
            found = Reach(value, place)
    return Reach(found.value / count, found.place)
