"""Finite laws as partitions: a cell for each outcome, and what a sampler of such a law is tested against."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

from refdp.auditing.evidence.arms import arm, exact_masses
from refdp.auditing.evidence.partitions import Arm, Dirichlet, Partition, SimpleAlternative
from refdp.auditing.evidence.tallies import shown
from refdp.numerics.elementary import up
from refdp.numerics.intervals import Interval

Masses = Mapping[Hashable, Fraction | Interval]
"""Outcome -> its probability, exact or enclosed."""
DIGITS = 64
STRENGTHS = (Fraction(1, 2), Fraction(8), Fraction(64), Fraction(512))
POWERS = (0.5, 0.8, 0.9, 0.95, 1.05, 1.1, 1.25, 2.0)
"""Masses raised to these: what a wrong epsilon does to a response or a selection."""
MOVES = (0.005, 0.02, 0.1)
"""How much the probability of one outcome is off."""
MOST_MOVED = 256
"""Only laws of at most so many outcomes are tested for one of them being off."""
MOST_STATED = 16
"""PASS speaks of at most so many outcomes, or blocks of outcomes, one at a time."""
LEAST_BOUND = Fraction(1, 2**200)


def upper(p: Fraction | Interval) -> Fraction:
    """An upper bound > 0 of a probability."""
    most = p.upper if isinstance(p, Interval) else p
    return max(LEAST_BOUND, min(Fraction(1), up(*Fraction(most).as_integer_ratio(), DIGITS)))


def possible(masses: Masses) -> dict[Hashable, Fraction | Interval]:
    """The outcomes that may occur; ValueError unless the masses are >= 0 and can sum to 1."""
    ends = [(p.lower, p.upper) if isinstance(p, Interval) else (p, p) for p in masses.values()]
    if any(not isinstance(low, Fraction) or high < 0 for low, high in ends):
        raise ValueError("masses must be Fractions or Intervals, and >= 0")
    low, high = sum((a for a, _ in ends), Fraction(0)), sum((b for _, b in ends), Fraction(0))
    if not low <= 1 <= high:
        raise ValueError(f"masses must sum to 1, got {low if low == high else f'{float(low)} to {float(high)}'}")
    return {y: p for (y, p), (_, high) in zip(masses.items(), ends, strict=True) if high > 0}


def partition(masses: Masses) -> Partition:
    """A cell for each outcome that may occur."""
    known = possible(masses)
    return Partition(tuple(map(shown, known)), tuple(map(upper, known.values())))


def arms(cells: Partition) -> list[tuple[Fraction, Arm]]:
    """Half of the weight on Dirichlet mixtures, the rest on powers of the law and on single outcomes that are off."""
    null = [float(p) for p in cells.most]
    n, counts = len(null), exact_masses(null)
    places = tuple(range(n))
    dirichlet = [Dirichlet(f"prior {s}", places, tuple(s * n * p for p in counts)) for s in STRENGTHS]
    found: list[tuple[Fraction, Arm]] = [(Fraction(1, 8), d) for d in dirichlet]
    powers = [arm(f"masses to the power of {x:g}", cells, [p**x for p in null]) for x in POWERS]
    found += [(Fraction(1, 4 * len(powers)), a) for a in powers]
    single = [moved(cells, [c], sign * by) for c in places if n <= MOST_MOVED for by in MOVES for sign in (1, -1)]
    alive = [a for a in single if a is not None]
    return found + [(Fraction(1, 4 * len(alive)), a) for a in alive]


def moved(cells: Partition, places: Sequence[int], by: float) -> SimpleAlternative | None:
    """The probability of some outcomes together off by so much, all else in proportion; None where that is no law."""
    null, inside = [float(p) for p in cells.most], frozenset(places)
    here = sum(null[c] for c in inside)
    wrong = here + by
    if not 0 < wrong < 1 or here >= 1:
        return None
    factors = wrong / here, (1 - wrong) / (1 - here)
    masses = [p * factors[c not in inside] for c, p in enumerate(null)]
    first, last = cells.cells[places[0]], cells.cells[places[-1]]
    label = first if len(places) == 1 else f"one of {first} to {last}"
    return arm(f"{label} too {'often' if by > 0 else 'seldom'} by {abs(by):g}", cells, masses)


def blocks(cells: Partition) -> list[list[int]]:
    """Single outcomes where there are at most MOST_STATED, else so many blocks of them in the order given."""
    n = len(cells.cells)
    size = -(-n // MOST_STATED)
    return [list(range(i, min(i + size, n))) for i in range(0, n, size)]
