"""What one noisy vote costs on votes that are given: a statement about one table, and no guarantee for others."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from refdp.accounting import losses
from refdp.accounting.balls import ball
from refdp.accounting.losses import require
from refdp.accounting.numbers import number, shown
from refdp.accounting.stated.bounds import ORDERS
from refdp.accounting.stated.fields import read_fields
from refdp.accounting.stated.schemes import short
from refdp.numerics.enclosures import interval, precision

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball

BITS = 192
MOST_CANDIDATES = 10_000
POWERS = tuple(Fraction(n, 4) for n in (5, 6, 8, 12, 20, 36, 80))
"""The r that are tried; any r > 1 gives a true bound."""


@dataclass(frozen=True, slots=True)
class GivenVotes:
    """The index of the greatest of the votes, each with Gaussian noise of sigma, between these votes and neighbours.

    change: 2 where a neighbour is made by one voter who votes otherwise, 1 where one voter comes or goes.
    """

    votes: tuple[Fraction, ...]
    sigma: Fraction
    change: int = 2
    stem: ClassVar[str] = "given_votes"

    def __post_init__(self) -> None:
        listed = isinstance(self.votes, list | tuple) and 2 <= len(self.votes) <= MOST_CANDIDATES
        require(listed, "votes", f"a list of 2 to {MOST_CANDIDATES} numbers", shown(self.votes))
        object.__setattr__(self, "votes", tuple(number(one, "votes") for one in self.votes))
        read_fields(self, sigma=True, change=True)
        require(self.change in (1, 2), "change", "1 or 2", self.change)

    @property
    def assumptions(self) -> frozenset[str]:
        """What the number is about."""
        said = (
            "assumption: the votes are those given, whatever is answered; it says nothing of others, nor is it private"
        )
        return frozenset({said})

    def loss(self) -> losses.Renyi:
        """At each order the less of what holds for all votes and of Lemma 1.24, in either order of the two tables."""
        mu_squared, missed = self.change / self.sigma**2, self.missed()
        found = []
        for order in ORDERS:
            least = order * mu_squared / 2
            with precision(BITS):
                for r in POWERS if missed < 1 else ():
                    higher = (order - 1) * r + 1
                    moment = ball(higher * (higher - 1) * mu_squared / 2)
                    least = min(least, likely(order, r, moment, missed))
            found.append((order, least))
        return losses.Renyi(tuple(found))

    def missed(self) -> Fraction:
        """At least the probability, on these votes and on neighbours, that it is not the index of the greatest."""
        first, *others = sorted(self.votes, reverse=True)
        with precision(BITS):
            tails = [(ball((first - one - self.change) / self.sigma) / 2).erfc() / 2 for one in others]
            return min(Fraction(1), interval(sum(tails, ball(0)), BITS).upper)

    def __str__(self) -> str:
        told = ", ".join(map(short, self.votes[:6])) + (", ..." if len(self.votes) > 6 else "")
        return f"{self.stem}(votes=[{told}], sigma={short(self.sigma)}, change={self.change})"


def likely(order: Fraction, r: Fraction, log_moment: Ball, missed: Fraction) -> Fraction:
    """At least the Renyi divergence of laws of which one outcome is missed with probability at most `missed` < 1.

    log_moment: at least ln of their moment of the order (order - 1) r + 1, r > 1.
    """
    whole = (ball(1 - order) * ball(1 - missed).log()).exp()
    if missed > 0:
        whole = whole + (log_moment / ball(r) + ball(1 - 1 / r) * ball(missed).log()).exp()
    return max(Fraction(0), interval(whole.log() / ball(order - 1), BITS).upper)
