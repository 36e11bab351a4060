"""Loops that choose at random: what makes a value the probability of an event, whenever a loop begins in a state.

In a state, the one case whose conditions hold takes one of its branches, each with its probability: to another state,
or out of the loop, where the event happens with the probability `pays`.  What follows from the obligations is proved
in docs/soundness.md, "Lemma: loops": from each state that it may be in, the loop ends with probability 1, after at most
`steps` steps expected, and the event happens with probability `value`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add, mul

from refdp.spec.goals import is_integral
from refdp.spec.statements import Statement, equal
from refdp.terms.term import Term, TermError, both, indicator, names, number, substitute

NEVER = number(0)


@dataclass(frozen=True, slots=True)
class Branch:
    """With this probability: to the state `goes`, or out where that is None; then the event has probability `pays`."""

    probability: Term
    goes: Mapping[str, Term] | None = None
    pays: Term = NEVER


@dataclass(frozen=True, slots=True)
class Case:
    """What is done where the conditions hold."""

    when: tuple[Term, ...]
    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop on the names in `start`, which `within` confines under the conditions `given` on its parameters.

    TermError unless what it starts with reads parameters only, its branches go to whole states, and a name in
    `integers` stays an integer.
    """

    given: tuple[Term, ...]
    within: tuple[Term, ...]
    start: Mapping[str, Term]
    cases: tuple[Case, ...]
    value: Term
    law: Term
    steps: Term
    integers: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for t in (*self.given, self.law, *self.start.values()):
            if names(t) & set(self.start):
                raise TermError(f"{t} must not read the state")
        going = [b.goes for case in self.cases for b in case.branches if b.goes is not None]
        for state in (self.start, *going):
            if set(state) != set(self.start):
                raise TermError(f"a branch must go to a whole state of {', '.join(self.start)}")
            for v in self.integers & set(state):
                if not is_integral(state[v], self.integers):
                    raise TermError(f"{v} is an integer and must not become {state[v]}")


def loop_obligations(loop: Loop) -> dict[str, Statement]:
    """What must hold for the loop to end and for the event to have the probability `law`, by name, in order."""
    inside = (*loop.given, *loop.within)
    found = {
        "start_has_the_law": (
            loop.given,
            both(*_confined(loop, loop.start), equal(_at(loop.value, loop.start), loop.law)),
        ),
        "one_case_holds": (
            inside,
            equal(_sum([_product([indicator(c) for c in case.when]) for case in loop.cases]), 1),
        ),
        "value_is_a_probability": (inside, both(0 <= loop.value, loop.value <= 1, 0 <= loop.steps)),
    }
    for i, case in enumerate(loop.cases, 1):
        given = (*inside, *case.when)
        found |= {
            f"branches_are_a_law.{i}": (given, _law_of(case.branches)),
            f"value_is_kept.{i}": (given, equal(loop.value, _sum([_value(loop, b) for b in case.branches]))),
            f"steps_are_counted.{i}": (given, _sum([_left(loop, b) for b in case.branches]) + 1 <= loop.steps),
        }
        confined = [c for b in case.branches if b.goes is not None for c in _confined(loop, b.goes)]
        found |= {f"state_is_confined.{i}": (given, both(*confined))} if confined else {}
    return {key: Statement(given, show, loop.integers) for key, (given, show) in found.items()}


def _at(t: Term, state: Mapping[str, Term]) -> Term:
    """The term in another state."""
    return substitute(t, state)


def _confined(loop: Loop, state: Mapping[str, Term]) -> list[Term]:
    """That the loop may be in the state."""
    return [_at(condition, state) for condition in loop.within]


def _law_of(branches: Sequence[Branch]) -> Term:
    """Probabilities are >= 0 and sum to 1, and what is paid is a probability."""
    paid = [c for b in branches for c in (0 <= b.pays, b.pays <= 1)]
    return both(equal(_sum([b.probability for b in branches]), 1), *(0 <= b.probability for b in branches), *paid)


def _value(loop: Loop, b: Branch) -> Term:
    """The branch's part of the value before it."""
    return b.probability * (b.pays if b.goes is None else _at(loop.value, b.goes))


def _left(loop: Loop, b: Branch) -> Term:
    """The branch's part of the steps that are expected after it."""
    return number(0) if b.goes is None else b.probability * _at(loop.steps, b.goes)


def _sum(terms: Sequence[Term]) -> Term:
    """t_1 + t_2 + ..."""
    return reduce(add, terms)


def _product(terms: Sequence[Term]) -> Term:
    """t_1 t_2 ..."""
    return reduce(mul, terms)
