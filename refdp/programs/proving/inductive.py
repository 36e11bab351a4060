"""Likely statements without those that a step does not keep: what remains is kept by every step.

Where a shift depends on the greatest of the other rounds, nothing need hold once those grew beyond what is foretold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from refdp import work
from refdp.logic.asking import satisfiable
from refdp.logic.horn import beyond
from refdp.programs.checking.alignment import OTHERS, REST, SEEN
from refdp.programs.checking.conditions import Condition, Product
from refdp.programs.proving.guessing import PLAIN, constant
from refdp.programs.proving.unrolling import with_predicates
from refdp.terms.leaves import variables
from refdp.terms.operations import conjunction, disjunction, less, negation, substitute
from refdp.terms.term import Term

LONGEST = 5.0
"""Longest time for one question, in seconds."""


def late() -> Term:
    """That the others have grown beyond what is foretold of them: then nothing need hold any more."""
    return conjunction(SEEN, disjunction(*(less(rest, one) for one, rest in zip(OTHERS, REST, strict=True))))


def enough(
    product: Product, likely: Mapping[Term, tuple[Term, ...]], seconds: float, is_linear: bool = True
) -> list[Term] | None:
    """Those of the likely statements that are kept, without those that follow from others, where they are enough.

    Where `is_linear`, products and quotients are left out, as they are of what Spacer is asked.
    """
    end, (unknown, _) = work.spent() + seconds, with_predicates(product)
    conditions = [linear(one) if is_linear else one for one in unknown.conditions()]
    conditions = [one for one in conditions if not is_linear or not beyond([(one.conclusion,)])]
    inductive = remaining(product, conditions, list(likely), end)
    if inductive is None or not all(suffice(inductive, one, end) for one in conditions):
        return None
    return [one for one in inductive if not any(stronger in inductive for stronger in likely[one])]


def linear(one: Condition) -> Condition:
    """The condition without what is known and not linear."""
    kept = tuple(h for h in one.hypotheses if h.operator == "apply" or not beyond([(h,)]))
    return replace(one, hypotheses=kept)


def remaining(product: Product, conditions: list[Condition], likely: list[Term], end: float) -> list[Term] | None:
    """Those of the likely statements that every step keeps, None where that is not found out."""
    state, found, settled = product.state(1), likely, False
    while not settled:
        settled = True
        for one in (c for c in conditions if c.conclusion.operator == "apply"):
            after = dict(zip(state, one.conclusion.arguments, strict=True))
            goals = {t: substitute(t, after) for t in found}
            asked = (*known(one, found), negation(substitute(late(), after)), negation(conjunction(*goals.values())))
            while (answer := satisfiable("z3", asked, left(end), PLAIN)).verdict != "unsat":
                if answer.verdict == "unknown":
                    return None
                model = {v: constant(answer.models[0].get(v, False), v) for v in variables(*asked, *goals.values())}
                fewer = [t for t in found if substitute(goals[t], model).value is not False]
                if len(fewer) == len(found):
                    return None
                found, settled = fewer, False
                goals = {t: goals[t] for t in found}
                asked = (*known(one, found), asked[-2], negation(conjunction(*goals.values())))
    return found


def known(one: Condition, statements: list[Term]) -> tuple[Term, ...]:
    """What is known in a condition where the statements hold at its start."""
    own = [h for h in one.hypotheses if h.operator != "apply"]
    begins = (*statements, negation(late())) if len(own) < len(one.hypotheses) else ()
    return (*begins, *own)


def suffice(statements: list[Term], one: Condition, end: float) -> bool:
    """Whether the statements prove a condition that is not about invariants."""
    if one.conclusion.operator == "apply":
        return True
    asked = (*known(one, statements), negation(one.conclusion))
    return satisfiable("z3", asked, left(end), PLAIN).verdict == "unsat"


def left(end: float) -> float:
    """Seconds that a question may take."""
    return max(0.01, min(LONGEST, end - work.spent()))
