"""An accountant to put where other libraries have theirs: compose, then ask for epsilon or delta."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Self

from refdp.accounting.accounts import Account, Answer, Limits, Question
from refdp.accounting.events import Event, NoTheorem
from refdp.accounting.inputs.anything import events_of
from refdp.accounting.inputs.relations import neighbours_of
from refdp.accounting.losses import LossError
from refdp.accounting.numbers import LARGEST_COUNT, float_above, number, whole
from refdp.accounting.pairs import dominating_pairs


class Accountant:
    """Events composed so far under a neighbouring relation: add_remove, change_one, none, or a library's name of it.

    Raises LossError for another relation.

    >>> from refdp.accounting.events import Gaussian
    >>> a = Accountant("add_remove").compose(Gaussian("50"), 1000)
    >>> round(a.get_epsilon("1e-6"), 6)
    2.921601
    """

    def __init__(self, neighbours: object, limits: Limits | None = None) -> None:
        self._neighbours = neighbours_of(neighbours)
        self._limits = limits or Limits()
        self._events: list[Event] = []
        self._answers: dict[Question, Answer] = {}

    @property
    def neighbours(self) -> str:
        """The neighbouring relation."""
        return self._neighbours.relation

    @property
    def ledger(self) -> tuple[Event, ...]:
        """What was composed, in order."""
        return tuple(self._events)

    @property
    def account(self) -> Account:
        """The events as an account."""
        return Account(self.neighbours, self.ledger)

    def supports(self, event: Any) -> bool:
        """Whether the event can be composed."""
        try:
            self._read(event, 1)
        except (LossError, NoTheorem):
            return False
        return True

    def compose(self, event: Any, count: int = 1) -> Self:
        """Adds an event, or a tree, `count` times; nothing is added where it is refused.

        Raises LossError for bad parameters and NoTheorem for what has no proved bound.
        """
        self._events.extend(self._read(event, count))
        self._answers.clear()
        return self

    def _read(self, event: Any, count: int) -> list[Event]:
        times, found = whole(count, "count", LARGEST_COUNT), list[Event]()
        for one in events_of(event, self._neighbours):
            dominating_pairs(one, self.neighbours)
            found.append(replace(one, count=one.count * times))
        return found

    def epsilon_bounds(self, delta: object) -> Answer:
        """Certified bounds of the least epsilon at this delta, 0 <= delta < 1."""
        return self._asked(Question(delta=number(delta, "delta")))

    def delta_bounds(self, epsilon: object) -> Answer:
        """Certified bounds of the least delta at this epsilon >= 0."""
        return self._asked(Question(epsilon=number(epsilon, "epsilon")))

    def _asked(self, question: Question) -> Answer:
        if question not in self._answers:
            (self._answers[question],) = self.account.answers([question], self._limits, partial=False)
        return self._answers[question]

    def get_epsilon(self, target_delta: object) -> float:
        """The sound epsilon at this delta, rounded up to a float; infinity where there is none."""
        return float_above(self.epsilon_bounds(target_delta).bounds.upper)

    def get_delta(self, target_epsilon: object) -> float:
        """The sound delta at this epsilon, rounded up to a float."""
        return float_above(self.delta_bounds(target_epsilon).bounds.upper or Fraction(0))
