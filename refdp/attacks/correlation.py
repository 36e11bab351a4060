"""Correlation: rows that are alike give each other away, which DP of one row does not promise to prevent.

A family is all in a count or not in it at all, each with probability 1/2, and the attacker knows as much.  The count is
epsilon-DP for one person who comes or goes.  That bounds what is learned of a person whose row is independent of the
others; of the family only the bound of all of them together holds, as if one row moved the count by their number.

Source: KM11; TSD20
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.accounting.numbers import decimal_above
from refdp.attacks.arrays import chunks, fair_bits, guesses, noisy
from refdp.attacks.bounds import GuessBound, bound_of_noise
from refdp.attacks.games import Step, Tally
from refdp.attacks.parameters import at_most, grid

PLACES = 6


@dataclass(frozen=True, slots=True)
class Correlation:
    """A count with noise of scale 1 / epsilon, of a family of `people` that is all in or all out."""

    people: int = 4
    name: ClassVar[str] = "correlation"
    values: ClassVar[int] = 2
    neighbours: ClassVar[str] = "none"
    promise: ClassVar[str] = (
        "a guess of a family's participation is right with probability at most the bound of its members together"
    )
    epsilons: ClassVar[Sequence[Fraction]] = grid("1/20 1/10 1/5 1/2 1 2 4")
    default_runs: ClassVar[int] = 10_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "people", at_most(self.people, "people", 1000, 2))

    @property
    def sentence(self) -> str:
        return (
            f"A family of {self.people} is in a count with all its members or with none, and everybody knows that; "
            "which of the two is guessed by whether the answer is above the half."
        )

    def scale(self, epsilon: Fraction) -> Fraction:
        return 1 / epsilon

    def total(self, epsilon: Fraction) -> Fraction:
        return self.people * epsilon

    def bound(self, epsilon: Fraction, timeout: float) -> GuessBound:
        return self.bound_of(self.people, epsilon, timeout)

    def bound_of(self, members: int, epsilon: Fraction, timeout: float) -> GuessBound:
        """The bound for so many rows that come or go together."""
        return bound_of_noise(self.scale(epsilon), self.neighbours, timeout, sensitivity=members)

    def play(self, scale: Fraction | None, runs: int, step: Step) -> Mapping[str, Tally]:
        right = 0
        for part in chunks(runs, 1, step):
            bits = fair_bits(part)
            right += int((guesses(2 * noisy(self.people * bits, scale) - self.people) == bits).sum())
        return {"success": Tally(right, runs)}

    def more(self, epsilon: Fraction, timeout: float) -> Mapping[str, Any]:
        alone = self.bound_of(1, epsilon, timeout).probability
        return {"if_independent": decimal_above(alone, PLACES)}

    def facts(self) -> Sequence[tuple[str, str]]:
        family = f"what the answer {self.people} multiplies the odds of each member's participation by"
        equal = "what three answers 1 multiply the odds of three equal bits by, randomised response with truth 3/4"
        return (
            (family, f"e^({self.people} epsilon), and e^epsilon if rows were independent"),
            (equal, f"{odds_of_equal_bits(3, Fraction(3, 4))}, and 3 if they were (claim posterior.three_equal_bits)"),
        )


def odds_of_equal_bits(people: int, truth: Fraction) -> Fraction:
    """By what the answers 1 of all multiply the odds of bits that are equal, each told with randomised response.

    >>> odds_of_equal_bits(3, Fraction(3, 4))
    Fraction(27, 1)
    """
    return (truth / (1 - truth)) ** people
