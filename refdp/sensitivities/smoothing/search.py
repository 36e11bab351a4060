"""The smooth bound of a statistic at a table: the greatest exp(-beta k) A_k, found by halving stretches of k.

Untrusted: what it finds is a certificate, which is checked on its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

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


def smooth(part: Part, table: SortedTable, beta: Fraction, rate: Fraction, deadline: float) -> Smooth:
    """The smooth bound of one part: the lower end is for beta and the upper one for rate <= beta.

    The enclosure is wider where time runs out, and right all the same.
    """
    found: dict[int, Stretch] = {}
    best = (Fraction(-1), 0)

    def evaluated(distance: int) -> Stretch:
        nonlocal best
        if distance not in found:
            reached = part.reach(table, distance)
            found[distance] = Stretch(distance, distance, reached.value, reached.place)
            best = max(best, (exp_bounds(-beta * distance, BITS)[0] * reached.value, -distance))
        return found[distance]

    evaluated(0)
    end, limit = 1, part.limit(table)
    waiting = []
    while end <= len(table.rows) and Stretch(end, None, limit).bound(rate) > best[0]:
        last = min(2 * end - 1, len(table.rows))
        evaluated(last)
        waiting.append((end, last))
        end = last + 1
    settled = [found[0], Stretch(end, None, limit)]
    while waiting:
        first, last = waiting.pop()
        one = Stretch(first, last, evaluated(last).value, evaluated(last).place)
        is_over = monotonic() > deadline or sum(found) > MOST_WINDOWS // 4
        if first == last or one.bound(rate) <= best[0] or is_over:
            settled.append(one)
            continue
        middle = (first + last) // 2
        evaluated(middle)
        waiting += [(middle + 1, last), (first, middle)]
    upper = max(one.bound(rate) for one in settled)
    at_rate = max(exp_bounds(-rate * k, BITS)[0] * one.value for k, one in found.items())
    distance = -best[1]
    stretches = tuple(sorted(settled, key=lambda one: one.first))
    return Smooth(best[0], upper, at_rate, distance, found[distance].value, stretches)
