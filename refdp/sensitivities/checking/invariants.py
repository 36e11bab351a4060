"""What is proposed as a proof of a sensitivity: relations between two runs, and help for the solvers.

Nothing here is believed: `clauses` turns it into conditions, each of which is proved or the proposal is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from refdp.sensitivities.program import Program
from refdp.terms.leaves import variable, variables
from refdp.terms.operations import conjunction, equal
from refdp.terms.term import Term

EDITED = variable("edited!", "Bool")
"""Whether the two runs are past the place where their tables differ."""
ROWS = variable("rows!", "Int")
"""How many rows the first run has read in this pass."""
LENGTH = variable("length!", "Int")
"""In an invariant of a single run: how many rows its table has."""
GHOST, OTHER = "ghost", "ghost2"
"""Names of the edited record: the row that only the second table has; or the first's and the second's."""


def first(term: Term) -> Term:
    """A state variable of the first run."""
    return variable(f"{term.value}!1", term.sort)


def second(term: Term) -> Term:
    """A state variable of the second run."""
    return variable(f"{term.value}!2", term.sort)


@dataclass(frozen=True, slots=True)
class Hint:
    """A statement proved from `given` alone, and then among the hypotheses of the condition it is for."""

    condition: str
    """The name of the condition."""
    statement: Term
    given: tuple[Term, ...] = ()
    """Hypotheses of that condition, or statements of earlier hints for it."""
    whatever: tuple[Term, ...] = ()
    """Terms for whatever values of which it is proved, instead of for the values that they have."""


@dataclass(frozen=True, slots=True)
class Invariants:
    """One relation for each pass, and what helps to prove them.

    A relation is a term over EDITED, the state and the final states of earlier passes in both runs (`first`, `second`),
    the slots of GHOST (and of OTHER where two records are edited), the parameters, ROWS and SIZE.
    """

    relations: tuple[Term, ...]
    singles: tuple[Term, ...] = ()
    """None, or one for each pass: an invariant of any single run, over the state and the final states of earlier passes
    under their own names, the parameters, ROWS, SIZE and LENGTH."""
    splits: tuple[tuple[Term, tuple[Term, ...]], ...] = ()
    """A variable and all values that it can have: conditions in which it stands are proved once for each value."""
    hints: tuple[Hint, ...] = ()


def equality(program: Program) -> Invariants:
    """The relation that the two runs are in the same state, but for what no answer depends on."""
    states = {s for one in program.passes for s in one.state} & relevant(program)
    same = [conjunction(*(equal(first(s), second(s)) for s in one.state if s in states)) for one in program.passes]
    return Invariants(tuple(same))


def relevant(program: Program) -> frozenset[Term]:
    """The variables on which the outcome may depend, directly or through other states."""
    needed = set(variables(*program.output, program.exception))
    rules = [(s, (a, b)) for one in program.passes for s, a, b in zip(one.state, one.start, one.step, strict=True)]
    before = -1
    while len(needed) > before:
        before = len(needed)
        for state, made in rules:
            if state in needed:
                needed.update(variables(*made))
    return frozenset(needed)
