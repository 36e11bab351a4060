"""The questions that an accountant is asked, as the floats that are put to it, and what it says to each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.accounting.judging.asking import Asked, Events, Function, Kind, Late, Reply, Standing, ask, counted
from refdp.accounting.judging.readings import INFINITE


class QuestionError(ValueError):
    """A question that cannot be put; the sentence names the parameter."""


@dataclass(frozen=True, slots=True)
class Put:
    """One question: of epsilon at a delta, or of delta at an epsilon."""

    kind: Kind
    at: float

    @property
    def exactly(self) -> tuple[Kind, Fraction]:
        """The question that was put: the float is the dyadic number that it is."""
        return self.kind, Fraction(self.at)


def put(numbers: object, kind: Kind) -> list[Put]:
    """Questions about these deltas (0 <= delta < 1) or epsilons (>= 0), or one alone, each as the nearest float."""
    given = [numbers] if isinstance(numbers, str) or not isinstance(numbers, Iterable) else numbers
    return [Put(kind, _nearest(each, "delta" if kind == "epsilon" else "epsilon")) for each in given]


def _nearest(value: object, name: str) -> float:
    """The float that is put to the accountant."""
    try:
        exactly = Fraction(value) if isinstance(value, str) else value
        found = float(exactly)  # type: ignore[arg-type]
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        raise QuestionError(f"{name} must be a number, got {value!r}") from None
    if found == 0 and exactly != 0:
        raise QuestionError(f"{name} must be 0 or a number that no float rounds to 0, got {value}")
    if name == "delta" and not 0 <= found < 1:
        raise QuestionError(f"delta must be at least 0 and less than 1, got {value}")
    if not 0 <= found < INFINITE:
        raise QuestionError(f"epsilon must be at least 0 and finite, got {value}")
    return found


def check(who: Asked, questions: list[Put]) -> None:
    """QuestionError unless there is something to ask, and a callable is asked for one kind of number only."""
    if not questions:
        raise QuestionError("deltas or epsilons must name at least one number")
    if isinstance(who, Function) and len({question.kind for question in questions}) > 1:
        raise QuestionError("a callable answers one kind of question: give deltas or epsilons, not both")


def standing(foreign: Any, who: Asked) -> tuple[Asked, Any]:
    """An accountant as it stands, with the events of its ledger."""
    if not hasattr(foreign, "ledger"):
        raise QuestionError("events must be given: the accountant has no ledger")
    return Standing(who.name, foreign), foreign.ledger


def is_pair(item: Any) -> bool:
    """Whether this is one event with its count."""
    return counted(item)[1] is not None


def answered(who: Asked, events: Events, questions: list[Put], timeout: float) -> list[tuple[Put, Reply]]:
    """What it says to each question; nothing more is asked of an accountant that does not come back."""
    replies: list[tuple[Put, Reply]] = []
    for question in questions:
        late = replies and isinstance(replies[-1][1].said, Late)
        silent = Reply(Late("not asked: it had not come back from the question before"), 0.0)
        reply = silent if late else ask(who, events, question.kind, question.at, timeout)
        replies.append((question, reply))
    return replies
