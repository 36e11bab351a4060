"""Invariants of two aligned runs, from Spacer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from refdp.logic.horn import Clause, Solution, beyond, solved
from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.conditions import Product
from refdp.programs.proving.unrolling import with_predicates


def proof(product: Product, seconds: float) -> tuple[Alignment | None, Solution]:
    """The alignment of the product with its invariants, or why Spacer found none."""
    unknown, predicates = with_predicates(product)
    answer = solved(clauses(unknown), predicates, {}, seconds)
    if answer.found is None:
        return None, answer
    found = dict(zip(range(1, len(predicates) + 1), answer.found, strict=True))
    return replace(product.alignment, invariants=found), answer


def clauses(product: Product) -> Iterator[Clause]:
    """What Spacer can take of the conditions: without what is known but not linear, and without conclusions like it."""
    for one in product.conditions():
        if not beyond([(one.conclusion,)]):
            yield (*(h for h in one.hypotheses if not beyond([(h,)])), one.conclusion)
