"""What a mechanism says of its own accuracy: formulas for the tail of its error, and for an estimate from its outputs.

The obligations in `accuracy` say what must hold of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from refdp.spec.formulas import Formula
from refdp.spec.statements import Statement, equal
from refdp.terms.term import Term, both, name

ALPHA, BETA, LEVEL = name("alpha"), name("beta"), name("level")


@dataclass(frozen=True, slots=True)
class Tails:
    """log_tail(alpha) <= 0: from alpha on, weights are at most e^log_tail(alpha) times what they are from 0 on.

    `exact`: just that many times.  radius(level) >= 0, if given: where log_tail is -level.
    """

    log_tail: Formula
    radius: Formula | None = None
    exact: bool = False

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        radius = () if self.radius is None else ((self.radius, "level"),)
        return ((self.log_tail, "alpha"), *radius)


@dataclass(frozen=True, slots=True)
class Estimator:
    """(mean - offset) width: from the mean of the outputs for n bits, an estimate of the mean of the bits.

    Under `conditions`, beyond the mechanism's; width > 0 is also how far the estimates from one output are apart.
    """

    offset: Formula
    width: Formula
    conditions: tuple[Term, ...]

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        return (self.offset, ""), (self.width, "")

    def at(self, mean: Term) -> Term:
        """The estimate from that mean of the outputs."""
        return (mean - self.offset.at()) * self.width.at()


def readings_of(tails: Tails | None) -> tuple[tuple[Formula, str], ...]:
    """The readings of the tails, if there are any."""
    return () if tails is None else tails.readings


def radius_has_the_level(tails: Tails, radius: Formula, given: tuple[Term, ...]) -> Statement:
    """radius(level) >= 0 is where the log tail is -level, for every level >= 0."""
    there = tails.log_tail.at(alpha=radius.at())
    return Statement((*given, 0 <= LEVEL), both(0 <= radius.at(), equal(there, -LEVEL)))
