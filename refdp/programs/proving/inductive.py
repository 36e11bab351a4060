"""Likely statements without those that a step does not keep: what remains is kept by every step.

Where a shift depends on the greatest of the other rounds, nothing need hold once those grew beyond what is foretold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from refdp import work
from refdp.logic.asking import satisfiable
from refdp.logic.horn import beyond
from refdp.programs.checking.alignment import OTHERS, REST, SEEN
from refdp.programs.checking.conditions import Condition, Product
from refdp.programs.proving.guessing import PLAIN, constant
from refdp.programs.proving.unrolling import with_predicates
from refdp.terms.leaves import TRUE, variables
from refdp.terms.operations import conjunction, disjunction, less, negation, substitute
from refdp.terms.term import Term

LONGEST = 5.0
"""Longest time for one question, in seconds."""


def late() -> Term:
    """That the others have grown beyond what is foretold of them: then nothing need hold any more."""
    return conjunction(SEEN, disjunction(*(less(rest, one) for one, rest in zip(OTHERS, REST, strict=True))))


Statements = dict[int, list[Term]]
"""What is said at the head of each loop."""


def enough(
    product: Product, likely: Mapping[int, Mapping[Term, tuple[Term, ...]]], seconds: float, is_linear: bool = True
) -> Mapping[int, Term] | None:
    """Those of the likely statements at each head that are kept, together, where they are enough.

    A likely statement stands with those that it follows from, with which it is left out.  Where `is_linear`, products
    and quotients are left out, as they are of what Spacer is asked.
    """
    end, (unknown, predicates) = work.spent() + seconds, with_predicates(product)
    places = {str(one.value): place for place, one in enumerate(predicates, 1)}
    conditions = [linear(one) if is_linear else one for one in unknown.conditions()]
    conditions = [one for one in conditions if not is_linear or not beyond([(one.conclusion,)])]
    asked = [Asked(one, *(place_of(t, places) for t in (*head(one), one.conclusion))) for one in conditions]
    inductive = remaining(product, asked, {place: list(one) for place, one in likely.items()}, end)
    if inductive is None or not all(suffice(inductive, one, end) for one in asked):
        return None
    return {
        place: conjunction(*(t for t in found if not any(s in found for s in likely[place][t])))
        for place, found in inductive.items()
    }


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition, with the loop at whose head it begins and the one at whose head it ends, None where at none."""

    condition: Condition
    begins: int | None
    ends: int | None


def head(one: Condition) -> tuple[Term]:
    """The predicate that is known where a condition begins; a term of another kind where there is none."""
    return (next((h for h in one.hypotheses if h.operator == "apply"), TRUE),)


def place_of(one: Term, places: Mapping[str, int]) -> int | None:
    """The loop whose predicate it is."""
    return places[str(one.value)] if one.operator == "apply" else None


def linear(one: Condition) -> Condition:
    """The condition without what is known and not linear."""
    kept = tuple(h for h in one.hypotheses if h.operator == "apply" or not beyond([(h,)]))
    return replace(one, hypotheses=kept)


def remaining(product: Product, conditions: list[Asked], likely: Statements, end: float) -> Statements | None:
    """Those of the likely statements that every step keeps, None where that is not found out."""
    found, settled = dict(likely), False
    while not settled:
        settled = True
        for one in conditions:
            if one.ends is None:
                continue
            after = dict(zip(product.state(one.ends), one.condition.conclusion.arguments, strict=True))
            goals = {t: substitute(t, after) for t in found[one.ends]}
            asked = (*known(one, found), negation(substitute(late(), after)), negation(conjunction(*goals.values())))
            while (answer := satisfiable("z3", asked, left(end), PLAIN)).verdict != "unsat":
                if answer.verdict == "unknown":
                    return None
                model = {v: constant(answer.models[0].get(v, False), v) for v in variables(*asked, *goals.values())}
                fewer = [t for t in found[one.ends] if substitute(goals[t], model).value is not False]
                if len(fewer) == len(found[one.ends]):
                    return None
                found[one.ends], settled = fewer, False
                goals = {t: goals[t] for t in fewer}
                asked = (*known(one, found), asked[-2], negation(conjunction(*goals.values())))
    return found


def known(one: Asked, statements: Statements) -> tuple[Term, ...]:
    """What is known in a condition where the statements hold at its start."""
    own = [h for h in one.condition.hypotheses if h.operator != "apply"]
    begins = () if one.begins is None else (*statements[one.begins], negation(late()))
    return (*begins, *own)


def suffice(statements: Statements, one: Asked, end: float) -> bool:
    """Whether the statements prove a condition that is not about invariants."""
    if one.ends is not None:
        return True
    asked = (*known(one, statements), negation(one.condition.conclusion))
    return satisfiable("z3", asked, left(end), PLAIN).verdict == "unsat"


def left(end: float) -> float:
    """Seconds that a question may take."""
    return max(0.01, min(LONGEST, end - work.spent()))
