"""A proof of a question, searched for with Spacer and templates, and checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from refdp import work
from refdp.sensitivities.checking.clauses import Edit
from refdp.sensitivities.checking.edits import single_edit
from refdp.sensitivities.checking.invariants import Invariants
from refdp.sensitivities.checking.verifying import SOLVERS, Judged, believed_in, demanded_of_order, judged, verify
from refdp.sensitivities.checking.wellformed import Refused
from refdp.sensitivities.fusion import fused
from refdp.sensitivities.question import Question
from refdp.sensitivities.search.orders import order_relation
from refdp.sensitivities.search.proposals import sum_invariants
from refdp.sensitivities.search.spacer import Search, spacer_invariants
from refdp.sensitivities.search.templates import template_invariants


@dataclass(frozen=True, slots=True)
class Found:
    """A proof that the checker has accepted; `order` is for multisets alone."""

    invariants: Invariants
    order: Invariants | None
    judged: Judged
    fused: bool = False
    """Whether it is about the program with its passes fused."""


@dataclass(frozen=True, slots=True)
class Missed:
    """No proof, and why."""

    reason: str
    moves: bool = False
    """Spacer says that tables exist on which the claim is exceeded; not checked."""
    lists: Found | None = None
    """The proof for lists, where it is the order of rows that is in the way."""


def prove(question: Question, seconds: float, solvers: tuple[str, ...] = SOLVERS) -> Found | Missed:
    """A proof of the question within `seconds`, or why there is none; of its passes fused, then as they are."""
    end = work.spent() + seconds
    single = fused(question.program)
    if single is question.program:
        return _proved(question, end, solvers)
    found = _proved(replace(question, program=single), (work.spent() + end) / 2, solvers)
    if isinstance(found, Found):
        return replace(found, fused=True)
    if found.lists is not None or found.moves:
        return replace(found, lists=None if found.lists is None else replace(found.lists, fused=True))
    other = _proved(question, end, solvers)
    return other if isinstance(other, Found) or other.lists else replace(other, reason=found.reason)


def _proved(question: Question, end: float, solvers: tuple[str, ...]) -> Found | Missed:
    """A proof about the program as it is."""
    try:
        one = replace(single_edit(question), tables="lists")
    except Refused as refused:
        return Missed(str(refused))
    if question.tables == "multisets" and (quick := _of_sums(question, one, end, solvers)) is not None:
        return quick
    found, proved = _for_lists(one, end, solvers)
    if proved is None or found.invariants is None:
        return Missed(found.reason, found.moves)
    of_lists = Found(found.invariants, None, proved)
    return of_lists if question.tables == "lists" else _ordered(question, of_lists, end, solvers)


def _of_sums(question: Question, lists: Question, end: float, solvers: tuple[str, ...]) -> Found | None:
    """The proof for multisets that sums give, verified once: the usual case."""
    found = sum_invariants(lists, lists.neighbours, (end - work.spent()) / 2)
    if found.invariants is None:
        return None
    order = order_relation(question, min(QUICK, end - work.spent()), found.invariants.singles).invariants
    if order is None:
        return None
    judged = verify(question, found.invariants, solvers, end - work.spent(), order)
    return Found(found.invariants, order, judged) if judged.verdict == "PROVED" else None


def _ordered(question: Question, found: Found, end: float, solvers: tuple[str, ...]) -> Found | Missed:
    """The proof for multisets made of the one for lists."""
    order = order_relation(question, (end - work.spent()) / 2, found.invariants.singles)
    if order.invariants is None:
        return Missed(order.reason, lists=found)
    of_order = judged(demanded_of_order(question, order.invariants), solvers, end - work.spent())
    if of_order.verdict != "PROVED":
        return Missed(of_order.reason, lists=found)
    proved = (*found.judged.obligations, *of_order.obligations)
    return Found(found.invariants, order.invariants, Judged("PROVED", trusts=believed_in(proved), obligations=proved))


def _for_lists(question: Question, end: float, solvers: tuple[str, ...]) -> tuple[Search, Judged | None]:
    """What was found for lists, and the judgement that proves it, if any."""
    reasons = []
    for search, longest in SEARCHES:
        left = min(longest, (end - work.spent()) / 2)
        found = search(question, question.neighbours, left)
        if found.moves:
            return found, None
        if found.invariants is not None:
            found_so = verify(question, found.invariants, solvers, (end - work.spent()) / 2)
            if found_so.verdict == "PROVED":
                return found, found_so
        reasons.append(found.reason if found.invariants is None else f"of what was found: {found_so.reason}")
    return Search(reason="; ".join(dict.fromkeys(reasons))), None


QUICK, LONG = 3.0, 600.0
SEARCHES: tuple[tuple[Callable[[Question, Edit, float], Search], float], ...] = (
    (sum_invariants, LONG),
    (spacer_invariants, QUICK),
    (template_invariants, LONG),
    (spacer_invariants, LONG),
)
"""The searches in their order, each with its longest time in seconds."""
