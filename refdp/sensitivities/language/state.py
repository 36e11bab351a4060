"""What is known at one point of the source: names, contents, whether the function has raised or returned, and facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from refdp.sensitivities.language.facts import assumed, same, simplified
from refdp.sensitivities.language.objects import Object, absent, merged
from refdp.sensitivities.language.values import DEAD, Value, join
from refdp.terms.leaves import FALSE, TRUE, ZERO, is_number
from refdp.terms.operations import choice, disjunction, negation
from refdp.terms.term import Term


@dataclass(slots=True)
class State:
    """Values under way; changed in place by the statement that runs."""

    names: dict[str, Value]
    heap: dict[int, Object]
    raised: Term = ZERO
    """A place in EXCEPTIONS."""
    returned: Term = FALSE
    answer: Value = DEAD
    broke: Term = FALSE
    continued: Term = FALSE
    facts: frozenset[Term] = field(default_factory=frozenset)

    def copy(self) -> State:
        """The same state, to be changed on its own."""
        return State(
            dict(self.names), dict(self.heap), self.raised, self.returned, self.answer,
            self.broke, self.continued, self.facts,
        )  # fmt: skip

    def become(self, other: State) -> None:
        """Everything of the other state but its facts."""
        self.names, self.heap, self.raised = other.names, other.heap, other.raised
        self.returned, self.answer = other.returned, other.answer
        self.broke, self.continued = other.broke, other.continued

    def assume(self, condition: Term) -> None:
        """From here on the condition holds."""
        self.facts = assumed(self.facts, condition)

    def simplified(self, condition: Term) -> Term:
        """The condition, or true or false where the facts decide it."""
        return simplified(self.facts, condition)

    def has_raised(self) -> Term:
        """Whether an exception is on its way."""
        return negation(same(self.raised, ZERO))

    def stopped(self) -> Term:
        """Whether the next statement is not reached."""
        return disjunction(self.has_raised(), self.returned, self.broke, self.continued)

    def cleared(self, condition: Term) -> State:
        """A copy for what runs where the condition holds and nothing has stopped."""
        found = self.copy()
        found.raised, found.returned, found.broke, found.continued = ZERO, FALSE, FALSE, FALSE
        found.assume(condition)
        return found

    def has_ended(self) -> bool:
        """Whether the function ends here on every table: its names are read no more."""
        return self.returned is TRUE or self.has_certainly_raised()

    def has_certainly_raised(self) -> bool:
        """Whether an exception is on its way on every table."""
        return is_number(self.raised) and self.raised.rational != 0


def joined(condition: Term, yes: State, no: State, catching: bool) -> State:
    """The state that is `yes` where the condition holds, else `no`.

    Unless exceptions are caught, what an ended side leaves behind is never read, and the other side is taken.
    """
    return State(
        _names(condition, yes, no, catching),
        _heap(condition, yes, no, catching),
        choice(condition, yes.raised, no.raised),
        choice(condition, yes.returned, no.returned),
        join(condition, yes.answer, no.answer),
        choice(condition, yes.broke, no.broke),
        choice(condition, yes.continued, no.continued),
        no.facts,
    )


def _names(condition: Term, yes: State, no: State, catching: bool) -> dict[str, Value]:
    """The names of both sides."""
    if not catching and (yes.has_ended() or no.has_ended()):
        return dict(no.names if yes.has_ended() else yes.names)
    keys = dict.fromkeys((*yes.names, *no.names))
    return {k: join(condition, yes.names.get(k, absent(k)), no.names.get(k, absent(k))) for k in keys}


def _heap(condition: Term, yes: State, no: State, catching: bool) -> dict[int, Object]:
    """The contents of both sides; what one side alone has made is reached from there alone."""
    if not catching and (yes.has_certainly_raised() or no.has_certainly_raised()):
        return {**yes.heap, **no.heap} if yes.has_certainly_raised() else {**no.heap, **yes.heap}
    return {
        key: merged(condition, yes.heap[key], no.heap[key]) if key in yes.heap and key in no.heap
        else yes.heap.get(key) or no.heap[key]
        for key in dict.fromkeys((*no.heap, *yes.heap))
    }  # fmt: skip


def settled(stop: Term, before: State, after: State, catching: bool) -> State:
    """Where `stop` holds, the state before; else the state after.

    Where only an exception or a return can have stopped, and nothing catches it, names are read no more in this call;
    contents neither, unless an answer may lead to them.
    """
    found = joined(stop, before, after, catching)
    if not catching and before.broke is FALSE and before.continued is FALSE:
        found.names = after.names
        if before.returned is FALSE:
            found.heap = after.heap
    return found


def bound(names: Mapping[str, Value], name: str) -> Value:
    """The value of a name, which may have none."""
    return names.get(name, absent(name))
