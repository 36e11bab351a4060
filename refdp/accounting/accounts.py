"""Accounts: events under a neighbouring relation, and certified bounds of what they cost together.

Each direction has its composition of dominating pairs; engines are asked, best first, until the bounds are as narrow as
asked for.  The answer is the greater of the directions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from refdp.accounting import engines
from refdp.accounting.amplification import compositions
from refdp.accounting.curves import Curve, Effort, Engine, OutOfReach
from refdp.accounting.events import Event
from refdp.accounting.inversion import Bounds, delta_bounds, epsilon_bounds
from refdp.accounting.losses import Composition, Direction, require
from refdp.accounting.masses import infinity_mass
from refdp.numerics.intervals import Undecided

Step = Callable[[int, int, str], None]
WIDTH = Fraction(1, 10**9)
SHARE = 0.7
"""Each engine may take this share of the time that is left."""


@dataclass(frozen=True, slots=True)
class Question:
    """epsilon at this delta, delta at this epsilon, or, where both are given, which side of delta is delta(epsilon)."""

    delta: Fraction | None = None
    epsilon: Fraction | None = None

    def __post_init__(self) -> None:
        require(self.delta is not None or self.epsilon is not None, "question", "about delta or epsilon", "neither")
        require(self.delta is None or 0 < self.delta < 1, "delta", "strictly between 0 and 1", self.delta)
        require(self.epsilon is None or 0 <= self.epsilon <= 2**20, "epsilon", "between 0 and 2^20", self.epsilon)

    @property
    def start(self) -> Bounds:
        """What holds of any answer."""
        return Bounds(Fraction(0), None if self.epsilon is None else Fraction(1))

    def read(self, curve: Curve, width: Fraction, known: Bounds) -> Bounds:
        """The answer that the curve gives, and what was known before."""
        if self.epsilon is not None:
            return delta_bounds(curve, self.epsilon).meet(known)
        return epsilon_bounds(curve, self.delta or Fraction(0), width, known).meet(known)

    def settled(self, found: Bounds, floor: Fraction | None, width: Fraction) -> bool:
        """Whether the bounds are narrow, or below what another direction costs anyway; of delta, relative to it."""
        if found.lower is None or floor is None:
            return True
        if found.upper is None:
            return False
        lower = max(found.lower, floor)
        if self.epsilon is not None and self.delta is not None:
            return found.upper <= self.delta or lower > self.delta
        return found.upper - lower <= (width if self.epsilon is None else width * lower)


@dataclass(frozen=True, slots=True)
class Answer:
    """Certified bounds of one number, and how they came about."""

    question: Question
    bounds: Bounds
    engine: str
    trusts: frozenset[str]
    seconds: float
    direction: Direction
    reason: str | None = None
    """Why the width was not reached."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How narrow an answer must be, and what it may cost."""

    width: Fraction = WIDTH
    timeout: float = 60.0
    memory: int = 2 * 10**9

    def __post_init__(self) -> None:
        require(0 < self.width <= 1, "width", "> 0 and at most 1", self.width)
        require(0 < self.timeout < float("inf"), "timeout", "> 0 and finite", self.timeout)
        require(self.memory > 0, "memory", "> 0", self.memory)


@dataclass(slots=True)
class _Found:
    """What is known about one question in one direction."""

    bounds: Bounds
    engine: str = "none"
    trusts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Account:
    """Events on the same table; their bounds hold for adaptive choice of each event's query: Lemma 1.2."""

    neighbours: str
    events: tuple[Event, ...]
    compositions: dict[Direction, Composition] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", tuple(self.events))
        object.__setattr__(self, "compositions", compositions(self.neighbours, self.events))

    def epsilon_bounds(self, delta: Fraction, limits: Limits | None = None) -> Answer:
        """Bounds of the least epsilon >= 0 at this delta."""
        return self.answers([Question(delta=delta)], limits)[0]

    def delta_bounds(self, epsilon: Fraction, limits: Limits | None = None) -> Answer:
        """Bounds of the least delta at this epsilon."""
        return self.answers([Question(epsilon=epsilon)], limits)[0]

    def answers(
        self, questions: Iterable[Question], limits: Limits | None = None, step: Step = lambda *_: None
    ) -> list[Answer]:
        """An answer to each question; an interrupt ends the work, and what was decided by then is given."""
        return _Work(self, list(questions), limits or Limits(), step).answers()


@dataclass(slots=True)
class _Work:
    """The search for answers."""

    account: Account
    questions: list[Question]
    limits: Limits
    step: Step
    start: float = field(default_factory=time.monotonic)
    found: dict[Direction, list[_Found]] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)

    def answers(self) -> list[Answer]:
        sides = self.account.compositions
        self.found = {side: [_Found(question.start) for question in self.questions] for side in sides}
        try:
            for place, (side, product) in enumerate(sides.items()):
                self.step(place, len(sides), side)
                self._exact(side, product)
                self._narrow(side, product)
        except KeyboardInterrupt:
            self.reasons.append("interrupted")
        return [self._answer(place) for place in range(len(self.questions))]

    def _exact(self, side: Direction, product: Composition) -> None:
        """Where delta is below the mass of infinite loss, epsilon is infinite: Lemma 1.13."""
        mass = infinity_mass(product)
        for question, found in zip(self.questions, self.found[side], strict=True):
            if question.epsilon is None and question.delta is not None and question.delta < mass.lower:
                found.bounds, found.engine = Bounds(None, None), "mass of infinite loss"

    def _narrow(self, side: Direction, product: Composition) -> None:
        """Asks engine after engine until every question is settled."""
        for engine in engines.engines():
            if not self._open(side):
                return
            self.step(0, 1, f"{side}: {engine.name}")
            why = engine.why_not(product)
            if why is None:
                self._ask(side, engine, product)

    def _ask(self, side: Direction, engine: Engine, product: Composition) -> None:
        """Reads every curve of the engine until the questions are settled or it gives up."""
        try:
            for curve in self._curves(engine, product):
                for place in self._open(side):
                    self._read(side, place, curve)
                if not self._open(side):
                    return
            self.reasons.append(f"{engine.name}: no narrower bounds are affordable")
        except (OutOfReach, Undecided, MemoryError) as reason:
            self.reasons.append(f"{engine.name}: {reason or 'the memory is used up'}")

    def _curves(self, engine: Engine, product: Composition) -> Iterator[Curve]:
        deltas = [question.delta for question in self.questions if question.delta is not None]
        now = time.monotonic()
        left = max(0.0, self.start + self.limits.timeout - now)
        effort = Effort(self.limits.width, min(deltas, default=Fraction(1, 10**12)), now + SHARE * left,
                        self.limits.memory)  # fmt: skip
        yield from engine.curves(product, effort)

    def _read(self, side: Direction, place: int, curve: Curve) -> None:
        found, question = self.found[side][place], self.questions[place]
        with suppress(Undecided):
            narrower = question.read(curve, self.limits.width, found.bounds)
            if narrower != found.bounds:
                self.found[side][place] = _Found(narrower, curve.engine, found.trusts | curve.trusts)

    def _open(self, side: Direction) -> list[int]:
        """The questions that are not settled in this direction."""
        return [
            place
            for place, question in enumerate(self.questions)
            if not question.settled(self.found[side][place].bounds, self._both(place).lower, self.limits.width)
        ]

    def _both(self, place: int) -> Bounds:
        """The greater of the directions."""
        first, *rest = (found[place].bounds for found in self.found.values())
        for bounds in rest:
            first = first.greatest(bounds)
        return first

    def _answer(self, place: int) -> Answer:
        question, both = self.questions[place], self._both(place)
        side, found = max(
            ((side, found[place]) for side, found in self.found.items()),
            key=lambda pair: (pair[1].bounds.upper is None, pair[1].bounds.upper or 0),
        )
        trusts = frozenset().union(*(each[place].trusts for each in self.found.values()),
                                   *(event.trusts for event in self.account.events))  # fmt: skip
        done = question.settled(both, both.lower, self.limits.width)
        reason = None if done else "; ".join(dict.fromkeys(self.reasons)) or "no engine has bounds for these events"
        return Answer(question, both, found.engine, trusts, time.monotonic() - self.start, side, reason)


__all__ = ["Account", "Answer", "Bounds", "Limits", "Question"]
