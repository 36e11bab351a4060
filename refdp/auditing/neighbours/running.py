"""The target's outcomes for inputs, each asked once; pairs scored against the claim, exactly."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from refdp import work
from refdp.auditing.neighbours.distances import Distance, outcomes_apart
from refdp.auditing.neighbours.families import Pair, Problem
from refdp.auditing.neighbours.settings import Settings
from refdp.auditing.neighbours.spaces import Rows, neighbours
from refdp.auditing.targets import Outcome, Session
from refdp.auditing.targets.outcomes import RAISED

AT_ONCE = 20_000
"""Most rows in one request."""
CALL, ROW, PAIR = 25, 1, 25
"""Steps of work that a call of the target, a row of its input, and a pair count as."""
WORSE = 2.0
"""Most work, in seconds, with which worse pairs are sought, once one is found."""
KEPT = 2_000_000
"""Most rows of inputs whose outcomes are kept."""
EVERY = "every"
"""The family of all neighbouring pairs of a space that has few."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: an operation of the target, whose outputs may be at most `bound` apart under `output`."""

    problem: Problem
    operation: str
    output: str
    bound: Fraction


@dataclass(frozen=True, slots=True)
class Scored:
    """A neighbouring pair, both outcomes, and how far they are apart."""

    pair: Pair
    outcomes: tuple[Outcome, Outcome]
    distance: Distance

    def rank(self, bound: Fraction) -> tuple[bool, Fraction]:
        """What is greater for a better pair; infinite distances come last."""
        against = self.distance.against(bound)
        return (against is None, against or Fraction(0))


@dataclass(slots=True)
class Runner:
    """Asks the target, keeps its outcomes, and counts."""

    session: Session
    question: Question
    settings: Settings
    known: dict[str, Outcome] = field(default_factory=dict)
    rows: int = 0
    calls: int = 0
    pairs: Counter[str] = field(default_factory=Counter)
    stopped: dict[str, str] = field(default_factory=dict)
    """How the target was stopped -> the first input at which it was."""
    finished: set[str] = field(default_factory=set)
    """The families of which every pair was looked at."""
    passed_over: int = 0
    """How many pairs were not compared, since an outcome says nothing of the function."""
    began: float = field(default_factory=work.spent)

    example: Scored | None = None
    """The pair that was scored first."""
    until: float = math.inf
    """The work after which no worse pair than the one that was found is looked for."""
    is_late: bool = False
    """Whether the clock stopped the search."""

    @property
    def over(self) -> bool:
        """Whether the search has done its work or had its pairs, or has found what it sought a while ago."""
        is_done = work.spent() >= min(self.until, self.began + self.settings.seconds)
        self.is_late |= work.stopped_by_clock()
        return is_done or self.pairs.total() >= self.settings.pairs

    @property
    def is_whole(self) -> bool:
        """Whether every neighbouring pair of the space was compared, none passed over, and the target never stopped."""
        return EVERY in self.finished and not self.stopped and not self.passed_over

    def found_one(self) -> None:
        """A pair refutes: worse ones are sought for as long again, and a little."""
        if self.until == math.inf:
            now = work.spent()
            self.until = now + min(now - self.began, WORSE) + WORSE / 4

    def share(self, part: float) -> Callable[[], bool]:
        """Whether this part of the budget has been spent since now."""
        pairs, end = self.pairs.total(), work.spent() + self.settings.seconds * part
        return lambda: work.spent() > end or self.pairs.total() - pairs > self.settings.pairs * part

    def scored(self, pairs: Iterable[Pair], family: str) -> list[Scored]:
        """The neighbouring ones of the pairs, with outcomes that the target gave, and their distances."""
        p = self.question.problem
        near = [(u, v) for u, v in pairs if repr(u) != repr(v) and neighbours(p.space, p.metric, p.d_in, u, v)]
        self._ask(rows for pair in near for rows in pair)
        self.pairs[family] += len(near)
        work.step(sum(PAIR + ROW * (len(u) + len(v)) for u, v in near))
        found = [(pair, (self.known[repr(pair[0])], self.known[repr(pair[1])])) for pair in near]
        told = [(pair, outcomes) for pair, outcomes in found if self._counts(outcomes)]
        self.passed_over += len(found) - len(told)
        scored = [self._score(pair, outcomes) for pair, outcomes in told]
        self.example = self.example or next(iter(scored), None)
        return scored

    def exceeds(self, scored: Scored) -> bool:
        """Whether the pair refutes the claim."""
        return scored.distance.exceeds(self.question.bound)

    def _score(self, pair: Pair, outcomes: tuple[Outcome, Outcome]) -> Scored:
        return Scored(pair, outcomes, outcomes_apart(self.question.output, *outcomes))

    def _counts(self, outcomes: tuple[Outcome, Outcome]) -> bool:
        """Whether both outcomes say something about the function."""
        raised = any(outcome.kind == RAISED for outcome in outcomes)
        return all(outcome.tells for outcome in outcomes) and (self.settings.exceptions or not raised)

    def _ask(self, tables: Iterable[Rows]) -> None:
        """Ask for the outcomes that are not known yet, many in one request."""
        new: dict[str, Rows] = {}
        for rows in tables:
            new.setdefault(repr(rows), rows)
        if self.rows > KEPT:
            self.known, self.rows = {text: found for text, found in self.known.items() if text in new}, 0
        batch: dict[str, Rows] = {}
        for text, rows in new.items():
            if text not in self.known:
                batch[text] = rows
                if sum(map(len, batch.values())) + len(batch) > AT_ONCE:
                    self._send(batch)
                    batch = {}
        self._send(batch)

    def _send(self, batch: dict[str, Rows]) -> None:
        """One request."""
        inputs = [self.question.problem.space.as_input(rows) for rows in batch.values()]
        for (text, rows), outcome in zip(
            batch.items(), self.session.each(self.question.operation, inputs), strict=True
        ):
            self.known[text] = outcome
            work.step(CALL + ROW * len(rows))
            self.rows += len(rows) + 1
            if not outcome.tells:
                self.stopped.setdefault(str(outcome), text[:200])
        self.calls += len(batch)
