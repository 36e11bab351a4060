"""refdp's own bounds, the truth that foreign answers are put beside: worked out for all questions at once, and kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from refdp.accounting.accountant import Accountant
from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.judging.asking import Events, Kind, counted
from refdp.accounting.judging.questions import Put, QuestionError
from refdp.accounting.judging.readings import INFINITE, Extended

WIDTH = Fraction(1, 10**12)
"""Width of the bounds of epsilon, and of delta relative to it, unless said otherwise."""
SHARPER = 10**6
"""Where bounds do not decide, they are asked for again, narrower by this factor."""


@dataclass(slots=True)
class Certified:
    """The bounds of one account, for one width."""

    account: Account
    limits: Limits
    trusts: frozenset[str] = frozenset()
    known: dict[tuple[Kind, Fraction], tuple[Extended, Extended]] = field(default_factory=dict)
    exhausted: bool = False

    def prepare(self, questions: Iterable[tuple[Kind, Fraction]]) -> None:
        """Works out the answers to several questions together, which takes less time than one after the other."""
        new = [question for question in dict.fromkeys(questions) if question not in self.known]
        asked = [Question(delta=at) if kind == "epsilon" else Question(epsilon=at) for kind, at in new]
        for key, answer in zip(new, self.account.answers(asked, self.limits), strict=True):
            lower, upper = answer.bounds.lower, answer.bounds.upper
            self.known[key] = (INFINITE if lower is None else lower, INFINITE if upper is None else upper)
            self.trusts |= answer.trusts
            self.exhausted |= answer.reason is not None

    def bounds(self, kind: Kind, at: Fraction) -> tuple[Extended, Extended]:
        """Lower and upper bound of epsilon at a delta, or of delta at an epsilon."""
        if (kind, at) not in self.known:
            self.prepare([(kind, at)])
        return self.known[kind, at]

    def sharper(self) -> Certified | None:
        """The same account for a narrower width; None where this one was not reached already."""
        width = self.limits.width / SHARPER
        if self.exhausted or width < Fraction(1, 10**40):
            return None
        return Certified(self.account, Limits(width, self.limits.timeout, self.limits.memory), self.trusts)


def truth_of(
    events: Events, neighbours: object, width: Fraction, timeout: float, questions: Iterable[Put] = ()
) -> Certified:
    """refdp's account of the events, with the questions answered.

    Raises: QuestionError without a neighbouring relation; LossError and NoTheorem for events that refdp refuses.
    """
    if neighbours is None:
        raise QuestionError("neighbours must be given: one event costs more under one relation than under another")
    accountant = Accountant(neighbours)
    for event, count in map(counted, events):
        accountant.compose(event, 1 if count is None else count)
    found = Certified(accountant.account, Limits(Fraction(width), timeout))
    found.prepare(question.exactly for question in questions)
    return found
