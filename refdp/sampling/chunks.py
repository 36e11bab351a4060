"""Many draws at one input, a chunk at a time: exact outputs and exact moments, in bounded memory."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any, Protocol

from refdp.sampling.coins import Coins
from refdp.sampling.drawing import Randomness, of_any_scale
from refdp.sampling.exponential import Draw
from refdp.sampling.moments import Moments
from refdp.sampling.plans import Plan, choice_of, plan_of, selection_of
from refdp.sampling.slots.draws import SlotDraws
from refdp.sampling.tables import Table, table_of, uses_arrays
from refdp.sampling.words import Source
from refdp.spec import registry
from refdp.spec.clamped import ClampedGeometric
from refdp.spec.noise import AdditiveNoise
from refdp.terms.term import Term

DRAWS_AT_ONCE = 1 << 16
"""Draws of a chunk.  The order in which digits are read depends on it, so replays need the same."""
FLIPPED_AT_ONCE = 1 << 10
"""Draws of a chunk where coins are flipped; they take some 50 us each."""
OF_ANY_SCALE_AT_ONCE = 1 << 4
"""Draws of a chunk from the table of every scale: 10 us each at scale 2^60, a third of a second at 10^300."""


class Chunk(Protocol):
    """Whole numbers."""

    def moments(self) -> Moments:
        """Exact; there is at least one number."""

    def plus(self, constant: int) -> Sequence[int]:
        """Each number plus the constant."""

    def octets(self, constant: int, unit: int) -> bytes | memoryview:
        """unit (constant + number), as int64, the least significant octet first; OverflowError if one is none."""


@dataclass(frozen=True, slots=True)
class ListChunk:
    """Whole numbers in a list."""

    numbers: Sequence[int]

    def moments(self) -> Moments:
        """Exact."""
        numbers = self.numbers
        return Moments(len(numbers), sum(numbers), sum(k * k for k in numbers), min(numbers), max(numbers))

    def plus(self, constant: int) -> Sequence[int]:
        """Each number plus the constant."""
        return [constant + k for k in self.numbers] if constant else self.numbers

    def octets(self, constant: int, unit: int) -> bytes:
        """As int64."""
        try:
            found = array("q", [unit * k for k in self.plus(constant)] if unit != 1 else self.plus(constant))
        except OverflowError:
            raise OverflowError("a draw exceeds the range of int64") from None
        if sys.byteorder == "big":
            found.byteswap()
        return found.tobytes()


@dataclass(frozen=True, slots=True)
class Run:
    """n draws of a registered mechanism at x, from the digits of a source: each is unit (constant + a number drawn)."""

    subject: Term
    x: Any
    n: int
    source: Source
    plan: Plan | None
    table: Table | None
    unit: Fraction
    constant: int

    @property
    def path(self) -> str:
        """How the draws are made: in arrays, without numpy, or by coin flips."""
        if self.table is not None:
            return "bulk" if uses_arrays(self.n) else "python"
        return "scalar" if self.of_any_scale is None and selection_of(self.subject) is None else "python"

    @property
    def sampler(self) -> str:
        """What makes them."""
        if self.of_any_scale is not None:
            return "one table for every scale"
        if self.table is None:
            return "coin flips, by the scheme" if selection_of(self.subject) is None else "choices of a candidate"
        return "exact slots" if isinstance(self.table.draws, SlotDraws) else "lookup of the cdf"

    @property
    def of_any_scale(self) -> Draw | None:
        """What draws one number, where there is no table and no need of flips."""
        return None if self.table is not None or self.plan is None else of_any_scale(self.plan.law)

    def prepare(self) -> None:
        """What need not be done between draws: numpy, and the table in arrays."""
        if self.table is not None and self.path == "bulk":
            self.table.array(0, self.source)

    def chunks(self) -> Iterator[Chunk]:
        """The numbers drawn."""
        coins, draw = Randomness(source=self.source).coins(), self.of_any_scale
        size = DRAWS_AT_ONCE if self.table is not None else OF_ANY_SCALE_AT_ONCE if draw else FLIPPED_AT_ONCE
        for done in range(0, self.n, size):
            count = min(size, self.n - done)
            if self.plan is not None and self.table is not None:
                yield self._drawn(self.plan, self.table, count)
            elif self.plan is not None and draw is not None:
                yield self._listed(self.plan, [draw(self.source) for _ in range(count)])
            else:
                yield ListChunk(self._flipped(count, coins))

    def _drawn(self, plan: Plan, table: Table, count: int) -> Chunk:
        """A chunk from the table."""
        if self.path == "bulk":
            arrays = import_module("refdp.sampling.bulk.chunks")
            found: Chunk = arrays.drawn(plan, table, self._place, count, self.source)
            return found
        return self._listed(plan, table.draws.many(count, self.source))

    def _listed(self, plan: Plan, drawn: list[int]) -> Chunk:
        """What these draws make of x, but for what is the same in all of them."""
        return ListChunk([plan.split(self._place, k)[1] for k in drawn])

    @property
    def _place(self) -> int:
        """x in units."""
        return int(self.x / self.unit) if isinstance(self.x, Fraction) else 0

    def _flipped(self, count: int, coins: Coins) -> list[int]:
        """Numbers of what has no table: choices, or draws by the scheme."""
        drawn = Randomness(source=self.source).several(self.subject, [self.x] * count, coins)
        return [int(y / self.unit) - self.constant for y in drawn]


def run_of(subject: Term, x: Any, n: int, source: Source) -> Run:
    """How n draws of a registered mechanism are made at x, a member of its domain."""
    plan: Plan | None = choice_of(subject, x) if isinstance(x, tuple) else plan_of(subject)
    kind, unit, constant = registry.kind_of(subject.operator), _unit(subject), 0
    if isinstance(kind, AdditiveNoise | ClampedGeometric):
        constant = int(x / unit)
    table = None if plan is None else table_of(plan.law)  # not kept: it may be of data
    return Run(subject, x, n, source, plan, table, unit, constant)


def _unit(subject: Term) -> Fraction:
    """The step of the grid that inputs and outputs lie on."""
    kind = registry.kind_of(subject.operator)
    return registry.values(kind, subject).get("granularity", Fraction(1))
