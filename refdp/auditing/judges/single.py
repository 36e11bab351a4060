"""Judges that ask a target a few questions, all in the opening, and need no chunks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from refdp.auditing.judges.result import Result
from refdp.auditing.judges.task import Record, Task, TaskError
from refdp.auditing.targets import Adapted, Outcome, Session, TargetError
from refdp.auditing.targets import outcomes as kinds
from refdp.verdicts import UNKNOWN

FAILED = "failed"
"""The key of an opening under which stands why the target could not be asked at all."""


class Single:
    """A judge whose opening holds all that there is."""

    def chunk(self, number: int, opening: Record) -> Record:
        """There are none: TaskError."""
        raise TaskError(f"a question of this kind has no chunks, got a request for number {number}")

    def is_over(self, opening: Record, chunks: Sequence[Record]) -> bool:
        """Nothing is wanted after the opening."""
        return True


def the_target(task: Task) -> Adapted:
    """The target of a task; TaskError where there is none."""
    if task.target is None:
        raise TaskError(
            f"a target of kind {task.kind} must have one of recipe, function, command, serialised, got none"
        )
    return task.target


def asked(target: Adapted, operation: str, values: Sequence[Any]) -> dict[str, Any]:
    """What the target is, and its outcomes for the values, one request each; or why it could not be asked."""
    try:
        with Session(target) as session:
            found = [kinds.as_json(session.ask(operation, value)) for value in values]
            return {"about": plain(session.about), "outcomes": found}
    except TargetError as error:
        return {FAILED: str(error)}


def outcomes(opening: Record) -> list[Outcome]:
    """The outcomes that an opening holds."""
    return [kinds.from_json(found) for found in opening["outcomes"]]


def plain(about: Mapping[str, Any]) -> dict[str, str]:
    """What a worker told of its target, as texts."""
    return {str(key): str(value) for key, value in about.items()}


def who(about: Mapping[str, str], target: Adapted | None = None) -> str:
    """The library and its version; where it told none, the family of the target, or nothing."""
    return " ".join(filter(None, (about.get("library", target.family if target else ""), about.get("version"))))


def shortened(text: str, most: int = 80) -> str:
    """The text, its end left out where it has more than so many characters; unless said otherwise, for tables."""
    return text if len(text) <= most else f"{text[: max(most - 3, 1)]}..."


def unknown(claim: str, reason: str, **more: Any) -> Result:
    """UNKNOWN with its reason."""
    return Result(UNKNOWN, claim, f"UNKNOWN: {reason}", reason=reason, **more)


def put(value: Any, name: str) -> Any:
    """A value as it is put to a target: a text as the float nearest to the number that it writes; TaskError if none.

    >>> put("1/10", "noise"), put(3, "count"), put(0.5, "rate")
    (0.1, 3, 0.5)
    """
    if isinstance(value, str):
        try:
            return float(Fraction(value))
        except (ValueError, ZeroDivisionError, OverflowError):
            raise TaskError(f'{name} must be a number such as 1, 0.5 or "1/3", got {value!r}') from None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TaskError(f'{name} must be a finite number such as 1, 0.5 or "1/3", got {value!r}')
    return value
