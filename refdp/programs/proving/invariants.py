"""Invariants of two aligned runs, from Spacer."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace

from refdp.logic.horn import Clause, Solution, beyond, solved
from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.conditions import Product
from refdp.programs.proving.unrolling import with_predicates

WAYS: tuple[tuple[Mapping[str, bool], float], ...] = (({}, 0.5), ({"spacer.global": True}, 3.0), ({}, 20.0))
"""Options of Spacer, and seconds for each: it is quick or lost, with these options or with those."""


def proof(product: Product, seconds: float) -> tuple[Alignment | None, Solution]:
    """The alignment of the product with its invariants, or why Spacer found none."""
    unknown, predicates = with_predicates(product)
    wanted, answer, end = list(clauses(unknown)), Solution(reason="the time is over"), time.monotonic() + seconds
    for options, most in WAYS:
        answer = solved(wanted, predicates, options, min(most, end - time.monotonic()))
        if answer.found is not None:
            found = dict(zip(range(1, len(predicates) + 1), answer.found, strict=True))
            return replace(product.alignment, invariants=found), answer
        if answer.impossible:
            break
    return None, answer


def clauses(product: Product) -> Iterator[Clause]:
    """What Spacer can take of the conditions: without what is known but not linear, and without conclusions like it."""
    for one in product.conditions():
        if not beyond([(one.conclusion,)]):
            yield (*(h for h in one.hypotheses if not beyond([(h,)])), one.conclusion)
