"""Averaging: one count is asked for again and again, with fresh noise each time, until the noise averages out.

The likelihood of a discrete Laplace answer to c or c + 1 depends on one thing alone, whether the answer is above c: so
the vote of the answers is the best of all attacks, and it attains the bound that the account certifies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.accounting.theorems.filters import privacy_filter
from refdp.accounting.theorems.guarantees import guarantee
from refdp.attacks.arrays import chunks, fair_bits, guesses, noisy
from refdp.attacks.bounds import GuessBound, bound_of_noise
from refdp.attacks.games import Step, Tally
from refdp.attacks.parameters import among, at_most, grid
from refdp.numerics.exact import positive

METHODS = ("likelihood", "mean")


@dataclass(frozen=True, slots=True)
class Averaging:
    """`answers` to one count, each with fresh noise of scale 1 / epsilon; `budget`: a total that a filter keeps."""

    answers: int = 100
    method: str = "likelihood"
    budget: Fraction | None = None
    name: ClassVar[str] = "averaging"
    values: ClassVar[int] = 2
    neighbours: ClassVar[str] = "change_one"
    promise: ClassVar[str] = "a guess of the bit is right with probability at most the bound"
    epsilons: ClassVar[Sequence[Fraction]] = grid("1/100 1/50 1/20 1/10 1/5 1/2 1")
    default_runs: ClassVar[int] = 10_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", at_most(self.answers, "answers", 100_000))
        among(self.method, "method", METHODS)
        if self.budget is not None:
            object.__setattr__(self, "budget", positive(self.budget, "budget"))

    @property
    def sentence(self) -> str:
        by = "their mean" if self.method == "mean" else "the vote of those above the count without it"
        return f"A person's bit is in a count that is answered {self.answers} times; it is guessed by {by}."

    def scale(self, epsilon: Fraction) -> Fraction:
        return 1 / epsilon

    def total(self, epsilon: Fraction) -> Fraction:
        return self.answers * epsilon

    def bound(self, epsilon: Fraction, timeout: float) -> GuessBound:
        return bound_of_noise(self.scale(epsilon), self.neighbours, timeout, count=self.answers)

    def play(self, scale: Fraction | None, runs: int, step: Step) -> Mapping[str, Tally]:
        right = 0
        for part in chunks(runs, self.answers, step):
            bits = fair_bits(part)
            answers = noisy(bits[:, None].repeat(self.answers, axis=1), scale)
            counted = answers if self.method == "mean" else (answers >= 1)
            right += int((guesses(2 * counted.sum(axis=1) - self.answers) == bits).sum())
        return {"success": Tally(right, runs)}

    def more(self, epsilon: Fraction, timeout: float) -> Mapping[str, Any]:
        return {} if self.budget is None else {"admitted": admitted(self.budget, epsilon, self.answers)}

    def facts(self) -> Sequence[tuple[str, str]]:
        return ()


def admitted(budget: Fraction, epsilon: Fraction, answers: int) -> int:
    """How many of the answers a privacy filter of that budget lets be given.

    >>> admitted(Fraction(1), Fraction(3, 10), 100)
    3
    """
    left = privacy_filter(guarantee("pure", budget, neighbours="change_one"))
    one = guarantee("pure", epsilon, neighbours="change_one")
    for given in range(answers):
        if not left.admits(one):
            return given
        left = left.spend(one)
    return answers
