"""An attack as a game that is played many times: a fresh secret, private answers, a guess, and how often it was right.

Each run has its own secret and its own noise, and counts once, so that the numbers of right guesses are binomial, and
the intervals of their probabilities (Clopper-Pearson, certified) hold with the error that is stated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from refdp.attacks.bounds import GuessBound
from refdp.auditing.evidence.binomial import at_least

Step = Callable[[int], None]
"""Hears how many runs were made; may raise to end the work."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of so many independent runs came out as said."""

    successes: int
    runs: int
    share: Fraction | None = None
    """Of games with many secrets a run: which share of all of them was guessed right.  No interval is known of it."""

    def interval(self, error: Fraction) -> tuple[Fraction, Fraction]:
        """Two numbers between which the probability lies but for a chance of `error`, half of it on each side."""
        low = at_least(self.runs, self.successes, error / 2)
        return low, 1 - at_least(self.runs, self.runs - self.successes, error / 2)


class Attack(Protocol):
    """One attack with its parameters."""

    @property
    def name(self) -> str:
        """The word for it."""

    @property
    def sentence(self) -> str:
        """What is secret, what is published, and how it is guessed, in a sentence."""

    @property
    def values(self) -> int:
        """How many values the secret may have, each as likely; 0 where no bound is of that kind."""

    @property
    def neighbours(self) -> str:
        """Between which tables the answers are private."""

    @property
    def promise(self) -> str:
        """What the certified bound says, in a sentence."""

    @property
    def epsilons(self) -> Sequence[Fraction]:
        """The privacy losses of one answer that are tried unless others are said."""

    @property
    def default_runs(self) -> int:
        """How often it is played unless said."""

    def scale(self, epsilon: Fraction) -> Fraction:
        """The scale of the noise of one answer that is epsilon-DP."""

    def total(self, epsilon: Fraction) -> Fraction:
        """The loss of all answers together, as losses add up."""

    def bound(self, epsilon: Fraction, timeout: float) -> GuessBound:
        """The bound that is certified of every attack."""

    def play(self, scale: Fraction | None, runs: int, step: Step) -> Mapping[str, Tally]:
        """How many guesses were right: "success", and what else is measured beside it."""

    def more(self, epsilon: Fraction, timeout: float) -> Mapping[str, Any]:
        """What else is to be said at that epsilon, as plain data."""

    def facts(self) -> Sequence[tuple[str, str]]:
        """What can be said of it without any run: words, and a value."""
