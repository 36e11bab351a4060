"""Whether a declaration can hold at all: of nothing, anything could be proved."""

from __future__ import annotations

from refdp.logic.asking import satisfiable
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.program import ROW
from refdp.sensitivities.question import SIZE
from refdp.terms.leaves import ZERO, integer
from refdp.terms.operations import at_most

SECONDS = 5.0
"""Time to find out."""


def require_possible(given: Declaration, neighbours: str) -> None:
    """ValueError where no record, no values of the symbols and no number of rows are as declared.

    A table in which a row changes has one.
    """
    least = integer(1) if neighbours == "change_one" else ZERO
    wanted = (given.assumption, given.record.constraint(ROW), at_most(least, SIZE))
    if satisfiable("z3", wanted, SECONDS).verdict == "unsat":
        raise ValueError("assume and the bounds must be possible together, got a contradiction")
