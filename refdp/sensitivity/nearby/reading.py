"""What a function does on a table of a known number of rows, some of which are symbolic, as terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from refdp.sensitivity.graphs import substitute
from refdp.sensitivity.nearby.rows import Row
from refdp.sensitivity.program import ROW, Program
from refdp.sensitivity.terms import TRUE, ZERO, Term, equal


@dataclass(frozen=True, slots=True)
class Read:
    """The numbers that are returned, or a place in EXCEPTIONS, wherever `side` holds."""

    numbers: tuple[Term, ...]
    exception: Term = ZERO
    side: Term = TRUE

    @property
    def returns(self) -> Term:
        """The function returns."""
        return equal(self.exception, ZERO)


Reader = Callable[[Sequence[Row]], Read]
"""The outcome at a table whose rows are given by their slots."""


def unrolled(program: Program) -> Reader:
    """The outcomes of a program, each pass unrolled over the rows."""

    def read(rows: Sequence[Row]) -> Read:
        known: dict[Term, Term] = {}
        slots = program.record.slots(ROW)
        for one in program.passes:
            known |= zip(one.state, [substitute(t, known) for t in one.start], strict=True)
            for row in rows:
                values = {**known, **dict(zip(slots, row, strict=True))}
                known |= zip(one.state, [substitute(t, values) for t in one.step], strict=True)
        numbers = tuple(substitute(t, known) for t in program.output)
        return Read(numbers, substitute(program.exception, known), program.assumption)

    return read
