"""The smooth bound of a statistic at a table: the greatest exp(-beta k) A_k, found by halving stretches of k.

Untrusted: what it finds is a certificate, which is checked on its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from refdp import work
from refdp.numerics.elementary import exp_bounds
from refdp.sensitivities.smoothing.certificates import BITS, MOST_WINDOWS, Stretch
from refdp.sensitivities.smoothing.parts import Part
from refdp.sensitivities.smoothing.windows import SortedTable


@dataclass(frozen=True, slots=True)
class Smooth:
    """The greatest exp(-beta k) A_k is between lower and upper; lower is at `distance`, where A_k is `value`."""

    lower: Fraction
    upper: Fraction
    at_rate: Fraction
    """At most the greatest exp(-rate k) A_k, of which `upper` is an upper bound."""
    distance: int
    value: Fraction
    stretches: tuple[Stretch, ...]


@dataclass(slots=True)
class _Search:
    """The A_k that were worked out, and the greatest lower end of exp(-beta k) A_k among them, with -k."""

    part: Part
    table: SortedTable
    beta: Fraction
    found: dict[int, Stretch] = field(default_factory=dict)
    best: tuple[Fraction, int] = (Fraction(-1), 0)

    def at(self, distance: int) -> Stretch:
        """A_k at k = distance."""
        if distance not in self.found:
            reached = self.part.reach(self.table, distance)
            self.found[distance] = Stretch(distance, distance, reached.value, reached.place)
            lower = exp_bounds(-self.beta * distance, BITS)[0] * reached.value
            self.best = max(self.best, (lower, -distance))
        return self.found[distance]

    def doubled(self, rate: Fraction) -> tuple[list[tuple[int, int]], Stretch]:
        """Stretches from k = 1 on, each twice as long as the one before, and the last one, which cannot do better."""
        self.at(0)
        end, limit, waiting = 1, self.part.limit(self.table), list[tuple[int, int]]()
        while end <= len(self.table.rows) and Stretch(end, None, limit).bound(rate) > self.best[0]:
            last = min(2 * end - 1, len(self.table.rows))
            self.at(last)
            waiting.append((end, last))
            end = last + 1
        return waiting, Stretch(end, None, limit)

    def halved(self, waiting: list[tuple[int, int]], rate: Fraction, deadline: float) -> Iterator[Stretch]:
        """The stretches, each halved until it cannot do better, is one k, or there is no more time."""
        while waiting:
            first, last = waiting.pop()
            one = Stretch(first, last, self.at(last).value, self.at(last).place)
            is_over = work.spent() > deadline or sum(self.found) > MOST_WINDOWS // 4
            if first == last or one.bound(rate) <= self.best[0] or is_over:
                yield one
                continue
            middle = (first + last) // 2
            self.at(middle)
            waiting += [(middle + 1, last), (first, middle)]


def smooth(part: Part, table: SortedTable, beta: Fraction, rate: Fraction, deadline: float) -> Smooth:
    """The smooth bound of one part: the lower end is for beta and the upper one for rate <= beta.

    The enclosure is wider where time runs out, and right all the same.
    """
    search = _Search(part, table, beta)
    waiting, beyond = search.doubled(rate)
    settled = [search.found[0], beyond, *search.halved(waiting, rate, deadline)]
    upper = max(one.bound(rate) for one in settled)
    at_rate = max(exp_bounds(-rate * k, BITS)[0] * one.value for k, one in search.found.items())
    distance = -search.best[1]
    stretches = tuple(sorted(settled, key=lambda one: one.first))
    return Smooth(search.best[0], upper, at_rate, distance, search.found[distance].value, stretches)
