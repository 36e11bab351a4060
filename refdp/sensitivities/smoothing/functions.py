"""The smooth sensitivity of a user's function that is an order statistic, as named or as recognised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

from refdp.logic.terms import is_number, number
from refdp.numerics.exact import Exactly
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.concrete.answers import Answer
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.nearby.reading import Reader
from refdp.sensitivities.question import Neighbours
from refdp.sensitivities.records import Number
from refdp.sensitivities.smooth import SmoothSensitivity, smooth_sensitivity
from refdp.sensitivities.smoothing.recognition import Recognised, plausible_statistic, recognised
from refdp.sensitivities.smoothing.statistics import PLAIN, order_mean


@dataclass(frozen=True, slots=True)
class SmoothFunction:
    """A smooth bound of a statistic, and on which tables the function was proved to be that statistic.

    Smoothness is proved for the statistic, at every table; that the function is it, up to `recognised.rows` rows.
    """

    smooth: SmoothSensitivity
    recognised: Recognised


def _require_statistic(name: str, source: Source, declaration: Declaration, table: Sequence[Fraction]) -> None:
    """ValueError where the function's answer at the table is not that statistic's."""
    wanted = order_mean(name, len(table)) if table else None
    if wanted is not None:
        rows = sorted(table)[wanted.first - 1 : wanted.first - 1 + wanted.count]
        value, found = sum(rows, Fraction(0)) / wanted.count, number_of(answer(source, declaration, table))
        if found != value:
            raise ValueError(f"{source.name} must be {name}, and is {found} where that is {value}")


def smooth_function(
    source: Source,
    declaration: Declaration,
    read: Reader,
    table: Sequence[Fraction],
    beta: Exactly,
    neighbours: Neighbours,
    statistic: str | None = None,
    seconds: float = 30,
) -> SmoothFunction:
    """The smooth bound at the table of the statistic that the function is: the one that is named, else a plausible one.

    `read` executes the function on symbolic rows.  Raises ValueError where it is no such statistic.
    """
    deadline = monotonic() + seconds
    lower, upper = bounds(declaration)
    name = statistic or plausible_statistic(source, declaration)
    if name is None:
        known = ", ".join(PLAIN)
        raise ValueError(f"{source.name} must be an order statistic such as {known}, and its answers are those of none")
    _require_statistic(name, source, declaration, table)
    seen = recognised(read, declaration, name, seconds=(deadline - monotonic()) / 2)
    if seen.reason.endswith("differs"):
        raise ValueError(f"{source.name} must be {name}: {seen.reason}")
    empty = number_of(answer(source, declaration, ())) if neighbours == "add_remove" else None
    left = max(0.0, deadline - monotonic())
    return SmoothFunction(smooth_sensitivity(name, table, lower, upper, beta, neighbours, empty, left), seen)


def bounds(declaration: Declaration) -> tuple[Fraction, Fraction]:
    """The bounds of the rows.  ValueError unless rows are numbers between two constants."""
    kind = declaration.record
    ends = [kind.lower, kind.upper] if isinstance(kind, Number) else []
    found = [number(end) for end in ends if end is not None and is_number(end)]
    if len(found) == 2:
        return found[0], found[1]
    raise ValueError("the rows must be numbers between two given bounds: without them smooth sensitivity is infinite")


def answer(source: Source, declaration: Declaration, table: Sequence[Fraction]) -> Answer:
    """What the function does on a table."""
    return answer_of(source, list(table), declaration.values, record=declaration.record)


def number_of(found: Answer) -> Fraction | None:
    """The one number that was returned, if it was one."""
    numbers = found.outcome.numbers
    return Fraction(numbers[0]) if not found.exception and len(numbers) == 1 else None
