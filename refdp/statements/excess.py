"""What the pointwise statements are made of: masses of one outcome, factors e^epsilon, and w+ = max(w, 0)."""

from __future__ import annotations

from refdp.spec.statements import Statement
from refdp.terms.term import Term, maximum, name, names

p, q, r, a, b, t, t1, t2 = map(name, ("p", "q", "r", "a", "b", "t", "t_1", "t_2"))
MASSES = tuple(0 <= v for v in (p, q, r, a, b))
FACTORS = tuple(1 <= v for v in (t, t1, t2))


def part(w: Term) -> Term:
    """w+ = max(w, 0)."""
    return maximum(w, 0)


def given(show: Term, *more: Term, integers: str = "") -> Statement:
    """The statement for those of the masses (non-negative) and factors (at least 1) that it speaks of."""
    spoken = names(show).union(*map(names, more))
    return Statement(
        (*(c for c in (*MASSES, *FACTORS) if names(c) <= spoken), *more), show, frozenset(integers.split())
    )
