"""refdp's own bounds, the truth that foreign answers are put beside: worked out for all questions at once, and kept."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from refdp.accounting.accountant import Accountant
from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.inversion import LARGEST_EPSILON
from refdp.accounting.judging.asking import Events, Kind, counted
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
    width: Fraction
    end: float
    """`time.monotonic()` at which work ends."""
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
        new, left = [q for q in dict.fromkeys(questions) if q not in self.known], self.end - time.monotonic()
        self.exhausted |= left <= 0
        beyond = {q: ANYTHING[q[0]] for q in new if left <= 0 or q[0] == "delta" and q[1] > LARGEST_EPSILON}
        self.known |= beyond
        self._work_out([q for q in new if q not in beyond], left)

    def _work_out(self, new: Sequence[tuple[Kind, Fraction]], left: float) -> None:
        """Asks the account, for at most so many seconds."""
        if not new:
            return
        asked = [Question(delta=at) if kind == "epsilon" else Question(epsilon=at) for kind, at in new]
        for key, answer in zip(new, self.account.answers(asked, Limits(self.width, left)), strict=True):
            lower, upper = answer.bounds.lower, answer.bounds.upper
            self.known[key] = (INFINITE if lower is None else lower, INFINITE if upper is None else upper)
            self.rests_on |= answer.trusts
            self.exhausted |= answer.reason is not None

    def bounds(self, kind: Kind, at: Fraction) -> tuple[Extended, Extended]:
        """Lower and upper bound of epsilon at a delta, or of delta at an epsilon."""
        if (kind, at) not in self.known:
            self.prepare([(kind, at)])
        return self.known[kind, at]

    def sharper(self) -> Certified | None:
        """The same account for a narrower width; None where this one was not reached already."""
        width = self.width / SHARPER
        return None if self.exhausted or width < LEAST else Certified(self.account, width, self.end, self.rests_on)


def truth_of(
    events: Events, neighbours: object, width: Fraction, timeout: float, questions: Iterable[Put] = ()
) -> Certified:
    """refdp's account of the events, with the questions answered; all that is asked of it takes `timeout` seconds.

    Raises: QuestionError without a neighbouring relation; LossError and NoTheorem for events that refdp refuses.
    """
    if neighbours is None:
        raise QuestionError("neighbours must be given: one event costs more under one relation than under another")
    end, accountant = time.monotonic() + timeout, Accountant(neighbours)
    for event, count in map(counted, events):
        accountant.compose(event, 1 if count is None else count)
    found = Certified(accountant.account, Fraction(width), end)
    found.prepare(question.exactly for question in questions)
    return found
