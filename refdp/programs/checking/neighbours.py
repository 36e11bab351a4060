"""What is known of the data that two runs read: their elements are related, and the changes keep within a budget."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.programs.adjacency import NEW, OLD, Edit, Relation
from refdp.programs.checking.alignment import SPENT
from refdp.programs.checking.public import Public, Refused
from refdp.programs.execution import presence
from refdp.programs.steps import START, Step
from refdp.terms.leaves import TRUE, is_number, rational, variable
from refdp.terms.operations import absolute, add, at_most, choice, equal, implication, real, substitute, subtract
from refdp.terms.term import Term


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Data of two runs that a relation makes neighbours."""

    relation: Relation
    public: Public
    over_data: tuple[bool, ...]
    """Whether each loop reads an element of the data in each round."""

    @property
    def budget(self) -> Fraction | None:
        """What the changes may come to together, where there is a limit."""
        return self.relation.total if self.relation.changed is None else Fraction(self.relation.changed)

    def related(self, a: Step, b: Step) -> tuple[list[Term], Term]:
        """That the data that are read are neighbours', and what is then spent of the budget.

        Elements that may have been read before have a budget of their own: that allows for more neighbours.
        """
        if any(x != y for (x, _), (y, _) in zip(a.path.looked, b.path.looked, strict=False)):
            raise Refused("two runs must read the same elements of the data")
        if not all(
            self.public.is_public(substitute(place, self.public.given))
            for one in (a, b)
            for place, _ in one.path.looked
        ):
            raise Refused("which element of the data is read must be public")
        longest, facts, spent = max(a, b, key=lambda s: len(s.path.looked)), list[Term](), SPENT
        for k, (place, data) in enumerate(longest.path.looked):
            if not self.public.is_public(self.public(place)):
                raise Refused(f"which element is read must be public, got {place}")
            between = {OLD: real(data), NEW: real(other(data))}
            facts.append(substitute(self.public(self.relation.related), between))
            if self.relation.edit is not None:
                facts.append(edited(self.relation.edit, data))
            if self.budget is None:
                continue
            first_time, change = self.is_first_time(longest, k, place), self.change(data)
            spent = add(spent, change) if first_time else spent
            facts.append(at_most(spent if first_time else change, rational(self.budget)))
        return facts, spent

    def is_first_time(self, one: Step, k: int, place: Term) -> bool:
        """Whether the K-th element that a step reads surely counts against the budget once: it is read but here."""
        if one.is_round:
            return k == 0 and self.over_data[one.source - 1]
        places = [p for p, _ in one.path.looked]
        return one.source == START and is_number(place) and place.rational >= 0 and places.count(place) == 1

    def change(self, data: Term) -> Term:
        """What an element takes of the budget."""
        if self.relation.edit is not None:
            there, here = presence(other(data)), presence(data)
            return choice(equal(here, there), rational(0), rational(1))
        if self.relation.changed is not None:
            return choice(equal(data, other(data)), rational(0), rational(1))
        return absolute(subtract(real(other(data)), real(data)))


def edited(edit: Edit, data: Term) -> Term:
    """Which of two lists may have an element that is null in the other."""
    here, there = presence(data), presence(other(data))
    return {"added": implication(here, there), "removed": implication(there, here), "either": TRUE}[edit]


def other(data: Term) -> Term:
    """The neighbour's element, or whether it is there."""
    return variable(f"other{str(data.value)[4:]}", data.sort)
