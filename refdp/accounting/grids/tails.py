"""What a grid must know of a pair of laws: how likely it is, under P and under Q, that the loss exceeds a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from flint import arb, ctx

from refdp import work
from refdp.accounting.balls import whole_below

LOSS_BITS = 128
"""Points of a grid are multiples of 2^-LOSS_BITS."""
LOSS_UNIT = 1 << LOSS_BITS
_UNIT = arb(LOSS_UNIT)
DIGITS_A_STEP = 60
"""Binary digits of an error function, or of an exponential, that count as a step of work."""


class Event(NamedTuple):
    """P(E) and Q(E) of one event E, as balls: delta at every x is at least P(E) - x Q(E)."""

    p: arb
    q: arb

    def height(self, x: arb) -> arb:
        """P(E) - x Q(E)."""
        return self.p - x * self.q


class Tails(NamedTuple):
    """An event E with P(E) - x Q(E) <= delta <= P(E) - x Q(E) + slack at x = e^b."""

    event: Event
    slack: arb | None = None


NEVER, ALWAYS = Event(arb(0), arb(0)), Event(arb(1), arb(1))


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where atoms of the loss are, in units of 2^-LOSS_BITS and to within a few: `first` to `last`, `spacing` apart."""

    first: int = 0
    last: int = 0
    spacing: int = 0


class Pair(Protocol):
    """A pair of laws by the tails of its loss."""

    @property
    def anchor(self) -> Anchor | None:
        """Where the loss has atoms; None if it has none."""

    @property
    def infinite(self) -> arb:
        """P(the loss is infinite)."""

    def tails(self, b: arb, x: arb) -> Tails:
        """An event between {loss > b} and {loss >= b} for the number b, x = e^b; at the precision around it."""


def looked(evaluations: int) -> None:
    """Counts the work of so many error functions or exponentials, about, at the precision that is set."""
    work.step(1 + evaluations * ctx.prec // DIGITS_A_STEP)


def best(candidates: list[Event], x: arb) -> Tails:
    """The first of the events, all of them between them attaining delta at x: the others count as slack.

    The first must be an event for certain, the others need be ones only if they attain delta.
    """
    first, *others = candidates
    slack = None
    for event in others:
        excess = event.height(x) - first.height(x)
        slack = excess.max(slack if slack is not None else arb(0))
    return Tails(first, slack)


def point(units: int) -> arb:
    """The ball of units 2^-LOSS_BITS: exact if the precision is that of the units."""
    return arb(units) / _UNIT


def nearest(ball: arb) -> int:
    """A multiple of 2^-LOSS_BITS near the ball."""
    found = whole_below((ball * LOSS_UNIT).mid())
    if found is None:
        raise ArithmeticError("the precision is too low for the points of a grid")
    return found
