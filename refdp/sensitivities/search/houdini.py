"""The largest inductive part of a set of candidate facts: drop what a step breaks until nothing is broken (untrusted).

Each candidate is guarded by a switch of its own, so that the conditions of the checker tell which fact they are about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from refdp import work
from refdp.logic.asking import satisfiable, valid
from refdp.sensitivities.checking.clauses import Condition, Edit, conditions
from refdp.sensitivities.checking.invariants import Invariants
from refdp.sensitivities.question import Question
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import FALSE, TRUE, variable, variables
from refdp.terms.operations import conjunction, implication, negation, substitute
from refdp.terms.term import Term, Value

LONGEST, ALONE = 2.0, 0.3
"""Longest time for one condition, and for one fact of it, in seconds."""


@dataclass(slots=True)
class Switches:
    """Candidate facts, each with its switch, and which of them still stand."""

    facts: dict[Term, Term] = field(default_factory=dict)
    standing: set[Term] = field(default_factory=set)

    def guarded(self, candidates: Iterable[Term]) -> Term:
        """All of the candidates, each if its switch is on."""
        made = []
        for fact in dict.fromkeys(candidates):
            switch = variable(f"switch!{len(self.facts)}", "Bool")
            self.facts[switch] = fact
            self.standing.add(switch)
            made.append(implication(switch, fact))
        return conjunction(*made)

    def settled(self, term: Term) -> Term:
        """The term, the facts that stand being on and the others off."""
        return substitute(term, {s: TRUE if s in self.standing else FALSE for s in self.facts})


def largest_inductive(
    question: Question, edit: Edit, pairs: Sequence[Sequence[Term]], singles: Sequence[Sequence[Term]], seconds: float
) -> Invariants | None:
    """The candidates of each pass that hold together at the start and are kept by every step; None if out of time."""
    end = work.spent() + seconds
    switches = Switches()
    relations, lone = tuple(map(switches.guarded, pairs)), tuple(map(switches.guarded, singles))
    wanted = [c for c in conditions(question, edit, Invariants(relations, lone)) if c.name != "out"]
    waiting = list(wanted)
    while waiting:
        if work.spent() > end:
            return None
        if _broken(waiting.pop(0), switches, end):
            waiting = list(wanted)
    return Invariants(tuple(map(switches.settled, relations)), tuple(map(switches.settled, lone)))


def _broken(condition: Condition, switches: Switches, end: float) -> bool:
    """Whether facts of the conclusion do not follow and are dropped."""
    before = len(switches.standing)
    while goals := _goals(condition, switches):
        facts = [switches.settled(h) for h in condition.hypotheses]
        left = min(LONGEST, end - work.spent())
        if left <= 0:
            return True
        answer = satisfiable("z3", [*facts, negation(conjunction(*goals.values()))], left)
        if answer.verdict == "unsat":
            break
        false = {s for s in goals for model in answer.models[:1] if not _holds(goals[s], model)}
        if not false:
            false = {s for s, g in goals.items() if valid("z3", facts, g, ALONE).verdict != "unsat"}
            switches.standing -= false
            break
        switches.standing -= false
    return len(switches.standing) < before


def _goals(condition: Condition, switches: Switches) -> dict[Term, Term]:
    """What each fact that stands has to be after the step, by its switch."""
    parts = condition.conclusion.arguments if condition.conclusion.operator == "all_of" else (condition.conclusion,)
    found: dict[Term, Term] = {}
    for part in parts:
        for switch in switches.standing & set(variables(part)):
            found[switch] = conjunction(found.get(switch, TRUE), switches.settled(part))
    return found


def _holds(goal: Term, model: Mapping[Term, Value]) -> bool:
    """Whether the goal is true in the model; a goal without a value counts as true."""
    try:
        return evaluate(goal, {v: model.get(v, v.sort != "Bool" and Fraction(0)) for v in variables(goal)}) is True
    except ArithmeticError:
        return True
