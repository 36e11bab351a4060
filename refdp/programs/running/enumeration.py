"""The law of what a program returns, exactly: the function itself is run once for every tape of outcomes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from refdp.programs.probabilities.numbers import ZERO, Number, number
from refdp.programs.running.deviates import Deviate
from refdp.programs.running.numbers import Exact, exp, sign, simplest
from refdp.programs.running.rationals import Rational
from refdp.programs.running.sources import called, drawing_from, exactly

MOST_RUNS = 200_000
"""The runs after which an enumeration is given up."""


class NotEnumerated(ValueError):
    """The law of the program is not finite, or too long to be written out."""


class Cut(BaseException):
    """This run is not followed to its end: what it would return counts as not enumerated."""


@dataclass(frozen=True, slots=True, eq=False)
class OutputProbabilities(Mapping[Hashable, Exact]):
    """The probability of each output; `unresolved` is the probability of runs that were cut."""

    masses: Mapping[Hashable, Exact]
    unresolved: Exact

    def __getitem__(self, output: Hashable) -> Exact:
        return self.masses[output]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.masses)

    def __len__(self) -> int:
        return len(self.masses)


@dataclass(slots=True)
class Tape:
    """Outcomes: at first those that were `chosen` before, then the first that is possible each time."""

    reach: int
    most_draws: int
    chosen: list[int] = field(default_factory=list)
    left: list[list[int]] = field(default_factory=list)
    """What else is possible at each draw, the next one last."""
    probabilities: list[Exact] = field(default_factory=list)
    """How likely the outcomes are, up to and with each draw."""
    used: int = 0

    @property
    def probability(self) -> Exact:
        """How likely the outcomes that were used are."""
        return self.probabilities[self.used - 1] if self.used else Rational(1)

    def place(self, weights: Sequence[Exact]) -> int:
        total = sum(weights, Rational(0))
        return self._outcome(weights, total)

    def discrete_laplace(self, scale: Exact) -> int:
        outcome = self._outcome(laplace_masses(scale, self.reach), Rational(1))
        if outcome > 2 * self.reach:
            raise Cut
        return outcome - self.reach

    def deviate(self, family: str) -> Deviate:
        raise NotEnumerated(f"the draws of a program that is enumerated must be discrete, got {family}")

    def _outcome(self, weights: Sequence[Exact], total: Exact) -> int:
        """The outcome of the next draw."""
        if self.used == self.most_draws:
            raise Cut
        if self.used == len(self.chosen):
            self.chosen.append(-1)
            self.left.append([place for place in reversed(range(len(weights))) if sign(weights[place]) > 0])
            self.probabilities.append(Rational(0))
        if self.chosen[self.used] < 0:
            outcome = self.chosen[self.used] = self.left[self.used].pop()
            self.probabilities[self.used] = self.probability * (weights[outcome] / total)
        self.used += 1
        return self.chosen[self.used - 1]

    def advance(self) -> bool:
        """Go to the next tape; False after the last one."""
        while self.left and not self.left[-1]:
            for record in (self.left, self.chosen, self.probabilities):
                record.pop()
        self.used = 0
        if self.left:
            self.chosen[-1] = -1
        return bool(self.left)


@lru_cache(maxsize=64)
def laplace_masses(scale: Exact, reach: int) -> tuple[Exact, ...]:
    """The probabilities of -reach, ..., reach, and of what is beyond."""
    # With r = e^(-1 / scale), k has probability (1 - r) / (1 + r) r^|k|, and 2 r^(reach + 1) / (1 + r) is left.
    r = exp(-1 / scale)
    masses = [(1 - r) / (1 + r) * r**size for size in range(reach + 1)]
    return (*masses[:0:-1], *masses, 2 * r ** (reach + 1) / (1 + r))


def law(
    function: Callable[..., Any], data: Any, /, *, reach: int = 10, most_draws: int = 60, **parameters: Any
) -> OutputProbabilities:
    """The law of what the function returns, or of the tuple of what it yields; lists are tuples in it.

    Of a discrete Laplace draw the values from -reach to reach are followed, of a run the first `most_draws` draws; the
    rest is `unresolved`, and masses[output] <= P(output) <= masses[output] + unresolved.  Raises NotEnumerated where
    the program makes a continuous draw or there are too many runs.
    """
    given, values = exactly(data, "data"), {name: exactly(value, name) for name, value in parameters.items()}
    tape, masses, cut = Tape(reach, most_draws), dict[Hashable, Total](), Total()
    for _ in range(MOST_RUNS):
        try:
            with drawing_from(tape):
                output = frozen(called(function, given, values))
        except Cut:
            cut.add(tape.probability)
        else:
            masses.setdefault(output, Total()).add(tape.probability)
        if not tape.advance():
            return OutputProbabilities({output: total.sum for output, total in masses.items()}, cut.sum)
    raise NotEnumerated(f"the program has more than {MOST_RUNS} runs")


@dataclass(slots=True)
class Total:
    """A sum whose summands are added up by what is below the line, so that it stays short."""

    rational: Fraction = Fraction(0)
    others: dict[Hashable, Number] = field(default_factory=dict)

    def add(self, x: Exact) -> None:
        """Add x."""
        if isinstance(x, Fraction):
            self.rational += x
            return
        bottom = frozenset(x.value.bottom.items())
        self.others[bottom] = self.others.get(bottom, ZERO) + x.value

    @property
    def sum(self) -> Exact:
        """The sum."""
        return simplest(sum(self.others.values(), number(self.rational)))


def frozen(output: Any) -> Hashable:
    """The output with tuples for lists."""
    return tuple(map(frozen, output)) if isinstance(output, list | tuple) else output
