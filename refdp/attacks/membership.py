"""Membership: whether a person is in a table, from noisy means of many attributes of which little each is known.

Each row has independent fair bits.  The person of whom the attacker knows every bit is either the first row, or no row,
and somebody else is the first one.  The score adds up how far the published counts lean to the person's bits.

Source: HSR08; DSSUV15
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

MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Membership:
    """The counts of `answers` attributes of `people`, each with noise of scale 1 / epsilon."""

    people: int = 10
    answers: int = 1000
    name: ClassVar[str] = "membership"
    values: ClassVar[int] = 2
    neighbours: ClassVar[str] = "change_one"
    promise: ClassVar[str] = "a guess of membership is right with probability at most the bound"
    epsilons: ClassVar[Sequence[Fraction]] = grid("1/1000 1/500 1/200 1/100 1/50 1/20 1/10 1/5 1/2")
    default_runs: ClassVar[int] = 2000

    def __post_init__(self) -> None:
        object.__setattr__(self, "people", at_most(self.people, "people", 1000))
        object.__setattr__(self, "answers", at_most(self.answers, "answers", 100_000))
        if self.people * self.answers > MOST:
            raise ValueError(f"people times answers must be at most {MOST}, got {self.people} times {self.answers}")

    @property
    def sentence(self) -> str:
        return (
            f"A person all of whose {self.answers} attributes are known is, or is not, among {self.people} people of "
            "whom the mean of each attribute is published; which of the two is guessed by how far the means lean to "
            "the person."
        )

    def scale(self, epsilon: Fraction) -> Fraction:
        return 1 / epsilon

    def total(self, epsilon: Fraction) -> Fraction:
        return self.answers * epsilon

    def bound(self, epsilon: Fraction, timeout: float) -> GuessBound:
        return bound_of_noise(self.scale(epsilon), self.neighbours, timeout, count=self.answers)

    def play(self, scale: Fraction | None, runs: int, step: Step) -> Mapping[str, Tally]:
        right = 0
        for part in chunks(runs, self.people * self.answers, step):
            rows, person, is_in = (
                fair_bits(part, self.people, self.answers),
                fair_bits(part, self.answers),
                fair_bits(part),
            )
            rows[:, 0] = is_in[:, None] * person + (1 - is_in[:, None]) * rows[:, 0]
            counts = noisy(rows.sum(axis=1), scale)
            scores = ((2 * person - 1) * (2 * counts - self.people)).sum(axis=1)
            right += int((guesses(2 * scores - self.answers) == is_in).sum())
        return {"success": Tally(right, runs)}

    def more(self, epsilon: Fraction, timeout: float) -> Mapping[str, Any]:
        return {}

    def facts(self) -> Sequence[tuple[str, str]]:
        return ()
