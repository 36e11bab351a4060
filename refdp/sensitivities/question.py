"""The question about a program: how far may its answer move between neighbouring tables?

Neighbours: "add_remove": one table has one row more, anywhere; "change_one": one row differs, the size is public.
Tables: "lists": rows have an order that both tables share; "multisets": the order of either table is free.
Norms: of the difference of two answers.  Answers of different length or kind, and an exception on one table only or
of another kind, are infinitely far apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from refdp.sensitivities.program import Program
from refdp.terms.leaves import ZERO, variable
from refdp.terms.operations import (
    absolute,
    at_most,
    conjunction,
    disjunction,
    equal,
    multiply,
    negation,
    real,
    subtract,
    total,
)
from refdp.terms.term import Term

Neighbours = Literal["add_remove", "change_one"]
Norm = Literal["L1", "L2", "Linf"]
Tables = Literal["lists", "multisets"]
SIZE = variable("n", "Int")
"""In a claim or an assumption: the number of rows, of the smaller table where the sizes differ."""


@dataclass(frozen=True, slots=True)
class Question:
    """Whether `program` moves by at most `claim` in `norm` when `edits` rows are added, removed or changed."""

    program: Program
    neighbours: Neighbours
    norm: Norm
    claim: Term
    """A term in the parameters and SIZE."""
    edits: int = 1
    tables: Tables = "multisets"


def within(differences: Sequence[Term], norm: Norm, claim: Term) -> Term:
    """The statement that the norm of the differences is at most the claim, without a root for L2.

    L2: 0 <= claim and the sum of squares is at most claim^2.
    """
    if norm == "L2":
        squares = total(multiply(d, d) for d in map(real, differences))
        return conjunction(at_most(ZERO, claim), at_most(squares, multiply(real(claim), real(claim))))
    sizes = [absolute(d) for d in differences]
    if norm == "L1":
        return at_most(total(sizes), claim)
    return conjunction(at_most(ZERO, claim), *(at_most(size, claim) for size in sizes))


def moves_at_most(
    first: tuple[Sequence[Term], Term], second: tuple[Sequence[Term], Term], norm: Norm, claim: Term
) -> Term:
    """Two outcomes, each (numbers, exception), are the same exception or answers within the claim.

    The same exception is at distance 0, which is more than a negative claim.
    """
    (numbers, raised), (others, other) = first, second
    near = within([subtract(a, b) for a, b in zip(numbers, others, strict=True)], norm, claim)
    same = conjunction(negation(equal(raised, ZERO)), at_most(ZERO, claim))
    return conjunction(equal(raised, other), disjunction(same, near))
