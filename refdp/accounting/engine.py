"""What an engine does: certified enclosures of delta(epsilon) of a composition of pairs, and of its inverse."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from refdp.accounting.losses import Composition
from refdp.numerics.intervals import Interval


class OutOfReach(ValueError):
    """An engine has no bounds for a composition, or not within the budget; the message says why."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How narrow the answer should be, and how long it may take."""

    width: Fraction = Fraction(1, 10**9)
    """Of epsilon; of delta relative to it."""
    seconds: float = 60.0


class Profile(Protocol):
    """The privacy profile of one composition, as far as an engine has worked it out."""

    engine: str

    def delta(self, epsilon: Fraction) -> Interval:
        """An interval that holds delta(epsilon), epsilon >= 0."""

    def epsilon(self, delta: Fraction) -> Interval:
        """An interval that holds the least epsilon >= 0 with delta(epsilon) <= delta, 0 < delta < 1."""


class Engine(Protocol):
    """A way to work out privacy profiles."""

    name: str

    def why_not(self, composition: Composition) -> str:
        """Why the engine has no profile of the composition, nothing where it has."""

    def profile(self, composition: Composition, effort: Effort) -> Profile:
        """The profile.  OutOfReach where the effort does not suffice."""
