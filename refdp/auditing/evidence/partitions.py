"""Outcomes sorted into cells, and the e-process of their counts against a null that bounds the mass of each cell.

Null: whatever was drawn before, a draw falls into cell c with probability at most `most[c]`, for every c at once.
Theorem: for q >= 0 with sum q_c <= 1, the product of (q_c / most_c)^(n_c) is a supermartingale that starts at 1, and so
is any mixture of such over q.  (docs/audit_statistics.md, section 2.)  It needs the counts n_c only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lgamma, log
from typing import TYPE_CHECKING

from refdp.auditing.evidence.e_values import BITS, EValue, declared, mixture
from refdp.numerics.enclosures import Balls, log_gamma, precision

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball


@dataclass(frozen=True, slots=True)
class Partition:
    """Named cells and an upper bound > 0 of the mass of each."""

    cells: tuple[str, ...]
    most: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if len(self.cells) != len(self.most) or not self.cells:
            raise ValueError(f"each of {len(self.cells)} cells must have a bound, got {len(self.most)}")
        if any(not isinstance(p, Fraction) or p <= 0 for p in self.most):
            raise ValueError(f"bounds of masses must be Fractions > 0, got {min(self.most)}")
        if sum(self.most) < 1:
            raise ValueError(f"bounds of masses must sum to at least 1, got {sum(self.most)}: they hold of no law")


@dataclass(frozen=True, slots=True)
class SimpleAlternative:
    """The alternative that the cells have these masses, >= 0 with sum <= 1."""

    name: str
    masses: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        declared(self.masses)


@dataclass(frozen=True, slots=True)
class Dirichlet:
    """All laws of groups of cells, Dirichlet with `pseudocounts` > 0: the group of cell c is `group[c]`."""

    name: str
    group: tuple[int, ...]
    pseudocounts: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if any(not isinstance(a, Fraction) or a <= 0 for a in self.pseudocounts):
            raise ValueError(f"pseudocounts must be Fractions > 0, got {min(self.pseudocounts)}")
        if not set(self.group) <= set(range(len(self.pseudocounts))):
            raise ValueError(f"groups must be in 0..{len(self.pseudocounts) - 1}, got {max(self.group)}")


Arm = SimpleAlternative | Dirichlet


class Mixture:
    """The weighted mean of the e-processes of the arms, from the counts alone; weights >= 0 with sum <= 1."""

    __slots__ = ("_prepared", "arms", "partition", "weights")

    def __init__(self, partition: Partition, arms: Sequence[tuple[Fraction, Arm]]) -> None:
        self.partition, self.arms = partition, tuple(arm for _, arm in arms)
        self.weights = tuple(weight for weight, _ in arms)
        declared(self.weights)
        if any(
            len(a.masses if isinstance(a, SimpleAlternative) else a.group) != len(partition.cells) for a in self.arms
        ):
            raise ValueError(f"each arm must speak of all {len(partition.cells)} cells")
        with precision(BITS):
            own = [_ln(p) for p in partition.most]
            self._prepared: list[_Ratios | _Gammas] = [
                _Ratios.of(a, own) if isinstance(a, SimpleAlternative) else _Gammas.of(a, partition) for a in self.arms
            ]

    def e_value(self, counts: Sequence[int]) -> EValue:
        """The mixture at these counts."""
        with precision(BITS):
            return mixture(list(zip(self.weights, self.logarithms(counts), strict=True)))

    def logarithms(self, counts: Sequence[int]) -> list[Ball | None]:
        """ln of each arm's e-value, None for 0; called inside `precision(BITS)`."""
        checked(counts, len(self.partition.cells))
        found = [(c, n) for c, n in enumerate(counts) if n]
        return [arm.logarithm(found) for arm in self._prepared]

    def rough(self, counts: Sequence[int]) -> list[float]:
        """About ln of each arm's part of the e-value, in floats: it says where looking is worth while, no more."""
        found = [(c, n) for c, n in enumerate(counts) if n]
        parts = zip(self.weights, self._prepared, strict=True)
        return [arm.rough(found) + log(w) if w else float("-inf") for w, arm in parts]

    def best(self, counts: Sequence[int]) -> Arm:
        """The arm that contributes most, as far as floats tell: it is named in reports and decides nothing."""
        return max(zip(self.rough(counts), self.arms, strict=True), key=lambda t: t[0])[1]


Found = Sequence[tuple[int, int]]
"""(cell, count) of the cells that were hit."""


@dataclass(frozen=True, slots=True)
class _Ratios:
    """ln(q_c / most_c) of an alternative, None where q_c = 0."""

    ratios: list[Ball | None]
    floats: list[float]

    @staticmethod
    def of(alternative: SimpleAlternative, own: Sequence[Ball]) -> _Ratios:
        ratios = [None if q == 0 else _ln(q) - p for q, p in zip(alternative.masses, own, strict=True)]
        return _Ratios(ratios, [float("-inf") if x is None else float(x) for x in ratios])

    def rough(self, found: Found) -> float:
        """The same in floats."""
        floats = self.floats
        return sum(floats[c] * n for c, n in found)

    def logarithm(self, found: Found) -> Ball | None:
        """The sum of n_c ln(q_c / most_c)."""
        total = Balls(BITS).number(Fraction(0))
        for c, n in found:
            ratio = self.ratios[c]
            if ratio is None:
                return None
            total += ratio * n
        return total


@dataclass(frozen=True, slots=True)
class _Gammas:
    """ln Gamma of the pseudocounts and of their sum, and ln of the bounds of the groups (None without a cell)."""

    arm: Dirichlet
    strength: Fraction
    whole: Ball
    starts: list[Ball]
    before: list[Ball]
    bounds: list[Ball | None]

    @staticmethod
    def of(arm: Dirichlet, partition: Partition) -> _Gammas:
        sums = [Fraction(0)] * len(arm.pseudocounts)
        for g, p in zip(arm.group, partition.most, strict=True):
            sums[g] += p
        strength = sum(arm.pseudocounts, Fraction(0))
        before = [log_gamma(a, BITS) for a in arm.pseudocounts]
        starts, bounds = [Balls(BITS).number(a) for a in arm.pseudocounts], [_ln(p) if p else None for p in sums]
        return _Gammas(arm, strength, log_gamma(strength, BITS), starts, before, bounds)

    def sizes(self, found: Found) -> list[int]:
        """The counts of the groups."""
        sizes, group = [0] * len(self.before), self.arm.group
        for c, n in found:
            sizes[group[c]] += n
        return sizes

    def logarithm(self, found: Found) -> Ball:
        """ln of the integral of the product over the prior."""
        sizes = self.sizes(found)
        total = self.whole - log_gamma(self.strength + sum(sizes), BITS)
        for a, n, before, bound in zip(self.starts, sizes, self.before, self.bounds, strict=True):
            if n and bound is not None:
                total += (a + n).lgamma() - before - bound * n
        return total

    def rough(self, found: Found) -> float:
        """The same in floats."""
        sizes, whole = self.sizes(found), float(self.strength)
        total = lgamma(whole) - lgamma(whole + sum(sizes))
        for a, n, before, bound in zip(self.starts, sizes, self.before, self.bounds, strict=True):
            if n and bound is not None:
                total += lgamma(float(a) + n) - float(before) - float(bound) * n
        return total


def checked(counts: Sequence[int], size: int) -> None:
    """ValueError unless the counts are `size` whole numbers >= 0."""
    if len(counts) != size or any(type(n) is not int or n < 0 for n in counts):
        raise ValueError(f"counts must be {size} whole numbers >= 0, got {tuple(counts)}")


def _ln(x: Fraction) -> Ball:
    """ln(x) for x > 0; called inside `precision(BITS)`."""
    return Balls(BITS).number(x).log()
