"""Functions that users have: privacy profiles and trade-off functions.  What they say is believed, and named so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.accounting.events import Event, Profile, TradeOff
from refdp.accounting.losses import require
from refdp.accounting.numbers import float_below, probability, shown, whole

MOST_PIECES = 4096
"""Most pieces into which the levels of a trade-off function are cut."""


def profile_event(
    function: Callable[[Any], Any], name: str = "a profile", *, exact: bool = False, count: int = 1
) -> Event:
    """A mechanism that is (epsilon, function(epsilon))-DP for every epsilon >= 0, between neighbours in either order.

    The function gets a float rounded down (its delta is then no smaller), or a Fraction where `exact`; what it returns
    is taken as it is.
    """
    require(callable(function), "function", "callable", shown(function))
    return Event(Profile(name, Upper(function, exact)), count, trusts=frozenset({f"assumption: {name} bounds delta"}))


@dataclass(frozen=True, slots=True)
class Upper:
    """A user's profile as exact numbers, rounded up, at most 1."""

    function: Callable[[Any], Any]
    exact: bool

    def __call__(self, epsilon: Fraction) -> Fraction:
        value = self.function(epsilon if self.exact else float_below(epsilon))
        return probability(value, "the value of a profile", upward=True)


def trade_off_event(
    function: Callable[[Any], Any], name: str = "a trade-off", *, pieces: int = 512, exact: bool = False, count: int = 1
) -> Event:
    """A mechanism between whose outputs a test of level alpha errs with at least function(alpha), in either order.

    Nothing is used but its values at finitely many levels and that the error does not rise: Lemma 1.11.
    """
    require(callable(function), "function", "callable", shown(function))
    levels = grid(whole(pieces, "pieces", MOST_PIECES))
    points = tuple((alpha, _error(function, alpha, exact)) for alpha in levels)
    return Event(TradeOff(points), count, trusts=frozenset({f"assumption: {name} bounds the errors of tests"}))


def _error(function: Callable[[Any], Any], alpha: Fraction, exact: bool) -> Fraction:
    """The value at a level (each level is a float, too), between 0 and 1 - alpha."""
    value = function(alpha if exact else float(alpha))
    return min(probability(value, "the value of a trade-off", upward=False), 1 - alpha)


def grid(pieces: int) -> list[Fraction]:
    """Levels between 0 and 1, dense near both: dyadic, each a float."""
    half = [Fraction(1, 2) * Fraction(2) ** -(k // 8) * (1 - Fraction(k % 8, 16)) for k in range(max(1, pieces // 2))]
    kept = [level for level in half if level > Fraction(1, 2**50)]
    return sorted({Fraction(0), Fraction(1), *kept, *(1 - level for level in kept)})
