"""Help for programs of many states: a few equations at a time (untrusted)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from refdp.sensitivities.checking.clauses import Condition, Edit, conditions
from refdp.sensitivities.checking.invariants import Hint, Invariants
from refdp.sensitivities.question import Question
from refdp.terms.leaves import variables
from refdp.terms.operations import conjunction

CHUNK = 10
"""Equations, or coordinates, that one hint is about."""


def in_chunks(question: Question, edit: Edit, found: Invariants) -> Invariants:
    """The invariants with a hint for each few equations that a step has to keep, where there are many."""
    hints = [h for one in conditions(question, edit, found) if one.name != "out" for h in state_hints(one)]
    return replace(found, hints=(*hints, *found.hints))


def state_hints(condition: Condition) -> Iterator[Hint]:
    """A few members of a long conclusion at a time, from equations of their variables."""
    conclusion = condition.conclusion
    members = [m for m in conclusion.arguments if m.operator == "=="] if conclusion.operator == "all_of" else []
    states = {v for member in members for v in variables(member.arguments[0])}
    for place in range(0, len(members) if len(members) > 2 * CHUNK else 0, CHUNK):
        statement = conjunction(*members[place : place + CHUNK])
        own = set(variables(statement)) & states
        given = [h for h in condition.hypotheses if h.operator == "==" and own & set(variables(h))]
        yield Hint(condition.name, statement, tuple(given))
