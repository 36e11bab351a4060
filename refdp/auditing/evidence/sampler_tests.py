"""A sampler against an exact law: PASS with what would have been seen, FAIL with the cell that betrays it, or neither.

The verdict is a function of the tally: whoever holds the counts can work it out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import log
from typing import Any

from refdp.auditing.evidence.e_values import NOTHING, EValue, average, error
from refdp.auditing.evidence.partitions import Arm, Mixture
from refdp.auditing.evidence.power import OFTEN, Alternative, weakest
from refdp.auditing.evidence.tallies import Reader, Tally, tally

MARGIN = 6.0
"""More than the logarithm of the number of arms: the sum of them is at most that much above the greatest."""


class Outcome(Enum):
    """What a test comes to."""

    PASS = "PASS"
    """Not refuted, and each stated error would have been seen with probability OFTEN."""
    FAIL = "FAIL"
    INCONCLUSIVE = "INCONCLUSIVE"
    ERROR = "ERROR"
    """A value was no value at all: the sampler is out of order."""


@dataclass(frozen=True, slots=True)
class View:
    """One way to sort outcomes into cells, its e-process, and its weight among the views."""

    name: str
    weight: Fraction
    process: Mixture
    place: Callable[[Any], int]


@dataclass(frozen=True, slots=True)
class Witness:
    """The cell that contributes most: how often it was hit, and at most how often it should be on average."""

    view: str
    arm: str
    cell: str
    count: int
    expected: Fraction


@dataclass(frozen=True, slots=True)
class SamplerVerdict:
    """A verdict with its reason; `error` is the probability that a right sampler gets FAIL, 0 if that is a proof."""

    outcome: Outcome
    reason: str
    draws: int
    error: Fraction
    e_value: EValue
    witness: Witness | None = None
    power: tuple[tuple[str, Fraction], ...] = ()
    """For each stated alternative, at least with what probability it would have been refuted by now."""


@dataclass(frozen=True)
class SamplerTest:
    """The test of a law: how values are read, the views, the error alpha, and the alternatives that PASS speaks of."""

    law: str
    alpha: Fraction
    reader: Reader
    views: tuple[View, ...]
    alternatives: tuple[Alternative, ...]

    def __post_init__(self) -> None:
        error(self.alpha)
        if sum(view.weight for view in self.views) > 1:
            raise ValueError("the weights of the views must sum to at most 1")

    def tally(self, values: Iterable[Any]) -> Tally:
        """The counts of the values."""
        return tally(values, self.reader, [(len(v.process.partition.cells), v.place) for v in self.views])

    @property
    def empty(self) -> Tally:
        """The tally of no draw."""
        return self.tally(())

    def e_value(self, counted: Tally) -> EValue:
        """The e-value at these counts: the weighted mean over the views."""
        found = [v.process.e_value(c) for v, c in zip(self.views, counted.counts, strict=True)]
        return average(found, [v.weight for v in self.views])

    @cached_property
    def draws_needed(self) -> int | None:
        """After so many draws PASS can be said; None where no number is found."""
        return weakest(self.alternatives, self.alpha)

    def is_over(self, counted: Tally) -> bool:
        """Whether the verdict is FAIL or ERROR.

        Where floats say that e is far below 1 / alpha, it is not worked out and the answer is no: one look less.
        """
        if counted.malformed or counted.impossible:
            return True
        parts = zip(self.views, counted.counts, strict=True)
        most = max(max(v.process.rough(c)) + log(v.weight) for v, c in parts)
        return most > -log(self.alpha) - MARGIN and self.e_value(counted).refutes(self.alpha)

    def judge(self, counted: Tally) -> SamplerVerdict:
        """The verdict at these counts: at a stop chosen in any way that does not see the future."""
        if counted.malformed:
            text = f"the sampler gave what is no value: {first(counted.malformed)}"
            return SamplerVerdict(Outcome.ERROR, text, counted.draws, Fraction(0), NOTHING)
        if counted.impossible:
            text = f"a value that {self.law} never gives: {first(counted.impossible)}"
            return SamplerVerdict(Outcome.FAIL, text, counted.draws, Fraction(0), NOTHING)
        e = self.e_value(counted)
        if e.refutes(self.alpha):
            return self._refuted(counted, e)
        power = tuple((a.name, a.power(counted.draws, self.alpha)) for a in self.alternatives)
        if power and min(p for _, p in power) >= OFTEN:
            names = ", ".join(name for name, _ in power)
            text = f"not refuted; each of {names} would have been seen with probability >= {float(OFTEN)}"
            return SamplerVerdict(Outcome.PASS, text, counted.draws, self.alpha, e, None, power)
        text = f"not refuted by {counted.draws} draws, too few to have seen each stated error"
        return SamplerVerdict(Outcome.INCONCLUSIVE, text, counted.draws, self.alpha, e, None, power)

    def _refuted(self, counted: Tally, e: EValue) -> SamplerVerdict:
        """FAIL, with the view and the cell that say it most clearly."""
        found = [v.process.e_value(c) for v, c in zip(self.views, counted.counts, strict=True)]
        i = max(range(len(found)), key=lambda j: found[j].log10)
        view, counts = self.views[i], counted.counts[i]
        arm = view.process.best(counts)
        witness = betraying(view, arm, counts)
        text = (
            f"not {self.law}: {arm.name} explains the counts better, as in {witness.cell}: "
            f"{witness.count} draws where at most {float(witness.expected):.6g} are expected"
        )
        return SamplerVerdict(Outcome.FAIL, text, counted.draws, self.alpha, e, witness)


def first(values: Mapping[str, int]) -> str:
    """The first of them, and how many others there are."""
    total = sum(values.values())
    return f"{next(iter(values))}{f' (and {total - 1} more)' if total > 1 else ''}"


def betraying(view: View, arm: Arm, counts: Sequence[int]) -> Witness:
    """The cell whose count is farthest from its expectation, in standard deviations, as far as floats tell."""
    n, most = sum(counts), view.process.partition.most

    def distance(c: int) -> float:
        expected = float(n * most[c])
        return float(abs(counts[c] - expected) / (expected + 1.0) ** 0.5)

    c = max(range(len(counts)), key=distance)
    return Witness(view.name, arm.name, view.process.partition.cells[c], counts[c], n * most[c])
