"""What is known at a point of a program: which variables surely have a value, and which public value some have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from refdp.programs.language.values import deny
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, is_number, parts, variables
from refdp.terms.operations import add, choice, equal, multiply, negation, substitute, subtract
from refdp.terms.polynomials import normal
from refdp.terms.term import Term


@dataclass(frozen=True, slots=True)
class Flow:
    """The knowledge at one point."""

    known: Mapping[str, Term] = field(default_factory=dict)
    """Variables whose value is a term in public parameters and counters of the loops around."""
    assigned: frozenset[str] = frozenset()
    """Variables that have a value on every path to here."""
    emitted: bool = False
    """Whether something may have been released."""
    facts: Mapping[Term, Term] = field(default_factory=dict)
    """Conditions that hold, or do not, on the way to here; only those about public values are ever used."""

    def having(self, name: str, value: Term | None) -> Flow:
        """The knowledge after name = value, a value that is known or None."""
        rest = {n: v for n, v in self.known.items() if n != name}
        return replace(self, known=rest if value is None else {**rest, name: value})

    def with_value(self, name: str) -> Flow:
        """The knowledge that a variable has a value."""
        return replace(self, assigned=self.assigned | {name})

    def given(self, condition: Term) -> Flow:
        """The knowledge where the condition holds: its parts are replaced in what is known, flags are known."""
        facts, flags = dict(self.facts), dict[str, Term]()
        for part in condition.arguments if condition.operator == "all_of" else (condition,):
            facts[part], facts[negation(part)], facts[deny(part)] = TRUE, FALSE, FALSE
            flag = part.arguments[0] if part.operator == "not" else part
            if flag.operator == "name":
                flags[str(flag.value)] = TRUE if flag is part else FALSE
        known = {n: v if v.operator in ("truth", "number") else substitute(v, facts) for n, v in self.known.items()}
        return replace(self, known={**known, **flags}, facts=facts)

    def without(self, counter: Term) -> Flow:
        """The knowledge that does not speak of a counter."""
        return replace(self, known={n: v for n, v in self.known.items() if counter not in variables(v)})


def joined(flows: Iterable[Flow | None], facts: Mapping[Term, Term] | None = None) -> Flow | None:
    """What is known where several ways meet, besides `facts`; None where none gets there."""
    reached = [one for one in flows if one is not None]
    if not reached:
        return None
    first, *others = reached
    if not others:
        return first
    known = {n: v for n, v in first.known.items() if all(same(v, o.known.get(n)) for o in others)}
    if len(reached) == 2:
        known |= _agreed(first, others[0])
    assigned = first.assigned.intersection(*(o.assigned for o in others))
    return Flow(known, assigned, any(one.emitted for one in reached), facts or {})


def _agreed(a: Flow, b: Flow) -> dict[str, Term]:
    """Truth values that are one on one way, and on the other one the same by what holds on that way."""
    found = {}
    for name in a.known.keys() & b.known.keys():
        for value, facts, other in ((a.known[name], b.facts, b.known[name]), (b.known[name], a.facts, a.known[name])):
            if value.sort == "Bool" == other.sort and substitute(value, facts) is other:
                found[name] = value
    return found


def same(a: Term, b: Term | None) -> bool:
    """Whether two known values are surely equal."""
    if b is None or a is b or (a.sort == "Bool") != (b.sort == "Bool"):
        return a is b
    return a.sort != "Bool" and a.sort == b.sort and normal(subtract(a, b)) in (ZERO, normal(subtract(a, a)))


def at_head(entry: Flow, assumed: Mapping[str, Term], backs: list[Flow], counter: Term) -> dict[str, Term]:
    """What may be known at the head of a loop: of what was assumed that which every round preserves.

    A value that each round raises by one amount, or a flag that the first rounds change, is written with the counter.
    """
    found: dict[str, Term] = {}
    for name, value in assumed.items():
        values = [back.known.get(name) for back in backs]
        expected = shifted(value, counter, 1)
        if all(same(expected, one) for one in values):
            found[name] = value
        elif value is entry.known[name] and values[0] is not None and all(same(values[0], one) for one in values):
            moving = _moving(value, values[0], counter)
            if moving is not None:
                found[name] = moving
    return found


def shifted(value: Term, counter: Term, step: int) -> Term:
    """The value when the counter is larger by a step; the counter is never less than 0."""
    mapping = {counter: add(counter, integer(step))}
    for part in parts(value):
        if part.operator == "==" and part.arguments[0] is counter and is_number(part.arguments[1]):
            place = part.arguments[1].rational - step
            mapping[part] = FALSE if place < 0 else equal(counter, integer(int(place)))
    return substitute(value, mapping)


def _moving(start: Term, after: Term, counter: Term) -> Term | None:
    """The value at the head of round `counter`, from that before the first round and that after a round."""
    if start.sort == "Bool":
        if start.operator != "truth" or variables(after) not in ((), (counter,)):
            return None
        return choice(equal(counter, ZERO), start, shifted(after, counter, -1))
    step = normal(subtract(after, start))
    if counter in variables(step) or after.sort != start.sort:
        return None
    return add(start, multiply(step, counter))
