"""Reconstruction: the secret bits of a table from noisy counts of random subsets of its people.

Whatever the noise of each answer, enough answers give the bits away.  Who is in which subset
is public.  An answer moves by 1 with a bit that is in its subset, so that the account of a bit has as many answers as
there are subsets with it; the bound is that of the bit that is in most.

Source: DN03
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from refdp.attacks.arrays import (
    CHUNK,
    chunks,
    counts,
    fair_bits,
    least_squares,
    linear_programming,
    noisy,
    public_subsets,
    random_places,
    require_solvers,
)
from refdp.attacks.bounds import GuessBound, bound_of_noise
from refdp.attacks.games import Step, Tally
from refdp.attacks.parameters import among, at_most, grid
from refdp.sampling.words import SYSTEM_WORDS

if TYPE_CHECKING:
    from refdp.attacks.arrays import Bits

METHODS = {"least_squares": least_squares, "linear_programming": linear_programming}
MOST = 4_000_000
"""Most members of all subsets together, and more than that many again are not there."""


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """Counts of `answers` random subsets of `people`, each with noise of scale 1 / epsilon; subsets follow `seed`."""

    people: int = 100
    answers: int = 400
    method: str = "least_squares"
    seed: int | None = None
    subsets: Bits = field(init=False, repr=False, compare=False)
    name: ClassVar[str] = "reconstruction"
    values: ClassVar[int] = 2
    neighbours: ClassVar[str] = "change_one"
    promise: ClassVar[str] = (
        "a guess of a bit is right with probability at most the bound, which bounds the mean share of right ones, too"
    )
    epsilons: ClassVar[Sequence[Fraction]] = grid("1/200 1/100 1/50 1/20 1/10 1/5 1/2 1")

    def __post_init__(self) -> None:
        require_solvers()
        object.__setattr__(self, "people", at_most(self.people, "people", 1000))
        object.__setattr__(self, "answers", at_most(self.answers, "answers", 10_000))
        if self.people * self.answers > MOST:
            raise ValueError(f"people times answers must be at most {MOST}, got {self.people} times {self.answers}")
        among(self.method, "method", list(METHODS))
        seed = SYSTEM_WORDS.digits(48) if self.seed is None else at_most(self.seed, "seed", 2**63, 0)
        object.__setattr__(self, "seed", seed)
        object.__setattr__(self, "subsets", public_subsets(self.people, self.answers, seed))

    @property
    def default_runs(self) -> int:
        """A linear programme is solved for each run."""
        return 4000 if self.method == "least_squares" else 50

    @property
    def sentence(self) -> str:
        by = self.method.replace("_", " ")
        return (
            f"{self.people} people have a secret bit each; {self.answers} counts of random subsets are published, and "
            f"the bits are guessed by {by}. One bit of each run counts."
        )

    @property
    def most_often(self) -> int:
        """In how many subsets the person is who is in most."""
        return int(self.subsets.sum(axis=0).max())

    def scale(self, epsilon: Fraction) -> Fraction:
        return 1 / epsilon

    def total(self, epsilon: Fraction) -> Fraction:
        return self.most_often * epsilon

    def bound(self, epsilon: Fraction, timeout: float) -> GuessBound:
        # Where nobody is in any subset there is no answer that moves, and nothing is told.
        return bound_of_noise(self.scale(epsilon), self.neighbours, timeout, count=self.most_often)

    def play(self, scale: Fraction | None, runs: int, step: Step) -> Mapping[str, Tally]:
        right, all_right = 0, 0
        each = max(self.people, self.answers) if self.method == "least_squares" else CHUNK
        for part in chunks(runs, each, step):
            bits, places = fair_bits(self.people, part), random_places(part, self.people)
            answers = noisy(counts(self.subsets, bits), scale)
            estimates = METHODS[self.method](self.subsets, answers, scale)
            guessed = (estimates > 0.5).astype(int)
            is_right = guessed == bits
            right, all_right = right + int(is_right[places, list(range(part))].sum()), all_right + int(is_right.sum())
        return {"success": Tally(right, runs, Fraction(all_right, runs * self.people))}

    def more(self, epsilon: Fraction, timeout: float) -> Mapping[str, Any]:
        return {}

    def facts(self) -> Sequence[tuple[str, str]]:
        return (
            ("seed of the subsets", str(self.seed)),
            ("a bit is in at most so many subsets", str(self.most_often)),
        )
