"""Invariants of two aligned runs, from Spacer.

Where it is foretold which round is released at the end, the rounds up to it and those after it get invariants of their
own; and where the others grew beyond what is foretold of them, nothing need hold any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from refdp import work
from refdp.logic.horn import Clause, Solution, beyond, predicate, solved
from refdp.programs.checking.alignment import OUTPUT, Alignment
from refdp.programs.checking.conditions import Condition, Product
from refdp.programs.proving.counting import counted, is_scaled
from refdp.programs.proving.inductive import late
from refdp.programs.proving.lemmas import kept
from refdp.programs.proving.unrolling import with_predicates
from refdp.terms.leaves import FALSE, TRUE
from refdp.terms.operations import at_most, choice, disjunction, less, negation, substitute
from refdp.terms.term import Term

WAYS: tuple[tuple[Mapping[str, bool], float], ...] = (({}, 0.5), ({"spacer.global": True}, 3.0), ({}, 20.0))
"""Options of Spacer, and seconds for each: it is quick or lost, with these options or with those."""
NOT_LINEAR = "no invariant is found: elements of the data are multiplied by public symbols"
COUNTING = 4.0
"""Seconds for what is likely of charges and rounds, which is asked before Spacer's last and longest way."""


def proof(product: Product, seconds: float) -> tuple[Alignment | None, Solution]:
    """The alignment of the product with its invariants, or why none were found."""
    if (found := kept(product, seconds)) is not None:
        return found, Solution()
    unknown, predicates = with_predicates(product)
    if is_scaled(product) and any(beyond([(one.conclusion,)]) for one in unknown.conditions()):
        found = counted(product, min(COUNTING, seconds), is_linear=False)
        return found, Solution(reason=NOT_LINEAR if found is None else "")
    phases = [Phases(product, place, one) for place, one in enumerate(predicates, 1)]
    wanted = [clause for one in unknown.conditions() for clause in clauses(one, phases)]
    names = tuple(one for each in phases for _, one in each.all())
    answer, end = Solution(reason="the time is over"), work.spent() + seconds
    # Spacer is lost between so many ways to go together or alone; what is likely is nearly always enough there.
    if product.relation.edit is not None and (found := counted(product, min(COUNTING, seconds))) is not None:
        return found, Solution()
    ways = WAYS if product.relation.edit is None else WAYS[:1]
    for place, (options, most) in enumerate(ways, 1):
        is_last = place == len(WAYS)
        if is_last and (found := counted(product, min(COUNTING, end - work.spent()))) is not None:
            return found, Solution()
        answer = solved(wanted, names, options, min(most, end - work.spent()))
        if answer.found is not None:
            said = dict(zip(names, answer.found, strict=True))
            return replace(product.alignment, invariants={one.place: one.joined(said) for one in phases}), answer
        if answer.impossible:
            break
    return None, answer


@dataclass(frozen=True, slots=True)
class Phases:
    """The invariant of one loop, in the phases that the rounds come in."""

    product: Product
    place: int
    whole: Term
    """The unknown predicate that stands for it in the conditions."""

    def all(self) -> tuple[tuple[Term, Term], ...]:
        """When a phase is, and the unknown predicate that holds then."""
        if self.product.alignment.item is None:
            return ((TRUE, self.whole),)
        count, state = self.product.counter(self.place), self.product.state(self.place)
        before, after = (predicate(f"{self.whole.value}.{name}", state) for name in ("before", "after"))
        return (at_most(count, OUTPUT), before), (less(OUTPUT, count), after)

    @property
    def late(self) -> Term:
        """That the others have grown beyond what is foretold of them."""
        return FALSE if self.product.alignment.others is None else late()

    def joined(self, found: Mapping[Term, Term]) -> Term:
        """The invariant that the phases' invariants make."""
        (when, first), *others = self.all()
        rest = found[others[0][1]] if others else TRUE
        return disjunction(self.late, choice(when, found[first], rest))

    def said(self, one: Term) -> list[tuple[Term, ...]]:
        """What the predicate, of some state, comes to: in each phase what is known, and last the phase's predicate."""
        now = dict(zip(self.whole.arguments, one.arguments, strict=True))
        return [tuple(substitute(t, now) for t in (when, negation(self.late), own)) for when, own in self.all()]


def clauses(one: Condition, phases: list[Phases]) -> Iterator[Clause]:
    """What Spacer can take of a condition: without what is known but not linear, and none where that is to be shown."""
    if beyond([(one.conclusion,)]):
        return
    of = {each.whole.value: each for each in phases}
    known = [h for t in one.hypotheses for h in (t.arguments if t.operator == "all_of" else (t,))]
    before = [h for h in known if h.operator == "apply"]
    linear = [h for h in known if h.operator != "apply" and not beyond([(h,)])]
    for start in of[before[0].value].said(before[0]) if before else [()]:
        if one.conclusion.operator != "apply":
            yield (*start, *linear, one.conclusion)
            continue
        for when, timely, goal in of[one.conclusion.value].said(one.conclusion):
            yield (*start, *linear, when, timely, goal)
