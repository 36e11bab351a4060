"""Plans: the texts in which a statement is put to a solver, whole or case by case."""

from __future__ import annotations

from functools import lru_cache

from refdp.provers.smt.encode import goal_text
from refdp.spec.cases import case_goals
from refdp.spec.goals import goal
from refdp.spec.statements import Statement
from refdp.terms.term import TermError

MAXIMUM_CASES = 64
"""More cases than this are not tried."""

Case = tuple[str, ...]
"""SMT-LIB texts of which one has to be unsatisfiable; the last is the case itself, earlier ones are sharper."""


def whole(statement: Statement) -> tuple[Case, ...]:
    """The statement as one case."""
    return ((goal_text(goal(statement)),),)


@lru_cache(maxsize=16)
def cases(statement: Statement) -> tuple[Case, ...]:
    """The cases that together prove the statement; none if there are too many, or with too large numbers in them."""
    found = []
    try:
        for goals in case_goals(goal(statement)):
            found.append(tuple(dict.fromkeys(map(goal_text, goals))))
            if len(found) > MAXIMUM_CASES:
                return ()
    except TermError:
        return ()
    return tuple(found)
