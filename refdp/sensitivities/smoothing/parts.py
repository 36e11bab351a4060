"""An order statistic as the mean of statistics that a family of windows speaks of, and how far each of them reaches."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.sensitivities.question import Neighbours
from refdp.sensitivities.smoothing.statistics import order_mean
from refdp.sensitivities.smoothing.windows import FAMILIES, ORDER_MEAN, Family, Reach, SortedTable, reach

ADD_REMOVE = {
    "median": ("median_low", "median_high"),
    "median_low": ("median_low",),
    "median_high": ("median_high",),
    "minimum": ("minimum",),
    "maximum": ("maximum",),
}
"""The statistics for which a smooth bound is proved where rows are added and removed, and what each is the mean of."""
NO_EMPTY = (
    "under add_remove the function must answer on the empty table too, as else no bound is smooth: its local "
    "sensitivity at one row would be infinite, and every table is at a finite distance from one row; say what it "
    "returns there, or take change_one, under which the number of rows is public"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A statistic of one family at one table."""

    family: Family
    first: int
    count: int
    empty: Fraction | None
    """Its value at the empty table, which matters under add_remove alone."""

    def limit(self, table: SortedTable) -> Fraction:
        """At least A_k for every k, as no two rows are further apart than the bounds."""
        return (table.upper - table.lower) / self.count

    def reach(self, table: SortedTable, distance: int) -> Reach:
        """A_distance at the table: bounds the local sensitivity of every table within that distance.

        Where the empty table is within reach, or one row is, and its value is not a row that is missing, all of
        upper - lower counts.
        """
        size = len(table.rows)
        if self.family.empty and distance + 1 >= size and self.empty != getattr(table, self.family.empty):
            return Reach(self.limit(table), 0)
        return reach(self.family, table, distance, self.first, self.count)


def parts(statistic: str, neighbours: Neighbours, table: SortedTable, empty: Fraction | None) -> tuple[Part, ...]:
    """The statistic's parts; `empty` is its value at the empty table.  ValueError where no smooth bound is known."""
    size = len(table.rows)
    if neighbours == "change_one":
        found = order_mean(statistic, size)
        return (Part(ORDER_MEAN, found.first, found.count, None),)
    if statistic not in ADD_REMOVE:
        known = ", ".join(ADD_REMOVE)
        raise ValueError(f"the order statistic under add_remove must be one of {known}, got {statistic}")
    if empty is None:
        raise ValueError(NO_EMPTY)
    if not table.lower <= empty <= table.upper:
        raise ValueError(f"the value at the empty table must be between {table.lower} and {table.upper}, got {empty}")
    return tuple(Part(FAMILIES[name], 0, 1, empty) for name in ADD_REMOVE[statistic])
