"""Listed laws: `listed(tuple_of(tuple_of(1/2, 1/2), tuple_of(1/4, 3/4)))` is a mechanism given by its masses.

P[M(x) = y] is entry y of row x, for inputs x in finite(n), n the number of rows.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from refdp.terms.evaluation import Arithmetic, evaluate
from refdp.terms.term import Term, TermError


def listed_law(subject: Term, x: Any, arithmetic: Arithmetic) -> dict[Any, Any]:
    """Outcome -> probability of M(x); TermError unless the rows are laws of one length and x is one of them."""
    rows = [[Fraction(evaluate(p, {})) for p in row.arguments] for row in _rows(subject)]
    if not (isinstance(x, Fraction) and x.denominator == 1 and 0 <= x < len(rows)):
        raise TermError(f"the input is not in the domain of {subject}")
    if any(len(row) != len(rows[0]) or sum(row) != 1 or min(row) < 0 for row in rows):
        raise TermError(f"the rows of {subject} must be laws of one length: masses >= 0 that sum to 1")
    return {Fraction(y): arithmetic.number(p) for y, p in enumerate(rows[int(x)])}


def _rows(subject: Term) -> tuple[Term, ...]:
    """The rows of masses, not empty; TermError if the subject lists none."""
    match subject:
        case Term("listed", (Term("tuple_of", rows),)) if all(r.operator == "tuple_of" and r.arguments for r in rows):
            return rows
    raise TermError(f"expected listed(tuple_of(tuple_of(MASSES), ...)), got {subject}")
