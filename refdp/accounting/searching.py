"""The search for answers: engine after engine, direction after direction, until the bounds are narrow enough."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from refdp import work
from refdp.accounting import engines
from refdp.accounting.at_zero import ENGINE as GREATEST
from refdp.accounting.at_zero import greatest_of
from refdp.accounting.curves import Curve, Effort, Engine, OutOfReach
from refdp.accounting.inversion import LEAST_TOLD, Bounds
from refdp.accounting.loose import ENGINE as LOOSE
from refdp.accounting.losses import Composition, Direction
from refdp.accounting.masses import infinity_mass
from refdp.accounting.questions import Answer, Limits, Question
from refdp.logic.internal_errors import reason as internal_reason
from refdp.numerics.elementary import Undecided

Step = Callable[[int, int, str], None]
LEAST_DELTA = Fraction(1, 10**12)
"""Where delta is asked for, engines are told to resolve it down to this; and deeper where it turns out to be less."""
DEEPER = 4
"""So often at most is one engine asked."""
LOSS = 50
"""Steps of work that the greatest loss of a pair counts as."""
SHARE = 0.7
"""Each engine may take this share of the work that is left for its direction."""


@dataclass(slots=True)
class _Found:
    """What is known about one question in one direction."""

    bounds: Bounds
    engine: str = "none"
    trusts: frozenset[str] = frozenset()


@dataclass(slots=True)
class Search:
    """The search for answers."""

    sides: Mapping[Direction, Composition]
    questions: list[Question]
    limits: Limits
    step: Step
    believed: frozenset[str] = frozenset()
    partial: bool = True
    """Whether an interrupt ends the work with what was decided by then; else it is passed on."""
    began: float = field(default_factory=time.monotonic)
    end: float = 0.0
    """`work.spent()` at which the work on one direction must end."""
    found: dict[Direction, list[_Found]] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)

    def answers(self) -> list[Answer]:
        self.found = {side: [_Found(question.start) for question in self.questions] for side in self.sides}
        try:
            with work.patient(self.limits.timeout):
                last = work.until(self.limits.timeout)
                for place, (side, product) in enumerate(self.sides.items()):
                    self.step(place, len(self.sides), side)
                    self.end = work.until(max(0.0, last - work.spent()) / (len(self.sides) - place))
                    self._worked(side, product)
        except KeyboardInterrupt:
            if not self.partial:
                raise
            self.reasons.append("interrupted")
        return [self._answer(place) for place in range(len(self.questions))]

    def _worked(self, side: Direction, product: Composition) -> None:
        """All that is found out in one direction; an exception that nobody foresaw leaves the bounds as they are."""
        try:
            self._exact(side, product)
            self._narrow(side, product)
        except (ValueError, OSError):
            raise  # bad input
        except Exception as error:
            self.reasons.append(internal_reason(error))

    def _exact(self, side: Direction, product: Composition) -> None:
        """What no ball can decide: an infinite epsilon (Lemma 1.13), and delta = 0 where losses end (Lemma 1.12)."""
        mass = infinity_mass(product)
        most, engine = self._greatest(product) if any(one.epsilon is not None for one in self.questions) else (None, "")
        for question, found in zip(self.questions, self.found[side], strict=True):
            if question.epsilon is None and question.delta is not None and question.delta < mass.lower:
                found.bounds, found.engine = Bounds(None, None), "mass of infinite loss"
            if question.epsilon is not None and most is not None and question.epsilon >= most:
                found.bounds, found.engine = Bounds(Fraction(0), Fraction(0)), engine

    def _greatest(self, product: Composition) -> tuple[Fraction | None, str]:
        """A number that no loss exceeds, infinite ones included, None where none is known; and who says so."""
        work.step(LOSS * len(product.parts))
        if (most := greatest_of(product, Fraction(1)).bounds.upper) is not None:
            return most, GREATEST
        found = next(LOOSE.curves(product, self._effort(LEAST_DELTA))) if LOOSE.why_not(product) is None else None
        return (None, "") if found is None or found.cost.delta else (found.cost.epsilon, found.engine)

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
        least = self._least(side)
        try:
            for _ in range(DEEPER):
                for curve in engine.curves(product, self._effort(least)):
                    for place in self._open(side):
                        self._read(side, place, curve)
                    if not self._open(side):
                        return
                if (deeper := self._least(side)) >= least:
                    break
                least = deeper
            self.reasons.append(f"{engine.name}: no narrower bounds are affordable")
        except (ArithmeticError, MemoryError) as reason:  # OutOfReach, Undecided, and what no one foresaw
            self.reasons.append(f"{engine.name}: {str(reason) or 'the memory is used up'}")
        except (ValueError, OSError):
            raise  # bad input
        except Exception as error:  # a defect of one engine: the next may do
            self.reasons.append(internal_reason(error))

    def _least(self, side: Direction) -> Fraction:
        """A delta below those that are asked about, as far as they are known by now."""
        found = [LEAST_DELTA]
        for place in self._open(side):
            asked, upper = self.questions[place].delta, self.found[side][place].bounds.upper
            if asked is not None:
                found.append(asked)
            elif upper is not None and 0 < upper < LEAST_DELTA:
                found.append(max(upper, LEAST_TOLD) / 1000)
        every = all(self.questions[place].delta is not None for place in self._open(side))
        return min(found[1:] if every and len(found) > 1 else found)

    def _effort(self, least: Fraction) -> Effort:
        end = min(self.end, work.until(SHARE * max(0.0, self.end - work.spent())))
        return Effort(self.limits.width, least, end, self.limits.memory)

    def _read(self, side: Direction, place: int, curve: Curve) -> None:
        found, question = self.found[side][place], self.questions[place]
        try:
            narrower = question.read(curve, self.limits.width, found.bounds, self.end, self._enough(side, place))
        except OutOfReach:  # the curve gives up, and says why
            raise
        except Undecided:
            return
        if narrower != found.bounds:
            self.found[side][place] = _Found(narrower, curve.engine, found.trusts | curve.trusts)

    def _enough(self, side: Direction, place: int) -> Fraction | None:
        """What the other directions cost, where it is known so well that a direction that costs no more is settled."""
        upper: Fraction | None = None
        for other, found in self.found.items():
            bounds = found[place].bounds
            if other != side and bounds.upper is not None and bounds.within(self.limits.width):
                upper = bounds.upper if upper is None else max(upper, bounds.upper)
        return upper

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
        trusts = self.believed.union(*(each[place].trusts for each in self.found.values()))
        done = question.settled(both, both.lower, self.limits.width)
        reason = None if done else "; ".join(dict.fromkeys(self.reasons)) or "no engine has bounds for these events"
        return Answer(question, both, found.engine, trusts, time.monotonic() - self.began, side, reason)
