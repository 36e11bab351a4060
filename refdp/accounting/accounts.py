"""Accounts: events under a neighbouring relation, and certified bounds of what they cost together.

Each direction has its composition of dominating pairs; the answer is the greater of the directions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from refdp.accounting.at_zero import INFINITE, answer_at_zero
from refdp.accounting.events import Concentrated, Event, Renyi, Shuffle
from refdp.accounting.inversion import Bounds, lesser
from refdp.accounting.losses import Composition, Direction
from refdp.accounting.numbers import number
from refdp.accounting.pairs import attained, compositions, in_every_turn, in_order, unattained
from refdp.accounting.questions import Answer, Limits, Question
from refdp.accounting.searching import Search, Step

WITHIN = (
    "some mechanism with the stated bounds (rho, Renyi) costs at least the lower end, such as Gaussian noise within "
    "them; another may cost less"
)
"""What the lower end of an answer means where no more than such bounds is known."""
BETWEEN = "the upper end is a bound, and the lower end what some values of the other users reach, of"
"""Why the bounds of shuffled answers are apart."""
APART = Fraction(1, 10**5)
"""Of several events they are so far apart that neither is worked out to more than this."""
ABOVE = "what is proved is a bound from above, and nothing is known from below, of"


def _quietly(*_: object) -> None:
    """A step of work of which nothing is said."""


@dataclass(frozen=True, slots=True)
class Account:
    """Events on the same table; their bounds hold for adaptive choice of each event's query: Lemma 1.2."""

    neighbours: str
    events: tuple[Event, ...]
    compositions: dict[Direction, Composition] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", tuple(self.events))
        object.__setattr__(self, "compositions", compositions(self.neighbours, self.events))

    def epsilon_bounds(self, delta: object, limits: Limits | None = None) -> Answer:
        """Bounds of the least epsilon >= 0 at this delta."""
        return self.answers([Question(delta=number(delta, "delta"))], limits)[0]

    def delta_bounds(self, epsilon: object, limits: Limits | None = None) -> Answer:
        """Bounds of the least delta at this epsilon."""
        return self.answers([Question(epsilon=number(epsilon, "epsilon"))], limits)[0]

    def answers(
        self,
        questions: Iterable[Question],
        limits: Limits | None = None,
        step: Step = lambda *_: None,
        *,
        partial: bool = True,
    ) -> list[Answer]:
        """An answer to each question; at an interrupt what was decided by then, or without `partial` the interrupt."""
        believed = frozenset[str]().union(*(event.trusts for event in self.events))
        asked, limits = list(questions), limits or Limits()
        several = sum(event.count for event in self.events) > 1
        if several and any(isinstance(event.mechanism, Shuffle) for event in self.events):
            limits = replace(limits, width=max(limits.width, APART))
        open_ = [question for question in asked if not question.is_pure]
        found = iter(Search(self.compositions, open_, limits, step, believed, partial).answers() if open_ else [])
        return [
            self._at_zero(one, limits, partial, believed)
            if one.is_pure
            else self._above(self._noted(next(found)), limits, partial)
            for one in asked
        ]

    def _at_zero(self, question: Question, limits: Limits, partial: bool, believed: frozenset[str]) -> Answer:
        """The answer at delta 0, where the order of answers does not matter: Lemma 1.28."""
        plain = tuple(map(in_order, self.events))
        if plain != self.events:
            return Account(self.neighbours, plain).answers([question], limits, partial=partial)[0]
        return self._above(answer_at_zero(self.compositions, question, limits.width, believed), limits, partial)

    def _above(self, answer: Answer, limits: Limits, partial: bool) -> Answer:
        """The answer, with nothing said from below where the pair of an event is a bound that need not be attained."""
        loose = unattained(self.events)
        if not loose:
            return answer
        if all(isinstance(event.mechanism, Shuffle) for event in loose):
            return self._reached(answer, limits, partial)
        upper, plain = answer.bounds.upper, tuple(map(in_every_turn, self.events))
        if plain != self.events:  # the lattice of balls in bins may cost more than noise in every turn
            (other,) = Account(self.neighbours, plain).answers([answer.question], limits, partial=partial)
            upper = lesser(upper, other.bounds.upper)
        names = ", ".join(dict.fromkeys(str(replace(event, count=1)).removeprefix("1 x ") for event in loose))
        # Why a bound is infinite is still to be said, though not that epsilon is; that a number is exact is not so.
        note = answer.note or ""
        why = f"no epsilon is known at delta 0: {note.removeprefix(INFINITE)}" if note.startswith(INFINITE) else None
        reason = "; ".join(filter(None, (f"{ABOVE} {names}", answer.reason, why)))
        return replace(answer, bounds=Bounds(Fraction(0), upper), reason=reason, note=None)

    def _reached(self, answer: Answer, limits: Limits, partial: bool) -> Answer:
        """The answer, its lower end being what some tables reach, and its upper end what shuffled answers cost at most.

        Where the pairs are tight the lower end is near, and the same.
        """
        believed = answer.trusts
        search = Search(attained(self.neighbours, self.events), [answer.question], limits, _quietly, believed, partial)
        (below,) = search.answers()
        bounds = Bounds(below.bounds.lower, answer.bounds.upper)
        names = ", ".join(dict.fromkeys(event.name for event in unattained(self.events)))
        reason = f"{BETWEEN} {names}" if not answer.question.settled(bounds, Fraction(0), limits.width) else None
        return replace(answer, bounds=bounds, trusts=believed | below.trusts, reason=reason or answer.reason, note=None)

    def _noted(self, answer: Answer) -> Answer:
        """The answer, and what its lower end means where events are known by rho or Renyi bounds alone."""
        known = any(isinstance(event.mechanism, Concentrated | Renyi) for event in self.events)
        return replace(answer, note=WITHIN) if known and answer.bounds.lower != 0 else answer


__all__ = ["Account", "Answer", "Bounds", "Limits", "Question", "Step"]
