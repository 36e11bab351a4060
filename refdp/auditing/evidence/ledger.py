"""One error for everything that is tested: alpha, split over named tests by weights that are declared beforehand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from refdp.auditing.evidence.e_values import error
from refdp.numerics.exact import Exactly, exact


class Overspent(ValueError):
    """The weights of the tests would sum to more than 1."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """alpha and (name, weight) of each test: any of them refutes a true claim with probability at most alpha in all.

    By the union bound, whatever the tests share.  Raises ValueError for a bad weight or a name that stands twice,
    Overspent for weights that sum to more than 1.
    """

    alpha: Fraction
    shares: tuple[tuple[str, Fraction], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", error(self.alpha))
        names = [name for name, _ in self.shares]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"each test must have one share, got more for {', '.join(twice)}")
        for name, weight in self.shares:
            if not isinstance(weight, Fraction) or weight <= 0:
                raise ValueError(f"the weight of {name} must be a Fraction > 0, got {weight!r}")
        if self.spent > 1:
            raise Overspent(f"weights must sum to at most 1, got {self.spent}")

    @property
    def spent(self) -> Fraction:
        """The sum of the weights so far."""
        return sum((weight for _, weight in self.shares), Fraction(0))

    def reserve(self, name: str, weight: Exactly) -> Ledger:
        """The ledger with one test more."""
        return Ledger(self.alpha, (*self.shares, (name, exact(weight, "weight"))))

    def share(self, name: str) -> Fraction:
        """The error that the test may make: alpha times its weight; ValueError for a test without a share."""
        found = dict(self.shares)
        if name not in found:
            raise ValueError(f"{name} has no share of alpha: reserve it before the data are seen")
        return self.alpha * found[name]


def split(alpha: Exactly, names: Iterable[str]) -> Ledger:
    """alpha in equal parts."""
    listed = list(names)
    return Ledger(error(alpha), tuple((name, Fraction(1, len(listed))) for name in listed))
