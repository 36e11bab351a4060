"""What an engine gives: a curve delta(epsilon) with certified enclosures, and how it is read backwards."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from refdp.accounting.losses import Composition
from refdp.numerics.intervals import Interval


class OutOfReach(ArithmeticError):
    """An engine has no bounds for a composition; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What the answer must be like, and what it may cost."""

    width: Fraction = Fraction(1, 10**9)
    """Width of the interval of epsilon; of delta, relative to it."""
    delta: Fraction = Fraction(1, 10**12)
    """Least delta that will be asked about: what lies far below it need not be resolved."""
    end: float = float("inf")
    """`time.monotonic()` at which work must end with OutOfReach."""
    memory: int = 2 * 10**9
    """Bytes that the engine's arrays may take."""

    def check(self) -> None:
        """OutOfReach once the time is over; called in every long loop."""
        if time.monotonic() > self.end:
            raise OutOfReach("the time is over")


class Curve(Protocol):
    """delta(epsilon) of one composition, in one direction."""

    @property
    def engine(self) -> str:
        """Name of the engine, and the lemmas its errors rest on."""

    @property
    def trusts(self) -> frozenset[str]:
        """What one must believe."""

    def delta(self, epsilon: Fraction) -> Interval:
        """Enclosure of the hockey-stick divergence at e^epsilon, for any rational epsilon (negative ones, too)."""


class Engine(Protocol):
    """A way to work out curves."""

    name: str

    def why_not(self, composition: Composition) -> str | None:
        """None if the engine can work on the composition, else one sentence."""

    def curves(self, composition: Composition, effort: Effort) -> Iterator[Curve]:
        """Curves, each with narrower enclosures than the one before; ends where no better one is affordable."""
