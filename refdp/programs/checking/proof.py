"""Whether alignments prove a claim: every condition is asked of the solvers, which alone are believed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refdp import work
from refdp.logic.asking import satisfiable, valid
from refdp.numerics.elementary import Undecided
from refdp.numerics.exact import decide
from refdp.programs.adjacency import LENGTH, NEW, OLD, Relation
from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.charges import drawable, insist_on_group, rated
from refdp.programs.checking.conditions import Condition, Product
from refdp.programs.checking.finite import Found, TooLikely, holds_exactly
from refdp.programs.checking.public import Public, Refused, public
from refdp.programs.checking.symbolic import demanded_of_laws
from refdp.programs.execution import TooManyPaths
from refdp.programs.nulls import insist_on_secret_length, shared_steps
from refdp.programs.probabilities import NotComputed
from refdp.programs.steps import BeyondSteps, Stepwise
from refdp.programs.syntax import Claim, Program
from refdp.provers.processes import SolverMissing
from refdp.terms.leaves import ZERO, integer, rational, truth, variable, variables
from refdp.terms.operations import absolute, at_most, equal, less, multiply, real, substitute, subtract, total
from refdp.terms.sorts import without_sorts
from refdp.terms.term import Sort, Term
from refdp.verdicts import Verdict

SOLVERS = ("z3", "cvc5")
RESERVED = re.compile(
    r"(draw|data|other|others|public|cost|rest|change)(\.[0-9]+)?|unset\..*|.*\.(seen|last|spent|[12])"
)
"""Names that conditions use themselves."""
LONGEST = 20.0
"""Longest time for one condition in one solver, in seconds."""


@dataclass(frozen=True, slots=True)
class Checked(Verdict):
    """What became of a proof: PROVED, or UNKNOWN."""

    solvers: tuple[str, ...] = ()
    """The solvers that proved every condition."""
    count: int = 0
    exact: bool = False
    """Whether exact probabilities were compared; then the solvers only said which data there are."""
    broken: Found | None = None
    """Two neighbours whose exact laws break the claim."""


def check(
    program: Program, claim: Claim, alignments: Sequence[Alignment], solvers: Sequence[str], seconds: float
) -> Checked:
    """PROVED where one of the solvers proves every condition of every part of the adjacency within `seconds`.

    Without alignments: where laws of finitely many outputs prove it, compared exactly where all parameters have values;
    then a solver is needed only to tell that data are finite.
    """
    end, able, count = work.spent() + seconds, list(solvers), 0
    try:
        insist_on_sense(program, claim, min(LONGEST, seconds))
        if not alignments and has_values(program, claim) and program.data.sort != "Real":
            needed, count = holds_exactly(program, claim, solvers, seconds)
            return Checked("PROVED", needed, count, exact=True)
        if alignments:
            conditions = demanded(shared_steps(program, claim), claim, alignments)
        else:
            conditions = demanded_of_laws(program, claim, solvers, seconds)
        for one in conditions:
            count += 1
            able = [s for s in able if proves(s, one, end)]
            if not able:
                return Checked("UNKNOWN", reason=f"not proved: {one.name}")
    except TooLikely as error:
        return Checked("UNKNOWN", reason=str(error), broken=error.found)
    except (KeyError, IndexError) as error:
        return Checked("UNKNOWN", reason=f"the alignment says nothing of {error}")
    except (Refused, BeyondSteps, TooManyPaths, SolverMissing, NotComputed, Undecided) as error:
        return Checked("UNKNOWN", reason=str(error))
    if count == 0:
        return Checked("UNKNOWN", reason="nothing was there to be proved")
    return Checked("PROVED", tuple(able), count)


def has_values(program: Program, claim: Claim) -> bool:
    """Whether the claim is made for one value of every parameter."""
    return set(program.parameters) - {program.length} <= set(claim.given)


def insist_on_sense(program: Program, claim: Claim, seconds: float) -> None:
    """Refused where nothing is claimed: no parameters are allowed, or no data have neighbours."""
    shared = public(program, claim, ())
    if (claim.epsilon is None) == (claim.rho is None) or (claim.delta is not None and claim.epsilon is None):
        raise Refused("a claim must say epsilon, or epsilon and delta, or rho")
    if claim.adjacency.edits:
        insist_on_secret_length(program, claim)
    known = (*shared.known(), shared(at_most(integer(int(program.data.is_list)), LENGTH)))
    for relation in claim.adjacency.parts:
        instance = map(shared, moved(relation, program.data.sort))
        if satisfiable("z3", (*known, *instance), seconds).verdict == "unsat":
            raise Refused("some parameters must be allowed and some data must have neighbours")


def moved(relation: Relation, sort: Sort) -> Iterator[Term]:
    """That an element is not its neighbour's, as far as the budgets allow; or that there may be one more."""
    if relation.edit is not None:
        yield at_most(integer(1), integer(relation.changed or 0))
        return
    old, new = (variable(name, sort) for name in ("data.0", "other.0"))
    change = absolute(subtract(real(new), real(old)))
    yield substitute(relation.related, {OLD: real(old), NEW: real(new)})
    yield less(rational(0), change)
    if relation.changed is not None:
        yield at_most(integer(1), integer(relation.changed))
    if relation.total is not None:
        yield at_most(change, rational(relation.total))
    if relation.squares is not None:
        yield less(rational(0), rational(relation.squares))


def demanded(steps: Stepwise, claim: Claim, alignments: Sequence[Alignment]) -> Iterator[Condition]:
    """Everything that is to be proved: one alignment for each part of the adjacency."""
    if not claim.adjacency.parts or len(alignments) != len(claim.adjacency.parts):
        raise Refused(f"there must be {len(claim.adjacency.parts)} alignments, got {len(alignments)}")
    if strange := sorted(name for state in steps.states.values() for name in state if RESERVED.fullmatch(name)):
        raise Refused(f"a variable must not be named {strange[0]}")
    for relation, alignment in zip(claim.adjacency.parts, alignments, strict=True):
        shared = public(steps.program, claim, (variable(loop.counter, "Int") for loop in steps.loops))
        yield from Product(steps, relation, alignment, shared).conditions()
        yield from charged(steps, claim, alignment, shared)


def charged(steps: Stepwise, claim: Claim, alignment: Alignment, shared: Public) -> Iterator[Condition]:
    """That the charges are what is lost, and within the claim.

    Of lists it is enough that there is an element: two lists without any are the same, and nothing is lost.
    """
    some = (at_most(integer(1), LENGTH),) if steps.program.data.is_list else ()

    def known() -> tuple[Term, ...]:
        return (*shared.known(), *some)

    if some:
        nothing = shared.exact(settled(within(rational(0), claim), shared))
        yield Condition("the claim", (*shared.known(), equal(LENGTH, integer(0))), nothing)
    draws = {(d.site, d.parameters): d for step in steps.steps for d in step.path.drawn}
    if len({site for site, _ in draws}) < len(draws):
        raise Refused("a draw must have one and the same scale each time")
    for draw in draws.values():
        wanted = list(drawable(draw, shared))
        if draw.site in alignment.charges:
            group, weight = alignment.charges[draw.site]
            insist_on_group(group, alignment)
            wanted += rated(draw, alignment.groups[group], weight, shared)
        yield from (Condition(f"draw {draw.site}", known(), one) for one in wanted)
    charged_to = {group for group, _ in alignment.charges.values()} | {s.group for s in alignment.lists.values()}
    if not charged_to <= set(range(len(alignment.groups))):
        raise Refused("what is charged must be charged to one of the groups")
    for one in alignment.groups:
        shared.exact(one.bound)
        least, rate = (1, one.rate.arguments[0]) if one.rate.operator == "ln" else (0, one.rate)
        yield Condition("a rate", known(), at_most(rational(least), real(shared.exact(rate))))
    if claim.delta is not None:
        yield Condition("delta is not negative", tuple(shared.known()), at_most(rational(0), shared.exact(claim.delta)))
    lost = total(multiply(real(group.rate), real(group.bound)) for group in alignment.groups)
    bounded = shared.exact(settled(within(lost, claim), shared))
    yield Condition("the claim", known(), bounded)


def settled(statement: Term, shared: Public) -> Term:
    """The statement for the parameters that are given; decided where it speaks of no others."""
    found = substitute(statement, shared.given)
    return truth(decided(found)) if found.operator != "truth" and not variables(found) else found


def within(lost: Term, claim: Claim) -> Term:
    """Whether a loss is within the claim; a pure loss L is L^2 / 2 concentrated, or L where it is so one way only."""
    if claim.rho is None:
        return at_most(lost, ZERO if claim.epsilon is None else claim.epsilon)
    if claim.adjacency.one_direction:
        return at_most(lost, claim.rho)
    return at_most(multiply(rational(Fraction(1, 2)), multiply(lost, lost)), claim.rho)


def decided(statement: Term) -> bool:
    """Whether a statement without variables holds, False where that is not found out."""
    try:
        return decide(without_sorts(statement))
    except (Undecided, ValueError, RecursionError):
        return False


def proves(solver: str, one: Condition, end: float) -> bool:
    """Whether a solver proves a condition before the end."""
    seconds = min(LONGEST, end - work.spent())
    return seconds > 0 and valid(solver, one.hypotheses, one.conclusion, seconds).verdict == "unsat"
