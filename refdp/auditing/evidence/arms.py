"""The alternatives that a sampler of a law on the line is tested against, with declared weights.

A good part of the weight is spread over Dirichlet mixtures on coarse groups of nearly equal mass, which miss nothing
that is gross; the rest over what samplers get wrong: scale, shift, the atom at 0, signs, tails, shape.
Masses of alternatives are rough and then made exact: any numbers >= 0 with sum <= 1 make a valid arm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise

from refdp.auditing.evidence.cells import Line
from refdp.auditing.evidence.partitions import Arm, Dirichlet, Partition, SimpleAlternative
from refdp.laws import Law

GROUPS = (8, 16, 64)
STRENGTHS = (Fraction(1, 2), Fraction(8), Fraction(64), Fraction(512))
"""Pseudocounts of each group, on average."""
UNIT = 2**48
REMAINDER = 2.0**-24
"""Each alternative is mixed with so much of the null, so that no cell has the mass 0."""
SCALES = tuple(Fraction(n, 100) for n in (50, 60, 70, 80, 90, 95, 98, 99, 101, 102, 105, 111, 125, 150, 200))
SHIFTS = tuple(Fraction(n, 100) for n in (2, 5, 10, 25, 100))
ATOMS = (0.0, 0.5, 0.8, 1.25, 1.5, 2.0, 4.0)
"""Factors of the mass of 0."""
BIASES = (0.0125, 0.025, 0.05, 0.1, 0.4)
"""How much of the probability moves from one sign to the other."""
SHARES = {
    "dirichlet": Fraction(3, 8), "scale": Fraction(5, 16), "atom": Fraction(1, 8), "sign": Fraction(1, 16),
    "tail": Fraction(1, 16), "shift": Fraction(1, 32), "shape": Fraction(1, 32),
}  # fmt: skip
"""The weight of each kind of arm."""


def arms(cells: Line, partition: Partition) -> list[tuple[Fraction, Arm]]:
    """Each arm with its weight; kinds without an arm leave their weight unused."""
    found: list[tuple[Fraction, Arm]] = []
    kinds: dict[str, list[Arm]] = {
        "dirichlet": list(dirichlets(partition)),
        "scale": [scale_arm(cells, partition, factor) for factor in SCALES],
        "atom": list(_atoms(cells, partition)),
        "sign": list(_signs(cells, partition)),
        "tail": list(_tails(cells, partition)),
        "shift": list(_shifts(cells, partition)),
        "shape": list(_shapes(cells, partition)),
    }
    for kind, members in kinds.items():
        found += [(SHARES[kind] / len(members), arm) for arm in members]
    return found


def dirichlets(partition: Partition, sizes: Sequence[int] = GROUPS) -> Iterator[Dirichlet]:
    """Groups of neighbouring cells of nearly equal mass, with each strength of the prior around the null."""
    before = None
    for size in sizes:
        group = groups(partition, size)
        if group == before:
            continue
        before, count = group, max(group) + 1
        masses = [Fraction(0)] * count
        for g, p in zip(group, partition.most, strict=True):
            masses[g] += p
        for strength in STRENGTHS:
            counts = tuple(exact_masses([float(m) for m in masses]))
            yield Dirichlet(f"{count} groups, prior {strength}", group, tuple(strength * count * p for p in counts))


def groups(partition: Partition, size: int) -> tuple[int, ...]:
    """The group of each cell: cells whose middles are in the same one of `size` parts of the law, numbered anew."""
    rough = [float(p) for p in partition.most]
    whole, ends = sum(rough), list(accumulate(rough))
    raw = [min(size - 1, int(size * (end - p / 2) / whole)) for end, p in zip(ends, rough, strict=True)]
    numbers = {g: i for i, g in enumerate(dict.fromkeys(raw))}
    return tuple(numbers[g] for g in raw)


def exact_masses(rough: Sequence[float]) -> list[Fraction]:
    """Fractions > 0 in proportion to the floats, about, with sum <= 1."""
    whole = sum(rough)
    if not whole > 0:
        return [Fraction(1, len(rough))] * len(rough)
    units = [max(1, int(p / whole * UNIT)) for p in rough]
    return [Fraction(u, max(UNIT, sum(units))) for u in units]


def arm(label: str, partition: Partition, rough: Sequence[float]) -> SimpleAlternative:
    """The alternative of these rough masses, a little of the null mixed in."""
    null, kept = [float(p) for p in partition.most], [max(0.0, p) for p in rough]
    whole = sum(kept) or 1.0
    mixed = [q / whole * (1 - REMAINDER) + p * REMAINDER for q, p in zip(kept, null, strict=True)]
    return SimpleAlternative(label, tuple(exact_masses(mixed)))


def rough_masses(cells: Line, law: Law, factor: float = 1.0) -> list[float]:
    """The masses of the cells under the law with its spread times the factor."""
    return [law.rough(a, b, factor) for a, b in cells.intervals]


def scale_arm(cells: Line, partition: Partition, factor: Fraction) -> SimpleAlternative:
    """The spread times the factor."""
    return arm(f"scale times {factor}", partition, rough_masses(cells, cells.law, float(factor)))


def _atoms(cells: Line, partition: Partition) -> Iterator[SimpleAlternative]:
    """The mass of 0 times a factor."""
    if not cells.law.lattice:
        return
    null, zero = rough_masses(cells, cells.law), cells.intervals.index((Fraction(-1), Fraction(0)))
    for factor in ATOMS:
        if factor * null[zero] < 1:
            rest = (1 - factor * null[zero]) / max(1 - null[zero], 2.0**-60)
            masses = [p * (factor if c == zero else rest) for c, p in enumerate(null)]
            yield arm(f"mass of 0 times {factor:g}", partition, masses)


def _signs(cells: Line, partition: Partition) -> Iterator[SimpleAlternative]:
    """One sign more often than the other."""
    null = rough_masses(cells, cells.law)
    for bias in BIASES:
        for sign in (1, -1):
            masses = [p * (1 + 2 * bias * sign * side(cell)) for p, cell in zip(null, cells.intervals, strict=True)]
            yield arm(f"sign {'+' if sign > 0 else '-'} {bias:g} too often", partition, masses)


def side(cell: tuple[Fraction | None, Fraction | None]) -> int:
    """1 to the right of 0, -1 to the left, 0 for 0."""
    above, upto = cell
    return 1 if above is not None and above >= 0 else 0 if upto is not None and upto == 0 and above == -1 else -1


def _tails(cells: Line, partition: Partition) -> Iterator[SimpleAlternative]:
    """Nothing beyond an end, on both sides: its mass is spread over the rest, or gathered in the last cell kept."""
    null, n = rough_masses(cells, cells.law), len(cells.intervals)
    for cut in range(1, n // 2 - 1, 3):
        lost = sum(null[:cut])
        if lost > 0.1:
            break
        kept = [p if cut <= c < n - cut else 0.0 for c, p in enumerate(null)]
        yield arm(f"nothing in {cut} outer cells", partition, kept)
        gathered = [p + lost * (c in (cut, n - cut - 1)) for c, p in enumerate(kept)]
        yield arm(f"clamped into {cut} outer cells", partition, gathered)


def _shifts(cells: Line, partition: Partition) -> Iterator[SimpleAlternative]:
    """The law moved by a part of its spread; integers by at least 1."""
    spread = cells.law.spread
    steps = [max(1, round(p * spread)) / spread if cells.law.lattice else p for p in SHIFTS]
    for part in dict.fromkeys(steps):
        for sign in (1, -1):
            moved = [shifted(cells.law, a, b, sign * part * spread) for a, b in cells.intervals]
            yield arm(f"shifted by {sign * float(part):.3g} times the spread", partition, moved)


def shifted(law: Law, above: Fraction | None, upto: Fraction | None, step: Fraction) -> float:
    """About P[above < X + step <= upto]."""
    a, b = (None if end is None else end - step for end in (above, upto))
    edges = (Fraction(-1), Fraction(0)) if law.lattice else (Fraction(0),)
    inner = [e for e in edges if (a is None or a < e) and (b is None or e < b)]
    points = [a, *inner, b]
    return sum(law.rough(low, high) for low, high in pairwise(points))


def _shapes(cells: Line, partition: Partition) -> Iterator[SimpleAlternative]:
    """The other family: a normal law instead of a Laplace one of about its variance, or the other way round."""
    laplace, grid = cells.law.shape == "laplace", "discrete_" if cells.law.lattice else ""
    for percent in (70, 100, 140):
        spread = cells.law.spread * Fraction(percent, 100) * (Fraction(7, 5) if laplace else Fraction(5, 7))
        other = Law(grid + ("gaussian" if laplace else "laplace"), spread)
        yield arm(f"{other.shape} instead", partition, [other.rough(a, b) for a, b in cells.intervals])
