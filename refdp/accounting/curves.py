"""What an engine gives: a curve delta(epsilon) with certified enclosures, and how it is read backwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from refdp import work
from refdp.accounting.losses import Composition
from refdp.numerics.intervals import Interval

CLOCK = f"the time was over: the clock stops work that takes {work.PATIENCE} times as long as --timeout"
WORK = "the work that --timeout allows is done"


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
    """`work.spent()` at which work must end with OutOfReach."""
    memory: int = 2 * 10**9
    """Bytes that the engine's arrays may take."""

    def check(self) -> None:
        """OutOfReach once the work is done that is allowed; called in every long loop."""
        if work.spent() > self.end:
            raise OutOfReach(CLOCK if work.stopped_by_clock() else WORK)

    def plan(self, seconds: float, why: str) -> None:
        """OutOfReach, which says why, if work of so many seconds is more than is left."""
        self.check()
        if work.spent() + seconds > self.end:
            raise OutOfReach(why)

    def afford(self, seconds: float, why: str) -> None:
        """Counts work of so many seconds that is about to be done; OutOfReach, which says why, if it is too much."""
        self.plan(seconds, why)
        work.step(int(seconds * work.STEPS))


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
