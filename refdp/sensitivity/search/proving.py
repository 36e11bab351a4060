"""A proof of a question, searched for with Spacer and templates, and checked."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from refdp.sensitivity.checking.edits import single_edit
from refdp.sensitivity.checking.invariants import Invariants
from refdp.sensitivity.checking.verifying import SOLVERS, Judged, verify
from refdp.sensitivity.checking.wellformed import Refused
from refdp.sensitivity.question import Question
from refdp.sensitivity.search.orders import order_relation
from refdp.sensitivity.search.spacer import Search, spacer_invariants
from refdp.sensitivity.search.templates import template_invariants


@dataclass(frozen=True, slots=True)
class Found:
    """A proof that the checker has accepted; `order` is for multisets alone."""

    invariants: Invariants
    order: Invariants | None
    judged: Judged


@dataclass(frozen=True, slots=True)
class Missed:
    """No proof, and why."""

    reason: str
    moves: bool = False
    """Spacer says that tables exist on which the claim is exceeded; not checked."""
    lists: bool = False
    """The claim was proved for lists, and it is the order of rows that is in the way."""


def prove(question: Question, seconds: float, solvers: tuple[str, ...] = SOLVERS) -> Found | Missed:
    """A proof of the question by Spacer or templates, within `seconds`; or why there is none."""
    end = time.monotonic() + seconds
    try:
        one = replace(single_edit(question), tables="lists")
    except Refused as refused:
        return Missed(str(refused))
    found, judged = _for_lists(one, end, solvers)
    if judged is None or found.invariants is None:
        return Missed(found.reason, found.moves)
    if question.tables == "lists":
        return Found(found.invariants, None, judged)
    return ordered(question, found.invariants, end - time.monotonic(), solvers)


def ordered(
    question: Question, invariants: Invariants, seconds: float, solvers: tuple[str, ...] = SOLVERS
) -> Found | Missed:
    """The proof for multisets, where the invariants prove it for lists."""
    end = time.monotonic() + seconds
    order = order_relation(question, seconds / 2, invariants.singles)
    if order.invariants is None:
        return Missed(order.reason, lists=True)
    judged = verify(question, invariants, solvers, end - time.monotonic(), order.invariants)
    if judged.verdict != "PROVED":
        return Missed(judged.reason, lists=True)
    return Found(invariants, order.invariants, judged)


def _for_lists(question: Question, end: float, solvers: tuple[str, ...]) -> tuple[Search, Judged | None]:
    """What was found for lists, and the judgement that proves it, if any."""
    reasons = []
    for search in (spacer_invariants, template_invariants):
        found = search(question, question.neighbours, (end - time.monotonic()) / 2)
        if found.moves:
            return found, None
        if found.invariants is not None:
            judged = verify(question, found.invariants, solvers, (end - time.monotonic()) / 2)
            if judged.verdict == "PROVED":
                return found, judged
        reasons.append(found.reason if found.invariants is None else f"of what was found: {judged.reason}")
    return Search(reason="; ".join(reasons)), None
