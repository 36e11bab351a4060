"""Which data are neighbours: each pair of elements is related, and the differences keep within a budget.

Data are neighbours where one of the `parts` relates them.  ALL: each element may change by at most 1.  ONE: one element
does.  L1, L2: the changes are at most 1 together.  MONO: each changes by at most 1, and all of them upwards, or all
downwards.  ADD_REMOVE: one list is the other with one element more, anywhere, whatever it is.  All other neighbours
have the same length.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from refdp.terms.leaves import integer, rational, variable
from refdp.terms.operations import at_most, conjunction, equal, subtract
from refdp.terms.term import Term

OLD, NEW = variable("element.old", "Real"), variable("element.new", "Real")
"""An element of the data, and of the neighbour; no parameter has such a name."""
CHANGE = subtract(NEW, OLD)
Edit = Literal["added", "removed", "either"]


@dataclass(frozen=True, slots=True)
class Relation:
    """Neighbours: `related` holds of every two elements, and what changes is within the budgets that are given."""

    related: Term
    """A statement about OLD and NEW."""
    changed: int | None = None
    """How many elements may differ."""
    total: Fraction | None = None
    """The greatest sum of |new - old|."""
    squares: Fraction | None = None
    """The greatest sum of (new - old)^2."""
    edit: Edit | None = None
    """Of lists: whether `changed` elements at most were added, or removed, or some of each; None: none was.

    Elements that both lists have are the same then, in the same order.
    """


@dataclass(frozen=True, slots=True)
class Adjacency:
    """Neighbours by one of the parts."""

    name: str
    parts: tuple[Relation, ...]
    one_direction: bool = False
    """Whether neighbours the other way round need not be neighbours: the claim then holds in one direction only."""

    @property
    def edits(self) -> bool:
        """Whether one of two lists may have elements that the other lacks."""
        return any(part.edit is not None for part in self.parts)


def within(low: int | Fraction, high: int | Fraction) -> Term:
    """low <= new - old <= high."""
    return conjunction(at_most(rational(low), CHANGE), at_most(CHANGE, rational(high)))


NEAR = within(-1, 1)
ALL = Adjacency("ALL", (Relation(NEAR),))
ONE = Adjacency("ONE", (Relation(NEAR, changed=1),))
L1 = Adjacency("L1", (Relation(NEAR, total=Fraction(1)),))
L2 = Adjacency("L2", (Relation(NEAR, squares=Fraction(1)),))
MONO = Adjacency("MONO", (Relation(within(0, 1)), Relation(within(-1, 0))))
SAME = equal(OLD, NEW)
ADD_REMOVE = Adjacency(
    "ADD_REMOVE", (Relation(SAME, changed=1, edit="added"), Relation(SAME, changed=1, edit="removed"))
)
NAMED = {one.name: one for one in (ALL, ONE, L1, L2, MONO, ADD_REMOVE)}
"""The adjacencies that have a name; a user may also write a predicate of two elements."""
LENGTH = variable("n", "Int")
"""The number of data."""
SCALAR = integer(0)
"""The index at which data of one number are looked at."""
