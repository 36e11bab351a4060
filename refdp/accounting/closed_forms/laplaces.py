"""Many Laplace pairs, randomised responses among them: a finite sum of polynomials, worked out once for all epsilon.

Each pair counts as up (+e) or down (-e).  Let ways(j, s) be the number of choices with j of the k Laplace pairs up and
a sum s of all ups and downs.  Then delta(epsilon) is c e^(epsilon / 2) times the sum over j and s > epsilon of
ways(j, s) G_j((s - epsilon) / 2).  Here G_j(y) = 2 sum_(n >= 1) g_j(n - 1) y^n / n!, where g_j(n) is the coefficient of
w^n in (1 + w)^(j - 1) (1 - w)^(k - j - 1), and c is the product of e^(-e / 2) / 2 over the Laplace pairs and of
1 / (e^(e / 2) + e^(-e / 2)) over the responses (Lemma 2.5).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, prod
from typing import TYPE_CHECKING

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.closed_forms.formula import mirrored
from refdp.accounting.closed_forms.rows import Rows
from refdp.accounting.losses import Laplace, Loss, Response

if TYPE_CHECKING:
    from flint import arb

MOST_COPIES = 1000
"""More Laplace pairs are left to other engines."""
MOST_TERMS = 30_000
"""So are mixes with more choices of the numbers of ups."""
Parts = tuple[tuple[Loss, int], ...]


@dataclass(frozen=True, slots=True)
class Laplaces:
    """The product of Laplace pairs and of responses with rational epsilon."""

    laplaces: tuple[tuple[Fraction, int], ...]
    """(epsilon, count)."""
    responses: tuple[tuple[Fraction, int], ...]
    infinite: Callable[[], arb]
    """The mass of an infinite loss, at the precision that is set."""
    terms: dict[int, list[tuple[Fraction, int]]]
    """j -> (s, ways), s > 0, greatest s first."""
    found: dict[int, Rows] = field(default_factory=dict)

    def __call__(self, epsilon: Fraction, bits: int) -> arb:
        """delta(epsilon), worked out with so many bits."""
        if epsilon < 0:
            return mirrored(self, epsilon, bits)
        infinite = self.infinite()
        return infinite + (1 - infinite) * self.scale(epsilon) * self.total(epsilon, bits)

    def total(self, epsilon: Fraction, bits: int) -> arb:
        """The sum of ways G_j over s > epsilon."""
        rows = self.found.setdefault(bits, Rows(bits, self.counts[0], self.counts[1], self.terms))
        work.step(3 * sum(len(choices) for choices in self.terms.values()))
        total = ball(0)
        for j, choices in self.terms.items():
            for s, ways in choices:
                if s <= epsilon:
                    break
                total += ways * rows.row(j)((s - epsilon) / 2)
        return total

    @property
    def counts(self) -> tuple[int, int]:
        """How many Laplace pairs, how many pairs in all."""
        laplaces, responses = (sum(n for _, n in parts) for parts in (self.laplaces, self.responses))
        return laplaces, laplaces + responses

    def scale(self, epsilon: Fraction) -> arb:
        """c e^(epsilon / 2)."""
        halves = (epsilon - sum((n * e for e, n in (*self.laplaces, *self.responses)), Fraction(0))) / 2
        spread = prod(((1 + ball(-e).exp()) ** n for e, n in self.responses), start=ball(2) ** self.counts[0])
        return ball(halves).exp() / spread


def ups_and_downs(laplaces: Parts, responses: Parts) -> dict[int, list[tuple[Fraction, int]]]:
    """j -> (s, ways) for all sums s > 0 of ups and downs with j of the Laplace pairs up."""
    found: dict[tuple[int, Fraction], int] = {(0, Fraction(0)): 1}
    for loss, count in (*laplaces, *responses):
        e, counts, following = size(loss), isinstance(loss, Laplace), dict[tuple[int, Fraction], int]()
        for (j, s), ways in found.items():
            for i in range(count + 1):
                key = (j + i if counts else j, s + e * (2 * i - count))
                following[key] = following.get(key, 0) + ways * comb(count, i)
        found = following
    terms: dict[int, list[tuple[Fraction, int]]] = {}
    for (j, s), ways in sorted(found.items(), reverse=True):
        if s > 0:
            terms.setdefault(j, []).append((s, ways))
    return terms


def size(loss: Loss) -> Fraction:
    """The greatest finite loss."""
    match loss:
        case Laplace(epsilon):
            return epsilon
        case Response(epsilon) if epsilon.argument == 1:
            return epsilon.rational
    raise TypeError(f"the pair must be of Laplace laws or a response with rational epsilon, got {loss}")


def is_mix(parts: Parts) -> bool:
    """Whether the parts are Laplace pairs, at least one, and responses with rational epsilon, few enough in all."""
    laplaces = [count for loss, count in parts if isinstance(loss, Laplace)]
    others = [loss for loss, _ in parts if not isinstance(loss, Laplace)]
    rational = all(isinstance(loss, Response) and loss.epsilon.argument == 1 for loss in others)
    few = len(parts) == 1 or prod(count + 1 for _, count in parts) <= MOST_TERMS
    return rational and few and 0 < sum(laplaces) <= MOST_COPIES


def laplaces_formula(parts: Parts) -> Callable[[Fraction, int], arb]:
    """delta(epsilon) of the product of the parts, which are a mix as `is_mix` has it."""
    laplaces = tuple(part for part in parts if isinstance(part[0], Laplace))
    responses = tuple(part for part in parts if not isinstance(part[0], Laplace))

    def infinite() -> arb:
        finite = ((1 - ball(loss.delta)) ** n for loss, n in responses if isinstance(loss, Response))
        return 1 - prod(finite, start=ball(1))

    sizes = [tuple((size(loss), n) for loss, n in kind) for kind in (laplaces, responses)]
    return Laplaces(sizes[0], sizes[1], infinite, ups_and_downs(laplaces, responses))
