"""A table function in normal form: passes over the rows, each of which folds them into a state, then a finish.

    state = start;  for row in rows: state = step(state, row);  return output(state)

A later pass may use the final states of the earlier ones.  Everything is exact; what raises is an outcome.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refdp.sensitivities.records import Kind
from refdp.terms.exact_values import Found, attempt, evaluate
from refdp.terms.leaves import TRUE, ZERO
from refdp.terms.term import Term, Value

ROW = "row"
"""The name of the record that a step reads: its variables are `kind.slots(ROW)`."""
EXCEPTIONS = ("", "ZeroDivisionError", "IndexError", "KeyError", "ValueError", "TypeError", "StopIteration",
              "StatisticsError", "AssertionError", "OverflowError", "UnboundLocalError",
              "None returned", "inf returned", "-inf returned")  # fmt: skip
"""What a function can raise; an outcome is a place in this list, 0 where it returns numbers."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass over all rows."""

    state: tuple[Term, ...]
    """Variables, whose names no other pass uses; after the pass they stand for their final values."""
    start: tuple[Term, ...]
    """Their first values: terms in the parameters and in the final states of earlier passes."""
    step: tuple[Term, ...]
    """Their next values: terms also in the state and in the record ROW."""


@dataclass(frozen=True, slots=True)
class Program:
    """A function of a table, read from its source."""

    name: str
    record: Kind
    parameters: tuple[Term, ...]
    """Public parameters that have no fixed value."""
    passes: tuple[Pass, ...]
    output: tuple[Term, ...]
    """The coordinates of the answer, in final states and parameters; truth values count 0 or 1."""
    labels: tuple[str, ...] = ()
    """What each coordinate is called, such as a key of the dict that is returned; empty for one number."""
    exception: Term = ZERO
    """A place in EXCEPTIONS, in final states and parameters."""
    assumption: Term = TRUE
    """What is known of the parameters."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a function does on one table: it returns numbers, or raises."""

    numbers: tuple[Value, ...] = ()
    exception: str = ""


Row = Mapping[Term, Value]
"""A record: the values of `kind.slots(ROW)`."""


def outcome(program: Program, rows: Sequence[Row], parameters: Row) -> Outcome:
    """What the program does on these rows, exactly: the meaning of a Program.  NotRational where a root is not."""
    known: dict[Term, Found] = dict(parameters)
    for one in program.passes:
        known |= zip(one.state, [attempt(t, known) for t in one.start], strict=True)
        for row in rows:
            values = {**known, **row}
            known |= zip(one.state, [attempt(t, values) for t in one.step], strict=True)
    raised = EXCEPTIONS[int(evaluate(program.exception, known))]
    return Outcome((), raised) if raised else Outcome(tuple(evaluate(t, known) for t in program.output))
