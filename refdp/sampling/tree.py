"""The coin-flip tree of a program: its law, exactly, up to the mass of the paths that are cut at a depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from refdp.sampling.entropy import Bits

Outcome = TypeVar("Outcome", bound=Hashable)
MAXIMUM_DEPTH = 30
"""Deepest tree that is walked: 2^30 paths."""


class OutOfBits(Exception):
    """A program asked for more flips than its tape holds."""


class Tape:
    """The recorded flips, handed out in order; `used` counts them.  Raises OutOfBits after the last one."""

    __slots__ = ("flips", "used")

    def __init__(self, flips: Iterable[int]) -> None:
        self.flips = tuple(flips)
        self.used = 0
        if any(not isinstance(flip, int) or flip not in (0, 1) for flip in self.flips):
            raise ValueError(f"a tape must hold flips 0 and 1, got {self.flips}")

    def __call__(self) -> int:
        """The next flip."""
        if self.used == len(self.flips):
            raise OutOfBits(f"the tape holds {self.used} flips")
        self.used += 1
        return self.flips[self.used - 1]


class _Branch:
    """A path of the tree: its flips so far, prolonged by 0 on demand, down to `depth`."""

    __slots__ = ("depth", "path", "used")

    def __init__(self, depth: int) -> None:
        self.path: list[int] = []
        self.depth = depth
        self.used = 0

    def __call__(self) -> int:
        """The next flip of this path."""
        if self.used == self.depth:
            raise OutOfBits(f"the walk is cut at {self.depth} flips")
        if self.used == len(self.path):
            self.path.append(0)
        self.used += 1
        return self.path[self.used - 1]

    def advance(self) -> bool:
        """Go to the next path in lexicographic order; False after the last one."""
        while self.path and self.path[-1] == 1:
            self.path.pop()
        if not self.path:
            return False
        self.path[-1] = 1
        self.used = 0
        return True


@dataclass(frozen=True, slots=True)
class PartialLaw(Generic[Outcome]):
    """masses[k] <= P(k) <= masses[k] + unresolved for every outcome k, and sum of masses + unresolved = 1, exactly."""

    masses: Mapping[Outcome, Fraction]
    unresolved: Fraction
    """Probability that the program asks for more flips than the depth walked."""

    def lower(self, outcome: Outcome) -> Fraction:
        """The probability of `outcome` by the paths walked: at most P(outcome)."""
        return self.masses.get(outcome, Fraction(0))

    def upper(self, outcome: Outcome) -> Fraction:
        """At least P(outcome)."""
        return self.lower(outcome) + self.unresolved

    def admits(self, outcome: Outcome, lower: Fraction, upper: Fraction) -> bool:
        """Whether P(outcome) may lie in [lower, upper]; False refutes it."""
        return self.lower(outcome) <= upper and lower <= self.upper(outcome)


def law_of(run: Callable[[Bits], Outcome], depth: int) -> PartialLaw[Outcome]:
    """The law of the outcome of `run(bits)` for fair independent bits, by walking every path of at most `depth` flips.

    Depth first, one run a path, at most 2^depth runs.  `run` must be a function of its flips alone (an outcome that
    depends on anything else, or a program that catches OutOfBits, gives no law); its other exceptions propagate.
    """
    if type(depth) is not int or not 0 <= depth <= MAXIMUM_DEPTH:
        raise ValueError(f"depth must be an int in 0..{MAXIMUM_DEPTH}, got {depth!r}")
    branch, masses, unresolved = _Branch(depth), Counter[Outcome](), 0
    while True:
        try:
            outcome = run(branch)
        except OutOfBits:
            unresolved += 1
        else:
            masses[outcome] += 1 << (depth - branch.used)
        if branch.used != len(branch.path):
            raise ValueError("run must be a function of its flips alone, got other flips asked for on the same path")
        if not branch.advance():
            unit = 1 << depth
            return PartialLaw({k: Fraction(n, unit) for k, n in masses.items()}, Fraction(unresolved, unit))
