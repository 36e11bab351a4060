"""Mechanisms of finitely many outcomes, and trade-offs between the errors of tests."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar

from refdp.accounting import losses
from refdp.accounting.losses import require
from refdp.accounting.numbers import whole
from refdp.accounting.stated.fields import Pairs, read_fields, read_pairs
from refdp.numerics.exact import Ln


@dataclass(frozen=True, slots=True)
class RandomisedResponse:
    """A bit, told with probability truth, else its negation; 1/2 <= truth < 1.  Private between any two values."""

    truth: Fraction
    stem: ClassVar[str] = "randomised_response"

    def __post_init__(self) -> None:
        read_fields(self, truth=True)
        require(Fraction(1, 2) <= self.truth < 1, "truth", "at least 1/2 and below 1", self.truth)

    def loss(self) -> losses.Response:
        return losses.Response(Ln(self.truth / (1 - self.truth)))


@dataclass(frozen=True, slots=True)
class KAryRandomisedResponse:
    """One of k values, told with probability truth, else one of the others, each as likely; 1/k <= truth < 1."""

    k: int
    truth: Fraction
    stem: ClassVar[str] = "k_ary_randomised_response"

    def __post_init__(self) -> None:
        read_fields(self, truth=True)
        object.__setattr__(self, "k", whole(self.k, "k", 10**9))
        require(self.k >= 2, "k", ">= 2", self.k)
        require(Fraction(1, self.k) <= self.truth < 1, "truth", "at least 1/k and below 1", self.truth)

    def loss(self) -> losses.Finite:
        """The two laws differ at the two values alone: Lemma 1.9 of docs/accounting_proofs.md."""
        other = (1 - self.truth) / (self.k - 1)
        rest = (self.k - 2) * other
        return losses.Finite(((self.truth, other), (other, self.truth), *([(rest, rest)] if rest else [])))


@dataclass(frozen=True, slots=True)
class Finite:
    """Two laws on finitely many outcomes as (P, Q): with the row and without it, or at the two inputs."""

    outcomes: tuple[tuple[Fraction, Fraction], ...]
    stem: ClassVar[str] = "finite"

    def __post_init__(self) -> None:
        object.__setattr__(self, "outcomes", read_pairs(self.outcomes, "outcomes", "P", "Q"))
        self.loss()

    def loss(self) -> losses.Finite:
        return losses.Finite(self.outcomes)

    def is_symmetric(self) -> bool:
        """Whether (Q, P) has the same laws of the loss as (P, Q)."""
        return _by_ratio(self.outcomes) == _by_ratio(tuple((q, p) for p, q in self.outcomes))


def _by_ratio(outcomes: tuple[tuple[Fraction, Fraction], ...]) -> dict[Fraction | None, tuple[Fraction, Fraction]]:
    """Outcomes of the same ratio P / Q taken together; those that never happen left out."""
    found: dict[Fraction | None, tuple[Fraction, Fraction]] = {}
    for p, q in outcomes:
        if p or q:
            ratio = p / q if q else None
            before = found.get(ratio, (Fraction(0), Fraction(0)))
            found[ratio] = (before[0] + p, before[1] + q)
    return found


@dataclass(frozen=True, slots=True)
class TradeOff:
    """Any mechanism between whose outputs no test of level <= alpha errs with less than beta, for each (alpha, beta).

    Either way round: for every ordered pair of neighbours.
    """

    points: tuple[tuple[Fraction, Fraction], ...]
    stem: ClassVar[str] = "trade_off"

    def __post_init__(self) -> None:
        points = read_pairs(self.points, "points", "alpha", "beta")
        for alpha, beta in points:
            require(0 <= alpha <= 1, "alpha in points", "between 0 and 1", alpha)
            require(0 <= beta <= 1 - alpha, "beta in points", "between 0 and 1 - alpha", beta)
        object.__setattr__(self, "points", tuple(sorted(points)))

    def loss(self) -> losses.Finite:
        """Pieces of the greatest convex function that is nowhere above the stated steps: Lemma 1.11."""
        hull = lower_hull(steps(self.points))
        cells = [(b0 - b1, a1 - a0) for (a0, b0), (a1, b1) in pairwise(hull)]
        start = 1 - hull[0][1]
        return losses.Finite((*([(start, Fraction(0))] if start else []), *cells))


def steps(points: Pairs) -> list[tuple[Fraction, Fraction]]:
    """Corners of the function that is, left of each alpha and at it, the greatest beta stated from there on."""
    corners, floor = [(Fraction(1), Fraction(0))], Fraction(0)
    for alpha, beta in reversed(points):
        corners.append((alpha, floor))
        floor = max(floor, beta)
    return sorted({*corners, (Fraction(0), floor)})


def lower_hull(points: list[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    """The lower convex hull, from left to right; of points at one place the lowest."""
    lowest = dict(sorted(points, reverse=True))
    hull: list[tuple[Fraction, Fraction]] = []
    for a, b in sorted(lowest.items()):
        while len(hull) > 1 and _bends_down(hull[-2], hull[-1], (a, b)):
            hull.pop()
        hull.append((a, b))
    return hull


def _bends_down(p: tuple[Fraction, Fraction], q: tuple[Fraction, Fraction], r: tuple[Fraction, Fraction]) -> bool:
    """Whether q is on or above the line from p to r."""
    return (q[1] - p[1]) * (r[0] - p[0]) >= (r[1] - p[1]) * (q[0] - p[0])
