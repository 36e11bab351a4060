"""The law of a program that draws from the primitives of `Coins`, by running it once for each sequence of answers.

Each primitive answers with its stated law, e replaced by a whole base (see powers.py), so that all masses are
rational.  That the primitives have those laws is shown flip by flip in tests/sampling.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import Any

from tests.exactness.powers import Powers

LARGEST_GEOMETRIC = 4
"""Greater answers of geometric_exp are cut off."""


class CutOff(Exception):
    """A program went on for more answers than are followed, or to an answer that is cut off."""


@dataclass
class Answers:
    """Stands in for `Coins`: answers by the places in `path`, then by the first there is, and keeps the probability."""

    powers: Powers
    most: int
    path: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    probability: Fraction = Fraction(1)

    def _one(self, options: Sequence[tuple[Any, Fraction]]) -> Any:
        """The option at this place of the path."""
        place = len(self.sizes)
        if place == self.most:
            raise CutOff
        self.sizes.append(len(options))
        if place == len(self.path):
            self.path.append(0)
        answer, probability = options[self.path[place]]
        self.probability *= probability
        if answer is None or probability == 0:
            raise CutOff
        return answer

    def flip(self) -> int:
        """0 or 1."""
        return self._one([(0, Fraction(1, 2)), (1, Fraction(1, 2))])

    def until(self, attempt: Callable[[], Any]) -> Any:
        """What the first attempt gives that is not None."""
        while (found := attempt()) is None:
            pass
        return found

    def bernoulli(self, p: Fraction) -> bool:
        """True with probability p."""
        return self._one([(True, p), (False, 1 - p)])

    def bernoulli_exp(self, gamma: Fraction) -> bool:
        """True with probability base^-gamma."""
        return self.bernoulli(self.powers.power(-gamma))

    def geometric_exp(self, gamma: Fraction) -> int:
        """k with probability (1 - base^-gamma) base^(-gamma k)."""
        ratio = self.powers.power(-gamma)
        masses = [(k, (1 - ratio) * ratio**k) for k in range(LARGEST_GEOMETRIC + 1)]
        return self._one([*masses, (None, ratio ** (LARGEST_GEOMETRIC + 1))])

    def uniform(self, n: int) -> int:
        """k with probability 1/n each."""
        return self._one([(k, Fraction(1, n)) for k in range(n)])

    def permutation(self, n: int) -> tuple[int, ...]:
        """Each order with the same probability."""
        return self.first(n, n)

    def first(self, n: int, size: int) -> tuple[int, ...]:
        """The first of each order: every list of so many different ones with the same probability."""
        found = list(permutations(range(n), size))
        return self._one([(one, Fraction(1, len(found))) for one in found])


def law_by_answers(run: Callable[[Any], Any], powers: Powers, most: int) -> tuple[dict[Any, Fraction], Fraction]:
    """The masses of the outcomes of `run(coins)` over at most so many answers, and the probability that is cut off."""
    masses, cut, path = Counter[Any](), Fraction(0), [0]
    while path:
        answers = Answers(powers, most, path)
        try:
            masses[run(answers)] += answers.probability
        except CutOff:
            cut += answers.probability
        path = following(answers.path[: len(answers.sizes)], answers.sizes)
    return dict(masses), cut


def following(path: list[int], sizes: list[int]) -> list[int]:
    """The next sequence of answers; empty after the last."""
    while path and path[-1] == sizes[len(path) - 1] - 1:
        path = path[:-1]
    return [*path[:-1], path[-1] + 1] if path else []
