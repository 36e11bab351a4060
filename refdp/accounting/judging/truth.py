"""refdp's own bounds, the truth that foreign answers are put beside: worked out for all questions at once, and kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from refdp import work
from refdp.accounting.accountant import Accountant
from refdp.accounting.accounts import Account, Answer, Limits, Question
from refdp.accounting.events import Event
from refdp.accounting.inversion import LARGEST_EPSILON
from refdp.accounting.judging.asking import Events, Kind, counted
from refdp.accounting.judging.attained import attained
from refdp.accounting.judging.questions import Put, QuestionError
from refdp.accounting.judging.readings import INFINITE, Extended

WIDTH = Fraction(1, 10**12)
"""Width of the bounds of epsilon, and of delta relative to it, unless said otherwise."""
SHARPER, LEAST = 10**6, Fraction(1, 10**40)
"""Where bounds do not decide, they are asked for again, narrower by this factor, down to the least width."""
ANYTHING: dict[Kind, tuple[Extended, Extended]] = {
    "epsilon": (Fraction(0), INFINITE),
    "delta": (Fraction(0), Fraction(1)),
}
"""What holds of any account."""


@dataclass(slots=True)
class Certified:
    """The bounds of one account, for one width; once the time is over, what holds of any account."""

    account: Account
    below: Account | None
    """The account whose lower bounds the events attain; None: nothing is known from below."""
    width: Fraction
    end: float
    """`work.spent()` at which work ends."""
    rests_on: set[str] = field(default_factory=set)
    """What its bounds, and those of its sharper forms, rest on."""
    known: dict[tuple[Kind, Fraction], tuple[Extended, Extended]] = field(default_factory=dict)
    exhausted: bool = False
    """Some answer is wider than the width: no narrower one is to be had."""

    @property
    def trusts(self) -> frozenset[str]:
        """What the bounds given so far rest on besides the code."""
        return frozenset(self.rests_on)

    def prepare(self, questions: Iterable[tuple[Kind, Fraction]]) -> None:
        """Works out the answers to several questions together, which takes less time than one after the other."""
        new, left = [q for q in dict.fromkeys(questions) if q not in self.known], self.end - work.spent()
        self.exhausted |= left <= 0
        beyond = {q: ANYTHING[q[0]] for q in new if left <= 0 or q[0] == "delta" and q[1] > LARGEST_EPSILON}
        self.known |= beyond
        self._work_out([q for q in new if q not in beyond], left)

    def _work_out(self, new: Sequence[tuple[Kind, Fraction]], left: float) -> None:
        """Asks the accounts, for at most so many seconds: the one from above, and the other from below."""
        if not new:
            return
        both = self.below is not None and self.below != self.account
        above = self._answers(self.account, new, left / 2 if both else left)
        below = self._answers(self.below, new, left / 2) if self.below and both else above
        self.exhausted |= self.below != self.account
        for key, high, low in zip(new, above, below, strict=True):
            lower, upper = low.bounds.lower if self.below else Fraction(0), high.bounds.upper
            self.known[key] = (INFINITE if lower is None else lower, INFINITE if upper is None else upper)

    def _answers(self, account: Account, new: Sequence[tuple[Kind, Fraction]], seconds: float) -> list[Answer]:
        """What the account says."""
        asked = [Question(delta=at) if kind == "epsilon" else Question(epsilon=at) for kind, at in new]
        answers = account.answers(asked, Limits(self.width, seconds), partial=False)
        for answer in answers:
            self.rests_on |= answer.trusts
            self.exhausted |= answer.reason is not None
        return answers

    def bounds(self, kind: Kind, at: Fraction) -> tuple[Extended, Extended]:
        """Lower and upper bound of epsilon at a delta, or of delta at an epsilon."""
        if (kind, at) not in self.known:
            self.prepare([(kind, at)])
        return self.known[kind, at]

    def sharper(self) -> Certified | None:
        """The same account for a narrower width; None where this one was not reached already."""
        width = self.width / SHARPER
        if self.exhausted or width < LEAST:
            return None
        return Certified(self.account, self.below, width, self.end, self.rests_on)


def truth_of(
    events: Events, neighbours: object, width: Fraction, timeout: float, questions: Iterable[Put] = ()
) -> Certified:
    """refdp's account of the events, with the questions answered; all that is asked of it takes `timeout` seconds.

    Raises: QuestionError without a neighbouring relation; LossError and NoTheorem for events that refdp refuses.
    """
    if neighbours is None:
        raise QuestionError("neighbours must be given: one event costs more under one relation than under another")
    end, accountant, read = work.until(timeout), Accountant(neighbours), list[tuple[Any, tuple[Event, ...]]]()
    for event, count in map(counted, events):
        before = len(accountant.ledger)
        accountant.compose(event, 1 if count is None else count)
        read.append((event, accountant.ledger[before:]))
    below = attained(accountant.neighbours, read)
    found = Certified(accountant.account, below, Fraction(width), end)
    found.prepare(question.exactly for question in questions)
    return found
