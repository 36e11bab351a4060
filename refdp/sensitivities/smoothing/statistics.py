"""Order statistics by name: the median, a quantile, the least and the greatest row, a trimmed mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp.numerics.exact import exact
from refdp.sensitivities.smoothing.windows import SortedTable


@dataclass(frozen=True, slots=True)
class OrderMean:
    """The mean of `count` consecutive rows in order, the first of which has rank `first` >= 1."""

    first: int
    count: int = 1

    def of(self, table: SortedTable) -> Fraction:
        """Its value at a table that has those ranks."""
        return sum(table.rows[self.first - 1 : self.first + self.count - 1], Fraction(0)) / self.count


def median(size: int) -> OrderMean:
    """The middle row, or the mean of the two middle rows: `statistics.median`."""
    return OrderMean((size + 1) // 2, 2 - size % 2)


def median_low(size: int) -> OrderMean:
    """The middle row, or the lower of the two: `statistics.median_low`."""
    return OrderMean((size + 1) // 2)


def median_high(size: int) -> OrderMean:
    """The middle row, or the upper of the two: `statistics.median_high`."""
    return OrderMean(size // 2 + 1)


def minimum(size: int) -> OrderMean:
    """The least row."""
    return OrderMean(1)


def maximum(size: int) -> OrderMean:
    """The greatest row."""
    return OrderMean(size)


def rank(size: int, number: Fraction) -> OrderMean:
    """The row of that rank, 1 being the least."""
    return OrderMean(_whole("rank", number))


def quantile(size: int, level: Fraction) -> OrderMean:
    """The least row that at least level * size rows are at most; 0 < level <= 1."""
    if not 0 < level <= 1:
        raise ValueError(f"the level of a quantile must be > 0 and at most 1, got {level}")
    return OrderMean(-(-level * size // 1))


def trimmed_mean(size: int, cut: Fraction) -> OrderMean:
    """The mean of the rows without the `cut` least and the `cut` greatest."""
    number = _whole("cut", cut, least=0)
    return OrderMean(number + 1, size - 2 * number)


PLAIN: Mapping[str, Callable[[int], OrderMean]] = {
    f.__name__: f for f in (median, median_low, median_high, minimum, maximum)
}
"""Order statistics without a parameter, by name."""
WITH_PARAMETER: Mapping[str, Callable[[int, Fraction], OrderMean]] = {
    f.__name__: f for f in (rank, quantile, trimmed_mean)
}
"""Order statistics with one parameter, such as `quantile 1/4`."""


def order_mean(text: str, size: int) -> OrderMean:
    """The statistic that the text names, for tables of that size.  ValueError where they have none."""
    name, _, parameter = text.strip().partition(" ")
    if name in PLAIN and not parameter:
        found = PLAIN[name](size)
    elif name in WITH_PARAMETER and parameter:
        found = WITH_PARAMETER[name](size, exact(parameter.strip(), name))
    else:
        choices = ", ".join([*PLAIN, *(f"{n} NUMBER" for n in WITH_PARAMETER)])
        raise ValueError(f"the order statistic must be one of {choices}, got {text}")
    if found.first < 1 or found.count < 1 or found.first + found.count - 1 > size:
        raise ValueError(f"the table must have enough rows for {text}, got {size}")
    return found


def _whole(name: str, value: Fraction, least: int = 1) -> int:
    """The value as a whole number."""
    if value.denominator != 1 or value < least:
        raise ValueError(f"{name} must be a whole number >= {least}, got {value}")
    return int(value)
