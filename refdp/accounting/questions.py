"""What an account is asked, how narrow an answer must be, and answers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf

from refdp.accounting.curves import Curve
from refdp.accounting.inversion import Bounds, delta_bounds, epsilon_bounds
from refdp.accounting.losses import Direction, require
from refdp.accounting.numbers import number

WIDTH = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True)
class Question:
    """epsilon at this delta, delta at this epsilon, or, where both are given, which side of delta is delta(epsilon).

    0 <= delta < 1, and delta > 0 where both are given.
    """

    delta: Fraction | None = None
    epsilon: Fraction | None = None

    def __post_init__(self) -> None:
        for name in ("delta", "epsilon"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, number(getattr(self, name), name))
        require(self.delta is not None or self.epsilon is not None, "question", "about delta or epsilon", "neither")
        if self.delta is not None:
            alone = self.epsilon is None
            least = self.delta >= 0 if alone else self.delta > 0
            need = "at least 0 and below 1" if alone else "strictly between 0 and 1"
            require(least and self.delta < 1, "delta", need, self.delta)
        require(self.epsilon is None or 0 <= self.epsilon <= 2**20, "epsilon", "between 0 and 2^20", self.epsilon)

    @property
    def is_pure(self) -> bool:
        """Whether epsilon is asked for at delta = 0."""
        return self.delta == 0

    @property
    def start(self) -> Bounds:
        """What holds of any answer."""
        return Bounds(Fraction(0), None if self.epsilon is None else Fraction(1))

    def read(
        self, curve: Curve, width: Fraction, known: Bounds, end: float = inf, enough: Fraction | None = None
    ) -> Bounds:
        """The answer that the curve gives until `end`, and what was known before; of epsilon perhaps that it is
        at most `enough`.
        """
        if self.epsilon is not None:
            return delta_bounds(curve, self.epsilon).meet(known)
        return epsilon_bounds(curve, self.delta or Fraction(0), width, known, end, enough).meet(known)

    def settled(self, found: Bounds, floor: Fraction | None, width: Fraction) -> bool:
        """Whether the bounds are narrow, or below what another direction costs anyway; of delta, relative to it."""
        if found.lower is None or floor is None:
            return True
        if found.upper is None:
            return False
        lower = max(found.lower, floor)
        if self.epsilon is not None and self.delta is not None:
            return found.upper <= self.delta or lower > self.delta
        return found.upper - lower <= (width if self.epsilon is None else width * lower)


@dataclass(frozen=True, slots=True)
class Answer:
    """Certified bounds of one number, and how they came about."""

    question: Question
    bounds: Bounds
    engine: str
    trusts: frozenset[str]
    seconds: float
    direction: Direction
    reason: str | None = None
    """Why the width was not reached."""
    note: str | None = None
    """What else is to be said of the bounds."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How narrow an answer must be, and what it may cost."""

    width: Fraction = WIDTH
    timeout: float = 60.0
    memory: int = 2 * 10**9

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", number(self.width, "width"))
        require(0 < self.width <= 1, "width", "> 0 and at most 1", self.width)
        require(0 < self.timeout < float("inf"), "timeout", "> 0 and finite", self.timeout)
        require(self.memory > 0, "memory", "> 0", self.memory)
