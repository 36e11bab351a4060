"""Bounds of binomial probabilities, as rational numbers on the safe side.  Lemma 1.18 of docs/accounting_proofs.md."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from refdp.accounting.balls import ball
from refdp.numerics.enclosures import interval, precision

if TYPE_CHECKING:
    from flint import arb

BITS = 400
"""Working precision."""
DIGITS = 320
"""Binary digits of the probabilities that are given."""
MOST_TERMS = 20_000
"""Terms of a tail that are added up one by one; what is left is a geometric series, or the bound is 1."""
HALVINGS = 100
"""So many terms, each at most half the one before, are added up before the rest is taken for a geometric series."""
LEAST = Fraction(1, 2**2000)
"""No bound of a tail is less, but 0."""
RARE = Fraction(1, 2**240)
"""A row that is drawn more often than with this probability is as good as drawn every time."""


@lru_cache(maxsize=256)
def tail(trials: int, chance: Fraction, least: int) -> Fraction:
    """At least P[J >= least] for J binomial, 0 < chance <= 1; 0 if it is 0, and 1 where nothing better is found."""
    if least > trials:
        return Fraction(0)
    if least <= 0 or chance == 1:
        return Fraction(1)
    odds, ratio = chance / (1 - chance), Fraction(1)
    with precision(BITS):
        total, term, falling = ball(0), _mass(trials, chance, least), 0
        for place in range(least, least + MOST_TERMS):
            ratio = odds * (trials - place) / (place + 1)
            falling += ratio <= Fraction(1, 2)
            if falling > HALVINGS or ratio == 0:
                break
            total, term = total + term, term * ball(ratio)
        if ratio >= 1:
            return Fraction(1)
        found = interval(total + term / ball(1 - ratio), DIGITS).upper
    return min(Fraction(1), max(found, LEAST))


def _mass(trials: int, chance: Fraction, j: int) -> arb:
    """P[J = j]."""
    ways = ball(trials + 1).lgamma() - ball(j + 1).lgamma() - ball(trials - j + 1).lgamma()
    return (ways + ball(j) * ball(chance).log() + ball(trials - j) * ball(1 - chance).log()).exp()


@lru_cache(maxsize=256)
def drawn(rows: int, draws: int) -> tuple[Fraction, tuple[tuple[Fraction, int], ...]]:
    """(share, law): a row of `rows` is among so many draws with probability at most share.

    Then it is drawn j times with about the probability beside j: the probabilities sum to 1, and for every number at
    least as great a part of them is above it as of the truth.  The last j is `draws`.
    """
    if rows == 1:
        return Fraction(1), ((Fraction(1), draws),)
    with precision(BITS):
        never = (ball(draws) * (-ball(Fraction(1, rows))).log1p()).exp()
        share = 1 - never
        term, law, left = never, list[tuple[Fraction, int]](), Fraction(1)
        for j in range(1, draws):
            term = term * ball(Fraction(draws - j + 1, j * (rows - 1)))
            mass = min(left, max(Fraction(0), interval(term / share, DIGITS).lower))
            law.append((mass, j))
            left -= mass
            if left < RARE:
                break
        most = interval(share, DIGITS).upper
    return min(Fraction(1), most), (*law, (left, draws))
