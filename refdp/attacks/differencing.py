"""Differencing: two counts, one of which leaves out one person, tell that person's bit by their difference.

That both counts are large helps nobody, so that withholding small counts does not stop it; noise does.  The count that
leaves the person out does not read their row, and costs them nothing: both answers are epsilon-DP together for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.attacks.arrays import chunks, fair_bits, guesses, noisy
from refdp.attacks.bounds import GuessBound, bound_of_noise
from refdp.attacks.games import Step, Tally
from refdp.attacks.parameters import at_most, grid


@dataclass(frozen=True, slots=True)
class Differencing:
    """Two counts of the bits of `people`, one without the first person, each with noise of scale 1 / epsilon."""

    people: int = 100
    name: ClassVar[str] = "differencing"
    values: ClassVar[int] = 2
    neighbours: ClassVar[str] = "change_one"
    promise: ClassVar[str] = "a guess of the bit is right with probability at most the bound"
    epsilons: ClassVar[Sequence[Fraction]] = grid("1/10 1/5 1/2 1 2 4 8")
    default_runs: ClassVar[int] = 10_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "people", at_most(self.people, "people", 100_000))

    @property
    def sentence(self) -> str:
        return (
            f"A bit of each of {self.people} people is counted twice, the second time without the first person, whose "
            "bit is guessed by the difference."
        )

    def scale(self, epsilon: Fraction) -> Fraction:
        return 1 / epsilon

    def total(self, epsilon: Fraction) -> Fraction:
        return epsilon

    def bound(self, epsilon: Fraction, timeout: float) -> GuessBound:
        return bound_of_noise(self.scale(epsilon), self.neighbours, timeout)

    def play(self, scale: Fraction | None, runs: int, step: Step) -> Mapping[str, Tally]:
        right = 0
        for part in chunks(runs, self.people, step):
            bits = fair_bits(part, self.people)
            everybody, without = noisy(bits.sum(axis=1), scale), noisy(bits[:, 1:].sum(axis=1), scale)
            right += int((guesses(2 * (everybody - without) - 1) == bits[:, 0]).sum())
        return {"success": Tally(right, runs)}

    def more(self, epsilon: Fraction, timeout: float) -> Mapping[str, Any]:
        return {}

    def facts(self) -> Sequence[tuple[str, str]]:
        return ()
